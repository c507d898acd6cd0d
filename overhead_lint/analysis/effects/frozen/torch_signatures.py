"""Signatures of torch's Python APIs, by scope and name: written by benchmarks/api_signatures.py."""

from __future__ import annotations

from typing import Final

TORCH: Final = "2.13.0"

PYTHON: Final = "3.11"

SIGNATURES: Final = {
    "torch": """\
BFloat16Storage *args wrap_storage=None dtype=None device=None _internal=False
BoolStorage *args wrap_storage=None dtype=None device=None _internal=False
ByteStorage *args wrap_storage=None dtype=None device=None _internal=False
CharStorage *args wrap_storage=None dtype=None device=None _internal=False
ComplexDoubleStorage *args wrap_storage=None dtype=None device=None _internal=False
ComplexFloatStorage *args wrap_storage=None dtype=None device=None _internal=False
DoubleStorage *args wrap_storage=None dtype=None device=None _internal=False
FloatStorage *args wrap_storage=None dtype=None device=None _internal=False
Generator * device:V=None seed:i=None
GradScaler device:s='cuda' init_scale:f=65536.0 growth_factor:f=2.0 backoff_factor:f=0.5 growth_interval:i=2000 enabled:b=True
HalfStorage *args wrap_storage=None dtype=None device=None _internal=False
IntStorage *args wrap_storage=None dtype=None device=None _internal=False
LongStorage *args wrap_storage=None dtype=None device=None _internal=False
QInt32Storage *args wrap_storage=None dtype=None device=None _internal=False
QInt8Storage *args wrap_storage=None dtype=None device=None _internal=False
QUInt2x4Storage *args wrap_storage=None dtype=None device=None _internal=False
QUInt4x2Storage *args wrap_storage=None dtype=None device=None _internal=False
QUInt8Storage *args wrap_storage=None dtype=None device=None _internal=False
ShortStorage *args wrap_storage=None dtype=None device=None _internal=False
Size iterable=
Storage =torch.FloatStorage
SymBool node
SymFloat node
SymInt node
TypedStorage *args wrap_storage=None dtype=None device=None _internal=False
_assert_async input:T -> 0|input:T assert_msg:s -> 0
_foreach_abs self:L -> L
_foreach_abs_ self:L! -> 0
_foreach_acos self:L -> L
_foreach_acos_ self:L! -> 0
_foreach_add self:L scalars -> L|self:L other:L * alpha:n=1 -> L|self:L other:T * alpha:n=1 -> L|self:L scalar:n -> L
_foreach_add_ self:L! scalars -> 0|self:L! other:L * alpha:n=1 -> 0|self:L! other:T * alpha:n=1 -> 0|self:L! scalar:n -> 0
_foreach_addcdiv self:L tensor1:L tensor2:L scalars -> L|self:L tensor1:L tensor2:L scalars:T -> L|self:L tensor1:L tensor2:L value:n=1 -> L
_foreach_addcdiv_ self:L! tensor1:L tensor2:L scalars -> 0|self:L! tensor1:L tensor2:L scalars:T -> 0|self:L! tensor1:L tensor2:L value:n=1 -> 0
_foreach_addcmul self:L tensor1:L tensor2:L scalars -> L|self:L tensor1:L tensor2:L scalars:T -> L|self:L tensor1:L tensor2:L value:n=1 -> L
_foreach_addcmul_ self:L! tensor1:L tensor2:L scalars -> 0|self:L! tensor1:L tensor2:L scalars:T -> 0|self:L! tensor1:L tensor2:L value:n=1 -> 0
_foreach_asin self:L -> L
_foreach_asin_ self:L! -> 0
_foreach_atan self:L -> L
_foreach_atan_ self:L! -> 0
_foreach_ceil self:L -> L
_foreach_ceil_ self:L! -> 0
_foreach_clamp_max self:L scalars -> L|self:L scalar:n -> L|self:L other:L -> L
_foreach_clamp_max_ self:L! scalars -> 0|self:L! scalar:n -> 0|self:L! other:L -> 0
_foreach_clamp_min self:L scalars -> L|self:L scalar:n -> L|self:L other:L -> L
_foreach_clamp_min_ self:L! scalars -> 0|self:L! scalar:n -> 0|self:L! other:L -> 0
_foreach_clone self:L * memory_format=None -> L
_foreach_copy_ self:L! src:L non_blocking:b=False -> 0
_foreach_cos self:L -> L
_foreach_cos_ self:L! -> 0
_foreach_cosh self:L -> L
_foreach_cosh_ self:L! -> 0
_foreach_div self:L scalars -> L|self:L other:T -> L|self:L scalar:n -> L|self:L other:L -> L
_foreach_div_ self:L! scalars -> 0|self:L! other:T -> 0|self:L! scalar:n -> 0|self:L! other:L -> 0
_foreach_erf self:L -> L
_foreach_erf_ self:L! -> 0
_foreach_erfc self:L -> L
_foreach_erfc_ self:L! -> 0
_foreach_exp self:L -> L
_foreach_exp_ self:L! -> 0
_foreach_expm1 self:L -> L
_foreach_expm1_ self:L! -> 0
_foreach_floor self:L -> L
_foreach_floor_ self:L! -> 0
_foreach_frac self:L -> L
_foreach_frac_ self:L! -> 0
_foreach_lerp self:L tensors1:L weight:n -> L|self:L tensors1:L weight -> L|self:L tensors1:L weights:L -> L
_foreach_lerp_ self:L! tensors1:L weight:n -> 0|self:L! tensors1:L weight -> 0|self:L! tensors1:L weights:L -> 0
_foreach_lgamma self:L -> L
_foreach_lgamma_ self:L! -> 0
_foreach_log self:L -> L
_foreach_log10 self:L -> L
_foreach_log10_ self:L! -> 0
_foreach_log1p self:L -> L
_foreach_log1p_ self:L! -> 0
_foreach_log2 self:L -> L
_foreach_log2_ self:L! -> 0
_foreach_log_ self:L! -> 0
_foreach_max self:L -> L
_foreach_maximum self:L scalars -> L|self:L scalar:n -> L|self:L other:L -> L
_foreach_maximum_ self:L! scalars -> 0|self:L! scalar:n -> 0|self:L! other:L -> 0
_foreach_minimum self:L scalars -> L|self:L scalar:n -> L|self:L other:L -> L
_foreach_minimum_ self:L! scalars -> 0|self:L! scalar:n -> 0|self:L! other:L -> 0
_foreach_mm self:L mat2:L -> L
_foreach_mul self:L scalars -> L|self:L other:T -> L|self:L scalar:n -> L|self:L other:L -> L
_foreach_mul_ self:L! scalars -> 0|self:L! other:T -> 0|self:L! scalar:n -> 0|self:L! other:L -> 0
_foreach_neg self:L -> L
_foreach_neg_ self:L! -> 0
_foreach_norm self:L ord:n=2 dtype:D=None -> L
_foreach_pow self:L exponent -> L|self:L exponent:n -> L|self:L exponent:L -> L|self:n exponent:L -> L
_foreach_pow_ self:L! exponent -> 0|self:L! exponent:n -> 0|self:L! exponent:L -> 0
_foreach_powsum self:L ord:n=2 dtype:D=None -> L
_foreach_reciprocal self:L -> L
_foreach_reciprocal_ self:L! -> 0
_foreach_round self:L -> L
_foreach_round_ self:L! -> 0
_foreach_rsqrt self:L -> L
_foreach_rsqrt_ self:L! -> 0
_foreach_sigmoid self:L -> L
_foreach_sigmoid_ self:L! -> 0
_foreach_sign self:L -> L
_foreach_sign_ self:L! -> 0
_foreach_sin self:L -> L
_foreach_sin_ self:L! -> 0
_foreach_sinh self:L -> L
_foreach_sinh_ self:L! -> 0
_foreach_sqrt self:L -> L
_foreach_sqrt_ self:L! -> 0
_foreach_sub self:L scalars -> L|self:L other:L * alpha:n=1 -> L|self:L scalar:n -> L
_foreach_sub_ self:L! scalars -> 0|self:L! other:L * alpha:n=1 -> 0|self:L! scalar:n -> 0
_foreach_tan self:L -> L
_foreach_tan_ self:L! -> 0
_foreach_tanh self:L -> L
_foreach_tanh_ self:L! -> 0
_foreach_trunc self:L -> L
_foreach_trunc_ self:L! -> 0
_foreach_zero_ self:L! -> 0
_fused_adagrad_ self:L! grads:L! state_sums:L! state_steps:L! * lr:T lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None -> 0|self:L! grads:L! state_sums:L! state_steps:L! * lr:f lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None -> 0
_fused_adam_ self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> 0|self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> 0
_fused_adamw_ self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> 0|self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> 0
_fused_dropout input:T p:f generator=None -> TT
_fused_moving_avg_obs_fq_helper input:T observer_on:T fake_quant_on:T running_min:T! running_max:T! scale:T! zero_point:T! averaging_const:f quant_min:i quant_max:i ch_axis:i per_row_fake_quant:b=False symmetric_quant:b=False -> TT
_fused_rms_norm input:T normalized_shape:z weight:T eps:f -> TT
_fused_sdp_choice query:T key:T value:T attn_mask:T=None dropout_p:f=0.0 is_causal:b=False * scale:f=None enable_gqa:b=False -> i
_fused_sgd_ self:L! grads:L! momentum_buffer_list:L! * weight_decay:f momentum:f lr:T dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None -> 0|self:L! grads:L! momentum_buffer_list:L! * weight_decay:f momentum:f lr:f dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None -> 0
_grouped_mm input:T mat2:T offs:T=None bias:T=None out_dtype:D=None -> T
_int_mm input:T mat2:T * out:T!=None -> T
_scaled_mm input:T mat2:T scale_a:T scale_b:T bias:T=None scale_result:T=None out_dtype:D=None use_fast_accum:b=False * out:T!=None -> T
_scaled_mm_v2 input:T mat2:T scale_a:L recipe_a:z swizzle_a:z scale_b:L recipe_b:z swizzle_b:z bias:T out_dtype:D contraction_dim:z= use_fast_accum:b=False * out:T!=None -> T
abs input:T * out:T!=None -> T
abs_ input:T! -> A
absolute input:T * out:T!=None -> T
acos input:T * out:T!=None -> T
acos_ input:T! -> A
acosh input:T * out:T!=None -> T
acosh_ input:T! -> A
adaptive_avg_pool1d input:T output_size -> T
adaptive_max_pool1d input:T output_size -> TT
add input:N other:N * alpha:n=1 out:T!=None -> T|self:T alpha:n other:T -> T|self:T alpha:n other:T * out:T! -> T
addbmm beta:n self:T alpha:n batch1:T batch2:T -> T|beta:n self:T alpha:n batch1:T batch2:T * out:T! -> T|input:T batch1:T batch2:T * beta:n=1 alpha:n=1 out:T!=None -> T|beta:n self:T batch1:T batch2:T -> T|beta:n self:T batch1:T batch2:T * out:T! -> T
addcdiv self:T value:n tensor1:T tensor2:T -> T|self:T value:n tensor1:T tensor2:T * out:T! -> T|input:T tensor1:T tensor2:T * value:n=1 out:T!=None -> T
addcmul self:T value:n tensor1:T tensor2:T -> T|self:T value:n tensor1:T tensor2:T * out:T! -> T|input:T tensor1:T tensor2:T * value:n=1 out:T!=None -> T
addmm beta:n self:T alpha:n mat1:T mat2:T -> T|beta:n self:T alpha:n mat1:T mat2:T * out:T! -> T|input:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T!=None -> T|input:T mat1:T mat2:T out_dtype:D * beta:n=1 alpha:n=1 out:T!=None -> T|beta:n self:T mat1:T mat2:T -> T|beta:n self:T mat1:T mat2:T * out:T! -> T
addmv beta:n self:T alpha:n mat:T vec:T -> T|beta:n self:T alpha:n mat:T vec:T * out:T! -> T|input:T mat:T vec:T * beta:n=1 alpha:n=1 out:T!=None -> T|beta:n self:T mat:T vec:T -> T|beta:n self:T mat:T vec:T * out:T! -> T
addmv_ beta:n self:T! alpha:n mat:T vec:T -> A|input:T! mat:T vec:T * beta:n=1 alpha:n=1 -> A|beta:n self:T! mat:T vec:T -> A
addr beta:n self:T alpha:n vec1:T vec2:T -> T|beta:n self:T alpha:n vec1:T vec2:T * out:T! -> T|input:T vec1:T vec2:T * beta:n=1 alpha:n=1 out:T!=None -> T|beta:n self:T vec1:T vec2:T -> T|beta:n self:T vec1:T vec2:T * out:T! -> T
adjoint input:T -> A
affine_grid_generator theta:T size:z align_corners:b -> T
alias_copy input:T * out:T!=None -> T
all input:T * out:T!=None -> T|input:T dim:z=None keepdim:b=False * out:T!=None -> T|input:T dim:i keepdim:b=False * out:T!=None -> T
allclose input:T other:T rtol:f=1e-05 atol:f=1e-08 equal_nan:b=False -> b
alpha_dropout input:T p:f train:b -> T
alpha_dropout_ input:T! p:f train:b -> A
amax input:T dim= keepdim:b=False * out:T!=None -> T
amin input:T dim= keepdim:b=False * out:T!=None -> T
aminmax input:T * dim:i=None keepdim:b=False out!=None -> TT
angle input:T * out:T!=None -> T
any input:T * out:T!=None -> T|input:T dim:z=None keepdim:b=False * out:T!=None -> T|input:T dim:i keepdim:b=False * out:T!=None -> T
arange start:n end:n step:n * out:T!=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|start:n end:n * out:T!=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|end:n * out:T!=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|end:n * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:n end:n * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:n end:n step:n=1 * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
arccos input:T * out:T!=None -> T
arccos_ input:T! -> A
arccosh input:T * out:T!=None -> T
arccosh_ input:T! -> A
arcsin input:T * out:T!=None -> T
arcsin_ input:T! -> A
arcsinh input:T * out:T!=None -> T
arcsinh_ input:T! -> A
arctan input:T * out:T!=None -> T
arctan2 input:T other:T * out:T!=None -> T
arctan_ input:T! -> A
arctanh input:T * out:T!=None -> T
arctanh_ input:T! -> A
are_deterministic_algorithms_enabled  -> b
argmax input:T dim:i=None keepdim:b=False * out:T!=None -> T
argmin input:T dim:i=None keepdim:b=False * out:T!=None -> T
argsort input:T * stable:b dim:i=-1 descending:b=False out:T!=None -> T|input:T dim:i=-1 descending:b=False -> T
argwhere input:T -> T
as_strided input:T size:z stride:z storage_offset:i=None -> A
as_strided_ input:T! size:z stride:z storage_offset:i=None -> A
as_strided_copy input:T size:z stride:z storage_offset:i=None * out:T!=None -> T
as_strided_scatter input:T src:T size:z stride:z storage_offset:i=None -> T
as_tensor data dtype:D=None device:V=None -> T
asarray obj * dtype:D=None device:V=None copy:b=None requires_grad:b=None -> T
asin input:T * out:T!=None -> T
asin_ input:T! -> A
asinh input:T * out:T!=None -> T
asinh_ input:T! -> A
atan input:T * out:T!=None -> T
atan2 input:T other:T * out:T!=None -> T
atan_ input:T! -> A
atanh input:T * out:T!=None -> T
atanh_ input:T! -> A
atleast_1d *tensors
atleast_2d *tensors
atleast_3d *tensors
autocast device_type:s dtype:D=None enabled:b=True cache_enabled:b=None
avg_pool1d input:T kernel_size stride= padding=0 ceil_mode:b=False count_include_pad:b=True -> T
baddbmm beta:n self:T alpha:n batch1:T batch2:T -> T|beta:n self:T alpha:n batch1:T batch2:T * out:T! -> T|input:T batch1:T batch2:T * beta:n=1 alpha:n=1 out:T!=None -> T|input:T batch1:T batch2:T out_dtype:D * beta:n=1 alpha:n=1 out:T!=None -> T|beta:n self:T batch1:T batch2:T -> T|beta:n self:T batch1:T batch2:T * out:T! -> T
bartlett_window window_length:i * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f cudnn_enabled:b -> T
batch_norm_backward_elemt grad_out:T input:T mean:T invstd:T weight:T sum_dy:T sum_dy_xmu:T count:T -> T
batch_norm_backward_reduce grad_out:T input:T mean:T invstd:T weight:T input_g:b weight_g:b bias_g:b -> TTTT
batch_norm_elemt input:T weight:T bias:T mean:T invstd:T eps:f * out:T!=None -> T
batch_norm_gather_stats input:T mean:T invstd:T running_mean:T running_var:T momentum:f eps:f count:i -> TT
batch_norm_gather_stats_with_counts input:T mean:T invstd:T running_mean:T running_var:T momentum:f eps:f counts:T -> TT
batch_norm_stats input:T eps:f -> TT
batch_norm_update_stats input:T running_mean:T running_var:T momentum:f -> TT
bernoulli input:T * generator=None out:T!=None -> T|input:T p:f * generator=None -> T
bilinear input1:T input2:T weight:T bias:T=None -> T
binary_cross_entropy_with_logits input:T target:T weight:T=None pos_weight:T=None reduction:i=1 -> T
bincount input:T weights:T=None minlength:i=0 -> T
binomial count:T prob:T generator=None -> T
bitwise_and input:T other:T * out:T!=None -> T|self:n other:T -> T|input:T other:n * out:T!=None -> T
bitwise_left_shift input:T other:T * out:T!=None -> T|self:n other:T -> T|input:T other:n * out:T!=None -> T
bitwise_not input:T * out:T!=None -> T
bitwise_or input:T other:T * out:T!=None -> T|self:n other:T -> T|input:T other:n * out:T!=None -> T
bitwise_right_shift input:T other:T * out:T!=None -> T|self:n other:T -> T|input:T other:n * out:T!=None -> T
bitwise_xor input:T other:T * out:T!=None -> T|self:n other:T -> T|input:T other:n * out:T!=None -> T
blackman_window window_length:i * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
block_diag *tensors
bmm input:T mat2:T * out:T!=None -> T|input:T mat2:T out_dtype:D * out:T!=None -> T
broadcast_shapes *shapes
broadcast_tensors *tensors
broadcast_to input:T size:z -> A
bucketize input:T boundaries:T * out_int32:b=False right:b=False out:T!=None -> T|self:n boundaries:T * out_int32:b=False right:b=False -> T
can_cast from_:D to:D -> b
cartesian_prod *tensors:T -> T
cat tensors:L dim:i=0 * out:T!=None -> T
ccol_indices_copy input:T * out:T!=None -> T
cdist x1 x2 p=2.0 compute_mode=
ceil input:T * out:T!=None -> T
ceil_ input:T! -> A
celu input:T alpha:n=1.0 -> T
celu_ input:T! alpha:n=1.0 -> A
chain_matmul *matrices out!=None
channel_shuffle input:T groups:i -> T
cholesky input:T upper:b=False * out:T!=None -> T
cholesky_inverse input:T upper:b=False * out:T!=None -> T
cholesky_solve input:T input2:T upper:b=False * out:T!=None -> T
choose_qparams_optimized input:T numel:i n_bins:i ratio:f bit_width:i -> TT
chunk input:T chunks:i dim:i=0 -> M
clamp input:T min:T=None max:T=None * out:T!=None -> T|input:T min:n=None max:n=None * out:T!=None -> T
clamp_ input:T! min:T=None max:T=None -> A|input:T! min:n=None max:n=None -> A
clamp_max input:T max:T * out:T!=None -> T|input:T max:n * out:T!=None -> T
clamp_max_ input:T! max:T -> A|input:T! max:n -> A
clamp_min input:T min:T * out:T!=None -> T|input:T min:n * out:T!=None -> T
clamp_min_ input:T! min:T -> A|input:T! min:n -> A
classproperty func
clip input:T min:T=None max:T=None * out:T!=None -> T|input:T min:n=None max:n=None * out:T!=None -> T
clip_ input:T! min:T=None max:T=None -> A|input:T! min:n=None max:n=None -> A
clone input:T * memory_format=None -> T
col_indices_copy input:T * out:T!=None -> T
column_stack tensors:L * out:T!=None -> T
combinations input:T r:i=2 with_replacement:b=False -> T
compile model:C=None * fullgraph:b=False dynamic:b=None backend=None mode:s=None options=None name:s=None disable:b=False recompile_limit:i=None isolate_recompiles:b=False shapes_spec=None -> C
compiled_with_cxx11_abi  -> b
complex real:T imag:T * out:T!=None -> T
concat tensors:L dim:i=0 * out:T!=None -> T
concatenate tensors:L dim:i=0 * out:T!=None -> T
cond pred true_fn:C false_fn:C operands=
conj input:T -> A
conj_physical input:T * out:T!=None -> T
conj_physical_ input:T! -> A
constant_pad_nd input:T pad:z value:n=0 -> T
conv1d input:T weight:T bias:T=None stride=1 padding=0 dilation=1 groups:i=1 -> T|input:T weight:T bias:T=None stride=1 padding:s='valid' dilation=1 groups:i=1 -> T
conv2d input:T weight:T bias:T=None stride=1 padding=0 dilation=1 groups:i=1 -> T|input:T weight:T bias:T=None stride=1 padding:s='valid' dilation=1 groups:i=1 -> T
conv3d input:T weight:T bias:T=None stride=1 padding=0 dilation=1 groups:i=1 -> T|input:T weight:T bias:T=None stride=1 padding:s='valid' dilation=1 groups:i=1 -> T
conv_tbc input:T weight:T bias:T pad:i=0 -> T
conv_transpose1d input:T weight:T bias:T=None stride=1 padding=0 output_padding=0 groups:i=1 dilation=1 -> T
conv_transpose2d input:T weight:T bias:T=None stride=1 padding=0 output_padding=0 groups:i=1 dilation=1 -> T
conv_transpose3d input:T weight:T bias:T=None stride=1 padding=0 output_padding=0 groups:i=1 dilation=1 -> T
convolution input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i -> T
copysign input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
corrcoef input:T -> T
cos input:T * out:T!=None -> T
cos_ input:T! -> A
cosh input:T * out:T!=None -> T
cosh_ input:T! -> A
cosine_embedding_loss input1:T input2:T target:T margin:f=0.0 reduction:i=1 -> T
cosine_similarity x1:T x2:T dim:i=1 eps:f=1e-08 -> T
count_nonzero input:T dim:i=None -> T|input:T dim:z -> T
cov input:T * correction:i=1 fweights:T=None aweights:T=None -> T
cross input:T other:T dim:i=None * out:T!=None -> T
crow_indices_copy input:T * out:T!=None -> T
ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i=0 reduction:i=1 zero_infinity:b=False -> T|log_probs:T targets:T input_lengths:T target_lengths:T blank:i=0 reduction:i=1 zero_infinity:b=False -> T
cudnn_affine_grid_generator theta:T N:i C:i H:i W:i -> T
cudnn_batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b exponential_average_factor:f epsilon:f * out!=None -> TTTT
cudnn_convolution input:T weight:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b allow_tf32:b * out:T!=None -> T
cudnn_convolution_add_relu input:T weight:T z:T alpha:n bias:T stride:z padding:z dilation:z groups:i -> T
cudnn_convolution_relu input:T weight:T bias:T stride:z padding:z dilation:z groups:i -> T
cudnn_convolution_transpose input:T weight:T padding:z output_padding:z stride:z dilation:z groups:i benchmark:b deterministic:b allow_tf32:b -> T
cudnn_grid_sampler input:T grid:T -> T
cudnn_is_acceptable input:T -> b
cummax input:T dim:i * out!=None -> TT
cummin input:T dim:i * out!=None -> TT
cumprod input:T dim:i * dtype:D=None out:T!=None -> T
cumsum input:T dim:i * dtype:D=None out:T!=None -> T
cumulative_trapezoid y:T x:T * dim:i=-1 -> T|y:T * dx:n=1 dim:i=-1 -> T
deg2rad input:T * out:T!=None -> T
deg2rad_ input:T! -> A
dequantize input:T -> T|tensors:L -> L
det input:T -> T
detach input:T -> A
detach_ input:T! -> A
detach_copy input:T * out:T!=None -> T
device a:s -> V|type:s index:i -> V
diag input:T diagonal:i=0 * out:T!=None -> T
diag_embed input:T offset:i=0 dim1:i=-2 dim2:i=-1 -> T
diagflat input:T offset:i=0 -> T
diagonal input:T offset:i=0 dim1:i=0 dim2:i=1 -> A
diagonal_copy input:T offset:i=0 dim1:i=0 dim2:i=1 * out:T!=None -> T
diagonal_scatter input:T src:T offset:i=0 dim1:i=0 dim2:i=1 -> T
diff input:T n:i=1 dim:i=-1 prepend:T=None append:T=None * out:T!=None -> T
digamma input:T * out:T!=None -> T
dist input:T other:T p:n=2 -> T
div input:N other:N * rounding_mode:s=None out:T!=None -> T
divide input:T other:T * out:T!=None -> T|input:T other:T * rounding_mode:s out:T!=None -> T|input:T other:n * rounding_mode:s -> T|input:T other:n -> T
dot input:T tensor:T * out:T!=None -> T
dropout input:T p:f train:b -> T
dropout_ input:T! p:f train:b -> A
dsmm input:T mat2:T -> T
dsplit input:T sections:i -> M|input:T indices:z -> M
dstack tensors:L * out:T!=None -> T
eig self:T eigenvectors:b=False * e=None v=None
einsum *args -> T
embedding weight:T indices:T padding_idx:i=-1 scale_grad_by_freq:b=False sparse:b=False -> T
embedding_bag weight:T indices:T offsets:T scale_grad_by_freq:b mode:i sparse:b per_sample_weights:T include_last_offset:b padding_idx:i -> TTTT|weight:T indices:T offsets:T scale_grad_by_freq:b=False mode:i=0 sparse:b=False per_sample_weights:T=None include_last_offset:b=False -> TTTT
embedding_renorm_ input:T! indices:T max_norm:f norm_type:f -> A
empty size:z * memory_format=None out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z memory_format=None out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
empty_like input:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
empty_permuted size:z physical_layout:z * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
empty_quantized size:z qtensor:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
empty_strided size:z stride:z * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
enable_grad orig_func=None
eq input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
equal input:T other:T -> b
erf input:T * out:T!=None -> T
erf_ input:T! -> A
erfc input:T * out:T!=None -> T
erfc_ input:T! -> A
erfinv input:T * out:T!=None -> T
exp input:T * out:T!=None -> T
exp2 input:T * out:T!=None -> T
exp2_ input:T! -> A
exp_ input:T! -> A
expand_copy input:T size:z * implicit:b=False out:T!=None -> T
expm1 input:T * out:T!=None -> T
expm1_ input:T! -> A
eye n:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|n:i m:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
fake_quantize_per_channel_affine input:T scale:T zero_point:T axis:i quant_min:i quant_max:i -> T
fake_quantize_per_tensor_affine input:T scale:f zero_point:i quant_min:i quant_max:i -> T|input:T scale:T zero_point:T quant_min:i quant_max:i -> T
fbgemm_linear_fp16_weight input:T packed_weight:T bias:T -> T|input:T packed_weight:T bias:T output:T! -> T
fbgemm_linear_fp16_weight_fp32_activation input:T packed_weight:T bias:T -> T|input:T packed_weight:T bias:T output:T! -> T
fbgemm_linear_int8_weight input:T weight:T packed:T col_offsets:T weight_scale:n weight_zero_point:n bias:T -> T
fbgemm_linear_int8_weight_fp32_activation input:T weight:T packed:T col_offsets:T weight_scale:n weight_zero_point:n bias:T -> T
fbgemm_linear_quantize_weight input:T -> TTfi
fbgemm_pack_gemm_matrix_fp16 input:T -> T
fbgemm_pack_quantized_matrix input:T -> T|input:T K:i N:i -> T
feature_alpha_dropout input:T p:f train:b -> T
feature_alpha_dropout_ input:T! p:f train:b -> A
feature_dropout input:T p:f train:b -> T
feature_dropout_ input:T! p:f train:b -> A
fill input:T value:T -> T|input:T value:n -> T
fill_ input:T! value:T -> A|input:T! value:n -> A
fix input:T * out:T!=None -> T
fix_ input:T! -> A
flatten input:T start_dim:i=0 end_dim:i=-1 -> A
flip input:T dims:z -> T
fliplr input:T -> T
flipud input:T -> T
float_power input:T exponent:T * out:T!=None -> T|self:n exponent:T * out:T!=None -> T|input:T exponent:n * out:T!=None -> T
floor input:T * out:T!=None -> T
floor_ input:T! -> A
floor_divide input:N other:N * out:T!=None -> T
fmax input:T other:T * out:T!=None -> T
fmin input:T other:T * out:T!=None -> T
fmod input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
frac input:T * out:T!=None -> T
frac_ input:T! -> A
frexp input:T * out!=None -> TT
frobenius_norm input:T dim keepdim:b=False * out:T!=None -> T
from_dlpack ext_tensor * device=None copy:b=None -> T
from_file filename:s shared:b=None size:i=0 * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
from_numpy ndarray -> T
frombuffer buffer * dtype:D count:i=-1 offset:i=0 requires_grad:b=False -> T
full size:z fill_value:n * out:T!=None layout= dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|size:z fill_value:n * names layout= dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|size:z fill_value:n * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
full_like input:T fill_value:n * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
fused_moving_avg_obs_fake_quant input:T observer_on:T fake_quant_on:T running_min:T! running_max:T! scale:T! zero_point:T! averaging_const:f quant_min:i quant_max:i ch_axis:i per_row_fake_quant:b=False symmetric_quant:b=False -> T
gather input:T dim:i index:T * sparse_grad:b=False out:T!=None -> T
gcd input:T other:T * out:T!=None -> T
gcd_ input:T! other:T -> A
ge input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
geqrf input:T * out!=None -> TT
ger input:T vec2:T * out:T!=None -> T
get_autocast_dtype device_type:s -> i
get_default_device  -> V
get_default_dtype  -> D
get_deterministic_debug_mode  -> i
get_device input:T -> i
get_device_module device=None
get_file_path *path_components:s -> s
get_float32_matmul_precision  -> s
get_num_interop_threads  -> i
get_num_threads  -> i
get_rng_state  -> T
gradient input:T * spacing:n=None dim:i=None edge_order:i=1 -> L|input:T * spacing dim:i=None edge_order:i=1 -> L|input:T * spacing dim:z edge_order:i=1 -> L|input:T * spacing:L dim:i=None edge_order:i=1 -> L|input:T * spacing:n dim:z edge_order:i=1 -> L|input:T * spacing:L dim:z edge_order:i=1 -> L|input:T * dim:z edge_order:i=1 -> L
greater input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
greater_equal input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
grid_sampler input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
grid_sampler_2d input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
grid_sampler_3d input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
group_norm input:T num_groups:i weight:T=None bias:T=None eps:f=1e-05 cudnn_enabled:b=True -> T
gru data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT|input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
gru_cell input:T hx:T w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> T
gt input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
hamming_window window_length:i * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b alpha:f * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b alpha:f beta:f * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
hann_window window_length:i * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
hardshrink input:T lambd:n=0.5 * out:T!=None -> T
hash_tensor input:T dim= * keepdim:b=False mode:i=0 out:T!=None -> T
heaviside input:T values:T * out:T!=None -> T
hinge_embedding_loss input:T target:T margin:f=1.0 reduction:i=1 -> T
histc input:T bins:i=100 min:n=0 max:n=0 * out:T!=None -> T
histogram input:T bins:T * weight:T=None density:b=False out!=None -> TT|input:T bins:i=100 * range=None weight:T=None density:b=False out!=None -> TT
histogramdd input:T bins:i range=None weight:T=None density:b=False -> TT|input:T bins:z range=None weight:T=None density:b=False -> TT|input:T bins:L range=None weight:T=None density:b=False -> TT
hsmm input:T mat2:T -> T
hsplit input:T sections:i -> M|input:T indices:z -> M
hspmm mat1:T mat2:T * out:T!=None -> T
hstack tensors:L * out:T!=None -> T
hypot input:T other:T * out:T!=None -> T
i0 input:T * out:T!=None -> T
i0_ input:T! -> A
igamma input:T other:T * out:T!=None -> T
igammac input:T other:T * out:T!=None -> T
imag input:T -> A
index_add input:T dim:i index:T source:T * alpha:n=1 out:T!=None -> T
index_copy input:T dim:i index:T source:T * out:T!=None -> T
index_fill input:T dim:i index:T value:T -> T|input:T dim:i index:T value:n -> T
index_put input:T indices:L values:T accumulate:b=False -> T
index_put_ input:T! indices:L values:T accumulate:b=False -> A
index_reduce input:T dim:i index:T source:T reduce:s * include_self:b=True out:T!=None -> T
index_select input:T dim:i index:T * out:T!=None -> T
indices_copy input:T * out:T!=None -> T
inference_mode mode=True
init_num_threads  -> 0
initial_seed  -> i
inner input:T other:T * out:T!=None -> T
instance_norm input:T weight:T bias:T running_mean:T running_var:T use_input_stats:b momentum:f eps:f cudnn_enabled:b -> T
int_repr input:T -> T
inverse input:T * out:T!=None -> T
is_autocast_cpu_enabled  -> b
is_autocast_enabled  -> b
is_complex input:T -> b
is_conj input:T -> b
is_deterministic_algorithms_warn_only_enabled  -> b
is_distributed input:T -> b
is_floating_point input:T -> b
is_grad_enabled  -> b
is_inference input:T -> b
is_inference_mode_enabled  -> b
is_neg input:T -> b
is_nonzero input:T -> b
is_same_size input:T other:T -> b
is_signed input:T -> b
is_storage obj
is_tensor obj
is_vulkan_available  -> b
is_warn_always_enabled  -> b
isclose input:T other:T rtol:f=1e-05 atol:f=1e-08 equal_nan:b=False -> T
isfinite input:T -> T
isin elements:T test_elements:T * assume_unique:b=False invert:b=False out:T!=None -> T|element:n test_elements:T * assume_unique:b=False invert:b=False out:T!=None -> T|elements:T test_element:n * assume_unique:b=False invert:b=False out:T!=None -> T
isinf input:T -> T
isnan input:T -> T
isneginf input:T * out:T!=None -> T
isposinf input:T * out:T!=None -> T
isreal input:T -> T
istft input:T n_fft:i hop_length:i=None win_length:i=None window:T=None center:b=True normalized:b=False onesided:b=None length:i=None return_complex:b=False -> T
kaiser_window window_length:i * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|window_length:i periodic:b beta:f * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
kl_div input:T target:T reduction:i=1 * log_target:b=False -> T
kron input:T other:T * out:T!=None -> T
kthvalue input:T k:i dim:i=-1 keepdim:b=False * out!=None -> TT
layer_norm input:T normalized_shape:z weight:T=None bias:T=None eps:f=1e-05 cudnn_enable:b=True -> T
lcm input:T other:T * out:T!=None -> T
lcm_ input:T! other:T -> A
ldexp input:T other:T * out:T!=None -> T
ldexp_ input:T! other:T -> A
le input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
lerp input:T end:T weight:T * out:T!=None -> T|input:T end:T weight:n * out:T!=None -> T
less input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
less_equal input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
lgamma input:T * out:T!=None -> T
linspace start:n end:n steps:i=None * out:T!=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|start:T end:T steps:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:n end:T steps:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:T end:n steps:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:n end:n steps:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
load f map_location:C=None pickle_module=None * weights_only:b=None mmap:b=None **pickle_load_args
lobpcg A:T k:i=None B:T=None X:T=None n:i=None iK:T=None niter:i=None tol:f=None largest:b=None method:s=None tracker:0=None ortho_iparams=None ortho_fparams=None ortho_bparams=None
log input:T * out:T!=None -> T
log10 input:T * out:T!=None -> T
log10_ input:T! -> A
log1p input:T * out:T!=None -> T
log1p_ input:T! -> A
log2 input:T * out:T!=None -> T
log2_ input:T! -> A
log_ input:T! -> A
log_softmax input:T dim:i dtype:D=None * out:T!=None -> T
logaddexp input:T other:T * out:T!=None -> T
logaddexp2 input:T other:T * out:T!=None -> T
logcumsumexp input:T dim:i * out:T!=None -> T
logdet input:T -> T
logical_and input:T other:T * out:T!=None -> T
logical_not input:T * out:T!=None -> T
logical_or input:T other:T * out:T!=None -> T
logical_xor input:T other:T * out:T!=None -> T
logit input:T eps:f=None * out:T!=None -> T
logit_ input:T! eps:f=None -> A
logspace start:n end:n steps:i=None base:f=10.0 * out:T!=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|start:T end:T steps:i base:f=10.0 * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:n end:T steps:i base:f=10.0 * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:T end:n steps:i base:f=10.0 * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|start:n end:n steps:i base:f=10.0 * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
logsumexp input:T dim keepdim:b=False * out:T!=None -> T
lstm data:T batch_sizes:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TTT|input:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TTT
lstm_cell input:T hx:L w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> TT
lstsq input:T A:T * out!=None
lt input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
lu_solve input:T LU_data:T LU_pivots:T * out:T!=None -> T
lu_unpack LU_data:T LU_pivots:T unpack_data:b=True unpack_pivots:b=True * out!=None -> TTT
manual_seed seed
margin_ranking_loss input1:T input2:T target:T margin:f=0.0 reduction:i=1 -> T
masked_fill input:T mask:T value:T -> T|input:T mask:T value:n -> T
masked_scatter input:T mask:T source:T -> T
masked_select input:T mask:T * out:T!=None -> T
matmul input:T other:T * out:T!=None -> T
matrix_exp input:T -> T
matrix_power input:T n:i * out:T!=None -> T
matrix_rank input tol=None symmetric=False * out!=None -> T
max input:T * out:T!=None -> T|input:T other:T * out:T!=None -> T|input:T dim:i keepdim:b=False * out!=None -> TT
max_pool1d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
max_pool1d_with_indices input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> TT
max_pool2d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
max_pool3d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
maximum input:T other:T * out:T!=None -> T
mean input:T * dtype:D=None out:T!=None -> T|input:T dim keepdim:b=False * dtype:D=None out:T!=None -> T
median input:T -> T|input:T dim:i keepdim:b=False * out!=None -> TT
meshgrid *tensors indexing:s=None -> L
min input:T * out:T!=None -> T|input:T other:T * out:T!=None -> T|input:T dim:i keepdim:b=False * out!=None -> TT
minimum input:T other:T * out:T!=None -> T
miopen_batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b exponential_average_factor:f epsilon:f -> TTT
miopen_convolution input:T weight:T bias:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b -> T
miopen_convolution_add_relu input:T weight:T z:T alpha:n bias:T stride:z padding:z dilation:z groups:i -> T
miopen_convolution_relu input:T weight:T bias:T stride:z padding:z dilation:z groups:i -> T
miopen_convolution_transpose input:T weight:T bias:T padding:z output_padding:z stride:z dilation:z groups:i benchmark:b deterministic:b -> T
miopen_ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i deterministic:b zero_infinity:b -> TT|log_probs:T targets:T input_lengths:T target_lengths:T blank:i deterministic:b zero_infinity:b -> TT
miopen_depthwise_convolution input:T weight:T bias:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b -> T
miopen_rnn input:T weight:L weight_stride0:i hx:T cx:T mode:i hidden_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T -> TTTTT
mkldnn_adaptive_avg_pool2d input:T output_size * out:T!=None -> T
mkldnn_convolution input:T weight:T bias:T padding:z stride:z dilation:z groups:i -> T
mkldnn_linear_backward_weights grad_output:T input:T weight:T bias_defined:b -> TT
mkldnn_max_pool2d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
mkldnn_max_pool3d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
mkldnn_rnn_layer input:T weight0:T weight1:T weight2:T weight3:T hx_:T cx_:T reverse:b batch_sizes:z mode:i hidden_size:i num_layers:i has_biases:b bidirectional:b batch_first:b train:b -> TTTT
mm input:T mat2:T * out:T!=None -> T|input:T mat2:T out_dtype:D * out:T!=None -> T
mode input:T dim:i=-1 keepdim:b=False * out!=None -> TT
moveaxis input:T source:i destination:i -> A|input:T source:z destination:z -> A
movedim input:T source:i destination:i -> A|input:T source:z destination:z -> A
msort input:T * out:T!=None -> T
mul input:N other:N * out:T!=None -> T
multinomial input:T num_samples:i replacement:b=False * generator=None out:T!=None -> T
multiply input:T other:T * out:T!=None -> T|input:T other:n -> T
mv input:T vec:T * out:T!=None -> T
mvlgamma input:T p:i * out:T!=None -> T
nan_to_num input:T nan:f=None posinf:f=None neginf:f=None * out:T!=None -> T
nan_to_num_ input:T! nan:f=None posinf:f=None neginf:f=None -> A
nanmean input:T dim=None keepdim:b=False * dtype:D=None out:T!=None -> T
nanmedian input:T -> T|input:T dim:i keepdim:b=False * out!=None -> TT
nanquantile input:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' out:T!=None -> T|input:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' out:T!=None -> T
nansum input:T dim=None keepdim:b=False * dtype:D=None out:T!=None -> T
narrow input:T dim:i start:T length:i -> A|input:T dim:i start:i length:i -> A
narrow_copy input:T dim:i start:i length:i * out:T!=None -> T
native_batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f * out!=None -> TTT
native_channel_shuffle input:T groups:i -> T
native_dropout input:T p:f train:b -> TT
native_group_norm input:T weight:T bias:T N:i C:i HxW:i group:i eps:f -> TTT
native_layer_norm input:T normalized_shape:z weight:T bias:T eps:f -> TTT
native_norm input:T p:n dim keepdim:b dtype:D -> T|input:T p:n=2 -> T
ne input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
neg input:T * out:T!=None -> T
neg_ input:T! -> A
negative input:T * out:T!=None -> T
negative_ input:T! -> A
nextafter input:T other:T * out:T!=None -> T
nonzero input:T * as_tuple=False out:T!=None -> T|input:T * as_tuple -> L
nonzero_static input:T * size:i fill_value:i=-1 out:T!=None -> T
norm input p='fro' dim=None keepdim=False out!=None dtype=None
norm_except_dim v:T pow:i=2 dim:i=0 -> T
normal mean:T std:T * generator=None out:T!=None -> T|mean:T std:f=1 * generator=None out:T!=None -> T|mean:f std:T * generator=None out:T!=None -> T|mean:f std:f size:z * generator=None out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
not_equal input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
nuclear_norm input:T dim keepdim:b=False * out:T!=None -> T|input:T keepdim:b=False * out:T!=None -> T
numel self:T -> i
ones size:z * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
ones_like input:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
orgqr input:T input2:T * out:T!=None -> T
ormqr input:T input2:T input3:T left:b=True transpose:b=False * out:T!=None -> T
outer input:T vec2:T * out:T!=None -> T
pairwise_distance x1:T x2:T p:f=2 eps:f=1e-06 keepdim:b=False -> T
pca_lowrank A:T q:i=None center:b=True niter:i=2
pdist input:T p:f=2 -> T
permute input:T dims:z -> A
permute_copy input:T dims:z * out:T!=None -> T
pinverse input:T rcond:f=1e-15 -> T
pixel_shuffle input:T upscale_factor:i -> T
pixel_unshuffle input:T downscale_factor:i -> T
poisson input:T generator=None -> T
poisson_nll_loss input:T target:T log_input:b full:b eps:f reduction:i -> T
polar abs:T angle:T * out:T!=None -> T
polygamma n:i input:T * out:T!=None -> T
positive input:T -> A
pow input:T exponent:T * out:T!=None -> T|self:n exponent:T * out:T!=None -> T|input:T exponent:n * out:T!=None -> T
prelu input:T weight:T -> T
prepare_multiprocessing_environment path:s -> 0
prod input:T * dtype:D=None -> T|input:T dim:i keepdim:b=False * dtype:D=None out:T!=None -> T
promote_types type1:D type2:D -> D
put input:T index:T source:T accumulate:b=False -> T
q_per_channel_axis input:T -> i
q_per_channel_scales input:T -> T
q_per_channel_zero_points input:T -> T
q_scale input:T -> f
q_zero_point input:T -> i
qr input:T some:b=True * out!=None -> TT
quantile input:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' out:T!=None -> T|input:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' out:T!=None -> T
quantize_per_channel input:T scales:T zero_points:T axis:i dtype:D -> T
quantize_per_tensor input:T scale:T zero_point:T dtype:D -> T|input:T scale:f zero_point:i dtype:D -> T|tensors:L scales:T zero_points:T dtype:D -> L
quantize_per_tensor_dynamic input:T dtype:D reduce_range:b -> T
quantized_batch_norm input:T weight:T bias:T mean:T var:T eps:f output_scale:f output_zero_point:i -> T
quantized_gru input:T hx:T params has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT|data:T batch_sizes:T hx:T params has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT|input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT|data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT
quantized_gru_cell input:T hx:T w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> T
quantized_lstm input:T hx:L params has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b * dtype:i=None use_dynamic:b=False -> TTT|data:T batch_sizes:T hx:L params has_biases:b num_layers:i dropout:f train:b bidirectional:b * dtype:i=None use_dynamic:b=False -> TTT|input:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b * dtype:i=None use_dynamic:b=False -> TTT|data:T batch_sizes:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b * dtype:i=None use_dynamic:b=False -> TTT
quantized_lstm_cell input:T hx:L w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> TT
quantized_max_pool1d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
quantized_max_pool2d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
quantized_max_pool3d input:T kernel_size stride= padding=0 dilation=1 ceil_mode:b=False -> T
quantized_rnn_relu_cell input:T hx:T w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> T
quantized_rnn_tanh_cell input:T hx:T w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> T
rad2deg input:T * out:T!=None -> T
rad2deg_ input:T! -> A
rand size:z * generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|size:z * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
rand_like input:T * generator memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
randint low:i high:i size:z * generator=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|high:i size:z * generator=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|high:i size:z * generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|high:i size:z * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|low:i high:i size:z * generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|low:i high:i size:z * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
randint_like input:T low:i high:i * generator memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T low:i high:i * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T high:T * generator memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T high:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T high:i * generator memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T high:i * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
randn size:z * generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|size:z * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
randn_like input:T * generator memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|input:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
randperm n:i * generator out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|n:i * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
range start:n end:n step:n=1 * out:T!=None dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T
ravel input:T -> A
real input:T -> A
reciprocal input:T * out:T!=None -> T
reciprocal_ input:T! -> A
relu input:T -> T
relu_ input:T! -> A
remainder input:T other:T * out:T!=None -> T|self:n other:T -> T|input:T other:n * out:T!=None -> T
renorm input:T p:n dim:i maxnorm:n * out:T!=None -> T
repeat_interleave input:T repeats:T dim:i=None * output_size:i=None -> T|repeats:T * output_size:i=None -> T|input:T repeats:i dim:i=None * output_size:i=None -> T
reshape input:T shape:z -> A
resize_as_ input:T! the_template:T * memory_format=None -> A
resize_as_sparse_ input:T! the_template:T -> A
resolve_conj input:T -> A
resolve_neg input:T -> A
result_type tensor:T other:T -> D|scalar:n tensor:T -> D|tensor:T other:n -> D|scalar1:n scalar2:n -> D
rms_norm input:T normalized_shape:z weight:T=None eps:f=None -> T
rnn_relu data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT|input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
rnn_relu_cell input:T hx:T w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> T
rnn_tanh data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT|input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
rnn_tanh_cell input:T hx:T w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> T
roll input:T shifts dims= -> T
rot90 input:T k:i=1 dims:z= -> T
round input:T * out:T!=None -> T|input:T * decimals:i out:T!=None -> T
round_ input:T! -> A|input:T! * decimals:i -> A
row_indices_copy input:T * out:T!=None -> T
row_stack tensors:L * out:T!=None -> T
rrelu input:T lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> T
rrelu_ input:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> A
rsqrt input:T * out:T!=None -> T
rsqrt_ input:T! -> A
rsub input:T other:T * alpha:n=1 -> T|input:T other:n alpha:n=1 -> T
saddmm input:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T!=None -> T
save obj f pickle_module= pickle_protocol:i=2 _use_new_zipfile_serialization:b=True _disable_byteorder_record:b=False -> 0
scalar_tensor s:n * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
scatter input:T dim:i index:T src:T * reduce:s out:T!=None -> T|input:T dim:i index:T src:T * out:T!=None -> T|input:T dim:i index:T value:n * reduce:s out:T!=None -> T|input:T dim:i index:T value:n * out:T!=None -> T
scatter_add input:T dim:i index:T src:T * out:T!=None -> T
scatter_reduce input:T dim:i index:T src:T reduce:s * include_self:b=True out:T!=None -> T
searchsorted sorted_sequence:T input:T * out_int32:b=False right:b=False side:s=None sorter:T=None out:T!=None -> T|sorted_sequence:T self:n * out_int32:b=False right:b=False side:s=None sorter:T=None out:T!=None -> T
seed  -> i
segment_reduce data:T reduce:s * lengths:T=None indices:T=None offsets:T=None axis:i=0 unsafe:b=False initial:n=None -> T
select input:T dim:i index:i -> A
select_copy input:T dim:i index:i * out:T!=None -> T
select_scatter input:T src:T dim:i index:i -> T
selu input:T -> T
selu_ input:T! -> A
set_default_device device -> 0
set_default_dtype d:D -> 0
set_default_tensor_type t -> 0
set_deterministic_debug_mode debug_mode -> 0
set_float32_matmul_precision precision:s -> 0
set_flush_denormal mode:b -> b
set_grad_enabled mode:b
set_num_interop_threads num:i -> 0
set_num_threads num:i -> 0
set_printoptions precision=None threshold=None edgeitems=None linewidth=None profile=None sci_mode=None
set_rng_state new_state:T -> 0
set_warn_always b:b -> 0
sgn input:T * out:T!=None -> T
sigmoid input:T * out:T!=None -> T
sigmoid_ input:T! -> A
sign input:T * out:T!=None -> T
signbit input:T * out:T!=None -> T
sin input:T * out:T!=None -> T
sin_ input:T! -> A
sinc input:T * out:T!=None -> T
sinc_ input:T! -> A
sinh input:T * out:T!=None -> T
sinh_ input:T! -> A
slice_copy input:T dim:i=0 start:i=None end:i=None step:i=1 * out:T!=None -> T
slice_inverse input:T src:T dim:i=0 start:i=None end:i=None step:i=1 -> A
slice_scatter input:T src:T dim:i=0 start:i=None end:i=None step:i=1 * out:T!=None -> T
slogdet input:T * out!=None -> TT
smm input:T mat2:T -> T
softmax input:T dim:i dtype:D=None * out:T!=None -> T
solve input:T A:T * out!=None
sort input:T * stable:b dim:i=-1 descending:b=False out!=None -> TT|input:T dim:i=-1 descending:b=False * out!=None -> TT
sparse_bsc_tensor ccol_indices row_indices values size:z=None * dtype:D=None device:V=None requires_grad:b=False check_invariants:b=None -> T
sparse_bsr_tensor crow_indices col_indices values size:z=None * dtype:D=None device:V=None requires_grad:b=False check_invariants:b=None -> T
sparse_compressed_tensor compressed_indices plain_indices values size:z=None * dtype:D=None layout=None device:V=None requires_grad:b=False check_invariants:b=None -> T
sparse_coo_tensor indices:T values size:z=None * dtype:D=None device:V=None requires_grad:b=False check_invariants:b=None is_coalesced:b=None -> T
sparse_csc_tensor ccol_indices row_indices values size:z=None * dtype:D=None device:V=None requires_grad:b=False check_invariants:b=None -> T
sparse_csr_tensor crow_indices col_indices values size:z=None * dtype:D=None device:V=None requires_grad:b=False check_invariants:b=None -> T
split tensor:T split_size_or_sections dim:i=0 -> M
split_copy input:T split_size:i dim:i=0 * out:L!=None -> 0
split_with_sizes input:T split_sizes:z dim:i=0 -> M
split_with_sizes_copy input:T split_sizes:z dim:i=0 * out:L!=None -> 0
spmm input:T mat2:T -> T
sqrt input:T * out:T!=None -> T
sqrt_ input:T! -> A
square input:T * out:T!=None -> T
square_ input:T! -> A
squeeze input:T -> A|input:T dim:i -> A|input:T dim:z -> A
squeeze_copy input:T * out:T!=None -> T|input:T dim:i * out:T!=None -> T|input:T dim:z * out:T!=None -> T
sspaddmm beta:n self:T alpha:n mat1:T mat2:T -> T|input:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T!=None -> T|beta:n self:T mat1:T mat2:T -> T
stack tensors:L dim:i=0 * out:T!=None -> T
std input:T dim unbiased:b=True keepdim:b=False * out:T!=None -> T|input:T dim=None * correction:n=None keepdim:b=False out:T!=None -> T|input:T unbiased:b=True -> T
std_mean input:T dim unbiased:b=True keepdim:b=False -> TT|input:T dim=None * correction:n=None keepdim:b=False -> TT|input:T unbiased:b=True -> TT
stft input:T n_fft:i hop_length:i=None win_length:i=None window:T=None center:b=True pad_mode:s='reflect' normalized:b=False onesided:b=None return_complex:b=None align_to_window:b=None -> T
sub input:N other:N * alpha:n=1 out:T!=None -> T|self:T alpha:n other:T -> T|self:T alpha:n other:T * out:T! -> T
subtract input:T other:T * alpha:n=1 out:T!=None -> T|input:T other:n alpha:n=1 -> T
sum input:T * dtype:D=None -> T|input:T dim keepdim:b=False * dtype:D=None out:T!=None -> T
svd input:T some:b=True compute_uv:b=True * out!=None -> TTT
svd_lowrank A:T q:i=6 niter:i=2 M:T=None
swapaxes input:T axis0:i axis1:i -> A
swapdims input:T dim0:i dim1:i -> A
sym_constrain_range size:n * min:i=None max:i=None -> 0
sym_constrain_range_for_size size:n * min:i=None max:i=None -> 0
sym_float a
sym_fresh_size expr
sym_int a
sym_ite b t f
sym_max a b
sym_min a b
sym_not a
sym_sqrt a
sym_sum *args
symeig input eigenvectors=False upper=True * out!=None
t input:T -> A
t_copy input:T * out:T!=None -> T
take input:T index:T * out:T!=None -> T
take_along_dim input:T indices:T dim:i=None * out:T!=None -> T
tan input:T * out:T!=None -> T
tan_ input:T! -> A
tanh input:T * out:T!=None -> T
tanh_ input:T! -> A
tensor data dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T
tensor_split input:T tensor_indices_or_sections:T dim:i=0 -> M|input:T sections:i dim:i=0 -> M|input:T indices:z dim:i=0 -> M
tensordot a b dims=2 out:T!=None
threshold input:T threshold:n value:n * out:T!=None -> T
threshold_ input:T! threshold:n value:n -> A
tile input:T dims:z -> T
topk input:T k:i dim:i=-1 largest:b=True sorted:b=True * out!=None -> TT
trace input:T -> T
transpose input:T dim0:i dim1:i -> A
transpose_copy input:T dim0:i dim1:i * out:T!=None -> T
trapezoid y:T x:T * dim:i=-1 -> T|y:T * dx:n=1 dim:i=-1 -> T
trapz y:T * dx:f=1 dim:i=-1 -> T|y:T x:T * dim:i=-1 -> T
triangular_solve input:T A:T upper:b=True transpose:b=False unitriangular:b=False * out!=None -> TT
tril input:T diagonal:i=0 * out:T!=None -> T
tril_indices row:i col:i offset:i=0 * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
triplet_margin_loss anchor:T positive:T negative:T margin:f=1.0 p:f=2 eps:f=1e-06 swap:b=False reduction:i=1 -> T
triu input:T diagonal:i=0 * out:T!=None -> T
triu_indices row:i col:i offset:i=0 * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
true_divide input:N other:N * out:T!=None -> T
trunc input:T * out:T!=None -> T
trunc_ input:T! -> A
typename obj -> s
unbind input:T dim:i=0 -> M
unbind_copy input:T dim:i=0 * out:L!=None -> 0
unflatten input:T dim:i sizes:z -> A
unfold_copy input:T dimension:i size:i step:i * out:T!=None -> T
unique_consecutive input:T return_inverse:b=False return_counts:b=False dim:i=None * out:T!=None -> TTT
unravel_index indices:T shape -> L
unsafe_chunk input:T chunks:i dim:i=0 -> L
unsafe_split input:T split_size:i dim:i=0 -> L
unsafe_split_with_sizes input:T split_sizes:z dim:i=0 -> L
unsqueeze input:T dim:i -> A
unsqueeze_copy input:T dim:i * out:T!=None -> T
use_deterministic_algorithms mode:b * warn_only:b=False -> 0
values_copy input:T * out:T!=None -> T
vander x:T N:i=None increasing:b=False -> T
var input:T dim unbiased:b=True keepdim:b=False * out:T!=None -> T|input:T dim=None * correction:n=None keepdim:b=False out:T!=None -> T|input:T unbiased:b=True -> T
var_mean input:T dim unbiased:b=True keepdim:b=False -> TT|input:T dim=None * correction:n=None keepdim:b=False -> TT|input:T unbiased:b=True -> TT
vdot input:T other:T * out:T!=None -> T
view_as_complex input:T -> A
view_as_complex_copy input:T * out:T!=None -> T
view_as_real input:T -> A
view_as_real_copy input:T * out:T!=None -> T
view_copy input:T dtype:D * out:T!=None -> T|input:T size:z * out:T!=None -> T
vmap func:C in_dims=0 out_dims=0 randomness:s='error' * chunk_size:i=None -> C
vsplit input:T sections:i -> M|input:T indices:z -> M
vstack tensors:L * out:T!=None -> T
wait input
where condition:T -> L|condition:T input:T other:T * out:T!=None -> T|condition:T self:n other:T -> T|condition:T input:T other:n -> T|condition:T self:n other:n -> T
while_loop cond_fn body_fn carried_inputs
xlogy input:T other:T * out:T!=None -> T|self:n other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T
xlogy_ input:T! other:T -> A|input:T! other:n -> A
zero_ input:T! -> A
zeros size:z * out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|*size:z out:T!=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
zeros_like input:T * memory_format=None dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
""",
    "torch.Tensor": """\
abs self:T -> T
abs_ self:T! -> A
absolute self:T -> T
absolute_ self:T! -> A
acos self:T -> T
acos_ self:T! -> A
acosh self:T -> T
acosh_ self:T! -> A
add self:T other:N * alpha:n=1 out:T!=None -> T
add_ self:T! other:N * alpha:n=1 -> A
addbmm self:T batch1:T batch2:T * beta:n=1 alpha:n=1 -> T
addbmm_ self:T! batch1:T batch2:T * beta:n=1 alpha:n=1 -> A
addcdiv self:T tensor1:T tensor2:T * value:n=1 -> T
addcdiv_ self:T! tensor1:T tensor2:T * value:n=1 -> A
addcmul self:T tensor1:T tensor2:T * value:n=1 -> T
addcmul_ self:T! tensor1:T tensor2:T * value:n=1 -> A
addmm self:T mat1:T mat2:T * beta:n=1 alpha:n=1 -> T
addmm_ self:T! mat1:T mat2:T * beta:n=1 alpha:n=1 -> A
addmv self:T mat:T vec:T * beta:n=1 alpha:n=1 -> T
addmv_ self:T! mat:T vec:T * beta:n=1 alpha:n=1 -> A
addr self:T vec1:T vec2:T * beta:n=1 alpha:n=1 -> T
addr_ self:T! vec1:T vec2:T * beta:n=1 alpha:n=1 -> A
adjoint self:T -> A
all self:T -> T|self:T dim:z=None keepdim:b=False -> T|self:T dim:i keepdim:b=False -> T
allclose self:T other:T rtol:f=1e-05 atol:f=1e-08 equal_nan:b=False -> b
amax self:T dim= keepdim:b=False -> T
amin self:T dim= keepdim:b=False -> T
aminmax self:T * dim:i=None keepdim:b=False -> TT
angle self:T -> T
any self:T -> T|self:T dim:z=None keepdim:b=False -> T|self:T dim:i keepdim:b=False -> T
apply_ self:T! callable:C -> T
arccos self:T -> T
arccos_ self:T! -> A
arccosh self:T -> T
arccosh_ self:T! -> A
arcsin self:T -> T
arcsin_ self:T! -> A
arcsinh self:T -> T
arcsinh_ self:T! -> A
arctan self:T -> T
arctan2 self:T other:T -> T
arctan2_ self:T! other:T -> A
arctan_ self:T! -> A
arctanh self:T -> T
arctanh_ self:T! -> A
argmax self:T dim:i=None keepdim:b=False -> T
argmin self:T dim:i=None keepdim:b=False -> T
argsort self:T * stable:b dim:i=-1 descending:b=False -> T|self:T dim:i=-1 descending:b=False -> T
argwhere self:T -> T
as_strided self:T size:z stride:z storage_offset:i=None -> A
as_strided_ self:T! size:z stride:z storage_offset:i=None -> A
as_strided_scatter self:T src:T size:z stride:z storage_offset:i=None -> T
as_subclass self:T cls
asin self:T -> T
asin_ self:T! -> A
asinh self:T -> T
asinh_ self:T! -> A
atan self:T -> T
atan2 self:T other:T -> T
atan2_ self:T! other:T -> A
atan_ self:T! -> A
atanh self:T -> T
atanh_ self:T! -> A
backward self gradient=None retain_graph=None create_graph=False inputs=None
baddbmm self:T batch1:T batch2:T * beta:n=1 alpha:n=1 -> T
baddbmm_ self:T! batch1:T batch2:T * beta:n=1 alpha:n=1 -> A
bernoulli self:T * generator=None -> T|self:T p:f * generator=None -> T
bernoulli_ self:T! p:T * generator=None -> A|self:T! p:f=0.5 * generator=None -> A
bfloat16 self:T -> T
bincount self:T weights:T=None minlength:i=0 -> T
bitwise_and self:T other:T -> T|self:T other:n -> T
bitwise_and_ self:T! other:T -> A|self:T! other:n -> A
bitwise_left_shift self:T other:T -> T|self:T other:n -> T
bitwise_left_shift_ self:T! other:T -> A|self:T! other:n -> A
bitwise_not self:T -> T
bitwise_not_ self:T! -> A
bitwise_or self:T other:T -> T|self:T other:n -> T
bitwise_or_ self:T! other:T -> A|self:T! other:n -> A
bitwise_right_shift self:T other:T -> T|self:T other:n -> T
bitwise_right_shift_ self:T! other:T -> A|self:T! other:n -> A
bitwise_xor self:T other:T -> T|self:T other:n -> T
bitwise_xor_ self:T! other:T -> A|self:T! other:n -> A
bmm self:T mat2:T -> T
bool self:T -> T
broadcast_to self:T size:z -> A|self:T *size:z -> A
byte self:T -> T
cauchy_ self:T! median:f=0 sigma:f=1 * generator=None -> A
ccol_indices self:T -> A
ceil self:T -> T
ceil_ self:T! -> A
chalf self:T * memory_format=None -> T
char self:T -> T
cholesky self:T upper:b=False -> T
cholesky_inverse self:T upper:b=False -> T
cholesky_solve self:T input2:T upper:b=False -> T
chunk self:T chunks:i dim:i=0 -> M
clamp self:T min:T=None max:T=None -> T|self:T min:n=None max:n=None -> T
clamp_ self:T! min:T=None max:T=None -> A|self:T! min:n=None max:n=None -> A
clamp_max self:T max:T -> T|self:T max:n -> T
clamp_max_ self:T! max:T -> A|self:T! max:n -> A
clamp_min self:T min:T -> T|self:T min:n -> T
clamp_min_ self:T! min:T -> A|self:T! min:n -> A
clip self:T min:T=None max:T=None -> T|self:T min:n=None max:n=None -> T
clip_ self:T! min:T=None max:T=None -> A|self:T! min:n=None max:n=None -> A
clone self:T * memory_format=None -> T
coalesce self:T -> A
col_indices self:T -> A
conj self:T -> A
conj_physical self:T -> T
conj_physical_ self:T! -> A
contiguous self:T memory_format= -> A
copy_ self:T! other:T non_blocking:b=False -> A
copysign self:T other:T -> T|self:T other:n -> T
copysign_ self:T! other:T -> A|self:T! other:n -> A
corrcoef self:T -> T
cos self:T -> T
cos_ self:T! -> A
cosh self:T -> T
cosh_ self:T! -> A
count_nonzero self:T dim:i=None -> T|self:T dim:z -> T|self:T *dim:z -> T
cov self:T * correction:i=1 fweights:T=None aweights:T=None -> T
cpu self:T memory_format= -> T
cross self:T other:T dim:i=None -> T
crow_indices self:T -> A
cuda self:T device=None non_blocking:b=False memory_format= -> T
cummax self:T dim:i -> TT
cummin self:T dim:i -> TT
cumprod self:T dim:i * dtype:D=None -> T
cumprod_ self:T! dim:i * dtype:D=None -> A
cumsum self:T dim:i * dtype:D=None -> T
cumsum_ self:T! dim:i * dtype:D=None -> A
data_ptr self:T -> i
deg2rad self:T -> T
deg2rad_ self:T! -> A
dense_dim self:T -> i
dequantize self:T -> T
det self:T -> T
detach self:T -> A
detach_ self:T! -> A
diag self:T diagonal:i=0 -> T
diag_embed self:T offset:i=0 dim1:i=-2 dim2:i=-1 -> T
diagflat self:T offset:i=0 -> T
diagonal self:T offset:i=0 dim1:i=0 dim2:i=1 -> A
diagonal_scatter self:T src:T offset:i=0 dim1:i=0 dim2:i=1 -> T
diff self:T n:i=1 dim:i=-1 prepend:T=None append:T=None -> T
digamma self:T -> T
digamma_ self:T! -> A
dim self:T -> i
dim_order self * ambiguity_check=False
dist self:T other:T p:n=2 -> T
div self:T other:N * rounding_mode:s=None -> T
div_ self:T! other:N * rounding_mode:s=None -> A
divide self:T other:T -> T|self:T other:T * rounding_mode:s -> T|self:T other:n * rounding_mode:s -> T|self:T other:n -> T
divide_ self:T! other:T -> A|self:T! other:T * rounding_mode:s -> A|self:T! other:n * rounding_mode:s -> A|self:T! other:n -> A
dot self:T tensor:T -> T
double self:T -> T
dsplit self:T sections:i -> M|self:T indices:z -> M|self:T *indices:z -> M
eig self eigenvectors=False
element_size self:T -> i
eq self:T other:T -> T|self:T other:n -> T
eq_ self:T! other:T -> A|self:T! other:n -> A
equal self:T other:T -> b
erf self:T -> T
erf_ self:T! -> A
erfc self:T -> T
erfc_ self:T! -> A
erfinv self:T -> T
erfinv_ self:T! -> A
exp self:T -> T
exp2 self:T -> T
exp2_ self:T! -> A
exp_ self:T! -> A
expand self:T size:z * implicit:b=False -> A|self:T *size:z implicit:b=False -> A
expand_as self:T other:T -> A
expm1 self:T -> T
expm1_ self:T! -> A
exponential_ self:T! lambd:f=1 * generator=None -> A
fill_ self:T! value:T -> A|self:T! value:n -> A
fill_diagonal_ self:T! fill_value:n wrap:b=False -> A
fix self:T -> T
fix_ self:T! -> A
flatten self:T start_dim:i=0 end_dim:i=-1 -> A
flip self:T dims:z -> T|self:T *dims:z -> T
fliplr self:T -> T
flipud self:T -> T
float self:T -> T
float_power self:T exponent:T -> T|self:T exponent:n -> T
float_power_ self:T! exponent:T -> A|self:T! exponent:n -> A
floor self:T -> T
floor_ self:T! -> A
floor_divide self:T other:N * out:T!=None -> T
floor_divide_ self:T! other:N -> A
fmax self:T other:T -> T
fmin self:T other:T -> T
fmod self:T other:T -> T|self:T other:n -> T
fmod_ self:T! other:T -> A|self:T! other:n -> A
frac self:T -> T
frac_ self:T! -> A
frexp self:T -> TT
gather self:T dim:i index:T * sparse_grad:b=False -> T
gcd self:T other:T -> T
gcd_ self:T! other:T -> A
ge self:T other:T -> T|self:T other:n -> T
ge_ self:T! other:T -> A|self:T! other:n -> A
geometric_ self:T! p:f * generator=None -> A
geqrf self:T -> TT
ger self:T vec2:T -> T
get_device self:T -> i
greater self:T other:T -> T|self:T other:n -> T
greater_ self:T! other:T -> A|self:T! other:n -> A
greater_equal self:T other:T -> T|self:T other:n -> T
greater_equal_ self:T! other:T -> A|self:T! other:n -> A
gt self:T other:T -> T|self:T other:n -> T
gt_ self:T! other:T -> A|self:T! other:n -> A
half self:T -> T
hardshrink self:T lambd:n=0.5 -> T
hash_tensor self:T dim= * keepdim:b=False mode:i=0 -> T|self:T *dim:z keepdim:b=False mode:i=0 -> T
heaviside self:T values:T -> T
heaviside_ self:T! values:T -> A
histc self:T bins:i=100 min:n=0 max:n=0 -> T
histogram self:T bins:T * weight:T=None density:b=False -> TT|self:T bins:i=100 * range=None weight:T=None density:b=False -> TT
hsplit self:T sections:i -> M|self:T indices:z -> M|self:T *indices:z -> M
hypot self:T other:T -> T
hypot_ self:T! other:T -> A
i0 self:T -> T
i0_ self:T! -> A
igamma self:T other:T -> T
igamma_ self:T! other:T -> A
igammac self:T other:T -> T
igammac_ self:T! other:T -> A
index self positions dims
index_add self:T dim:i index:T source:T * alpha:n=1 -> T
index_add_ self:T! dim:i index:T source:T * alpha:n=1 -> A
index_copy self:T dim:i index:T source:T -> T
index_copy_ self:T! dim:i index:T source:T -> A
index_fill self:T dim:i index:T value:T -> T|self:T dim:i index:T value:n -> T
index_fill_ self:T! dim:i index:T value:T -> A|self:T! dim:i index:T value:n -> A
index_put self:T indices:L values:T accumulate:b=False -> T
index_put_ self:T! indices:L values:T accumulate:b=False -> A
index_reduce self:T dim:i index:T source:T reduce:s * include_self:b=True -> T
index_reduce_ self:T! dim:i index:T source:T reduce:s * include_self:b=True -> A
index_select self:T dim:i index:T -> T
indices self:T -> A
inner self:T other:T -> T
int self:T -> T
int_repr self:T -> T
inverse self:T -> T
is_coalesced self:T -> b
is_complex self:T -> b
is_conj self:T -> b
is_contiguous self:T memory_format= -> b
is_distributed self:T -> b
is_floating_point self:T -> b
is_inference self:T -> b
is_neg self:T -> b
is_nonzero self:T -> b
is_pinned self:T device:V=None -> b
is_same_size self:T other:T -> b
is_set_to self:T tensor:T -> b
is_shared self
is_signed self:T -> b
isclose self:T other:T rtol:f=1e-05 atol:f=1e-08 equal_nan:b=False -> T
isfinite self:T -> T
isinf self:T -> T
isnan self:T -> T
isneginf self:T -> T
isposinf self:T -> T
isreal self:T -> T
istft self n_fft:i hop_length:i=None win_length:i=None window:T=None center:b=True normalized:b=False onesided:b=None length:i=None return_complex:b=False
item self:T -> n
kron self:T other:T -> T
kthvalue self:T k:i dim:i=-1 keepdim:b=False -> TT
lcm self:T other:T -> T
lcm_ self:T! other:T -> A
ldexp self:T other:T -> T
ldexp_ self:T! other:T -> A
le self:T other:T -> T|self:T other:n -> T
le_ self:T! other:T -> A|self:T! other:n -> A
lerp self:T end:T weight:T -> T|self:T end:T weight:n -> T
lerp_ self:T! end:T weight:T -> A|self:T! end:T weight:n -> A
less self:T other:T -> T|self:T other:n -> T
less_ self:T! other:T -> A|self:T! other:n -> A
less_equal self:T other:T -> T|self:T other:n -> T
less_equal_ self:T! other:T -> A|self:T! other:n -> A
lgamma self:T -> T
lgamma_ self:T! -> A
log self:T -> T
log10 self:T -> T
log10_ self:T! -> A
log1p self:T -> T
log1p_ self:T! -> A
log2 self:T -> T
log2_ self:T! -> A
log_ self:T! -> A
log_normal_ self:T! mean:f=1 std:f=2 * generator=None -> A
log_softmax self:T dim:i dtype:D=None -> T
logaddexp self:T other:T -> T
logaddexp2 self:T other:T -> T
logcumsumexp self:T dim:i -> T
logdet self:T -> T
logical_and self:T other:T -> T
logical_and_ self:T! other:T -> A
logical_not self:T -> T
logical_not_ self:T! -> A
logical_or self:T other:T -> T
logical_or_ self:T! other:T -> A
logical_xor self:T other:T -> T
logical_xor_ self:T! other:T -> A
logit self:T eps:f=None -> T
logit_ self:T! eps:f=None -> A
logsumexp self:T dim keepdim:b=False -> T
long self:T -> T
lstsq self other
lt self:T other:T -> T|self:T other:n -> T
lt_ self:T! other:T -> A|self:T! other:n -> A
lu self pivot=True get_infos=False
lu_solve self:T LU_data:T LU_pivots:T -> T
map2_ self:T! x:T y:T callable:C -> T
map_ self:T! other:T callable:C -> T
masked_fill self:T mask:T value:T -> T|self:T mask:T value:n -> T
masked_fill_ self:T! mask:T value:T -> A|self:T! mask:T value:n -> A
masked_scatter self:T mask:T source:T -> T
masked_scatter_ self:T! mask:T source:T -> A
masked_select self:T mask:T -> T
matmul self:T other:T -> T
matrix_exp self:T -> T
matrix_power self:T n:i -> T
max self:T -> T|self:T other:T -> T|self:T dim:i keepdim:b=False -> TT
maximum self:T other:T -> T
mean self:T * dtype:D=None -> T|self:T dim keepdim:b=False * dtype:D=None -> T
median self:T -> T|self:T dim:i keepdim:b=False -> TT
min self:T -> T|self:T other:T -> T|self:T dim:i keepdim:b=False -> TT
minimum self:T other:T -> T
mm self:T mat2:T -> T
mode self:T dim:i=-1 keepdim:b=False -> TT
module_load self other assign=False
moveaxis self:T source:i destination:i -> A|self:T source:z destination:z -> A
movedim self:T source:i destination:i -> A|self:T source:z destination:z -> A
msort self:T -> T
mul self:T other:N * out:T!=None -> T
mul_ self:T! other:N -> A
multinomial self:T num_samples:i replacement:b=False * generator=None -> T
multiply self:T other:T -> T|self:T other:n -> T
multiply_ self:T! other:T -> A|self:T! other:n -> A
mv self:T vec:T -> T
mvlgamma self:T p:i -> T
mvlgamma_ self:T! p:i -> A
nan_to_num self:T nan:f=None posinf:f=None neginf:f=None -> T
nan_to_num_ self:T! nan:f=None posinf:f=None neginf:f=None -> A
nanmean self:T dim=None keepdim:b=False * dtype:D=None -> T
nanmedian self:T -> T|self:T dim:i keepdim:b=False -> TT
nanquantile self:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' -> T|self:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' -> T
nansum self:T dim=None keepdim:b=False * dtype:D=None -> T
narrow self:T dim:i start:T length:i -> A|self:T dim:i start:i length:i -> A
narrow_copy self:T dim:i start:i length:i -> T
ndimension self:T -> i
ne self:T other:T -> T|self:T other:n -> T
ne_ self:T! other:T -> A|self:T! other:n -> A
neg self:T -> T
neg_ self:T! -> A
negative self:T -> T
negative_ self:T! -> A
nelement self:T -> i
new cls *args device:V=None|cls storage|cls other:T|cls size:z * device:V=None
new_empty self:T size:z * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|self:T *size:z dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
new_empty_strided self:T size:z stride:z * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
new_full self:T size:z fill_value:n * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
new_ones self:T size:z dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T|self:T size:z * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|self:T *size:z dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
new_tensor self:T data dtype:D=None device:V=None requires_grad:b=False pin_memory:b=False -> T
new_zeros self:T size:z * dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T|self:T *size:z dtype:D=None layout=None device:V=None pin_memory:b=False requires_grad:b=False -> T
nextafter self:T other:T -> T
nextafter_ self:T! other:T -> A
nonzero self:T * as_tuple=False -> T|self:T * as_tuple -> L
nonzero_static self:T * size:i fill_value:i=-1 -> T
norm self p='fro' dim=None keepdim=False dtype=None
normal_ self:T! mean:f=0 std:f=1 * generator=None -> A
not_equal self:T other:T -> T|self:T other:n -> T
not_equal_ self:T! other:T -> A|self:T! other:n -> A
numel self:T -> i
numpy self:T * force:b=False
orgqr self:T input2:T -> T
ormqr self:T input2:T input3:T left:b=True transpose:b=False -> T
outer self:T vec2:T -> T
permute self:T dims:z -> A|self:T *dims:z -> A
pin_memory self:T device:V=None -> A
pinverse self:T rcond:f=1e-15 -> T
polygamma self:T n:i -> T
polygamma_ self:T! n:i -> A
positive self:T -> A
pow self:T exponent:T -> T|self:T exponent:n -> T
pow_ self:T! exponent:T -> A|self:T! exponent:n -> A
prelu self:T weight:T -> T
prod self:T * dtype:D=None -> T|self:T dim:i keepdim:b=False * dtype:D=None -> T
put self:T index:T source:T accumulate:b=False -> T
put_ self:T! index:T source:T accumulate:b=False -> A
q_per_channel_axis self:T -> i
q_per_channel_scales self:T -> T
q_per_channel_zero_points self:T -> T
q_scale self:T -> f
q_zero_point self:T -> i
qr self:T some:b=True -> TT
qscheme self:T
quantile self:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' -> T|self:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' -> T
rad2deg self:T -> T
rad2deg_ self:T! -> A
random_ self:T! * generator=None -> A|self:T! from_:i to:i * generator=None -> A|self:T! to:i * generator=None -> A
ravel self:T -> A
reciprocal self:T -> T
reciprocal_ self:T! -> A
record_stream self:T! s -> 0
register_hook self hook
register_post_accumulate_grad_hook self hook
reinforce self reward
relu self:T -> T
relu_ self:T! -> A
remainder self:T other:T -> T|self:T other:n -> T
remainder_ self:T! other:T -> A|self:T! other:n -> A
renorm self:T p:n dim:i maxnorm:n -> T
renorm_ self:T! p:n dim:i maxnorm:n -> A
repeat self:T repeats:z -> T|self:T *repeats:z -> T
repeat_interleave self:T repeats:T dim:i=None * output_size:i=None -> T|self:T repeats:i dim:i=None * output_size:i=None -> T
requires_grad_ self:T! mode:b=True -> A
reshape self:T shape:z -> A|self:T *shape:z -> A
reshape_as self:T other:T -> A
resize self *sizes
resize_ self:T! size:z * memory_format=None -> A|self:T! *size:z memory_format=None -> A
resize_as self tensor
resize_as_ self:T! the_template:T * memory_format=None -> A
resize_as_sparse_ self:T! the_template:T -> A
resolve_conj self:T -> A
resolve_neg self:T -> A
retain_grad self:T! -> 0
roll self:T shifts dims= -> T
rot90 self:T k:i=1 dims:z= -> T
round self:T -> T|self:T * decimals:i -> T
round_ self:T! -> A|self:T! * decimals:i -> A
row_indices self:T -> A
rsqrt self:T -> T
rsqrt_ self:T! -> A
scatter self:T dim:i index:T src:T -> T|self:T dim:i index:T src:T * reduce:s -> T|self:T dim:i index:T value:n * reduce:s -> T|self:T dim:i index:T value:n -> T
scatter_ self:T! dim:i index:T src:T -> A|self:T! dim:i index:T src:T * reduce:s -> A|self:T! dim:i index:T value:n * reduce:s -> A|self:T! dim:i index:T value:n -> A
scatter_add self:T dim:i index:T src:T -> T
scatter_add_ self:T! dim:i index:T src:T -> A
scatter_reduce self:T dim:i index:T src:T reduce:s * include_self:b=True -> T
scatter_reduce_ self:T! dim:i index:T src:T reduce:s * include_self:b=True -> A
select self:T dim:i index:i -> A
select_scatter self:T src:T dim:i index:i -> T
set_ self:T! source storage_offset size stride -> A|self:T! source -> A
sgn self:T -> T
sgn_ self:T! -> A
share_memory_ self!
short self:T -> T
sigmoid self:T -> T
sigmoid_ self:T! -> A
sign self:T -> T
sign_ self:T! -> A
signbit self:T -> T
sin self:T -> T
sin_ self:T! -> A
sinc self:T -> T
sinc_ self:T! -> A
sinh self:T -> T
sinh_ self:T! -> A
size self:T dim=None|self:T dim:i -> i
slice_inverse self:T src:T dim:i=0 start:i=None end:i=None step:i=1 -> A
slice_scatter self:T src:T dim:i=0 start:i=None end:i=None step:i=1 -> T
slogdet self:T -> TT
smm self:T mat2:T -> T
softmax self:T dim:i dtype:D=None -> T
solve self other
sort self:T * stable:b dim:i=-1 descending:b=False -> TT|self:T dim:i=-1 descending:b=False -> TT
sparse_dim self:T -> i
sparse_mask self:T mask:T -> T
sparse_resize_ self:T! size:z sparse_dim:i dense_dim:i -> A
sparse_resize_and_clear_ self:T! size:z sparse_dim:i dense_dim:i -> A
split self split_size dim=0
split_with_sizes self:T split_sizes:z dim:i=0 -> M
sqrt self:T -> T
sqrt_ self:T! -> A
square self:T -> T
square_ self:T! -> A
squeeze self:T -> A|self:T dim:i -> A|self:T dim:z -> A|self:T *dim:z -> A
squeeze_ self:T! -> A|self:T! dim:i -> A|self:T! dim:z -> A|self:T! *dim:z -> A
sspaddmm self:T mat1:T mat2:T * beta:n=1 alpha:n=1 -> T
std self:T dim unbiased:b=True keepdim:b=False -> T|self:T dim=None * correction:n=None keepdim:b=False -> T|self:T unbiased:b=True -> T
stft self n_fft:i hop_length:i=None win_length:i=None window:T=None center:b=True pad_mode:s='reflect' normalized:b=False onesided:b=None return_complex:b=None align_to_window:b=None
storage self
storage_offset self:T -> i
storage_type self
stride self:T dim=None|self:T dim:i -> i
sub self:T other:N * alpha:n=1 out:T!=None -> T
sub_ self:T! other:N * alpha:n=1 -> A
subtract self:T other:T * alpha:n=1 -> T|self:T other:n alpha:n=1 -> T
subtract_ self:T! other:T * alpha:n=1 -> A|self:T! other:n alpha:n=1 -> A
sum self:T * dtype:D=None -> T|self:T dim keepdim:b=False * dtype:D=None -> T
sum_to_size self:T size:z -> T|self:T *size:z -> T
svd self:T some:b=True compute_uv:b=True -> TTT
swapaxes self:T axis0:i axis1:i -> A
swapaxes_ self:T! axis0:i axis1:i -> A
swapdims self:T dim0:i dim1:i -> A
swapdims_ self:T! dim0:i dim1:i -> A
symeig self eigenvectors=False
t self:T -> A
t_ self:T! -> A
take self:T index:T -> T
take_along_dim self:T indices:T dim:i=None -> T
tan self:T -> T
tan_ self:T! -> A
tanh self:T -> T
tanh_ self:T! -> A
tensor_split self:T indices:z dim:i=0 -> M|self:T tensor_indices_or_sections:T dim:i=0 -> M|self:T sections:i dim:i=0 -> M
tile self:T dims:z -> T|self:T *dims:z -> T
to self:T dtype:D non_blocking:b=False copy:b=False * memory_format=None -> A|self:T device:V=None dtype:D=None non_blocking:b=False copy:b=False * memory_format=None -> A|self:T other:T non_blocking:b=False copy:b=False * memory_format=None -> A
to_dense self:T dtype:D=None * masked_grad:b=None -> T
to_mkldnn self:T dtype:D=None -> T
to_padded_tensor self:T padding:f output_size:z=None -> T
to_sparse self:T * layout=None blocksize=None dense_dim:i=None -> T|self:T sparse_dim:i -> T
to_sparse_bsc self:T blocksize dense_dim:i=None -> T
to_sparse_bsr self:T blocksize dense_dim:i=None -> T
to_sparse_coo self
to_sparse_csc self:T dense_dim:i=None -> T
to_sparse_csr self:T dense_dim:i=None -> T
tolist self:T
topk self:T k:i dim:i=-1 largest:b=True sorted:b=True -> TT
trace self:T -> T
transpose self:T dim0:i dim1:i -> A
transpose_ self:T! dim0:i dim1:i -> A
triangular_solve self:T A:T upper:b=True transpose:b=False unitriangular:b=False -> TT
tril self:T diagonal:i=0 -> T
tril_ self:T! diagonal:i=0 -> A
triu self:T diagonal:i=0 -> T
triu_ self:T! diagonal:i=0 -> A
true_divide self:T other:N * out:T!=None -> T
true_divide_ self:T! other:N -> A
trunc self:T -> T
trunc_ self:T! -> A
type self:T dtype=None non_blocking:b=False -> s|self:T dtype non_blocking:b=False -> T
type_as self:T other:T -> T
unbind self:T dim:i=0 -> M
unflatten self dim sizes
unfold self:T dimension:i size:i step:i -> A
uniform_ self:T! from_:f=0 to:f=1 * generator=None -> A
unique self sorted=True return_inverse=False return_counts=False dim=None
unique_consecutive self return_inverse=False return_counts=False dim=None
unsafe_chunk self:T chunks:i dim:i=0 -> L
unsafe_split self:T split_size:i dim:i=0 -> L
unsafe_split_with_sizes self:T split_sizes:z dim:i=0 -> L
unsqueeze self:T dim:i -> A
unsqueeze_ self:T! dim:i -> A
untyped_storage self:T
values self:T -> A
var self:T dim unbiased:b=True keepdim:b=False -> T|self:T dim=None * correction:n=None keepdim:b=False -> T|self:T unbiased:b=True -> T
vdot self:T other:T -> T
view self:T dtype:D -> A|self:T size:z -> A|self:T *size:z -> A
view_as self:T other:T -> A
vsplit self:T sections:i -> M|self:T indices:z -> M|self:T *indices:z -> M
where self:T condition:T other:T -> T|self:T condition:T other:n -> T
xlogy self:T other:T -> T|self:T other:n -> T
xlogy_ self:T! other:T -> A|self:T! other:n -> A
xpu self:T device=None non_blocking:b=False memory_format= -> T
zero_ self:T! -> A
""",
    "torch._C._nn": """\
adaptive_avg_pool2d input:T output_size -> T
adaptive_avg_pool3d input:T output_size -> T
adaptive_max_pool2d input:T output_size -> TT
adaptive_max_pool3d input:T output_size -> TT
avg_pool2d =torch.nn.functional.avg_pool2d
avg_pool3d =torch.nn.functional.avg_pool3d
binary_cross_entropy input:T target:T weight:T=None reduction:s= -> T
col2im input:T output_size kernel_size dilation stride=None padding=0 -> T
conv_depthwise3d input:T weight:T kernel_size:z bias:T stride:z padding:z dilation:z * out:T!=None -> T
cross_entropy_loss input:T target:T weight:T=None reduction:s= ignore_index:i=-100 label_smoothing:f=0.0 -> T
elu input:T alpha:f=1.0 scale:f=1.0 input_scale:f=1.0 -> T
elu_ =torch.nn.functional.elu_
flatten_dense_tensors tensors:L -> T
fractional_max_pool2d input:T kernel_size output_size _random_samples:T -> TT
fractional_max_pool3d input:T kernel_size output_size _random_samples:T -> TT
gelu =torch.nn.functional.gelu
gelu_ input:T! * approximate:s='none' -> A
glu input:T dim:i=-1 -> T
hardsigmoid input:T * out:T!=None -> T
hardsigmoid_ input:T! -> T
hardswish input:T -> T
hardswish_ input:T! -> T
hardtanh input:T min_val:f= max_val:f= * out:T!=None -> T
hardtanh_ =torch.nn.functional.hardtanh_
huber_loss input:T target:T reduction:s= delta:f=1.0 -> T
im2col input:T kernel_size dilation padding stride -> T
l1_loss input:T target:T reduction:s= -> T
leaky_relu input:T negative_slope:f= * out:T!=None -> T
leaky_relu_ =torch.nn.functional.leaky_relu_
linear =torch.nn.functional.linear
log_sigmoid input:T -> T
max_pool2d_with_indices input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False -> TT
max_pool3d_with_indices input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False -> TT
max_unpool2d input:T indices:T output_size -> T
max_unpool3d input:T indices:T output_size stride padding -> T
mish input:T -> T
mish_ input:T! -> T
mkldnn_linear input:T weight:T bias:T -> T
mkldnn_reorder_conv2d_weight self:T padding stride dilatation groups:i -> T
mkldnn_reorder_conv3d_weight self:T padding stride dilatation groups:i -> T
mse_loss input:T target:T reduction:s= -> T
multi_margin_loss input:T target:T p:f=1.0 margin:f=1.0 weight:T=None reduction:s= -> T
multilabel_margin_loss input:T target:T reduction:s= -> T
nll_loss input:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 * out:T!=None -> T
nll_loss2d input:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 * out:T!=None -> T
nll_loss_nd input:T target:T weight:T=None reduction:s= ignore_index:i=-100 -> T
one_hot =torch.nn.functional.one_hot
pad input:T pad mode:s= value:f=None -> T
pad_sequence sequences batch_first:b=False padding_value:f=0.0 padding_side='right' -> T
reflection_pad1d input:T padding:z * out:T!=None -> T
reflection_pad2d input:T padding:z * out:T!=None -> T
reflection_pad3d input:T padding:z * out:T!=None -> T
relu6 input:T -> T
relu6_ input:T! -> T
replication_pad1d input:T padding:z * out:T!=None -> T
replication_pad2d input:T padding:z * out:T!=None -> T
replication_pad3d input:T padding:z * out:T!=None -> T
rrelu_with_noise input:T noise:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None * out:T!=None -> T
rrelu_with_noise_ input:T! noise:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> A
scaled_dot_product_attention =torch.nn.functional.scaled_dot_product_attention
silu input:T -> T
silu_ input:T! -> T
slow_conv3d input:T weight:T kernel_size:z bias:T=None stride:z= padding:z= * out:T!=None -> T
slow_conv_dilated2d input:T weight:T kernel_size:z bias:T=None stride:z= padding:z= dilation:z= * out:T!=None -> T
slow_conv_dilated3d input:T weight:T kernel_size:z bias:T=None stride:z= padding:z= dilation:z= * out:T!=None -> T
slow_conv_transpose2d input:T weight:T kernel_size:z bias:T=None stride:z= padding:z= output_padding:z= dilation:z= * out:T!=None -> T
slow_conv_transpose3d input:T weight:T kernel_size:z bias:T=None stride:z= padding:z= output_padding:z= dilation:z= * out:T!=None -> T
smooth_l1_loss input:T target:T reduction:s= beta:f=1.0 -> T
soft_margin_loss input:T target:T reduction:s= -> T
softplus =torch.nn.functional.softplus
softshrink =torch.nn.functional.softshrink
thnn_conv2d input:T weight:T kernel_size:z bias:T=None stride:z= padding:z= * out:T!=None -> T
unflatten_dense_tensors flat:T tensors:L -> L
upsample_bicubic2d input:T output_size align_corners:b scale_factors -> T
upsample_bilinear2d input:T output_size align_corners:b scale_factors -> T
upsample_linear1d input:T output_size align_corners:b scale_factors -> T
upsample_nearest1d input:T output_size scale_factors -> T
upsample_nearest2d input:T output_size scale_factors -> T
upsample_nearest3d input:T output_size scale_factors -> T
upsample_trilinear3d input:T output_size align_corners:b scale_factors -> T
""",
    "torch.accelerator": """\
Graph keep_graph:b=False * pool=None capture_error_mode='default'
current_accelerator check_available:b=False -> V
current_device_idx  -> i
current_device_index  -> i
current_stream device=None
device_count  -> i
device_index device:i
empty_cache  -> 0
empty_host_cache  -> 0
get_device_capability device=None
get_memory_info device_index=None
is_available  -> b
max_memory_allocated device_index=None -> i
max_memory_reserved device_index=None -> i
memory_allocated device_index=None -> i
memory_reserved device_index=None -> i
memory_stats device_index=None
reset_accumulated_memory_stats device_index=None -> 0
reset_peak_memory_stats device_index=None -> 0
set_device_idx device -> 0
set_device_index device -> 0
set_stream stream -> 0
synchronize device=None -> 0
""",
    "torch.amp": """\
GradScaler =torch.GradScaler
autocast =torch.autocast
custom_bwd bwd=None * device_type:s
custom_fwd fwd=None * device_type:s cast_inputs:D=None
is_autocast_available device_type:s -> b
""",
    "torch.amp.GradScaler": """\
get_backoff_factor self -> f
get_growth_factor self -> f
get_growth_interval self -> i
get_scale self -> f
is_enabled self -> b
load_state_dict self state_dict -> 0
scale self outputs
set_backoff_factor self new_factor:f -> 0
set_growth_factor self new_factor:f -> 0
set_growth_interval self new_interval:i -> 0
state_dict self
step self optimizer *args **kwargs -> f
unscale_ self! optimizer -> 0
update self new_scale=None -> 0
""",
    "torch.autograd": """\
backward tensors grad_tensors=None retain_graph:b=None create_graph:b=False grad_variables=None inputs=None -> 0
detect_anomaly check_nan=True
enable_grad =torch.enable_grad
enforce_grad_layout_policy enable:b=True
grad outputs inputs grad_outputs=None retain_graph:b=None create_graph:b=False only_inputs:b=True allow_unused:b=None is_grads_batched:b=False materialize_grads:b=False
gradcheck func:C inputs * eps:f=1e-06 atol:f=1e-05 rtol:f=0.001 raise_exception:b=True nondet_tol:f=0.0 check_undefined_grad:b=True check_grad_dtypes:b=False check_batched_grad:b=False check_batched_forward_grad:b=False check_forward_ad:b=False check_backward_ad:b=True fast_mode:b=False masked:b=None -> b
gradgradcheck func:C inputs grad_outputs=None * eps:f=1e-06 atol:f=1e-05 rtol:f=0.001 gen_non_contig_grad_outputs:b=False raise_exception:b=True nondet_tol:f=0.0 check_undefined_grad:b=True check_grad_dtypes:b=False check_batched_grad:b=False check_fwd_over_rev:b=False check_rev_over_rev:b=True fast_mode:b=False masked:b=False -> b
handle_torch_function =torch.nn.functional.handle_torch_function
has_torch_function =torch.nn.functional.has_torch_function
inference_mode =torch.inference_mode
is_tensor_like inp
set_detect_anomaly mode:b check_nan:b=True
set_grad_enabled =torch.set_grad_enabled
set_multithreading_enabled mode:b
""",
    "torch.autograd.Function": """\
apply cls *args **kwargs
backward ctx *grad_outputs
forward *args **kwargs
jvp ctx *grad_inputs
mark_dirty self *args:T
mark_non_differentiable self *args:T
mark_shared_storage self *pairs
save_for_backward self *tensors:T
save_for_forward self *tensors:T
set_materialize_grads self value:b
setup_context ctx inputs output
vjp =torch.autograd.Function.backward
vmap info in_dims *args
""",
    "torch.autograd.functional": """\
hessian func inputs create_graph=False strict=False vectorize=False outer_jacobian_strategy='reverse-mode'
hvp func inputs v=None create_graph=False strict=False
jacobian func inputs create_graph=False strict=False vectorize=False strategy='reverse-mode'
jvp func inputs v=None create_graph=False strict=False
vhp func inputs v=None create_graph=False strict=False
vjp func inputs v=None create_graph=False strict=False
""",
    "torch.autograd.graph": """\
GradientEdge node output_nr:i ownership_token=None
RemovableHandle hooks_dict * extra_dict=None
TorchDispatchMode _dispatch_key=None
disable_saved_tensors_hooks error_message:s
get_gradient_edge tensor:T
increment_version tensor -> 0
region_activation_memory_budget budget:f
register_multi_grad_hook tensors fn:C * mode='all'
save_on_cpu pin_memory:b=False device_type:s='cuda'
saved_tensors_hooks pack_hook:C unpack_hook:C
set_override_stale_capture_stream enabled:b -> 0
set_warn_on_accumulate_grad_stream_mismatch enabled:b -> 0
""",
    "torch.autograd.profiler": """\
FunctionEvent id name thread start_us end_us overload_name=None fwd_thread=None input_shapes=None stack=None scope=0 use_device=None cpu_memory_usage=0 device_memory_usage=0 is_async=False is_remote=False sequence_nr=-1 node_id=-1 device_type= device_index=0 device_resource_id=None is_legacy=False flops=None trace_name=None concrete_inputs=None kwinputs=None is_user_annotation=False is_python_function=False activity_type=None metadata_json=None flow_id=None flow_type=None flow_start=None external_id=0 linked_correlation_id=0 extra_meta=None structured_input_shapes=None structured_input_strides=None input_dtypes=None python_id=-1 python_parent_id=-1 python_module_id=-1
Future * devices=None
MemRecordsAcc mem_records
emit_itt enabled=True record_shapes=False
emit_nvtx enabled=True record_shapes=False
load_nvprof path
parse_nvprof_trace path
profile enabled=True * use_cuda=False use_device=None record_shapes=False with_flops=False profile_memory=False with_stack=False with_modules=False use_kineto=False use_cpu=True experimental_config=None acc_events=False custom_trace_id_callback=None post_processing_timeout_s:f=None activity_filters=None
record_function name:s args:s=None
""",
    "torch.backends.cuda": """\
allow_fp16_bf16_reduction_math_sdp enabled:b
blas_workspace_size size=None backend=None -> i
can_use_cudnn_attention params debug:b=False -> b
can_use_efficient_attention =torch.nn.attention.can_use_efficient_attention
can_use_flash_attention =torch.nn.attention.can_use_flash_attention
cuFFTPlanCache device_index
cuFFTPlanCacheAttrContextProp getter setter
cublas_workspace_size size=None -> i
cublaslt_workspace_size size=None -> i
enable_cudnn_sdp enabled:b
enable_flash_sdp enabled:b
enable_math_sdp enabled:b
enable_mem_efficient_sdp enabled:b
is_ck_sdpa_available  -> b
is_flash_attention_available  -> b
preferred_blas_library backend=None
preferred_linalg_library backend=None
preferred_rocm_fa_library backend=None
sdp_kernel enable_flash:b=True enable_math:b=True enable_mem_efficient:b=True enable_cudnn:b=True
""",
    "torch.compiler": """\
CacheInfo artifacts=
NestedCompileRegionOptions fw_compiler:C=None bw_compiler:C=None partitioner:C=None decompositions=None
allow_in_graph fn
assume_constant_result fn
disable fn=None recursive=True * reason=None
is_compiling  -> b
is_dynamo_compiling  -> b
is_exporting  -> b
keep_portable_guards_unsafe guard_entries
keep_tensor_guards_unsafe guard_entries keep_parameters=False
list_backends exclude_tags=
load_cache_artifacts serialized_artifacts
load_compiled_function file * f_globals=None external_data=None -> C
nested_compile_region fn=None * options=None max_reuse_entries:i=8 reuse_hash_fn=None
reset  -> 0
set_default_backend backend -> 0
set_enable_guard_collectives enabled:b
set_stance stance:s='default' * skip_guard_eval_unsafe:b=False force_backend=None
skip_all_guards_unsafe guard_entries
skip_guard_on_all_nn_modules_unsafe guard_entries
skip_guard_on_globals_unsafe guard_entries
skip_guard_on_inbuilt_nn_modules_unsafe guard_entries
substitute_in_graph original_fn:C * can_constant_fold_through:b=False skip_signature_check:b=False -> C
wrap_numpy fn
""",
    "torch.cpu": """\
Stream priority:i=-1
StreamContext stream
current_device  -> s
current_stream device=None
device_count  -> i
is_available  -> b
is_initialized  -> b
set_device device -> 0
stream stream
synchronize device=None -> 0
""",
    "torch.cuda": """\
BFloat16Storage *args wrap_storage=None dtype=None device=None _internal=False
BoolStorage *args wrap_storage=None dtype=None device=None _internal=False
ByteStorage *args wrap_storage=None dtype=None device=None _internal=False
CUDAGraph keep_graph:b=False
CUDAPluggableAllocator path_to_so_file:s alloc_fn_name:s free_fn_name:s
CharStorage *args wrap_storage=None dtype=None device=None _internal=False
ComplexDoubleStorage *args wrap_storage=None dtype=None device=None _internal=False
ComplexFloatStorage *args wrap_storage=None dtype=None device=None _internal=False
CudaError code:i
DoubleStorage *args wrap_storage=None dtype=None device=None _internal=False
Event enable_timing=False blocking=False interprocess=False external=False
ExternalStream stream_ptr device=None **kwargs
FloatStorage *args wrap_storage=None dtype=None device=None _internal=False
HalfStorage *args wrap_storage=None dtype=None device=None _internal=False
IntStorage *args wrap_storage=None dtype=None device=None _internal=False
LongStorage *args wrap_storage=None dtype=None device=None _internal=False
MemPool allocator=None use_on_oom:b=False no_split:b=False
ShortStorage *args wrap_storage=None dtype=None device=None _internal=False
Stream device=None priority=0 **kwargs
StreamContext stream
caching_allocator_alloc size device=None stream=None
caching_allocator_delete mem_ptr
caching_allocator_enable value:b=True -> 0
can_device_access_peer device peer_device -> b
change_current_allocator allocator -> 0
check_error res:i -> 0
classproperty =torch.classproperty
clock_rate device=None -> i
current_device  -> i
current_stream device=None
default_stream device=None
device device
device_count  -> i
device_memory_used device=None -> i
device_of obj
empty_cache  -> 0
get_allocator_backend  -> s
get_device_capability device=None
get_device_name device=None -> s
get_device_properties device=None
get_gencode_flags  -> s
get_per_process_memory_fraction device=None -> f
get_rng_state device='cuda' -> T
get_rng_state_all  -> L
get_stream_from_external data_ptr:i device=None
get_sync_debug_mode  -> i
graph cuda_graph pool=None stream=None capture_error_mode:s='global' enable_annotations:b=False check_input_liveness:b=False
initial_seed  -> i
is_available  -> b
is_bf16_supported including_emulation:b=True
is_current_stream_capturing  -> b
is_tf32_supported  -> b
list_gpu_processes device=None -> s
make_graphed_callables callables sample_args num_warmup_iters:i=3 allow_unused_input:b=False pool=None
manual_seed seed:i -> 0
manual_seed_all seed:i -> 0
max_memory_allocated device=None -> i
max_memory_cached device=None -> i
max_memory_reserved device=None -> i
mem_get_info device=None
memory_allocated device=None -> i
memory_cached device=None -> i
memory_reserved device=None -> i
memory_snapshot mempool_id=None include_traces=True
memory_stats device=None
memory_stats_as_nested_dict device=None
memory_summary device=None abbreviated:b=False -> s
memory_usage device=None -> i
power_draw device=None -> i
reset_accumulated_host_memory_stats  -> 0
reset_accumulated_memory_stats device=None -> 0
reset_max_memory_allocated device=None -> 0
reset_max_memory_cached device=None -> 0
reset_peak_host_memory_stats  -> 0
reset_peak_memory_stats device=None -> 0
seed  -> 0
seed_all  -> 0
set_device device -> 0
set_per_process_memory_fraction fraction device=None -> 0
set_rng_state new_state:T device='cuda' -> 0
set_rng_state_all new_states -> 0
set_stream stream
set_sync_debug_mode debug_mode -> 0
stream stream
synchronize device=None -> 0
temperature device=None -> i
use_mem_pool pool device=None
utilization device=None -> i
""",
    "torch.cuda.CUDAGraph": """\
capture_begin self pool=None capture_error_mode:s='global' check_input_liveness:b=False -> 0
capture_end self -> 0
debug_dump self debug_path:s -> 0
enable_debug_mode self -> 0
get_graph_data self
instantiate self -> 0
pool self
raw_cuda_graph self -> i
raw_cuda_graph_exec self -> i
replay self -> 0
reset self -> 0
""",
    "torch.cuda.Event": """\
elapsed_time self end_event
from_ipc_handle cls device handle
ipc_handle self
query self
record self stream=None
synchronize self -> 0
wait self stream=None -> 0
""",
    "torch.cuda.Stream": """\
query self -> b
record_event self event=None
synchronize self -> 0
wait_event self event -> 0
wait_stream self stream -> 0
""",
    "torch.cuda.amp": """\
GradScaler init_scale:f=65536.0 growth_factor:f=2.0 backoff_factor:f=0.5 growth_interval:i=2000 enabled:b=True
autocast enabled:b=True dtype:D= cache_enabled:b=True
custom_bwd bwd
custom_fwd fwd=None * cast_inputs=None
""",
    "torch.cuda.nvtx": """\
mark msg
range msg *args **kwargs
range_end range_id -> 0
range_push msg
range_start msg -> i
""",
    "torch.cuda.random": """\
current_device =torch.cuda.current_device
device_count =torch.cuda.device_count
get_rng_state =torch.cuda.get_rng_state
get_rng_state_all =torch.cuda.get_rng_state_all
initial_seed =torch.cuda.initial_seed
manual_seed =torch.cuda.manual_seed
manual_seed_all =torch.cuda.manual_seed_all
seed =torch.cuda.seed
seed_all =torch.cuda.seed_all
set_rng_state =torch.cuda.set_rng_state
set_rng_state_all =torch.cuda.set_rng_state_all
""",
    "torch.distributed": """\
Backend name:s
BackendConfig backend
DeviceMesh device_type:s mesh=None * mesh_dim_names=None backend_override=None _init_backend:b=True _rank:i=None _layout=None _rank_map:T=None _root_mesh=None
P2POp op:C tensor:T peer:i=None group=None tag:i=0 group_peer:i=None
_all_gather_base output_tensor input_tensor group=None async_op:b=False
_reduce_scatter_base output input op= group=None async_op:b=False
all_gather tensor_list tensor group=None async_op=False
all_gather_coalesced output_tensor_lists input_tensor_list group=None async_op:b=False
all_gather_into_tensor output_tensor input_tensor group=None async_op=False
all_gather_object object_list obj group=None
all_gather_single output_tensor input_tensor group=None async_op=False
all_reduce tensor op= group=None async_op:b=False
all_reduce_coalesced tensors op= group=None async_op:b=False
all_to_all output_tensor_list input_tensor_list group=None async_op:b=False
all_to_all_single output input output_split_sizes=None input_split_sizes=None group=None async_op:b=False
barrier group=None async_op:b=False device_ids=None timeout=None
batch_isend_irecv p2p_op_list
breakpoint rank:i=0 skip:i=0 timeout_s=3600
broadcast tensor:T src:i=None group=None async_op:b=False group_src:i=None
broadcast_object_list object_list src:i=None group=None device:V=None group_src:i=None
destroy_process_group group=None
gather tensor:T gather_list:L=None dst:i=None group=None async_op:b=False group_dst:i=None
gather_object obj object_gather_list=None dst:i=None group=None group_dst:i=None
get_backend group=None
get_backend_config group=None -> s
get_default_backend_for_device device -> s
get_global_rank group group_rank:i -> i
get_group_rank group global_rank:i -> i
get_node_local_rank fallback_rank:i=None -> i
get_pg_count  -> i
get_process_group_ranks group
get_rank group=None -> i
get_world_size group=None -> i
init_device_mesh device_type:s mesh_shape * mesh_dim_names=None backend_override=None
init_process_group backend:s=None init_method:s=None timeout=None world_size:i=-1 rank:i=-1 store=None group_name:s='' pg_options=None device_id=None _ranks=None -> 0
irecv tensor:T src:i=None group=None tag:i=0 group_src:i=None
is_available  -> b
is_backend_available backend:s -> b
is_gloo_available  -> b
is_initialized  -> b
is_mpi_available  -> b
is_nccl_available  -> b
is_torchelastic_launched  -> b
is_ucc_available  -> b
is_xccl_available  -> b
isend tensor:T dst:i=None group=None tag:i=0 group_dst:i=None
monitored_barrier group=None timeout=None wait_all_ranks:b=False
new_group ranks=None timeout=None backend=None pg_options=None use_local_synchronization:b=False group_desc=None device_id:V=None sort_ranks:b=True
new_subgroups group_size=None group=None timeout=None backend=None pg_options=None group_desc=None
new_subgroups_by_enumeration ranks_per_subgroup_list timeout=None backend=None pg_options=None group_desc=None
record_comm name:s
recv tensor:T src:i=None group=None tag:i=0 group_src:i=None -> i
recv_object_list object_list src:i=None group=None device:V=None group_src:i=None use_batch:b=False
reduce tensor:T dst:i=None op= group=None async_op:b=False group_dst:i=None
reduce_scatter output input_list op= group=None async_op:b=False
reduce_scatter_single output input op= group=None async_op=False
reduce_scatter_tensor output input op= group=None async_op=False
register_rendezvous_handler scheme handler
rendezvous url:s rank:i=-1 world_size:i=-1 **kwargs
scatter tensor:T scatter_list:L=None src:i=None group=None async_op:b=False group_src:i=None
scatter_object_list scatter_object_output_list scatter_object_input_list=None src:i=None group=None group_src:i=None
send tensor:T dst:i=None group=None tag:i=0 group_dst:i=None -> 0
send_object_list object_list dst:i=None group=None device:V=None group_dst:i=None use_batch:b=False
shrink_group ranks_to_exclude group=None shrink_flags:i=0 pg_options=None
split_group parent_pg=None split_ranks=None timeout=None pg_options=None group_desc:s=None backend=None
supports_complex reduceOp -> b
""",
    "torch.distributed.distributed_c10d": """\
Backend =torch.distributed.Backend
BackendConfig =torch.distributed.BackendConfig
P2POp =torch.distributed.P2POp
_all_gather_base =torch.distributed._all_gather_base
_reduce_scatter_base =torch.distributed._reduce_scatter_base
all_gather =torch.distributed.all_gather
all_gather_coalesced =torch.distributed.all_gather_coalesced
all_gather_into_tensor =torch.distributed.all_gather_into_tensor
all_gather_object =torch.distributed.all_gather_object
all_gather_single =torch.distributed.all_gather_single
all_reduce =torch.distributed.all_reduce
all_reduce_coalesced =torch.distributed.all_reduce_coalesced
all_to_all =torch.distributed.all_to_all
all_to_all_single =torch.distributed.all_to_all_single
barrier =torch.distributed.barrier
batch_isend_irecv =torch.distributed.batch_isend_irecv
broadcast =torch.distributed.broadcast
broadcast_object_list =torch.distributed.broadcast_object_list
destroy_process_group =torch.distributed.destroy_process_group
gather =torch.distributed.gather
gather_object =torch.distributed.gather_object
get_backend =torch.distributed.get_backend
get_backend_config =torch.distributed.get_backend_config
get_default_backend_for_device =torch.distributed.get_default_backend_for_device
get_global_rank =torch.distributed.get_global_rank
get_group_rank =torch.distributed.get_group_rank
get_node_local_rank =torch.distributed.get_node_local_rank
get_pg_count =torch.distributed.get_pg_count
get_process_group_ranks =torch.distributed.get_process_group_ranks
get_rank =torch.distributed.get_rank
get_world_size =torch.distributed.get_world_size
handle_torch_function =torch.nn.functional.handle_torch_function
has_torch_function =torch.nn.functional.has_torch_function
init_process_group =torch.distributed.init_process_group
irecv =torch.distributed.irecv
is_backend_available =torch.distributed.is_backend_available
is_gloo_available =torch.distributed.is_gloo_available
is_initialized =torch.distributed.is_initialized
is_mpi_available =torch.distributed.is_mpi_available
is_nccl_available =torch.distributed.is_nccl_available
is_torchelastic_launched =torch.distributed.is_torchelastic_launched
is_ucc_available =torch.distributed.is_ucc_available
is_xccl_available =torch.distributed.is_xccl_available
isend =torch.distributed.isend
monitored_barrier =torch.distributed.monitored_barrier
new_group =torch.distributed.new_group
new_subgroups =torch.distributed.new_subgroups
new_subgroups_by_enumeration =torch.distributed.new_subgroups_by_enumeration
not_none obj
record_comm =torch.distributed.record_comm
recv =torch.distributed.recv
recv_object_list =torch.distributed.recv_object_list
reduce =torch.distributed.reduce
reduce_scatter =torch.distributed.reduce_scatter
reduce_scatter_single =torch.distributed.reduce_scatter_single
reduce_scatter_tensor =torch.distributed.reduce_scatter_tensor
register_rendezvous_handler =torch.distributed.register_rendezvous_handler
rendezvous =torch.distributed.rendezvous
scatter =torch.distributed.scatter
scatter_object_list =torch.distributed.scatter_object_list
send =torch.distributed.send
send_object_list =torch.distributed.send_object_list
shrink_group =torch.distributed.shrink_group
split_group =torch.distributed.split_group
supports_complex =torch.distributed.supports_complex
""",
    "torch.distributed.fsdp": """\
BackwardPrefetch value names=None * module=None qualname=None type=None start=1 boundary=None
CPUOffload offload_params:b=False
CPUOffloadPolicy pin_memory:b=True
DataParallelMeshDims shard=None replicate=None
FlatParameter data=None requires_grad=True
FullOptimStateDictConfig offload_to_cpu:b=True rank0_only:b=False
FullStateDictConfig offload_to_cpu:b=False rank0_only:b=False
FullyShardedDataParallel module process_group=None sharding_strategy=None cpu_offload=None auto_wrap_policy:C=None backward_prefetch= mixed_precision=None ignored_modules=None param_init_fn:C=None device_id=None sync_module_states:b=False forward_prefetch:b=False limit_all_gathers:b=True use_orig_params:b=False ignored_states=None device_mesh=None
LocalOptimStateDictConfig offload_to_cpu:b=False
LocalStateDictConfig offload_to_cpu:b=False
MixedPrecision param_dtype:D=None reduce_dtype:D=None buffer_dtype:D=None keep_low_precision_grads:b=False cast_forward_inputs:b=False cast_root_forward_inputs:b=True _module_classes_to_ignore=
MixedPrecisionPolicy param_dtype:D=None reduce_dtype:D=None output_dtype:D=None cast_forward_inputs:b=True
OptimStateDictConfig offload_to_cpu:b=True
OptimStateKeyType value names=None * module=None qualname=None type=None start=1 boundary=None
ShardedOptimStateDictConfig offload_to_cpu:b=True _use_dtensor:b=False
ShardedStateDictConfig offload_to_cpu:b=False _use_dtensor:b=False
ShardingStrategy value names=None * module=None qualname=None type=None start=1 boundary=None
StateDictConfig offload_to_cpu:b=False
StateDictSettings state_dict_type state_dict_config optim_state_dict_config
StateDictType value names=None * module=None qualname=None type=None start=1 boundary=None
fully_shard module * mesh=None reshard_after_forward=None shard_placement_fn:C=None mp_policy= offload_policy= ignored_params=None dp_mesh_dims=None
register_fsdp_forward_method module method_name:s -> 0
share_comm_ctx modules -> 0
""",
    "torch.distributions": """\
AbsTransform cache_size:i=0
AffineTransform loc scale event_dim:i=0 cache_size:i=0
Bernoulli probs=None logits=None validate_args:b=None
Beta concentration1 concentration0 validate_args:b=None
Binomial total_count=1 probs:T=None logits:T=None validate_args:b=None
CatTransform tseq dim:i=0 lengths=None cache_size:i=0
Categorical probs:T=None logits:T=None validate_args:b=None
Cauchy loc scale validate_args:b=None
Chi2 df validate_args:b=None
ComposeTransform parts cache_size:i=0
ContinuousBernoulli probs=None logits=None lims= validate_args:b=None
CorrCholeskyTransform cache_size:i=0
CumulativeDistributionTransform distribution cache_size:i=0
Dirichlet concentration:T validate_args:b=None
Distribution batch_shape= event_shape= validate_args:b=None
ExpTransform cache_size:i=0
Exponential rate validate_args:b=None
ExponentialFamily batch_shape= event_shape= validate_args:b=None
FisherSnedecor df1 df2 validate_args:b=None
Gamma concentration rate validate_args:b=None
GeneralizedPareto loc scale concentration validate_args=None
Geometric probs=None logits=None validate_args:b=None
Gumbel loc scale validate_args:b=None
HalfCauchy scale validate_args:b=None
HalfNormal scale validate_args:b=None
Independent base_distribution reinterpreted_batch_ndims:i validate_args:b=None
IndependentTransform base_transform reinterpreted_batch_ndims:i cache_size:i=0
InverseGamma concentration rate validate_args:b=None
Kumaraswamy concentration1 concentration0 validate_args:b=None
LKJCholesky dim:i concentration=1.0 validate_args:b=None
Laplace loc scale validate_args:b=None
LogNormal loc scale validate_args:b=None
LogisticNormal loc scale validate_args:b=None
LowRankMultivariateNormal loc:T cov_factor:T cov_diag:T validate_args:b=None
LowerCholeskyTransform cache_size:i=0
MixtureSameFamily mixture_distribution component_distribution validate_args:b=None
Multinomial total_count:i=1 probs:T=None logits:T=None validate_args:b=None
MultivariateNormal loc:T covariance_matrix:T=None precision_matrix:T=None scale_tril:T=None validate_args:b=None
NegativeBinomial total_count probs:T=None logits:T=None validate_args:b=None
Normal loc scale validate_args:b=None
OneHotCategorical probs:T=None logits:T=None validate_args:b=None
OneHotCategoricalStraightThrough probs:T=None logits:T=None validate_args:b=None
Pareto scale alpha validate_args:b=None
Poisson rate validate_args:b=None
PositiveDefiniteTransform cache_size:i=0
PowerTransform exponent:T cache_size:i=0
RelaxedBernoulli temperature:T probs=None logits=None validate_args:b=None
RelaxedOneHotCategorical temperature:T probs:T=None logits:T=None validate_args:b=None
ReshapeTransform in_shape out_shape cache_size:i=0
SigmoidTransform cache_size:i=0
SoftmaxTransform cache_size:i=0
SoftplusTransform cache_size:i=0
StackTransform tseq dim:i=0 cache_size:i=0
StickBreakingTransform cache_size:i=0
StudentT df loc=0.0 scale=1.0 validate_args:b=None
TanhTransform cache_size:i=0
Transform cache_size:i=0
TransformedDistribution base_distribution transforms validate_args:b=None
Uniform low high validate_args:b=None
VonMises loc:T concentration:T validate_args:b=None
Weibull scale concentration validate_args:b=None
Wishart df covariance_matrix:T=None precision_matrix:T=None scale_tril:T=None validate_args:b=None
biject_to constraint
identity_transform x
kl_divergence p q -> T
register_kl type_p type_q
transform_to constraint
""",
    "torch.distributions.Distribution": """\
cdf self value:T -> T
entropy self -> T
enumerate_support self expand:b=True -> T
expand self batch_shape _instance=None
icdf self value:T -> T
log_prob self value:T -> T
perplexity self -> T
rsample self sample_shape= -> T
sample self sample_shape= -> T
sample_n self n:i -> T
set_default_validate_args value:b -> 0
""",
    "torch.distributions.kl": """\
Bernoulli =torch.distributions.Bernoulli
Beta =torch.distributions.Beta
Binomial =torch.distributions.Binomial
Categorical =torch.distributions.Categorical
Cauchy =torch.distributions.Cauchy
ContinuousBernoulli =torch.distributions.ContinuousBernoulli
Dirichlet =torch.distributions.Dirichlet
Distribution =torch.distributions.Distribution
Exponential =torch.distributions.Exponential
ExponentialFamily =torch.distributions.ExponentialFamily
Gamma =torch.distributions.Gamma
Geometric =torch.distributions.Geometric
Gumbel =torch.distributions.Gumbel
HalfNormal =torch.distributions.HalfNormal
Independent =torch.distributions.Independent
Laplace =torch.distributions.Laplace
LowRankMultivariateNormal =torch.distributions.LowRankMultivariateNormal
MultivariateNormal =torch.distributions.MultivariateNormal
Normal =torch.distributions.Normal
OneHotCategorical =torch.distributions.OneHotCategorical
Pareto =torch.distributions.Pareto
Poisson =torch.distributions.Poisson
TransformedDistribution =torch.distributions.TransformedDistribution
Uniform =torch.distributions.Uniform
kl_divergence =torch.distributions.kl_divergence
register_kl =torch.distributions.register_kl
""",
    "torch.export": """\
Dim name:s * min:i=None max:i=None
ExportBackwardSignature gradients_to_parameters gradients_to_user_inputs loss_output:s
ExportGraphSignature input_specs output_specs
ExportedProgram root graph graph_signature state_dict range_constraints module_call_graph example_inputs=None constants=None * verifiers=None
ModuleCallEntry fqn:s signature=None
ModuleCallSignature inputs outputs in_spec out_spec forward_arg_names=None
PassResult graph_module modified:b
UnflattenedModule export_module flat_args_adapter=None
dims *names:s min:i=None max:i=None
draft_export mod args kwargs=None * dynamic_shapes=None preserve_module_call_signature= strict:b=False prefer_deferred_runtime_asserts_over_guards:b=False
export mod args kwargs=None * dynamic_shapes=None strict:b=False preserve_module_call_signature= prefer_deferred_runtime_asserts_over_guards:b=False
load f * extra_files=None expected_opset_version=None
register_dataclass cls * serialized_type_name:s=None -> 0
save ep f * extra_files=None opset_version=None pickle_protocol:i=2 -> 0
unflatten module flat_args_adapter=None
""",
    "torch.fft": """\
fft input:T n:i=None dim:i=-1 norm:s=None * out:T!=None -> T
fft2 input:T s:z=None dim:z= norm:s=None * out:T!=None -> T
fftfreq n:i d:f=1.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None out:T!=None -> T
fftn input:T s:z=None dim:z=None norm:s=None * out:T!=None -> T
fftshift input:T dim:z=None -> T
hfft input:T n:i=None dim:i=-1 norm:s=None * out:T!=None -> T
hfft2 input:T s:z=None dim:z= norm:s=None * out:T!=None -> T
hfftn input:T s:z=None dim:z=None norm:s=None * out:T!=None -> T
ifft input:T n:i=None dim:i=-1 norm:s=None * out:T!=None -> T
ifft2 input:T s:z=None dim:z= norm:s=None * out:T!=None -> T
ifftn input:T s:z=None dim:z=None norm:s=None * out:T!=None -> T
ifftshift input:T dim:z=None -> T
ihfft input:T n:i=None dim:i=-1 norm:s=None * out:T!=None -> T
ihfft2 input:T s:z=None dim:z= norm:s=None * out:T!=None -> T
ihfftn input:T s:z=None dim:z=None norm:s=None * out:T!=None -> T
irfft input:T n:i=None dim:i=-1 norm:s=None * out:T!=None -> T
irfft2 input:T s:z=None dim:z= norm:s=None * out:T!=None -> T
irfftn input:T s:z=None dim:z=None norm:s=None * out:T!=None -> T
rfft input:T n:i=None dim:i=-1 norm:s=None * out:T!=None -> T
rfft2 input:T s:z=None dim:z= norm:s=None * out:T!=None -> T
rfftfreq n:i d:f=1.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None out:T!=None -> T
rfftn input:T s:z=None dim:z=None norm:s=None * out:T!=None -> T
""",
    "torch.func": """\
debug_unwrap tensor:T * recurse:b=True -> T
functional_call module parameter_and_buffer_dicts args=None kwargs=None * tie_weights:b=True strict:b=False
functionalize func:C * remove:s='mutations' -> C
grad func:C argnums=0 has_aux:b=False -> C
grad_and_value func:C argnums=0 has_aux:b=False -> C
hessian func:C argnums=0 -> C
jacfwd func:C argnums=0 has_aux:b=False * randomness:s='error' -> C
jacrev func:C argnums=0 * has_aux:b=False chunk_size:i=None _preallocate_and_copy:b=False -> C
jvp func:C primals tangents * strict:b=False has_aux:b=False
linearize func:C *primals
rearrange tensor pattern:s **axes_lengths:i -> T
replace_all_batch_norm_modules_ root!
stack_module_state models
vjp func:C *primals has_aux:b=False
vmap =torch.vmap
""",
    "torch.functional": """\
atleast_1d =torch.atleast_1d
atleast_2d =torch.atleast_2d
atleast_3d =torch.atleast_3d
block_diag =torch.block_diag
boolean_dispatch =torch.nn.functional.boolean_dispatch
broadcast_shapes =torch.broadcast_shapes
broadcast_tensors =torch.broadcast_tensors
cartesian_prod =torch.cartesian_prod
cdist =torch.cdist
chain_matmul =torch.chain_matmul
einsum =torch.einsum
handle_torch_function =torch.nn.functional.handle_torch_function
has_torch_function =torch.nn.functional.has_torch_function
istft =torch.istft
meshgrid =torch.meshgrid
norm =torch.norm
overload func:C -> C
pca_lowrank =torch.pca_lowrank
split =torch.split
stft =torch.stft
svd_lowrank =torch.svd_lowrank
tensordot =torch.tensordot
unique_consecutive =torch.unique_consecutive
unravel_index =torch.unravel_index
""",
    "torch.fx": """\
Graph owning_module=None tracer_cls=None tracer_extras=None
Interpreter module garbage_collect_values:b=True graph=None
Node graph name:s op:s target args kwargs return_type=None
Proxy node tracer=None
ProxyableClassMeta name:s bases attrs
Tracer autowrap_modules= autowrap_functions= param_shapes_constant:b=False
Transformer module
has_side_effect fn:C -> C
map_arg a fn:C
replace_pattern gm pattern:C replacement:C
symbolic_trace root concrete_args=None
wrap fn_or_name
""",
    "torch.jit": """\
Attribute value type
Future =torch.autograd.profiler.Future
ONNXTracedModule inner strict=True force_outplace=False return_inputs=False return_inputs_states=False
RecursiveScriptClass cpp_class
RecursiveScriptModule cpp_module
TopLevelTracedModule orig id_set=None _compilation_unit=None
TracedModule orig id_set=None _compilation_unit=None
TracingCheckError graph_diff_error tensor_compare_error extra_msg=None
annotate the_type the_value
enable_onednn_fusion enabled:b -> 0
export fn:C -> C
export_opnames m
fork func *args **kwargs
freeze mod preserved_attrs=None optimize_numerics:b=True
fuser name
ignore drop=False **kwargs
interface obj
is_scripting  -> b
isinstance obj target_type
jit_module_from_flatbuffer f
load f map_location=None _extra_files=None _restore_shapes=False
optimize_for_inference mod other_methods=None
optimized_execution should_optimize
run_frozen_optimizations mod optimize_numerics:b=True preserved_methods=None -> 0
save m f _extra_files=None -> 0
save_jit_module_to_flatbuffer m f _extra_files=None -> 0
script obj optimize:0=None _frames_up:i=0 _rcb:C=None example_inputs=None
script_if_tracing fn
script_method fn
set_fusion_strategy strategy
set_module obj mod
trace func example_inputs=None optimize=None check_trace=True check_inputs=None check_tolerance=1e-05 strict=True _force_outplace=False _module_class=None _compilation_unit= example_kwarg_inputs=None _store_inputs=True
trace_module mod inputs optimize=None check_trace=True check_inputs=None check_tolerance=1e-05 strict=True _force_outplace=False _module_class=None _compilation_unit= example_inputs_is_kwarg=False _store_inputs=True
unused fn:C -> C
wait future
""",
    "torch.library": """\
CustomOpDef namespace:s name:s schema:s fn:C tags=None
EffectType value names=None * module=None qualname=None type=None start=1 boundary=None
Library ns kind dispatch_key=''
OpOverload overloadpacket op:C op_dk:C schema tags
custom_op name:s fn:C=None * mutates_args device_types=None schema:s=None tags=None
define qualname schema * lib=None tags=
get_kernel op dispatch_key
impl qualname:s types func:C=None * lib=None
impl_abstract qualname func=None * lib=None _stacklevel=1
infer_schema prototype_function:C * mutates_args op_name:s=None tags= -> s
opcheck op args kwargs=None * test_utils= raise_exception:b=True atol=None rtol=None
register_autocast op device_type:s cast_inputs:D * lib=None
register_autograd op backward:C * setup_context:C=None lib=None -> 0
register_fake op func:C=None * lib=None _stacklevel:i=1 allow_override:b=True
register_kernel op device_types func:C=None * lib=None
register_torch_dispatch op torch_dispatch_class func:C=None * lib=None
register_vmap op func:C=None * lib=None
triton_op name:s fn:C=None * mutates_args schema:s=None -> C
wrap_triton triton_kernel:C
""",
    "torch.linalg": """\
cholesky input:T * upper:b=False out:T!=None -> T
cholesky_ex input:T * upper:b=False check_errors:b=False out:T!=None -> TT
cond input:T p:n=None * out:T!=None -> T|input:T p:s * out:T!=None -> T
cross input:T other:T * dim:i=-1 out:T!=None -> T
det A:T * out:T!=None -> T
diagonal A:T * offset:i=0 dim1:i=-2 dim2:i=-1 -> A
eig input:T * out:T!=None -> TT
eigh input:T UPLO:s='L' * out:T!=None -> TT
eigvals input:T * out:T!=None -> T
eigvalsh input:T UPLO:s='L' * out:T!=None -> T
householder_product input:T tau:T * out:T!=None -> T
inv A:T * out:T!=None -> T
inv_ex A:T * check_errors:b=False out:T!=None -> TT
ldl_factor input:T * hermitian:b=False out:T!=None -> TT
ldl_factor_ex input:T * hermitian:b=False check_errors:b=False out:T!=None -> TTT
ldl_solve LD:T pivots:T B:T * hermitian:b=False out:T!=None -> T
lstsq input:T b:T rcond:f=None * driver:s=None out:T!=None -> TTTT
lu A:T * pivot:b=True out:T!=None -> TTT
lu_factor A:T * pivot:b=True out:T!=None -> TT
lu_factor_ex A:T * pivot:b=True check_errors:b=False out:T!=None -> TTT
lu_solve LU:T pivots:T B:T * left:b=True adjoint:b=False out:T!=None -> T
matmul input:T other:T * out:T!=None -> T
matrix_exp input:T * out:T!=None -> T
matrix_norm input:T ord:n dim:z= keepdim:b=False * dtype:i=None out:T!=None -> T|input:T ord:s='fro' dim:z= keepdim:b=False * dtype:i=None out:T!=None -> T
matrix_power input:T n:i * out:T!=None -> T
matrix_rank input:T tol:f hermitian:b=False * out:T!=None -> T|input:T tol:T hermitian:b=False * out:T!=None -> T|input:T * atol:T=None rtol:T=None hermitian:b=False out:T!=None -> T|input:T * atol:f=None rtol:f=None hermitian:b=False out:T!=None -> T
multi_dot tensors:L * out:T!=None -> T
norm input:T ord:n=None dim:z=None keepdim:b=False * dtype:i=None out:T!=None -> T|input:T ord:s dim:z=None keepdim:b=False * dtype:i=None out:T!=None -> T
pinv input:T rcond:f hermitian:b=False * out:T!=None -> T|input:T * atol:f=None rtol:f=None hermitian:b=False out:T!=None -> T|input:T * atol:T=None rtol:T=None hermitian:b=False out:T!=None -> T|input:T rcond:T hermitian:b=False * out:T!=None -> T
qr A:T mode:s='reduced' * out:T!=None -> TT
slogdet A:T * out:T!=None -> TT
solve A:T B:T * left:b=True out:T!=None -> T
solve_ex A:T B:T * left:b=True check_errors:b=False out:T!=None -> TT
solve_triangular input:T B:T * upper:b left:b=True unitriangular:b=False out:T!=None -> T
svd A:T full_matrices:b=True * driver:s=None out:T!=None -> TTT
svdvals A:T * driver:s=None out:T!=None -> T
tensorinv input:T ind:i=2 * out:T!=None -> T
tensorsolve input:T other:T dims:z=None * out:T!=None -> T
vander x:T * N:i=None -> T
vecdot x:T y:T * dim:i=-1 out:T!=None -> T
vector_norm input:T ord:n=2 dim:z=None keepdim:b=False * dtype:i=None out:T!=None -> T
""",
    "torch.masked": """\
MaskedTensor data mask requires_grad=False
amax input dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
amin input dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
argmax input dim:i=None * keepdim:b=False dtype:i=None mask:T=None -> T
argmin input dim:i=None * keepdim:b=False dtype:i=None mask:T=None -> T
as_masked_tensor data mask
cumprod input:T dim:i * dtype:i=None mask:T=None -> T
cumsum input:T dim:i * dtype:i=None mask:T=None -> T
is_masked_tensor obj
log_softmax input dim:i * dtype:i=None mask:T=None -> T
logaddexp input other * dtype:i=None input_mask:T=None other_mask:T=None -> T
logsumexp input:T dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
masked_tensor data mask requires_grad:b=False
mean input dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
median input dim:i=-1 * keepdim:b=False dtype:i=None mask:T=None -> T
norm input ord:f=2.0 dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
normalize input ord:f dim:i * eps:f=1e-12 dtype:i=None mask:T=None -> T
prod input dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
softmax input dim:i * dtype:i=None mask:T=None -> T
softmin input dim:i * dtype:i=None mask:T=None -> T
std input dim=None unbiased:b=None * correction:i=None keepdim:b=False dtype:i=None mask:T=None -> T
sum input dim=None * keepdim:b=False dtype:i=None mask:T=None -> T
var input dim=None unbiased:b=None * correction=None keepdim:b=False dtype:i=None mask:T=None -> T
""",
    "torch.mps": """\
Event enable_timing:b=False
compile_shader source:s
current_allocated_memory  -> i
device_count  -> i
driver_allocated_memory  -> i
empty_cache  -> 0
get_rng_state device='mps' -> T
is_available  -> b
load_metallib source
manual_seed seed:i -> 0
recommended_max_memory  -> i
seed  -> 0
set_per_process_memory_fraction fraction -> 0
set_rng_state new_state:T device='mps' -> 0
synchronize  -> 0
""",
    "torch.nested": """\
Device =torch.device
SymInt =torch.SymInt
as_nested_tensor ts dtype:D=None device:V=None layout=None -> T
masked_select tensor:T mask:T -> T
narrow tensor:T dim:i start length layout= -> T
nested_tensor tensor_list * dtype=None layout=None device=None requires_grad=False pin_memory=False -> T
nested_tensor_from_jagged values:T offsets:T=None lengths:T=None jagged_dim:i=None min_seqlen:i=None max_seqlen:i=None -> T
to_padded_tensor input:T padding:f output_size:z=None * out:T!=None -> T
""",
    "torch.nn": """\
AdaptiveAvgPool1d output_size
AdaptiveAvgPool2d output_size
AdaptiveAvgPool3d output_size
AdaptiveLogSoftmaxWithLoss in_features:i n_classes:i cutoffs div_value:f=4.0 head_bias:b=False device=None dtype=None
AdaptiveMaxPool1d output_size return_indices:b=False
AdaptiveMaxPool2d output_size return_indices:b=False
AdaptiveMaxPool3d output_size return_indices:b=False
AlphaDropout p:f=0.5 inplace:b=False
AvgPool1d kernel_size stride=None padding=0 ceil_mode:b=False count_include_pad:b=True
AvgPool2d kernel_size stride=None padding=0 ceil_mode:b=False count_include_pad:b=True divisor_override:i=None
AvgPool3d kernel_size stride=None padding=0 ceil_mode:b=False count_include_pad:b=True divisor_override:i=None
BCELoss weight:T=None size_average=None reduce=None reduction:s='mean'
BCEWithLogitsLoss weight:T=None size_average=None reduce=None reduction:s='mean' pos_weight:T=None
BatchNorm1d num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=True track_running_stats:b=True device=None dtype=None * bias:b=True
BatchNorm2d num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=True track_running_stats:b=True device=None dtype=None * bias:b=True
BatchNorm3d num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=True track_running_stats:b=True device=None dtype=None * bias:b=True
Bilinear in1_features:i in2_features:i out_features:i bias:b=True device=None dtype=None
Buffer data=None * persistent=True
CELU alpha:f=1.0 inplace:b=False
CTCLoss blank:i=0 reduction:s='mean' zero_infinity:b=False
ChannelShuffle groups:i
CircularPad1d padding
CircularPad2d padding
CircularPad3d padding
ConstantPad1d padding value:f
ConstantPad2d padding value:f
ConstantPad3d padding value:f
Conv1d in_channels:i out_channels:i kernel_size stride=1 padding=0 dilation=1 groups:i=1 bias:b=True padding_mode='zeros' device=None dtype=None
Conv2d in_channels:i out_channels:i kernel_size stride=1 padding=0 dilation=1 groups:i=1 bias:b=True padding_mode='zeros' device=None dtype=None
Conv3d in_channels:i out_channels:i kernel_size stride=1 padding=0 dilation=1 groups:i=1 bias:b=True padding_mode='zeros' device=None dtype=None
ConvTranspose1d in_channels:i out_channels:i kernel_size stride=1 padding=0 output_padding=0 groups:i=1 bias:b=True dilation=1 padding_mode='zeros' device=None dtype=None
ConvTranspose2d in_channels:i out_channels:i kernel_size stride=1 padding=0 output_padding=0 groups:i=1 bias:b=True dilation=1 padding_mode='zeros' device=None dtype=None
ConvTranspose3d in_channels:i out_channels:i kernel_size stride=1 padding=0 output_padding=0 groups:i=1 bias:b=True dilation=1 padding_mode='zeros' device=None dtype=None
CosineEmbeddingLoss margin:f=0.0 size_average=None reduce=None reduction:s='mean'
CosineSimilarity dim:i=1 eps:f=1e-08
CrossEntropyLoss weight:T=None size_average=None ignore_index:i=-100 reduce=None reduction:s='mean' label_smoothing:f=0.0
CrossMapLRN2d size:i alpha:f=0.0001 beta:f=0.75 k:f=1
DataParallel module device_ids=None output_device=None dim:i=0
Dropout p:f=0.5 inplace:b=False
Dropout1d p:f=0.5 inplace:b=False
Dropout2d p:f=0.5 inplace:b=False
Dropout3d p:f=0.5 inplace:b=False
ELU alpha:f=1.0 inplace:b=False
Embedding num_embeddings:i embedding_dim:i padding_idx:i=None max_norm:f=None norm_type:f=2.0 scale_grad_by_freq:b=False sparse:b=False _weight:T=None _freeze:b=False device=None dtype=None
EmbeddingBag num_embeddings:i embedding_dim:i max_norm:f=None norm_type:f=2.0 scale_grad_by_freq:b=False mode:s='mean' sparse:b=False _weight:T=None include_last_offset:b=False padding_idx:i=None device=None dtype=None
FeatureAlphaDropout p:f=0.5 inplace:b=False
Flatten start_dim:i=1 end_dim:i=-1
Fold output_size kernel_size dilation=1 padding=0 stride=1
FractionalMaxPool2d kernel_size output_size=None output_ratio=None return_indices:b=False _random_samples=None
FractionalMaxPool3d kernel_size output_size=None output_ratio=None return_indices:b=False _random_samples=None
GELU approximate:s='none'
GLU dim:i=-1
GRUCell input_size:i hidden_size:i bias:b=True device=None dtype=None
GaussianNLLLoss * full:b=False eps:f=1e-06 reduction:s='mean'
GroupNorm num_groups:i num_channels:i eps:f=1e-05 affine:b=True device=None dtype=None * bias:b=True
Hardshrink lambd:f=0.5
Hardsigmoid inplace:b=False
Hardswish inplace:b=False
Hardtanh min_val:f=-1.0 max_val:f=1.0 inplace:b=False min_value:f=None max_value:f=None
HingeEmbeddingLoss margin:f=1.0 size_average=None reduce=None reduction:s='mean'
HuberLoss reduction:s='mean' delta:f=1.0
InstanceNorm1d num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=False track_running_stats:b=False device=None dtype=None * bias:b=True
InstanceNorm2d num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=False track_running_stats:b=False device=None dtype=None * bias:b=True
InstanceNorm3d num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=False track_running_stats:b=False device=None dtype=None * bias:b=True
KLDivLoss size_average=None reduce=None reduction:s='mean' log_target:b=False
L1Loss size_average=None reduce=None reduction:s='mean'
LPPool1d norm_type:f kernel_size stride=None ceil_mode:b=False
LPPool2d norm_type:f kernel_size stride=None ceil_mode:b=False
LPPool3d norm_type:f kernel_size stride=None ceil_mode:b=False
LSTMCell input_size:i hidden_size:i bias:b=True device=None dtype=None
LayerNorm normalized_shape eps:f=1e-05 elementwise_affine:b=True bias:b=True device=None dtype=None
LazyBatchNorm1d eps=1e-05 momentum=0.1 affine=True track_running_stats=True device=None dtype=None * bias=True
LazyBatchNorm2d eps=1e-05 momentum=0.1 affine=True track_running_stats=True device=None dtype=None * bias=True
LazyBatchNorm3d eps=1e-05 momentum=0.1 affine=True track_running_stats=True device=None dtype=None * bias=True
LazyConv1d out_channels:i kernel_size stride=1 padding=0 dilation=1 groups:i=1 bias:b=True padding_mode='zeros' device=None dtype=None
LazyConv2d out_channels:i kernel_size stride=1 padding=0 dilation=1 groups:i=1 bias:b=True padding_mode='zeros' device=None dtype=None
LazyConv3d out_channels:i kernel_size stride=1 padding=0 dilation=1 groups:i=1 bias:b=True padding_mode='zeros' device=None dtype=None
LazyConvTranspose1d out_channels:i kernel_size stride=1 padding=0 output_padding=0 groups:i=1 bias:b=True dilation=1 padding_mode='zeros' device=None dtype=None
LazyConvTranspose2d out_channels:i kernel_size stride=1 padding=0 output_padding=0 groups:i=1 bias:b=True dilation:i=1 padding_mode='zeros' device=None dtype=None
LazyConvTranspose3d out_channels:i kernel_size stride=1 padding=0 output_padding=0 groups:i=1 bias:b=True dilation=1 padding_mode='zeros' device=None dtype=None
LazyInstanceNorm1d eps=1e-05 momentum=0.1 affine=True track_running_stats=True device=None dtype=None * bias=True
LazyInstanceNorm2d eps=1e-05 momentum=0.1 affine=True track_running_stats=True device=None dtype=None * bias=True
LazyInstanceNorm3d eps=1e-05 momentum=0.1 affine=True track_running_stats=True device=None dtype=None * bias=True
LazyLinear out_features:i bias:b=True device=None dtype=None
LeakyReLU negative_slope:f=0.01 inplace:b=False
Linear in_features:i out_features:i bias:b=True device=None dtype=None
LinearCrossEntropyLoss in_features:i num_classes:i * out_features= bias:b=False device=None dtype=None reduction:s='mean' weight:T=None ignore_index:i=None label_smoothing:f=0.0 options=None
LinearCrossEntropyOptions allow_retain_graph:b=False batch_chunk_size:i=None chunking_method:s='auto' acc_policy='auto' acc_dtype:D=None
LocalResponseNorm size:i alpha:f=0.0001 beta:f=0.75 k:f=1.0
LogSoftmax dim:i=None
MSELoss size_average=None reduce=None reduction:s='mean'
MarginRankingLoss margin:f=0.0 size_average=None reduce=None reduction:s='mean'
MaxPool1d kernel_size stride=None padding=0 dilation=1 return_indices:b=False ceil_mode:b=False
MaxPool2d kernel_size stride=None padding=0 dilation=1 return_indices:b=False ceil_mode:b=False
MaxPool3d kernel_size stride=None padding=0 dilation=1 return_indices:b=False ceil_mode:b=False
MaxUnpool1d kernel_size stride=None padding=0
MaxUnpool2d kernel_size stride=None padding=0
MaxUnpool3d kernel_size stride=None padding=0
Mish inplace:b=False
ModuleDict modules=None
ModuleList modules=None
MultiLabelMarginLoss size_average=None reduce=None reduction:s='mean'
MultiLabelSoftMarginLoss weight:T=None size_average=None reduce=None reduction:s='mean'
MultiMarginLoss p:i=1 margin:f=1.0 weight:T=None size_average=None reduce=None reduction:s='mean'
MultiheadAttention embed_dim num_heads dropout=0.0 bias=True add_bias_kv=False add_zero_attn=False kdim=None vdim=None batch_first=False device=None dtype=None
NLLLoss weight:T=None size_average=None ignore_index:i=-100 reduce=None reduction:s='mean'
PReLU num_parameters:i=1 init:f=0.25 device=None dtype=None
PairwiseDistance p:f=2.0 eps:f=1e-06 keepdim:b=False
Parameter data=None requires_grad=True
ParameterDict parameters=None
ParameterList values=None
PixelShuffle upscale_factor:i
PixelUnshuffle downscale_factor:i
PoissonNLLLoss log_input:b=True full:b=False size_average=None eps:f=1e-08 reduce=None reduction:s='mean'
RMSNorm normalized_shape eps:f=None elementwise_affine:b=True device=None dtype=None
RNNBase mode:s input_size:i hidden_size:i num_layers:i=1 bias:b=True batch_first:b=False dropout:f=0.0 bidirectional:b=False proj_size:i=0 device=None dtype=None
RNNCell input_size:i hidden_size:i bias:b=True nonlinearity:s='tanh' device=None dtype=None
RNNCellBase input_size:i hidden_size:i bias:b num_chunks:i device=None dtype=None
RReLU lower:f=0.125 upper:f=0.3333333333333333 inplace:b=False
ReLU inplace:b=False
ReLU6 inplace:b=False
ReflectionPad1d padding
ReflectionPad2d padding
ReflectionPad3d padding
ReplicationPad1d padding
ReplicationPad2d padding
ReplicationPad3d padding
SELU inplace:b=False
Sequential *args
SiLU inplace:b=False
SmoothL1Loss size_average=None reduce=None reduction:s='mean' beta:f=1.0
SoftMarginLoss size_average=None reduce=None reduction:s='mean'
Softmax dim:i=None
Softmin dim:i=None
Softplus beta:f=1.0 threshold:f=20.0
Softshrink lambd:f=0.5
SyncBatchNorm num_features:i eps:f=1e-05 momentum:f=0.1 affine:b=True track_running_stats:b=True process_group=None device=None dtype=None * bias:b=True
Threshold threshold:f value:f inplace:b=False
Transformer d_model:i=512 nhead:i=8 num_encoder_layers:i=6 num_decoder_layers:i=6 dim_feedforward:i=2048 dropout:f=0.1 activation= custom_encoder=None custom_decoder=None layer_norm_eps:f=1e-05 batch_first:b=False norm_first:b=False bias:b=True device=None dtype=None
TransformerDecoder decoder_layer num_layers:i norm=None
TransformerDecoderLayer d_model:i nhead:i dim_feedforward:i=2048 dropout:f=0.1 activation= layer_norm_eps:f=1e-05 batch_first:b=False norm_first:b=False bias:b=True device=None dtype=None
TransformerEncoder encoder_layer num_layers:i norm=None enable_nested_tensor:b=True mask_check:b=True
TransformerEncoderLayer d_model:i nhead:i dim_feedforward:i=2048 dropout:f=0.1 activation= layer_norm_eps:f=1e-05 batch_first:b=False norm_first:b=False bias:b=True device=None dtype=None
TripletMarginLoss margin:f=1.0 p:f=2.0 eps:f=1e-06 swap:b=False size_average=None reduce=None reduction:s='mean'
TripletMarginWithDistanceLoss * distance_function:C=None margin:f=1.0 swap:b=False reduction:s='mean'
Unflatten dim:i unflattened_size
Unfold kernel_size dilation=1 padding=0 stride=1
UninitializedBuffer requires_grad=False device=None dtype=None persistent=True
UninitializedParameter requires_grad=True device=None dtype=None
Upsample size=None scale_factor=None mode:s='nearest' align_corners:b=None recompute_scale_factor:b=None
UpsamplingBilinear2d size=None scale_factor=None
UpsamplingNearest2d size=None scale_factor=None
ZeroPad1d padding
ZeroPad2d padding
ZeroPad3d padding
factory_kwargs kwargs
""",
    "torch.nn.Module": """\
add_module self name:s module -> 0
apply self fn:C
bfloat16 self
buffers self recurse:b=True
children self
compile self *args **kwargs -> 0
cpu self
cuda self device=None
double self
eval self
extra_repr self -> s
float self
forward self *input -> 0
get_buffer self target:s -> T
get_extra_state self
get_parameter self target:s
get_submodule self target:s
half self
ipu self device=None
load_state_dict self state_dict strict:b=True assign:b=False
modules self remove_duplicate:b=True
mtia self device=None
named_buffers self prefix:s='' recurse:b=True remove_duplicate:b=True
named_children self
named_modules self memo=None prefix:s='' remove_duplicate:b=True
named_parameters self prefix:s='' recurse:b=True remove_duplicate:b=True
parameters self recurse:b=True
register_backward_hook self hook:C
register_buffer self name:s tensor:T persistent:b=True -> 0
register_forward_hook self hook:C * prepend:b=False with_kwargs:b=False always_call:b=False
register_forward_pre_hook self hook:C * prepend:b=False with_kwargs:b=False
register_full_backward_hook self hook:C prepend:b=False
register_full_backward_pre_hook self hook:C prepend:b=False
register_load_state_dict_post_hook self hook
register_load_state_dict_pre_hook self hook
register_module self name:s module -> 0
register_parameter self name:s param -> 0
register_state_dict_post_hook self hook
register_state_dict_pre_hook self hook
requires_grad_ self! requires_grad:b=True
set_extra_state self state -> 0
set_submodule self target:s module strict:b=False -> 0
share_memory self
state_dict self *args destination=None prefix='' keep_vars=False
to self *args **kwargs
to_empty self * device recurse:b=True
train self mode:b=True
type self dst_type
xpu self device=None
zero_grad self set_to_none:b=True -> 0
""",
    "torch.nn.ModuleDict": """\
add_module =torch.nn.Module.add_module
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
clear self -> 0
compile =torch.nn.Module.compile
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extra_repr =torch.nn.Module.extra_repr
float =torch.nn.Module.float
forward =torch.nn.Module.forward
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
ipu =torch.nn.Module.ipu
items self
keys self
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
parameters =torch.nn.Module.parameters
pop self key:s
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
train =torch.nn.Module.train
type =torch.nn.Module.type
update self modules -> 0
values self
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.nn.ModuleList": """\
add_module =torch.nn.Module.add_module
append self module
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
compile =torch.nn.Module.compile
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extend self modules
extra_repr =torch.nn.Module.extra_repr
float =torch.nn.Module.float
forward =torch.nn.Module.forward
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
insert self index:i module -> 0
ipu =torch.nn.Module.ipu
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
parameters =torch.nn.Module.parameters
pop self key
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
train =torch.nn.Module.train
type =torch.nn.Module.type
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.nn.ParameterDict": """\
add_module =torch.nn.Module.add_module
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
clear self -> 0
compile =torch.nn.Module.compile
copy self
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extra_repr self -> s
float =torch.nn.Module.float
forward =torch.nn.Module.forward
fromkeys self keys default=None
get self key:s default=None
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
ipu =torch.nn.Module.ipu
items self
keys self
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
parameters =torch.nn.Module.parameters
pop self key:s
popitem self
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
setdefault self key:s default=None
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
train =torch.nn.Module.train
type =torch.nn.Module.type
update self parameters -> 0
values self
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.nn.ParameterList": """\
add_module =torch.nn.Module.add_module
append self value
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
compile =torch.nn.Module.compile
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extend self values
extra_repr self -> s
float =torch.nn.Module.float
forward =torch.nn.Module.forward
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
ipu =torch.nn.Module.ipu
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
parameters =torch.nn.Module.parameters
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
train =torch.nn.Module.train
type =torch.nn.Module.type
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.nn.Sequential": """\
add_module =torch.nn.Module.add_module
append self module
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
compile =torch.nn.Module.compile
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extend self sequential
extra_repr =torch.nn.Module.extra_repr
float =torch.nn.Module.float
forward self input
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
insert self index:i module
ipu =torch.nn.Module.ipu
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
parameters =torch.nn.Module.parameters
pop self key
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
train =torch.nn.Module.train
type =torch.nn.Module.type
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.nn.attention": """\
activate_flash_attention_impl impl -> 0
can_use_efficient_attention params debug:b=False -> b
can_use_flash_attention params debug:b=False -> b
current_flash_attention_impl  -> s
register_flash_attention_impl impl * register_fn:C -> 0
restore_flash_attention_impl _raise_warn:b=True -> 0
sdpa_kernel backends set_priority:b=False
""",
    "torch.nn.attention.flex_attention": """\
AuxOutput lse=None max_scores=None
AuxRequest lse=False max_scores=False
BlockMask seq_lengths kv_num_blocks:T kv_indices:T full_kv_num_blocks:T full_kv_indices:T q_num_blocks:T q_indices:T full_q_num_blocks:T full_q_indices:T BLOCK_SIZE= mask_mod= * dq_write_order:T=None dq_write_order_full:T=None dq_kv_order:T=None dq_kv_order_spt:b=None
GetAttrKey name:s
TreeSpec type context children_specs
and_masks *mask_mods
create_block_mask mask_mod B:i H:i Q_LEN:i KV_LEN:i device=None BLOCK_SIZE=128 _compile=False separate_full_blocks:b=True compute_dq_write_order:b=False dq_kv_order:b=True
create_mask mod_fn B:i H:i Q_LEN:i KV_LEN:i device=None -> T
flex_attention query:T key:T value:T score_mod=None block_mask=None scale:f=None enable_gqa:b=False return_lse:b=False kernel_options=None * return_aux=None
flex_attention_hop query:T key:T value:T score_mod:C block_mask scale:f kernel_options score_mod_other_buffers= mask_mod_other_buffers=
noop_mask batch:T head:T token_q:T token_kv:T -> T
or_masks *mask_mods
tree_flatten tree is_leaf:C=None
tree_map_only type_or_types_or_pred func:C tree is_leaf:C=None
tree_unflatten leaves treespec
""",
    "torch.nn.functional": """\
adaptive_avg_pool1d =torch.adaptive_avg_pool1d
adaptive_avg_pool2d input:T output_size:0 -> T
adaptive_avg_pool3d input:T output_size:0 -> T
adaptive_max_pool1d input:T output_size return_indices=False -> T|input:T output_size return_indices / -> TT|input:T output_size * return_indices -> TT
adaptive_max_pool1d_with_indices input:T output_size:0 return_indices:b=False
adaptive_max_pool2d input:T output_size return_indices=False -> T|input:T output_size return_indices / -> TT|input:T output_size * return_indices -> TT
adaptive_max_pool2d_with_indices input:T output_size:0 return_indices:b=False
adaptive_max_pool3d input:T output_size return_indices=False -> T|input:T output_size return_indices / -> TT|input:T output_size * return_indices -> TT
adaptive_max_pool3d_with_indices input:T output_size:0 return_indices:b=False
affine_grid theta:T size align_corners:b=None -> T
alpha_dropout input:T!inplace p:f=0.5 training:b=False inplace:b=False -> T
assert_int_or_pair arg arg_name:s message:s -> 0
avg_pool1d =torch.avg_pool1d
avg_pool2d input:T kernel_size stride=None padding=0 ceil_mode:b=False count_include_pad:b=True divisor_override:i=None -> T
avg_pool3d input:T kernel_size stride=None padding=0 ceil_mode:b=False count_include_pad:b=True divisor_override:i=None -> T
batch_norm input:T running_mean:T running_var:T weight:T=None bias:T=None training:b=False momentum:f=0.1 eps:f=1e-05 -> T
bilinear =torch.bilinear
binary_cross_entropy input:T target:T weight:T=None size_average:b=None reduce:b=None reduction:s='mean' -> T
binary_cross_entropy_with_logits input:T target:T weight:T=None size_average:b=None reduce:b=None reduction:s='mean' pos_weight:T=None -> T
boolean_dispatch arg_name arg_index default if_true if_false module_name func_name
celu input:T!inplace alpha:f=1.0 inplace:b=False -> T
celu_ =torch.celu_
channel_shuffle =torch.channel_shuffle
conv1d =torch.conv1d
conv2d =torch.conv2d
conv3d =torch.conv3d
conv_tbc =torch.conv_tbc
conv_transpose1d =torch.conv_transpose1d
conv_transpose2d =torch.conv_transpose2d
conv_transpose3d =torch.conv_transpose3d
cosine_embedding_loss input1:T input2:T target:T margin:f=0 size_average:b=None reduce:b=None reduction:s='mean' -> T
cosine_similarity =torch.cosine_similarity
cross_entropy input:T target:T weight:T=None size_average:b=None ignore_index:i=-100 reduce:b=None reduction:s='mean' label_smoothing:f=0.0 -> T
ctc_loss log_probs:T targets:T input_lengths:T target_lengths:T blank:i=0 reduction:s='mean' zero_infinity:b=False -> T
dropout input:T!inplace p:f=0.5 training:b=True inplace:b=False -> T
dropout1d input:T!inplace p:f=0.5 training:b=True inplace:b=False -> T
dropout2d input:T!inplace p:f=0.5 training:b=True inplace:b=False -> T
dropout3d input:T!inplace p:f=0.5 training:b=True inplace:b=False -> T
elu input:T!inplace alpha:f=1.0 inplace:b=False -> T
elu_ input:T! alpha:f= -> T
embedding input:T weight:T padding_idx:i=None max_norm:f=None norm_type:f=2.0 scale_grad_by_freq:b=False sparse:b=False -> T
embedding_bag input:T weight:T offsets:T=None max_norm:f=None norm_type:f=2 scale_grad_by_freq:b=False mode:s='mean' sparse:b=False per_sample_weights:T=None include_last_offset:b=False padding_idx:i=None -> T
feature_alpha_dropout input:T!inplace p:f=0.5 training:b=False inplace:b=False -> T
fold input:T output_size:0 kernel_size:0 dilation:0=1 padding:0=0 stride:0=1 -> T
fractional_max_pool2d input:T kernel_size output_size=None output_ratio=None return_indices=False _random_samples:T=None -> T|input:T kernel_size output_size output_ratio return_indices / _random_samples:T=None -> TT|input:T kernel_size output_size=None output_ratio=None * return_indices _random_samples:T=None -> TT
fractional_max_pool2d_with_indices input:T kernel_size:0 output_size=None output_ratio=None return_indices:b=False _random_samples:T=None
fractional_max_pool3d input:T kernel_size output_size=None output_ratio=None return_indices=False _random_samples:T=None -> T|input:T kernel_size output_size output_ratio return_indices / _random_samples:T=None -> TT|input:T kernel_size output_size=None output_ratio=None * return_indices _random_samples:T=None -> TT
fractional_max_pool3d_with_indices input:T kernel_size:0 output_size=None output_ratio=None return_indices:b=False _random_samples:T=None
gaussian_nll_loss input:T target:T var full:b=False eps:f=1e-06 reduction:s='mean' -> T
gelu input:T approximate:s= -> T
glu input:T dim:i=-1 -> T
grid_sample input:T grid:T mode:s='bilinear' padding_mode:s='zeros' align_corners:b=None -> T
group_norm input:T num_groups:i weight:T=None bias:T=None eps:f=1e-05 -> T
grouped_mm mat_a:T mat_b:T * offs:T=None bias:T=None out_dtype:D=None -> T
gumbel_softmax logits:T tau:f=1 hard:b=False eps:f=1e-10 dim:i=-1 -> T
handle_torch_function public_api:C relevant_args *args **kwargs
hardshrink =torch.hardshrink
hardsigmoid input:T!inplace inplace:b=False -> T
hardswish input:T!inplace inplace:b=False -> T
hardtanh input:T!inplace min_val:f=-1.0 max_val:f=1.0 inplace:b=False -> T
hardtanh_ input:T! min_val:f= max_val:f= -> T
has_torch_function  -> b
hinge_embedding_loss input:T target:T margin:f=1.0 size_average:b=None reduce:b=None reduction:s='mean' -> T
huber_loss input:T target:T reduction:s='mean' delta:f=1.0 weight:T=None -> T
instance_norm input:T running_mean:T=None running_var:T=None weight:T=None bias:T=None use_input_stats:b=True momentum:f=0.1 eps:f=1e-05 -> T
interpolate input:T size:i=None scale_factor=None mode:s='nearest' align_corners:b=None recompute_scale_factor:b=None antialias:b=False -> T
kl_div input:T target:T size_average:b=None reduce:b=None reduction:s='mean' log_target:b=False -> T
l1_loss input:T target:T size_average:b=None reduce:b=None reduction:s='mean' weight:T=None -> T
layer_norm input:T normalized_shape weight:T=None bias:T=None eps:f=1e-05 -> T
leaky_relu input:T!inplace negative_slope:f=0.01 inplace:b=False -> T
leaky_relu_ input:T! negative_slope:f= -> T
linear input:T weight:T bias:T=None -> T
linear_cross_entropy input:T linear_weight:T target:T * linear_bias:T=None weight:T=None reduction:s='mean' ignore_index:i=None label_smoothing:f=0.0 options=None -> T
local_response_norm input:T size:i alpha:f=0.0001 beta:f=0.75 k:f=1.0 -> T
log_softmax input:T dim:i=None _stacklevel:i=3 dtype:i=None -> T
lp_pool1d input:T norm_type kernel_size:i stride=None ceil_mode:b=False -> T
lp_pool2d input:T norm_type kernel_size:0 stride=None ceil_mode:b=False -> T
lp_pool3d input:T norm_type kernel_size:0 stride=None ceil_mode:b=False -> T
margin_ranking_loss input1:T input2:T target:T margin:f=0 size_average:b=None reduce:b=None reduction:s='mean' -> T
max_pool1d input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False return_indices=False -> T|input:T kernel_size stride padding dilation ceil_mode:b return_indices / -> TT|input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False * return_indices -> TT
max_pool1d_with_indices input:T kernel_size:0 stride=None padding:0=0 dilation:0=1 ceil_mode:b=False return_indices:b=False
max_pool2d input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False return_indices=False -> T|input:T kernel_size stride padding dilation ceil_mode:b return_indices / -> TT|input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False * return_indices -> TT
max_pool2d_with_indices input:T kernel_size:0 stride=None padding:0=0 dilation:0=1 ceil_mode:b=False return_indices:b=False
max_pool3d input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False return_indices=False -> T|input:T kernel_size stride padding dilation ceil_mode:b return_indices / -> TT|input:T kernel_size stride=None padding=0 dilation=1 ceil_mode:b=False * return_indices -> TT
max_pool3d_with_indices input:T kernel_size:0 stride=None padding:0=0 dilation:0=1 ceil_mode:b=False return_indices:b=False
max_unpool1d input:T indices:T kernel_size:0 stride=None padding:0=0 output_size=None -> T
max_unpool2d input:T indices:T kernel_size:0 stride=None padding:0=0 output_size=None -> T
max_unpool3d input:T indices:T kernel_size:0 stride=None padding:0=0 output_size=None -> T
mish input:T!inplace inplace:b=False -> T
mse_loss input:T target:T size_average:b=None reduce:b=None reduction:s='mean' weight:T=None -> T
multi_head_attention_forward query:T key:T value:T embed_dim_to_check:i num_heads:i in_proj_weight:T in_proj_bias:T bias_k:T bias_v:T add_zero_attn:b dropout_p:f out_proj_weight:T out_proj_bias:T training:b=True key_padding_mask:T=None need_weights:b=True attn_mask:T=None use_separate_proj_weight:b=False q_proj_weight:T=None k_proj_weight:T=None v_proj_weight:T=None static_k:T=None static_v:T=None average_attn_weights:b=True is_causal:b=False
multi_margin_loss input:T target:T p:i=1 margin:f=1.0 weight:T=None size_average:b=None reduce:b=None reduction:s='mean' -> T
multilabel_margin_loss input:T target:T size_average:b=None reduce:b=None reduction:s='mean' -> T
multilabel_soft_margin_loss input:T target:T weight:T=None size_average:b=None reduce:b=None reduction:s='mean' -> T
native_channel_shuffle =torch.native_channel_shuffle
nll_loss input:T target:T weight:T=None size_average:b=None ignore_index:i=-100 reduce:b=None reduction:s='mean' -> T
normalize input:T p:f=2.0 dim:i=1 eps:f=1e-12 out:T!=None -> T
one_hot tensor:T num_classes:i= -> T
pad input:T pad mode:s='constant' value:f=None -> T
pairwise_distance =torch.pairwise_distance
pdist =torch.pdist
pixel_shuffle =torch.pixel_shuffle
pixel_unshuffle =torch.pixel_unshuffle
poisson_nll_loss input:T target:T log_input:b=True full:b=False size_average:b=None eps:f=1e-08 reduce:b=None reduction:s='mean' -> T
prelu =torch.prelu
relu input:T!inplace inplace:b=False -> T
relu6 input:T!inplace inplace:b=False -> T
relu_ =torch.relu_
rms_norm input:T normalized_shape weight:T=None eps:f=None -> T
rrelu input:T!inplace lower:f=0.125 upper:f=0.3333333333333333 training:b=False inplace:b=False -> T
rrelu_ =torch.rrelu_
scaled_dot_product_attention query:T key:T value:T attn_mask:T=None dropout_p:f=0.0 is_causal:b=False scale:f=None enable_gqa:b=False -> T
scaled_grouped_mm mat_a:T mat_b:T scale_a scale_recipe_a scale_b scale_recipe_b swizzle_a=None swizzle_b=None bias:T=None offs:T=None output_dtype:D= contraction_dim= use_fast_accum:b=False -> T
scaled_mm mat_a:T mat_b:T scale_a scale_recipe_a scale_b scale_recipe_b swizzle_a=None swizzle_b=None bias:T=None output_dtype:D= contraction_dim= use_fast_accum:b=False -> T
selu input:T!inplace inplace:b=False -> T
selu_ =torch.selu_
sigmoid input
silu input:T!inplace inplace:b=False -> T
smooth_l1_loss input:T target:T size_average:b=None reduce:b=None reduction:s='mean' beta:f=1.0 -> T
soft_margin_loss input:T target:T size_average:b=None reduce:b=None reduction:s='mean' -> T
softmax input:T dim:i=None _stacklevel:i=3 dtype:i=None -> T
softmin input:T dim:i=None _stacklevel:i=3 dtype:i=None -> T
softplus input:T beta:f= threshold:f= -> T
softshrink input:T lambd:f= -> T
softsign input
tanh input
tanhshrink input
threshold input:T!inplace threshold:f value:f inplace:b=False -> T
threshold_ =torch.threshold_
triplet_margin_loss anchor:T positive:T negative:T margin:f=1.0 p:f=2 eps:f=1e-06 swap:b=False size_average:b=None reduce:b=None reduction:s='mean' -> T
triplet_margin_with_distance_loss anchor:T positive:T negative:T * distance_function:C=None margin:f=1.0 swap:b=False reduction:s='mean' -> T
unfold input:T kernel_size:0 dilation:0=1 padding:0=0 stride:0=1 -> T
upsample input size=None scale_factor=None mode='nearest' align_corners=None
upsample_bilinear input size=None scale_factor=None
upsample_nearest input size=None scale_factor=None
""",
    "torch.nn.init": """\
calculate_gain nonlinearity param=None -> f
constant_ tensor:T! val:f -> T
dirac_ tensor:T! groups:i=1 -> T
eye n:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None out:T!=None -> T|n:i m:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None out:T!=None -> T
eye_ tensor:T! -> T
kaiming_normal_ tensor:T! a:f=0 mode='fan_in' nonlinearity='leaky_relu' generator=None -> T
kaiming_uniform_ tensor:T! a:f=0 mode='fan_in' nonlinearity='leaky_relu' generator=None -> T
normal mean:T std:f=1.0 * generator=None out:T!=None -> T|mean:f std:T * generator=None out:T!=None -> T|mean:T std:T * generator=None out:T!=None -> T|mean:f std:f size:z * generator=None dtype:i=None layout:i=None device:V=None pin_memory:b=None out:T!=None -> T
normal_ tensor:T! mean:f=0.0 std:f=1.0 generator=None -> T
ones_ tensor:T! -> T
orthogonal_ tensor:T! gain:f=1 generator=None -> T
sparse_ tensor:T! sparsity:f std:f=0.01 generator=None -> T
trunc_normal_ tensor:T! mean:f=0.0 std:f=1.0 a:f=-2.0 b:f=2.0 generator=None -> T
uniform input:T from:f=0.0 to:f=1.0 * generator=None out:T!=None -> T
uniform_ tensor:T! a:f=0.0 b:f=1.0 generator=None -> T
xavier_normal_ tensor:T! gain:f=1.0 generator=None -> T
xavier_uniform_ tensor:T! gain:f=1.0 generator=None -> T
zeros_ tensor:T! -> T
""",
    "torch.nn.parallel": """\
DataParallel =torch.nn.DataParallel
DistributedDataParallel module device_ids=None output_device=None dim=0 broadcast_buffers=None init_sync=True process_group=None bucket_cap_mb=None find_unused_parameters=False check_reduction=False gradient_as_bucket_view=False static_graph=False delay_all_reduce_named_params=None param_to_hook_all_reduce=None mixed_precision=None device_mesh=None skip_all_reduce_unused_params=False bucket_cap_mb_list=None batched_grad_copy=False forward_sync_buffers:b=None
data_parallel module inputs device_ids=None output_device=None dim:i=0 module_kwargs=None -> T
gather outputs target_device dim:i=0
parallel_apply modules inputs kwargs_tup=None devices=None
replicate network devices detach:b=False
scatter inputs target_gpus dim=0
""",
    "torch.nn.parallel.DistributedDataParallel": """\
add_module =torch.nn.Module.add_module
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
compile =torch.nn.Module.compile
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extra_repr =torch.nn.Module.extra_repr
float =torch.nn.Module.float
forward self *inputs **kwargs
gather self outputs output_device
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
ipu =torch.nn.Module.ipu
join self divide_by_initial_world_size:b=True enable:b=True throw_on_early_termination:b=False
join_hook self **kwargs
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
no_sync self
parameters =torch.nn.Module.parameters
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_comm_hook self state hook:C -> 0
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
scatter self inputs kwargs device_ids
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
to_kwargs self inputs kwargs device_id
train self mode=True
type =torch.nn.Module.type
will_sync_module_buffers self
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.nn.utils": """\
clip_grad_norm parameters max_norm:f norm_type:f=2.0 error_if_nonfinite:b=False foreach:b=None -> T
clip_grad_norm_ parameters! max_norm:f norm_type:f=2.0 error_if_nonfinite:b=False foreach:b=None -> T
clip_grad_value_ parameters! clip_value:f foreach:b=None -> 0
clip_grads_with_norm_ parameters! max_norm:f total_norm:T foreach:b=None -> 0
convert_conv2d_weight_memory_format module memory_format
convert_conv3d_weight_memory_format module memory_format
fuse_conv_bn_eval conv bn transpose:b=False
fuse_conv_bn_weights conv_w:T conv_b:T bn_rm:T bn_rv:T bn_eps:f bn_w:T bn_b:T transpose:b=False
fuse_linear_bn_eval linear bn
fuse_linear_bn_weights linear_w:T linear_b:T bn_rm:T bn_rv:T bn_eps:f bn_w:T bn_b:T
get_total_norm tensors norm_type:f=2.0 error_if_nonfinite:b=False foreach:b=None -> T
parameters_to_vector parameters -> T
remove_spectral_norm module name:s='weight'
remove_weight_norm module name:s='weight'
skip_init module_cls *args **kwargs
spectral_norm module name:s='weight' n_power_iterations:i=1 eps:f=1e-12 dim:i=None
vector_to_parameters vec:T parameters -> 0
weight_norm module name:s='weight' dim:i=0
""",
    "torch.nn.utils.parametrizations": """\
orthogonal module name:s='weight' orthogonal_map:s=None * use_trivialization:b=True
spectral_norm module name:s='weight' n_power_iterations:i=1 eps:f=1e-12 dim:i=None
weight_norm module name:s='weight' dim:i=0
""",
    "torch.nn.utils.parametrize": """\
ModuleDict =torch.nn.ModuleDict
ModuleList =torch.nn.ModuleList
Parameter =torch.nn.Parameter
ParametrizationList modules original unsafe:b=False
get_swap_module_params_on_conversion  -> b
is_opaque_reference_type cls -> b
is_parametrized module tensor_name:s=None -> b
is_traceable_wrapper_subclass t
register_parametrization module tensor_name:s parametrization * unsafe:b=False
remove_parametrizations module tensor_name:s leave_parametrized:b=True
transfer_parametrizations_and_params from_module to_module tensor_name:s=None
type_before_parametrizations module
""",
    "torch.nn.utils.rnn": """\
PackedSequence data:T batch_sizes:T=None sorted_indices:T=None unsorted_indices:T=None
PackedSequence_ data:T! batch_sizes:T sorted_indices:T unsorted_indices:T
bind optional fn:C
copy_method_params source_method:C -> C
invert_permutation permutation:T -> T
pack_padded_sequence input:T lengths batch_first:b=False enforce_sorted:b=True
pack_sequence sequences:L enforce_sorted:b=True
pad_packed_sequence sequence batch_first:b=False padding_value:f=0.0 total_length:i=None
pad_sequence sequences batch_first:b=False padding_value:f=0.0 padding_side:s='right' -> T
unpack_sequence packed_sequences -> L
unpad_sequence padded_sequences:T lengths:T batch_first:b=False -> L
""",
    "torch.nn.utils.stateless": """\
NamedMemberAccessor module
functional_call module parameters_and_buffers args=None kwargs=None * tie_weights:b=True strict:b=False
""",
    "torch.onnx": """\
InputObserver value_if_missing=None
JitScalarType value names=None * module=None qualname=None type=None start=1 boundary=None
ONNXProgram model exported_program
export model args= f=None * kwargs=None verbose:b=None input_names=None output_names=None opset_version:i=None dynamo:b=True external_data:b=True dynamic_shapes=None custom_translation_table=None report:b=False optimize:b=True verify:b=False profile:b=False dump_exported_program:b=False artifacts_dir='.' export_params:b=True keep_initializers_as_inputs:b=False dynamic_axes=None training= operator_export_type= do_constant_folding:b=True custom_opsets=None export_modules_as_functions=False autograd_inlining:b=True
is_in_onnx_export  -> b
register_custom_op_symbolic symbolic_name:s symbolic_fn:C opset_version:i -> 0
select_model_mode_for_export model mode
unregister_custom_op_symbolic symbolic_name:s opset_version:i -> 0
""",
    "torch.optim": """\
ASGD params lr=0.01 lambd:f=0.0001 alpha:f=0.75 t0:f=1000000.0 weight_decay:f=0 foreach:b=None maximize:b=False differentiable:b=False capturable:b=False
Adadelta params lr=1.0 rho:f=0.9 eps:f=1e-06 weight_decay:f=0 foreach:b=None * capturable:b=False maximize:b=False differentiable:b=False
Adafactor params lr=0.01 beta2_decay:f=-0.8 eps= d:f=1.0 weight_decay:f=0.0 * foreach:b=None maximize:b=False
Adagrad params lr=0.01 lr_decay:f=0 weight_decay:f=0 initial_accumulator_value:f=0 eps:f=1e-10 foreach:b=None * maximize:b=False differentiable:b=False fused:b=None
Adam params lr=0.001 betas= eps:f=1e-08 weight_decay:f=0 amsgrad:b=False * foreach:b=None maximize:b=False capturable:b=False differentiable:b=False fused:b=None decoupled_weight_decay:b=False
AdamW params lr=0.001 betas= eps:f=1e-08 weight_decay:f=0.01 amsgrad:b=False * maximize:b=False foreach:b=None capturable:b=False differentiable:b=False fused:b=None
Adamax params lr=0.002 betas= eps:f=1e-08 weight_decay:f=0 foreach:b=None * maximize:b=False differentiable:b=False capturable:b=False
LBFGS params lr=1 max_iter:i=20 max_eval:i=None tolerance_grad:f=1e-07 tolerance_change:f=1e-09 history_size:i=100 line_search_fn:s=None
Muon params lr:f=0.001 weight_decay:f=0.1 momentum:f=0.95 nesterov:b=True ns_coefficients= eps:f=1e-07 ns_steps:i=5 adjust_lr_fn:s=None
NAdam params lr=0.002 betas= eps:f=1e-08 weight_decay:f=0 momentum_decay:f=0.004 decoupled_weight_decay:b=False * foreach:b=None maximize:b=False capturable:b=False differentiable:b=False
Optimizer params defaults
RAdam params lr=0.001 betas= eps:f=1e-08 weight_decay:f=0 decoupled_weight_decay:b=False * foreach:b=None maximize:b=False capturable:b=False differentiable:b=False
RMSprop params lr=0.01 alpha:f=0.99 eps:f=1e-08 weight_decay:f=0 momentum:f=0 centered:b=False capturable:b=False foreach:b=None maximize:b=False differentiable:b=False
Rprop params lr=0.01 etas= step_sizes= * capturable:b=False foreach:b=None maximize:b=False differentiable:b=False
SGD params lr=0.001 momentum:f=0 dampening:f=0 weight_decay=0 nesterov:b=False * maximize:b=False foreach:b=None differentiable:b=False fused:b=None
SparseAdam params lr=0.001 betas= eps:f=1e-08 maximize:b=False
swap_in_optimizer_params_and_state optimizer swapin_parameters swapin_optim_state
""",
    "torch.optim.Optimizer": """\
add_param_group self param_group -> 0
load_state_dict self state_dict -> 0
profile_hook_step func:C -> C
register_load_state_dict_post_hook self hook:C prepend:b=False
register_load_state_dict_pre_hook self hook:C prepend:b=False
register_state_dict_post_hook self hook:C prepend:b=False
register_state_dict_pre_hook self hook:C prepend:b=False
register_step_post_hook self hook:C
register_step_pre_hook self hook:C
state_dict self
step self closure:C=None -> f
zero_grad self set_to_none:b=True -> 0
""",
    "torch.optim.lr_scheduler": """\
ChainedScheduler schedulers optimizer=None
ConstantLR optimizer factor:f=0.3333333333333333 total_iters:i=5 last_epoch:i=-1
CosineAnnealingLR optimizer T_max:i eta_min:f=0.0 last_epoch:i=-1
CosineAnnealingWarmRestarts optimizer T_0:i T_mult:i=1 eta_min:f=0.0 last_epoch:i=-1
CyclicLR optimizer base_lr max_lr step_size_up:i=2000 step_size_down:i=None mode='triangular' gamma:f=1.0 scale_fn:C=None scale_mode='cycle' cycle_momentum:b=True base_momentum:f=0.8 max_momentum:f=0.9 last_epoch:i=-1
ExponentialLR optimizer gamma:f last_epoch:i=-1
LRScheduler optimizer last_epoch:i=-1
LambdaLR optimizer lr_lambda:C last_epoch:i=-1
LinearLR optimizer start_factor:f=0.3333333333333333 end_factor:f=1.0 total_iters:i=5 last_epoch:i=-1
MultiStepLR optimizer milestones gamma:f=0.1 last_epoch:i=-1
MultiplicativeLR optimizer lr_lambda:C last_epoch:i=-1
OneCycleLR optimizer max_lr total_steps:i=None epochs:i=None steps_per_epoch:i=None pct_start:f=0.3 anneal_strategy='cos' cycle_momentum:b=True base_momentum=0.85 max_momentum=0.95 div_factor:f=25.0 final_div_factor:f=10000.0 three_phase:b=False last_epoch:i=-1
Optimizer =torch.optim.Optimizer
PolynomialLR optimizer total_iters:i=5 power:f=1.0 last_epoch:i=-1
ReduceLROnPlateau optimizer mode='min' factor:f=0.1 patience:i=10 threshold:f=0.0001 threshold_mode='rel' cooldown:i=0 min_lr=0 eps:f=1e-08
SequentialLR optimizer schedulers milestones last_epoch:i=-1
StepLR optimizer step_size:i gamma:f=0.1 last_epoch:i=-1
""",
    "torch.optim.lr_scheduler.LRScheduler": """\
get_last_lr self
get_lr self
load_state_dict self state_dict -> 0
state_dict self
step self epoch:i=None -> 0
""",
    "torch.optim.swa_utils": """\
AveragedModel model device=None avg_fn:C=None multi_avg_fn:C=None use_buffers=False
LRScheduler =torch.optim.lr_scheduler.LRScheduler
SWALR optimizer swa_lr:f anneal_epochs=10 anneal_strategy='cos' last_epoch=-1
get_ema_avg_fn decay=0.999
get_ema_multi_avg_fn decay=0.999
update_bn loader model device=None -> 0
""",
    "torch.optim.swa_utils.AveragedModel": """\
add_module =torch.nn.Module.add_module
apply =torch.nn.Module.apply
bfloat16 =torch.nn.Module.bfloat16
buffers =torch.nn.Module.buffers
children =torch.nn.Module.children
compile =torch.nn.Module.compile
cpu =torch.nn.Module.cpu
cuda =torch.nn.Module.cuda
double =torch.nn.Module.double
eval =torch.nn.Module.eval
extra_repr =torch.nn.Module.extra_repr
float =torch.nn.Module.float
forward self *args **kwargs
get_buffer =torch.nn.Module.get_buffer
get_extra_state =torch.nn.Module.get_extra_state
get_parameter =torch.nn.Module.get_parameter
get_submodule =torch.nn.Module.get_submodule
half =torch.nn.Module.half
ipu =torch.nn.Module.ipu
load_state_dict =torch.nn.Module.load_state_dict
modules =torch.nn.Module.modules
mtia =torch.nn.Module.mtia
named_buffers =torch.nn.Module.named_buffers
named_children =torch.nn.Module.named_children
named_modules =torch.nn.Module.named_modules
named_parameters =torch.nn.Module.named_parameters
parameters =torch.nn.Module.parameters
register_backward_hook =torch.nn.Module.register_backward_hook
register_buffer =torch.nn.Module.register_buffer
register_forward_hook =torch.nn.Module.register_forward_hook
register_forward_pre_hook =torch.nn.Module.register_forward_pre_hook
register_full_backward_hook =torch.nn.Module.register_full_backward_hook
register_full_backward_pre_hook =torch.nn.Module.register_full_backward_pre_hook
register_load_state_dict_post_hook =torch.nn.Module.register_load_state_dict_post_hook
register_load_state_dict_pre_hook =torch.nn.Module.register_load_state_dict_pre_hook
register_module =torch.nn.Module.register_module
register_parameter =torch.nn.Module.register_parameter
register_state_dict_post_hook =torch.nn.Module.register_state_dict_post_hook
register_state_dict_pre_hook =torch.nn.Module.register_state_dict_pre_hook
requires_grad_ =torch.nn.Module.requires_grad_
set_extra_state =torch.nn.Module.set_extra_state
set_submodule =torch.nn.Module.set_submodule
share_memory =torch.nn.Module.share_memory
state_dict =torch.nn.Module.state_dict
to =torch.nn.Module.to
to_empty =torch.nn.Module.to_empty
train =torch.nn.Module.train
type =torch.nn.Module.type
update_parameters self model -> 0
xpu =torch.nn.Module.xpu
zero_grad =torch.nn.Module.zero_grad
""",
    "torch.profiler": """\
Optimizer =torch.optim.Optimizer
ProfilerAction value names=None * module=None qualname=None type=None start=1 boundary=None
profile * activities=None schedule:C=None on_trace_ready:C=None record_shapes:b=False profile_memory:b=False with_stack:b=False with_flops:b=False with_modules:b=False experimental_config=None execution_trace_observer=None acc_events:b=False use_cuda:b=None custom_trace_id_callback:C=None post_processing_timeout_s:f=None
record_function =torch.autograd.profiler.record_function
register_optimizer_step_post_hook hook:C
schedule * wait:i warmup:i active:i repeat:i=0 skip_first:i=0 skip_first_wait:i=0 -> C
tensorboard_trace_handler dir_name:s worker_name:s=None use_gzip:b=False use_python_export:b=False
""",
    "torch.profiler.profile": """\
add_metadata self key:s value:s -> 0
add_metadata_json self key:s value:s -> 0
events self
export_chrome_trace self path:s use_python_export:b=False
export_memory_timeline self path:s device:s=None -> 0
export_stacks self path:s metric:s='self_cpu_time_total'
get_trace_id self
key_averages self group_by_input_shape:b=False group_by_stack_n:i=0 group_by_overload_name:b=False
prepare_trace self -> 0
preset_metadata_json self key:s value:s -> 0
set_custom_trace_id_callback self callback -> 0
start self -> 0
start_trace self -> 0
step self -> 0
stop self -> 0
stop_trace self -> 0
toggle_collection_dynamic self enable:b activities -> 0
""",
    "torch.random": """\
fork_rng devices=None enabled=True _caller='fork_rng' _devices_kw='devices' device_type=None
get_rng_state =torch.get_rng_state
initial_seed =torch.initial_seed
manual_seed =torch.manual_seed
seed =torch.seed
set_rng_state =torch.set_rng_state
""",
    "torch.signal.windows": """\
bartlett M:i * sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
blackman M:i * sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
cosine M:i * sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
exponential M:i * center:f=None tau:f=1.0 sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
gaussian M:i * std:f=1.0 sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
general_cosine M * a sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
general_hamming M * alpha:f=0.54 sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
hamming M:i * sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
hann M:i * sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
kaiser M:i * beta:f=12.0 sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
nuttall M:i * sym:b=True dtype:D=None layout= device:V=None requires_grad:b=False -> T
""",
    "torch.sparse": """\
SparseSemiStructuredTensor shape packed:T meta:T packed_t:T meta_t:T compressed_swizzled_bitmask:T fuse_transpose_cusparselt:b=False alg_id_cusparselt:i=0 requires_grad:b=False
SparseSemiStructuredTensorCUSPARSELT shape packed:T meta:T packed_t:T meta_t:T compressed_swizzled_bitmask:T fuse_transpose_cusparselt:b=False alg_id_cusparselt:i=0 requires_grad:b=False
SparseSemiStructuredTensorCUTLASS shape packed:T meta:T packed_t:T meta_t:T compressed_swizzled_bitmask:T fuse_transpose_cusparselt:b=False alg_id_cusparselt:i=0 requires_grad:b=False
addmm input:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T!=None -> T
as_sparse_gradcheck gradcheck
check_sparse_tensor_invariants enable=True
log_softmax input:T dim:i dtype:i=None * out:T!=None -> T|input:T dim:i half_to_float:b * out:T!=None -> T
mm sparse:T dense:T -> T|sparse:T dense:T reduce:s -> T
softmax input:T dim:i dtype:i=None * out:T!=None -> T|input:T dim:i half_to_float:b * out:T!=None -> T
sum input:T dim=None dtype:i=None -> T
to_sparse_semi_structured original_tensor:T transposed:b=False alg_id:i=0
""",
    "torch.special": """\
airy_ai x:T * out:T!=None -> T
bessel_j0 input:T * out:T!=None -> T
bessel_j1 input:T * out:T!=None -> T
bessel_y0 input:T * out:T!=None -> T
bessel_y1 input:T * out:T!=None -> T
chebyshev_polynomial_t x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
chebyshev_polynomial_u x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
chebyshev_polynomial_v x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
chebyshev_polynomial_w x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
digamma input:T * out:T!=None -> T
entr input:T * out:T!=None -> T
erf input:T * out:T!=None -> T
erfc input:T * out:T!=None -> T
erfcx input:T * out:T!=None -> T
erfinv input:T * out:T!=None -> T
exp2 input:T * out:T!=None -> T
expit input:T * out:T!=None -> T
expm1 input:T * out:T!=None -> T
gammainc input:T other:T * out:T!=None -> T
gammaincc input:T other:T * out:T!=None -> T
gammaln input:T * out:T!=None -> T
hermite_polynomial_h x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
hermite_polynomial_he x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
i0 input:T * out:T!=None -> T
i0e input:T * out:T!=None -> T
i1 input:T * out:T!=None -> T
i1e input:T * out:T!=None -> T
laguerre_polynomial_l x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
legendre_polynomial_p x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
log1p input:T * out:T!=None -> T
log_ndtr input:T * out:T!=None -> T
log_softmax input:T dim:i * dtype:i=None -> T
logit input:T eps:f=None * out:T!=None -> T
logsumexp input:T dim:z keepdim:b=False * out:T!=None -> T
modified_bessel_i0 input:T * out:T!=None -> T
modified_bessel_i1 input:T * out:T!=None -> T
modified_bessel_k0 input:T * out:T!=None -> T
modified_bessel_k1 input:T * out:T!=None -> T
multigammaln input:T p:i * out:T!=None -> T
ndtr input:T * out:T!=None -> T
ndtri input:T * out:T!=None -> T
polygamma n:i input:T * out:T!=None -> T
psi input:T * out:T!=None -> T
round input:T * decimals:i=0 out:T!=None -> T
scaled_modified_bessel_k0 x:T * out:T!=None -> T
scaled_modified_bessel_k1 x:T * out:T!=None -> T
shifted_chebyshev_polynomial_t x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
shifted_chebyshev_polynomial_u x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
shifted_chebyshev_polynomial_v x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
shifted_chebyshev_polynomial_w x:T n:T * out:T!=None -> T|x:n n:T * out:T!=None -> T|x:T n:n * out:T!=None -> T
sinc input:T * out:T!=None -> T
softmax input:T dim:i dtype:i=None -> T
spherical_bessel_j0 x:T * out:T!=None -> T
xlog1py input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T|input:n other:T * out:T!=None -> T
xlogy input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T|input:n other:T * out:T!=None -> T
zeta input:T other:T * out:T!=None -> T|input:T other:n * out:T!=None -> T|input:n other:T * out:T!=None -> T
""",
    "torch.testing": """\
assert_allclose actual expected rtol:f=None atol:f=None equal_nan:b=True msg:s='' -> 0
assert_close actual expected * allow_subclasses:b=True rtol:f=None atol:f=None equal_nan:b=False check_device:b=True check_dtype:b=True check_layout:b=True check_stride:b=False msg=None
make_tensor *shape dtype:D device low:f=None high:f=None requires_grad:b=False noncontiguous:b=False exclude_zero:b=False memory_format=None -> T
""",
    "torch.utils.benchmark": """\
CallgrindStats task_spec number_per_run:i built_with_debug_symbols:b baseline_inclusive_stats baseline_exclusive_stats stmt_inclusive_stats stmt_exclusive_stats stmt_callgrind_out:s
Colorize value names=None * module=None qualname=None type=None start=1 boundary=None
Compare results
CopyIfCallgrind value * setup:s=None
FunctionCount count function
FunctionCounts _data inclusive:b truncate_rows:b=True _linewidth:i=None
FuzzedParameter name:s minval=None maxval=None distribution=None strict:b=False
FuzzedSparseTensor name:s size min_elements:i=None max_elements:i=None dim_parameter:s=None sparse_dim:s=None nnz:s=None density:s=None coalesced:s=None dtype= cuda=False
FuzzedTensor name:s size steps=None probability_contiguous:f=0.5 min_elements:i=None max_elements:i=None max_allocation_bytes:i=None dim_parameter:s=None roll_parameter:s=None dtype= cuda=False tensor_constructor:C=None
Fuzzer parameters tensors constraints=None seed:i=None
Language value names=None * module=None qualname=None type=None start=1 boundary=None
Measurement number_per_run:i raw_times task_spec metadata=None
ParameterAlias alias_to
TaskSpec stmt:s setup:s global_setup:s='' label:s=None sub_label:s=None description:s=None env:s=None num_threads:i=1
Timer stmt:s='pass' setup:s='pass' global_setup:s='' timer:C= globals=None label:s=None sub_label:s=None description:s=None env:s=None num_threads:i=1 language=
ordered_unique elements
select_unit t:f
set_torch_threads n:i
timer  -> f
trim_sigfig x:f n:i -> f
unit_to_english u:s -> s
""",
    "torch.utils.checkpoint": """\
CheckpointPolicy value names=None * module=None qualname=None type=None start=1 boundary=None
LoggingTensorMode _dispatch_key=None
SelectiveCheckpointContext * is_recompute op_output=None
TorchDispatchMode =torch.autograd.graph.TorchDispatchMode
capture_logs is_mode=False python_tb=False script_tb=False cpp_tb=False
check_backward_validity inputs -> 0
checkpoint function *args use_reentrant:b=None context_fn:C= determinism_check:s='default' debug:b=False early_stop:b=True **kwargs
checkpoint_sequential functions segments input use_reentrant=None **kwargs
create_selective_checkpoint_contexts policy_fn_or_list allow_cache_entry_mutation=False
detach_variable inputs
get_device_states *args
set_checkpoint_debug_enabled enabled:b
set_checkpoint_early_stop enable:b
set_device_states devices states * device_type=None -> 0
tree_map func:C tree *rests is_leaf:C=None
""",
    "torch.utils.data": """\
BatchSampler sampler batch_size:i drop_last:b
ChainDataset datasets
ConcatDataset datasets
DataChunk items
DataLoader dataset batch_size:i=1 shuffle:b=None sampler=None batch_sampler=None num_workers:i=0 collate_fn=None pin_memory:b=False drop_last:b=False timeout:f=0 worker_init_fn=None multiprocessing_context=None generator=None * prefetch_factor:i=None persistent_workers:b=False pin_memory_device:s='' in_order:b=True
DistributedSampler dataset num_replicas:i=None rank:i=None shuffle:b=True seed:i=0 drop_last:b=False
RandomSampler data_source replacement:b=False num_samples:i=None generator=None
SequentialSampler data_source
Subset dataset indices
SubsetRandomSampler indices generator=None
TensorDataset *tensors:T
WeightedRandomSampler weights num_samples:i replacement:b=True generator=None
argument_validation f
default_collate batch
default_convert data
functional_datapipe name:s enable_df_api_tracing=False
non_deterministic arg
random_split dataset lengths generator=
runtime_validation f
""",
    "torch.utils.data.DataLoader": """\
check_worker_number_rationality self -> 0
""",
    "torch.utils.dlpack": """\
DLDeviceType value names=None * module=None qualname=None type=None start=1 boundary=None
from_dlpack =torch.from_dlpack
""",
    "torch.xpu": """\
Event enable_timing=False
MemPool allocator=None use_on_oom:b=False
Stream device=None priority=0 **kwargs
StreamContext stream
XPUGraph keep_graph:b=False
XPUPluggableAllocator path_to_lib_file:s alloc_fn_name:s free_fn_name:s
can_device_access_peer device peer -> b
change_current_allocator allocator -> 0
clock_rate device=None -> f
current_device  -> i
current_stream device=None
device device
device_count  -> i
device_memory_used device=None -> i
device_of obj
empty_cache  -> 0
get_device_capability device=None
get_device_name device=None -> s
get_device_properties device=None
get_gencode_flags  -> s
get_per_process_memory_fraction device=None -> f
get_rng_state device='xpu' -> T
get_rng_state_all  -> L
get_stream_from_external data_ptr:i device=None
graph xpu_graph pool=None stream=None
init  -> 0
initial_seed  -> i
is_available  -> b
is_bf16_supported including_emulation:b=True -> b
is_current_stream_capturing  -> b
is_tf32_supported  -> b
make_graphed_callables callables sample_args num_warmup_iters:i=3 allow_unused_input:b=False pool=None
manual_seed seed:i -> 0
manual_seed_all seed:i -> 0
max_memory_allocated device=None -> i
max_memory_reserved device=None -> i
mem_get_info device=None
memory_allocated device=None -> i
memory_reserved device=None -> i
memory_snapshot mempool_id=None
memory_stats device=None
memory_stats_as_nested_dict device=None
memory_usage device=None -> f
power_draw device=None -> f
reset_accumulated_memory_stats device=None -> 0
reset_peak_memory_stats device=None -> 0
seed  -> 0
seed_all  -> 0
set_device device -> 0
set_per_process_memory_fraction fraction:f device=None -> 0
set_rng_state new_state:T device='xpu' -> 0
set_rng_state_all new_states -> 0
set_stream stream -> 0
stream stream
synchronize device=None -> 0
temperature device=None -> f
use_mem_pool pool device=None
utilization device=None -> f
""",
}
