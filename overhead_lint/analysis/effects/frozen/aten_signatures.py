"""Signatures of aten's operators, by name and overload: written by benchmarks/api_signatures.py."""

from __future__ import annotations

from typing import Final

TORCH: Final = "2.13.0"

OPERATORS: Final = """\
__and__.Scalar self:T other:n -> T
__and__.Tensor self:T other:T -> T
__iand__.Scalar self:T! other:n -> A
__iand__.Tensor self:T! other:T -> A
__ilshift__.Scalar self:T! other:n -> A
__ilshift__.Tensor self:T! other:T -> A
__ior__.Scalar self:T! other:n -> A
__ior__.Tensor self:T! other:T -> A
__irshift__.Scalar self:T! other:n -> A
__irshift__.Tensor self:T! other:T -> A
__ixor__.Scalar self:T! other:n -> A
__ixor__.Tensor self:T! other:T -> A
__lshift__.Scalar self:T other:n -> T
__lshift__.Scalar_out self:T other:n * out:T! -> A
__lshift__.Tensor self:T other:T -> T
__lshift__.Tensor_out self:T other:T * out:T! -> A
__or__.Scalar self:T other:n -> T
__or__.Tensor self:T other:T -> T
__rshift__.Scalar self:T other:n -> T
__rshift__.Scalar_out self:T other:n * out:T! -> A
__rshift__.Tensor self:T other:T -> T
__rshift__.Tensor_out self:T other:T * out:T! -> A
__xor__.Scalar self:T other:n -> T
__xor__.Tensor self:T other:T -> T
_adaptive_avg_pool2d self:T output_size:z -> T
_adaptive_avg_pool2d.out self:T output_size:z * out:T! -> A
_adaptive_avg_pool2d_backward grad_output:T self:T -> T
_adaptive_avg_pool2d_backward.out grad_output:T self:T * out:T! -> A
_adaptive_avg_pool3d self:T output_size:z -> T
_adaptive_avg_pool3d.out self:T output_size:z * out:T! -> A
_adaptive_avg_pool3d_backward grad_output:T self:T -> T
_adaptive_avg_pool3d_backward.out grad_output:T self:T * out:T! -> A
_add_batch_dim self:T batch_dim:i level:i -> T
_add_relu.Scalar self:T other:n alpha:n=1 -> T
_add_relu.Scalar_out self:T other:n alpha:n=1 * out:T! -> A
_add_relu.Tensor self:T other:T * alpha:n=1 -> T
_add_relu.out self:T other:T * alpha:n=1 out:T! -> A
_add_relu_.Scalar self:T! other:n alpha:n=1 -> A
_add_relu_.Tensor self:T! other:T * alpha:n=1 -> A
_addmm_activation self:T mat1:T mat2:T * beta:n=1 alpha:n=1 use_gelu:b=False -> T
_addmm_activation.out self:T mat1:T mat2:T * beta:n=1 alpha:n=1 use_gelu:b=False out:T! -> A
_aminmax self:T -> TT
_aminmax.dim self:T dim:i keepdim:b=False -> TT
_aminmax.dim_out self:T dim:i keepdim:b=False * out0:T! out1:T! -> AA
_aminmax.out self:T * out0:T! out1:T! -> AA
_amp_foreach_non_finite_check_and_unscale self:L found_inf:T inv_scale:T -> LT
_amp_foreach_non_finite_check_and_unscale.out self:L found_inf:T! inv_scale:T * out:L!
_amp_foreach_non_finite_check_and_unscale_ self:L! found_inf:T! inv_scale:T
_amp_update_scale self:T growth_tracker:T found_inf:T scale_growth_factor:f scale_backoff_factor:f growth_interval:i -> TT
_amp_update_scale.out self:T growth_tracker:T! found_inf:T scale_growth_factor:f scale_backoff_factor:f growth_interval:i * out:T! -> A
_amp_update_scale_ self:T! growth_tracker:T! found_inf:T scale_growth_factor:f scale_backoff_factor:f growth_interval:i -> A
_assert_async self:T
_assert_async.msg self:T assert_msg:s
_assert_tensor_metadata a:T size:z=None stride:z=None dtype:i=None * device:V=None layout:i=None
_autocast_to_full_precision self:T cuda_enabled:b cpu_enabled:b -> A
_autocast_to_reduced_precision self:T cuda_enabled:b cpu_enabled:b cuda_dtype:i cpu_dtype:i -> A
_backward self:T inputs:L gradient:T=None retain_graph:b=None create_graph:b=False
_batch_norm_impl_index input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f cudnn_enabled:b -> TTTTi
_batch_norm_impl_index_backward impl_index:i input:T grad_output:T weight:T running_mean:T running_var:T save_mean:T save_var_transform:T train:b eps:f output_mask reservedSpace:T -> TTT
_batch_norm_no_update input:T weight:T bias:T running_mean:T running_var:T momentum:f eps:f -> TTTT
_batch_norm_no_update.out input:T weight:T bias:T running_mean:T running_var:T momentum:f eps:f * out0:T! out1:T! out2:T! out3:T! -> AAAA
_batch_norm_with_update input:T weight:T bias:T running_mean:T! running_var:T! momentum:f eps:f -> TTTT
_batch_norm_with_update.out input:T weight:T bias:T running_mean:T! running_var:T! momentum:f eps:f * out:T! save_mean:T! save_invstd:T! reserve:T! -> AAAA
_batch_norm_with_update_functional input:T weight:T bias:T running_mean:T running_var:T momentum:f eps:f -> TTTTTT
_cast_Byte self:T non_blocking:b=False -> T
_cast_Char self:T non_blocking:b=False -> T
_cast_Double self:T non_blocking:b=False -> T
_cast_Float self:T non_blocking:b=False -> T
_cast_Half self:T non_blocking:b=False -> T
_cast_Int self:T non_blocking:b=False -> T
_cast_Long self:T non_blocking:b=False -> T
_cast_Short self:T non_blocking:b=False -> T
_cdist_backward grad:T x1:T x2:T p:f cdist:T -> T
_cdist_backward.out grad:T x1:T x2:T p:f cdist:T * out:T! -> A
_cdist_forward x1:T x2:T p:f compute_mode:i -> T
_cdist_forward.out x1:T x2:T p:f compute_mode:i * out:T! -> A
_cholesky_solve_helper self:T A:T upper:b -> T
_cholesky_solve_helper.out self:T A:T upper:b * out:T! -> A
_choose_qparams_per_tensor self:T reduce_range:b=False -> fi
_chunk_cat tensors:L dim:i num_chunks:i -> T
_chunk_cat.out tensors:L dim:i num_chunks:i * out:T! -> A
_coalesce self:T -> T
_coalesce.out self:T * out:T! -> A
_coalesced self:T coalesced:b -> T
_coalesced.out self:T coalesced:b * out:T! -> A
_coalesced_ self:T! coalesced:b -> A
_compute_linear_combination input:T coefficients:T -> T
_compute_linear_combination.out input:T coefficients:T * out:T! -> A
_conj self:T -> A
_conj_copy self:T -> T
_conj_copy.out self:T * out:T! -> A
_conj_physical self:T -> T
_conj_physical.out self:T * out:T! -> A
_conv_depthwise2d self:T weight:T kernel_size:z bias:T stride:z padding:z dilation:z -> T
_conv_depthwise2d.out self:T weight:T kernel_size:z bias:T stride:z padding:z dilation:z * out:T! -> A
_convert_indices_from_coo_to_csr self:T size:i * out_int32:b=False -> T
_convert_indices_from_coo_to_csr.out self:T size:i * out_int32:b=False out:T! -> A
_convert_indices_from_csr_to_coo crow_indices:T col_indices:T * out_int32:b=False transpose:b=False -> T
_convert_indices_from_csr_to_coo.out crow_indices:T col_indices:T * out_int32:b=False transpose:b=False out:T! -> A
_convert_weight_to_int4pack self:T innerKTiles:i -> T
_convert_weight_to_int4pack_for_cpu self:T innerKTiles:i -> T
_convolution input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i benchmark:b deterministic:b cudnn_enabled:b allow_tf32:b -> T
_convolution.deprecated input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i benchmark:b deterministic:b cudnn_enabled:b -> T
_convolution.out input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i benchmark:b deterministic:b cudnn_enabled:b allow_tf32:b * out:T! -> A
_convolution_double_backward ggI:T ggW:T ggb:T gO:T weight:T self:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i output_mask -> TTT
_convolution_mode input:T weight:T bias:T stride:z padding:s dilation:z groups:i -> T
_copy_from self:T dst:T non_blocking:b=False -> T
_copy_from.out self:T dst:T non_blocking:b=False * out:T! -> A
_copy_from_and_resize self:T dst:T -> T
_copy_from_and_resize.out self:T dst:T * out:T! -> A
_cslt_compress input:T -> T
_cslt_sparse_mm compressed_A:T dense_B:T bias:T=None alpha:T=None out_dtype:i=None transpose_result:b=False alg_id:i=0 split_k:i=1 split_k_mode:i=-1 -> T
_cslt_sparse_mm_search compressed_A:T dense_B:T bias:T=None alpha:T=None out_dtype:i=None transpose_result:b=False -> i
_ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i=0 zero_infinity:b=False -> TT
_ctc_loss.Tensor log_probs:T targets:T input_lengths:T target_lengths:T blank:i=0 zero_infinity:b=False -> TT
_ctc_loss.Tensor_out log_probs:T targets:T input_lengths:T target_lengths:T blank:i=0 zero_infinity:b=False * out0:T! out1:T! -> AA
_ctc_loss.out log_probs:T targets:T input_lengths:z target_lengths:z blank:i=0 zero_infinity:b=False * out0:T! out1:T! -> AA
_ctc_loss_backward grad:T log_probs:T targets:T input_lengths:z target_lengths:z neg_log_likelihood:T log_alpha:T blank:i zero_infinity:b=False -> T
_ctc_loss_backward.Tensor grad:T log_probs:T targets:T input_lengths:T target_lengths:T neg_log_likelihood:T log_alpha:T blank:i zero_infinity:b=False -> T
_ctc_loss_backward.out grad:T log_probs:T targets:T input_lengths:z target_lengths:z neg_log_likelihood:T log_alpha:T blank:i zero_infinity:b=False * out:T! -> A
_cudnn_attention_backward grad_out:T query:T key:T value:T out:T logsumexp:T philox_seed:T philox_offset:T attn_bias:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b * scale:f=None -> TTT
_cudnn_attention_forward query:T key:T value:T attn_bias:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i compute_log_sumexp:b dropout_p:f=0.0 is_causal:b=False return_debug_mask:b=False * scale:f=None -> TTTTiiTTT
_cudnn_ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i deterministic:b zero_infinity:b -> TT
_cudnn_ctc_loss.Tensor log_probs:T targets:T input_lengths:T target_lengths:T blank:i deterministic:b zero_infinity:b -> TT
_cudnn_ctc_loss.out log_probs:T targets:T input_lengths:z target_lengths:z blank:i deterministic:b zero_infinity:b * out0:T! out1:T! -> AA
_cudnn_init_dropout_state dropout:f train:b dropout_seed:i * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
_cudnn_init_dropout_state.out dropout:f train:b dropout_seed:i * out:T! -> A
_cudnn_rnn input:T weight:L weight_stride0:i weight_buf:T hx:T cx:T mode:i hidden_size:i proj_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T -> TTTTT
_cudnn_rnn.out input:T weight:L weight_stride0:i weight_buf:T hx:T cx:T mode:i hidden_size:i proj_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T * out0:T! out1:T! out2:T! out3:T! out4:T! -> AAAAA
_cudnn_rnn_backward input:T weight:L weight_stride0:i weight_buf:T hx:T cx:T output:T grad_output:T grad_hy:T grad_cy:T mode:i hidden_size:i proj_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T reserve:T output_mask -> TTTL
_cudnn_rnn_backward.out input:T weight:L weight_stride0:i weight_buf:T hx:T cx:T output:T grad_output:T grad_hy:T grad_cy:T mode:i hidden_size:i proj_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T reserve:T output_mask * out0:T! out1:T! out2:T! out3:L!
_cudnn_rnn_flatten_weight weight_arr:L weight_stride0:i input_size:i mode:i hidden_size:i proj_size:i num_layers:i batch_first:b bidirectional:b -> T
_cudnn_rnn_flatten_weight.out weight_arr:L weight_stride0:i input_size:i mode:i hidden_size:i proj_size:i num_layers:i batch_first:b bidirectional:b * out:T! -> A
_cummax_helper self:T values:T! indices:T! dim:i
_cummin_helper self:T values:T! indices:T! dim:i
_debug_has_internal_overlap self:T -> i
_dimI self:T -> i
_dimV self:T -> i
_dim_arange like:T dim:i -> T
_dirichlet_grad x:T alpha:T total:T -> T
_dirichlet_grad.out x:T alpha:T total:T * out:T! -> A
_dyn_quant_matmul_4bit inp:T packed_weights:T block_size:i in_features:i out_features:i -> T
_dyn_quant_pack_4bit_weight weights:T scales_zeros:T bias:T block_size:i in_features:i out_features:i -> T
_efficient_attention_backward grad_out_:T query:T key:T value:T bias:T out:T cu_seqlens_q:T cu_seqlens_k:T max_seqlen_q:i max_seqlen_k:i logsumexp:T dropout_p:f philox_seed:T philox_offset:T custom_mask_type:i bias_requires_grad:b * scale:f=None num_splits_key:i=None window_size:i=None shared_storage_dqdkdv:b=False -> TTTT
_efficient_attention_forward query:T key:T value:T bias:T cu_seqlens_q:T cu_seqlens_k:T max_seqlen_q:i max_seqlen_k:i dropout_p:f custom_mask_type:i compute_log_sumexp:b=False * scale:f=None seqlen_k:T=None window_size:i=None -> TTTTii
_efficientzerotensor size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_efficientzerotensor.out size:z * out:T! -> A
_embedding_bag weight:T indices:T offsets:T scale_grad_by_freq:b=False mode:i=0 sparse:b=False per_sample_weights:T=None include_last_offset:b=False padding_idx:i=-1 -> TTTT
_embedding_bag.out weight:T indices:T offsets:T scale_grad_by_freq:b=False mode:i=0 sparse:b=False per_sample_weights:T=None include_last_offset:b=False padding_idx:i=-1 * out0:T! out1:T! out2:T! out3:T! -> AAAA
_embedding_bag_backward grad:T indices:T offsets:T offset2bag:T bag_size:T maximum_indices:T num_weights:i scale_grad_by_freq:b mode:i sparse:b per_sample_weights:T padding_idx:i=-1 -> T
_embedding_bag_dense_backward grad:T indices:T offset2bag:T bag_size:T maximum_indices:T num_weights:i scale_grad_by_freq:b mode:i per_sample_weights:T padding_idx:i=-1 -> T
_embedding_bag_dense_backward.out grad:T indices:T offset2bag:T bag_size:T maximum_indices:T num_weights:i scale_grad_by_freq:b mode:i per_sample_weights:T padding_idx:i=-1 * out:T! -> A
_embedding_bag_forward_only weight:T indices:T offsets:T scale_grad_by_freq:b=False mode:i=0 sparse:b=False per_sample_weights:T=None include_last_offset:b=False padding_idx:i=-1 -> TTTT
_embedding_bag_forward_only.out weight:T indices:T offsets:T scale_grad_by_freq:b=False mode:i=0 sparse:b=False per_sample_weights:T=None include_last_offset:b=False padding_idx:i=-1 * out0:T! out1:T! out2:T! out3:T! -> AAAA
_embedding_bag_per_sample_weights_backward grad:T weight:T indices:T offsets:T offset2bag:T mode:i padding_idx:i=-1 -> T
_embedding_bag_per_sample_weights_backward.out grad:T weight:T indices:T offsets:T offset2bag:T mode:i padding_idx:i=-1 * out:T! -> A
_embedding_bag_sparse_backward grad:T indices:T offsets:T offset2bag:T bag_size:T num_weights:i scale_grad_by_freq:b mode:i per_sample_weights:T padding_idx:i=-1 -> T
_empty_affine_quantized size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None scale:f=1.0 zero_point:i=0 memory_format:i=0 -> T
_empty_affine_quantized.out size:z * scale:f=1.0 zero_point:i=0 memory_format:i=0 out:T! -> A
_empty_per_channel_affine_quantized size:z * scales:T zero_points:T axis:i dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=0 -> T
_empty_per_channel_affine_quantized.out size:z * scales:T zero_points:T axis:i memory_format:i=0 out:T! -> A
_euclidean_dist x1:T x2:T -> T
_euclidean_dist.out x1:T x2:T * out:T! -> A
_fake_quantize_learnable_per_channel_affine self:T scale:T zero_point:T axis:i quant_min:i quant_max:i grad_factor:f=1.0 -> T
_fake_quantize_learnable_per_channel_affine.out self:T scale:T zero_point:T axis:i quant_min:i quant_max:i grad_factor:f=1.0 * out:T! -> A
_fake_quantize_learnable_per_channel_affine_backward grad:T self:T scale:T zero_point:T axis:i quant_min:i quant_max:i grad_factor:f=1.0 -> TTT
_fake_quantize_learnable_per_tensor_affine self:T scale:T zero_point:T quant_min:i quant_max:i grad_factor:f=1.0 -> T
_fake_quantize_learnable_per_tensor_affine.out self:T scale:T zero_point:T quant_min:i quant_max:i grad_factor:f=1.0 * out:T! -> A
_fake_quantize_learnable_per_tensor_affine_backward grad:T self:T scale:T zero_point:T quant_min:i quant_max:i grad_factor:f=1.0 -> TTT
_fake_quantize_per_tensor_affine_cachemask_tensor_qparams self:T scale:T zero_point:T fake_quant_enabled:T quant_min:i quant_max:i -> TT
_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out self:T scale:T zero_point:T fake_quant_enabled:T quant_min:i quant_max:i * out0:T! out1:T! -> AA
_fft_c2c self:T dim:z normalization:i forward:b -> T
_fft_c2c.out self:T dim:z normalization:i forward:b * out:T! -> A
_fft_c2r self:T dim:z normalization:i last_dim_size:i -> T
_fft_c2r.out self:T dim:z normalization:i last_dim_size:i * out:T! -> A
_fft_r2c self:T dim:z normalization:i onesided:b -> T
_fft_r2c.out self:T dim:z normalization:i onesided:b * out:T! -> A
_fill_mem_eff_dropout_mask_ self:T! dropout_p:f seed:i offset:i -> A
_flash_attention_backward grad_out:T query:T key:T value:T out:T logsumexp:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b rng_state:T unused:T * scale:f=None window_size_left:i=None window_size_right:i=None -> TTT
_flash_attention_forward query:T key:T value:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b return_debug_mask:b * scale:f=None window_size_left:i=None window_size_right:i=None seqused_k:T=None alibi_slopes:T=None block_table:T=None num_splits:i=None -> TTTTT
_flash_attention_forward.quantized query:T key:T value:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b return_debug_mask:b q_descale:T k_descale:T v_descale:T * scale:f=None window_size_left:i=None window_size_right:i=None seqused_k:T=None alibi_slopes:T=None -> TTTTT
_flash_attention_forward_no_dropout_inplace out:T! query:T key:T value:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b return_debug_mask:b * scale:f=None window_size_left:i=None window_size_right:i=None seqused_k:T=None alibi_slopes:T=None block_table:T=None num_splits:i=None -> T
_foobar self:T arg1:b=True arg2:b=True * arg3:b=True -> T
_foobar.out self:T arg1:b=True arg2:b=True * arg3:b=True out:T! -> A
_foreach_abs self:L -> L
_foreach_abs.out self:L * out:L!
_foreach_abs_ self:L!
_foreach_acos self:L -> L
_foreach_acos.out self:L * out:L!
_foreach_acos_ self:L!
_foreach_add.List self:L other:L * alpha:n=1 -> L
_foreach_add.List_out self:L other:L * alpha:n=1 out:L!
_foreach_add.Scalar self:L scalar:n -> L
_foreach_add.ScalarList self:L scalars -> L
_foreach_add.ScalarList_out self:L scalars * out:L!
_foreach_add.Scalar_out self:L scalar:n * out:L!
_foreach_add.Tensor self:L other:T * alpha:n=1 -> L
_foreach_add.Tensor_out self:L other:T * alpha:n=1 out:L!
_foreach_add_.List self:L! other:L * alpha:n=1
_foreach_add_.Scalar self:L! scalar:n
_foreach_add_.ScalarList self:L! scalars
_foreach_add_.Tensor self:L! other:T * alpha:n=1
_foreach_addcdiv.Scalar self:L tensor1:L tensor2:L value:n=1 -> L
_foreach_addcdiv.ScalarList self:L tensor1:L tensor2:L scalars -> L
_foreach_addcdiv.ScalarList_out self:L tensor1:L tensor2:L scalars * out:L!
_foreach_addcdiv.Scalar_out self:L tensor1:L tensor2:L value:n=1 * out:L!
_foreach_addcdiv.Tensor self:L tensor1:L tensor2:L scalars:T -> L
_foreach_addcdiv.Tensor_out self:L tensor1:L tensor2:L scalars:T * out:L!
_foreach_addcdiv_.Scalar self:L! tensor1:L tensor2:L value:n=1
_foreach_addcdiv_.ScalarList self:L! tensor1:L tensor2:L scalars
_foreach_addcdiv_.Tensor self:L! tensor1:L tensor2:L scalars:T
_foreach_addcmul.Scalar self:L tensor1:L tensor2:L value:n=1 -> L
_foreach_addcmul.ScalarList self:L tensor1:L tensor2:L scalars -> L
_foreach_addcmul.ScalarList_out self:L tensor1:L tensor2:L scalars * out:L!
_foreach_addcmul.Scalar_out self:L tensor1:L tensor2:L value:n=1 * out:L!
_foreach_addcmul.Tensor self:L tensor1:L tensor2:L scalars:T -> L
_foreach_addcmul.Tensor_out self:L tensor1:L tensor2:L scalars:T * out:L!
_foreach_addcmul_.Scalar self:L! tensor1:L tensor2:L value:n=1
_foreach_addcmul_.ScalarList self:L! tensor1:L tensor2:L scalars
_foreach_addcmul_.Tensor self:L! tensor1:L tensor2:L scalars:T
_foreach_asin self:L -> L
_foreach_asin.out self:L * out:L!
_foreach_asin_ self:L!
_foreach_atan self:L -> L
_foreach_atan.out self:L * out:L!
_foreach_atan_ self:L!
_foreach_ceil self:L -> L
_foreach_ceil.out self:L * out:L!
_foreach_ceil_ self:L!
_foreach_clamp_max.List self:L other:L -> L
_foreach_clamp_max.List_out self:L other:L * out:L!
_foreach_clamp_max.Scalar self:L scalar:n -> L
_foreach_clamp_max.ScalarList self:L scalars -> L
_foreach_clamp_max.ScalarList_out self:L scalars * out:L!
_foreach_clamp_max.Scalar_out self:L scalar:n * out:L!
_foreach_clamp_max_.List self:L! other:L
_foreach_clamp_max_.Scalar self:L! scalar:n
_foreach_clamp_max_.ScalarList self:L! scalars
_foreach_clamp_min.List self:L other:L -> L
_foreach_clamp_min.List_out self:L other:L * out:L!
_foreach_clamp_min.Scalar self:L scalar:n -> L
_foreach_clamp_min.ScalarList self:L scalars -> L
_foreach_clamp_min.ScalarList_out self:L scalars * out:L!
_foreach_clamp_min.Scalar_out self:L scalar:n * out:L!
_foreach_clamp_min_.List self:L! other:L
_foreach_clamp_min_.Scalar self:L! scalar:n
_foreach_clamp_min_.ScalarList self:L! scalars
_foreach_clone self:L * memory_format:i=None -> L
_foreach_clone.out self:L * memory_format:i=None out:L!
_foreach_copy self:L src:L non_blocking:b=False -> L
_foreach_copy.out self:L src:L non_blocking:b=False * out:L!
_foreach_copy_ self:L! src:L non_blocking:b=False
_foreach_cos self:L -> L
_foreach_cos.out self:L * out:L!
_foreach_cos_ self:L!
_foreach_cosh self:L -> L
_foreach_cosh.out self:L * out:L!
_foreach_cosh_ self:L!
_foreach_div.List self:L other:L -> L
_foreach_div.List_out self:L other:L * out:L!
_foreach_div.Scalar self:L scalar:n -> L
_foreach_div.ScalarList self:L scalars -> L
_foreach_div.ScalarList_out self:L scalars * out:L!
_foreach_div.Scalar_out self:L scalar:n * out:L!
_foreach_div.Tensor self:L other:T -> L
_foreach_div.Tensor_out self:L other:T * out:L!
_foreach_div_.List self:L! other:L
_foreach_div_.Scalar self:L! scalar:n
_foreach_div_.ScalarList self:L! scalars
_foreach_div_.Tensor self:L! other:T
_foreach_erf self:L -> L
_foreach_erf.out self:L * out:L!
_foreach_erf_ self:L!
_foreach_erfc self:L -> L
_foreach_erfc.out self:L * out:L!
_foreach_erfc_ self:L!
_foreach_exp self:L -> L
_foreach_exp.out self:L * out:L!
_foreach_exp_ self:L!
_foreach_expm1 self:L -> L
_foreach_expm1.out self:L * out:L!
_foreach_expm1_ self:L!
_foreach_floor self:L -> L
_foreach_floor.out self:L * out:L!
_foreach_floor_ self:L!
_foreach_frac self:L -> L
_foreach_frac.out self:L * out:L!
_foreach_frac_ self:L!
_foreach_lerp.List self:L tensors1:L weights:L -> L
_foreach_lerp.List_out self:L tensors1:L weights:L * out:L!
_foreach_lerp.Scalar self:L tensors1:L weight:n -> L
_foreach_lerp.ScalarList self:L tensors1:L weight -> L
_foreach_lerp.ScalarList_out self:L tensors1:L weight * out:L!
_foreach_lerp.Scalar_out self:L tensors1:L weight:n * out:L!
_foreach_lerp_.List self:L! tensors1:L weights:L
_foreach_lerp_.Scalar self:L! tensors1:L weight:n
_foreach_lerp_.ScalarList self:L! tensors1:L weight
_foreach_lgamma self:L -> L
_foreach_lgamma.out self:L * out:L!
_foreach_lgamma_ self:L!
_foreach_log self:L -> L
_foreach_log.out self:L * out:L!
_foreach_log10 self:L -> L
_foreach_log10.out self:L * out:L!
_foreach_log10_ self:L!
_foreach_log1p self:L -> L
_foreach_log1p.out self:L * out:L!
_foreach_log1p_ self:L!
_foreach_log2 self:L -> L
_foreach_log2.out self:L * out:L!
_foreach_log2_ self:L!
_foreach_log_ self:L!
_foreach_max self:L -> L
_foreach_max.out self:L * out:L!
_foreach_maximum.List self:L other:L -> L
_foreach_maximum.List_out self:L other:L * out:L!
_foreach_maximum.Scalar self:L scalar:n -> L
_foreach_maximum.ScalarList self:L scalars -> L
_foreach_maximum.ScalarList_out self:L scalars * out:L!
_foreach_maximum.Scalar_out self:L scalar:n * out:L!
_foreach_maximum_.List self:L! other:L
_foreach_maximum_.Scalar self:L! scalar:n
_foreach_maximum_.ScalarList self:L! scalars
_foreach_minimum.List self:L other:L -> L
_foreach_minimum.List_out self:L other:L * out:L!
_foreach_minimum.Scalar self:L scalar:n -> L
_foreach_minimum.ScalarList self:L scalars -> L
_foreach_minimum.ScalarList_out self:L scalars * out:L!
_foreach_minimum.Scalar_out self:L scalar:n * out:L!
_foreach_minimum_.List self:L! other:L
_foreach_minimum_.Scalar self:L! scalar:n
_foreach_minimum_.ScalarList self:L! scalars
_foreach_mm self:L mat2:L -> L
_foreach_mul.List self:L other:L -> L
_foreach_mul.List_out self:L other:L * out:L!
_foreach_mul.Scalar self:L scalar:n -> L
_foreach_mul.ScalarList self:L scalars -> L
_foreach_mul.ScalarList_out self:L scalars * out:L!
_foreach_mul.Scalar_out self:L scalar:n * out:L!
_foreach_mul.Tensor self:L other:T -> L
_foreach_mul.Tensor_out self:L other:T * out:L!
_foreach_mul_.List self:L! other:L
_foreach_mul_.Scalar self:L! scalar:n
_foreach_mul_.ScalarList self:L! scalars
_foreach_mul_.Tensor self:L! other:T
_foreach_neg self:L -> L
_foreach_neg.out self:L * out:L!
_foreach_neg_ self:L!
_foreach_norm.Scalar self:L ord:n=2 dtype:i=None -> L
_foreach_norm.Scalar_out self:L ord:n=2 dtype:i=None * out:L!
_foreach_pow.List self:L exponent:L -> L
_foreach_pow.List_out self:L exponent:L * out:L!
_foreach_pow.Scalar self:L exponent:n -> L
_foreach_pow.ScalarAndTensor self:n exponent:L -> L
_foreach_pow.ScalarList self:L exponent -> L
_foreach_pow.ScalarList_out self:L exponent * out:L!
_foreach_pow.Scalar_out self:L exponent:n * out:L!
_foreach_pow_.List self:L! exponent:L
_foreach_pow_.Scalar self:L! exponent:n
_foreach_pow_.ScalarList self:L! exponent
_foreach_powsum.Scalar self:L ord:n=2 dtype:i=None -> L
_foreach_powsum.Scalar_out self:L ord:n=2 dtype:i=None * out:L!
_foreach_reciprocal self:L -> L
_foreach_reciprocal.out self:L * out:L!
_foreach_reciprocal_ self:L!
_foreach_round self:L -> L
_foreach_round.out self:L * out:L!
_foreach_round_ self:L!
_foreach_rsqrt self:L -> L
_foreach_rsqrt.out self:L * out:L!
_foreach_rsqrt_ self:L!
_foreach_sigmoid self:L -> L
_foreach_sigmoid.out self:L * out:L!
_foreach_sigmoid_ self:L!
_foreach_sign self:L -> L
_foreach_sign.out self:L * out:L!
_foreach_sign_ self:L!
_foreach_sin self:L -> L
_foreach_sin.out self:L * out:L!
_foreach_sin_ self:L!
_foreach_sinh self:L -> L
_foreach_sinh.out self:L * out:L!
_foreach_sinh_ self:L!
_foreach_sqrt self:L -> L
_foreach_sqrt.out self:L * out:L!
_foreach_sqrt_ self:L!
_foreach_sub.List self:L other:L * alpha:n=1 -> L
_foreach_sub.List_out self:L other:L * alpha:n=1 out:L!
_foreach_sub.Scalar self:L scalar:n -> L
_foreach_sub.ScalarList self:L scalars -> L
_foreach_sub.ScalarList_out self:L scalars * out:L!
_foreach_sub.Scalar_out self:L scalar:n * out:L!
_foreach_sub_.List self:L! other:L * alpha:n=1
_foreach_sub_.Scalar self:L! scalar:n
_foreach_sub_.ScalarList self:L! scalars
_foreach_tan self:L -> L
_foreach_tan.out self:L * out:L!
_foreach_tan_ self:L!
_foreach_tanh self:L -> L
_foreach_tanh.out self:L * out:L!
_foreach_tanh_ self:L!
_foreach_trunc self:L -> L
_foreach_trunc.out self:L * out:L!
_foreach_trunc_ self:L!
_foreach_zero self:L -> L
_foreach_zero.out self:L * out:L!
_foreach_zero_ self:L!
_functional_assert_async.msg self:T assert_msg:s dep_token:T -> T
_functional_assert_scalar self:n assert_msg:s dep_token:T -> T
_functional_sym_constrain_range size:n min:i max:i dep_token:T -> T
_functional_sym_constrain_range_for_size size:n min:i max:i dep_token:T -> T
_fused_adagrad self:L grads:L state_sums:L state_steps:L * lr:f lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None -> LLLL
_fused_adagrad.out self:L grads:L! state_sums:L! state_steps:L! * lr:f lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None out:L!
_fused_adagrad.tensor_lr self:L grads:L state_sums:L state_steps:L * lr:T lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None -> LLL
_fused_adagrad.tensor_lr_out self:L grads:L! state_sums:L! state_steps:L * lr:T lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None out:L!
_fused_adagrad_ self:L! grads:L! state_sums:L! state_steps:L! * lr:f lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None
_fused_adagrad_.tensor_lr self:L! grads:L! state_sums:L! state_steps:L * lr:T lr_decay:f weight_decay:f eps:f maximize:b grad_scale:T=None found_inf:T=None
_fused_adam self:L grads:L exp_avgs:L exp_avg_sqs:L max_exp_avg_sqs:L state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> LLLLL
_fused_adam.out self:L grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None out:L!
_fused_adam.tensor_lr self:L grads:L exp_avgs:L exp_avg_sqs:L max_exp_avg_sqs:L state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> LLLLL
_fused_adam.tensor_lr_out self:L grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None out:L!
_fused_adam_ self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None
_fused_adam_.tensor_lr self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None
_fused_adamw self:L grads:L exp_avgs:L exp_avg_sqs:L max_exp_avg_sqs:L state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> LLLLL
_fused_adamw.out self:L grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None out:L!
_fused_adamw.tensor_lr self:L grads:L exp_avgs:L exp_avg_sqs:L max_exp_avg_sqs:L state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None -> LLLLL
_fused_adamw.tensor_lr_out self:L grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None out:L!
_fused_adamw_ self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:f beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None
_fused_adamw_.tensor_lr self:L! grads:L! exp_avgs:L! exp_avg_sqs:L! max_exp_avg_sqs:L! state_steps:L * lr:T beta1:f beta2:f weight_decay:f eps:f amsgrad:b maximize:b grad_scale:T=None found_inf:T=None
_fused_dropout self:T p:f generator=None -> TT
_fused_dropout.out self:T p:f generator=None * out0:T! out1:T! -> AA
_fused_moving_avg_obs_fq_helper self:T observer_on:T fake_quant_on:T running_min:T! running_max:T! scale:T! zero_point:T! averaging_const:f quant_min:i quant_max:i ch_axis:i per_row_fake_quant:b=False symmetric_quant:b=False -> TT
_fused_moving_avg_obs_fq_helper.out self:T observer_on:T fake_quant_on:T running_min:T! running_max:T! scale:T! zero_point:T! averaging_const:f quant_min:i quant_max:i ch_axis:i per_row_fake_quant:b=False symmetric_quant:b=False * out0:T! out1:T! -> AA
_fused_moving_avg_obs_fq_helper_functional self:T observer_on:T fake_quant_on:T running_min:T running_max:T scale:T zero_point:T averaging_const:f quant_min:i quant_max:i ch_axis:i per_row_fake_quant:b=False symmetric_quant:b=False -> TTTTTT
_fused_rms_norm input:T normalized_shape:z weight:T eps:f -> TT
_fused_rms_norm_backward grad_out:T input:T normalized_shape:z rstd:T weight:T output_mask -> TT
_fused_sdp_choice query:T key:T value:T attn_mask:T=None dropout_p:f=0.0 is_causal:b=False * scale:f=None enable_gqa:b=False -> i
_fused_sgd self:L grads:L momentum_buffer_list:L * weight_decay:f momentum:f lr:f dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None -> LLL
_fused_sgd.out self:L grads:L! momentum_buffer_list:L! * weight_decay:f momentum:f lr:f dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None out:L!
_fused_sgd.tensor_lr self:L grads:L momentum_buffer_list:L * weight_decay:f momentum:f lr:T dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None -> LLL
_fused_sgd.tensor_lr_out self:L grads:L! momentum_buffer_list:L! * weight_decay:f momentum:f lr:T dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None out:L!
_fused_sgd_ self:L! grads:L! momentum_buffer_list:L! * weight_decay:f momentum:f lr:f dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None
_fused_sgd_.tensor_lr self:L! grads:L! momentum_buffer_list:L! * weight_decay:f momentum:f lr:T dampening:f nesterov:b maximize:b is_first_step:b grad_scale:T=None found_inf:T=None
_fw_primal self:T level:i -> A
_fw_primal_copy self:T level:i -> T
_fw_primal_copy.out self:T level:i * out:T! -> A
_gather_sparse_backward self:T dim:i index:T grad:T -> T
_grid_sampler_2d_cpu_fallback input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
_grid_sampler_2d_cpu_fallback.out input:T grid:T interpolation_mode:i padding_mode:i align_corners:b * out:T! -> A
_grid_sampler_2d_cpu_fallback_backward grad_output:T input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> TT
_grouped_mm self:T mat2:T offs:T=None bias:T=None out_dtype:i=None -> T
_has_compatible_shallow_copy_type self:T from:T -> b
_has_same_storage_numel self:T other:T -> b
_histogramdd_bin_edges self:T bins:z * range=None weight:T=None density:b=False -> L
_histogramdd_bin_edges.out self:T bins:z * range=None weight:T=None density:b=False out:L!
_histogramdd_from_bin_cts self:T bins:z * range=None weight:T=None density:b=False -> T
_histogramdd_from_bin_cts.out self:T bins:z * range=None weight:T=None density:b=False out:T! -> A
_histogramdd_from_bin_tensors self:T bins:L * weight:T=None density:b=False -> T
_histogramdd_from_bin_tensors.out self:T bins:L * weight:T=None density:b=False out:T! -> A
_index_put_impl self:T indices:L values:T accumulate:b=False unsafe:b=False -> T
_index_put_impl.out self:T indices:L values:T accumulate:b=False unsafe:b=False * out:T! -> A
_index_put_impl_ self:T! indices:L values:T accumulate:b=False unsafe:b=False -> A
_indices self:T -> A
_indices_copy self:T -> T
_indices_copy.out self:T * out:T! -> A
_int_mm self:T mat2:T -> T
_int_mm.out self:T mat2:T * out:T! -> A
_is_all_true self:T -> T
_is_any_true self:T -> T
_is_zerotensor self:T -> b
_jagged_to_padded_dense_forward values:T offsets:L max_lengths:z padding_value:f=0.0 -> T
_lazy_clone self:T -> T
_linalg_check_errors info:T api_name:s * is_matrix:b
_linalg_det A:T -> TTT
_linalg_det.result A:T * result:T! LU:T! pivots:T! -> AAA
_linalg_eigh A:T UPLO:s='L' compute_v:b=True -> TT
_linalg_eigh.eigenvalues A:T UPLO:s='L' compute_v:b=True * eigenvalues:T! eigenvectors:T! -> AA
_linalg_eigvals self:T -> T
_linalg_slogdet A:T -> TTTT
_linalg_slogdet.sign A:T * sign:T! logabsdet:T! LU:T! pivots:T! -> AAAA
_linalg_solve_ex A:T B:T * left:b=True check_errors:b=False -> TTTT
_linalg_solve_ex.result A:T B:T * left:b=True check_errors:b=False result:T! LU:T! pivots:T! info:T! -> AAAA
_linalg_svd A:T full_matrices:b=False compute_uv:b=True * driver:s=None -> TTT
_linalg_svd.U A:T full_matrices:b=False compute_uv:b=True * driver:s=None U:T! S:T! Vh:T! -> AAA
_local_scalar_dense self:T -> n
_log_softmax self:T dim:i half_to_float:b -> T
_log_softmax.out self:T dim:i half_to_float:b * out:T! -> A
_log_softmax_backward_data grad_output:T output:T dim:i input_dtype:i -> T
_log_softmax_backward_data.out grad_output:T output:T dim:i input_dtype:i * out:T! -> A
_logcumsumexp self:T dim:i -> T
_logcumsumexp.out self:T dim:i * out:T! -> A
_lstm_mps input:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TTTTTT
_lstm_mps.out input:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b * out0:T! out1:T! out2:T! out3:T! out4:T! out5:T! -> AAAAAA
_lu_with_info self:T pivot:b=True check_errors:b=True -> TTT
_make_dep_token * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
_make_dual primal:T tangent:T level:i -> A
_make_dual_copy primal:T tangent:T level:i -> T
_make_dual_copy.out primal:T tangent:T level:i * out:T! -> A
_make_per_channel_quantized_tensor self:T scale:T zero_point:T axis:i -> T
_make_per_channel_quantized_tensor.out self:T scale:T zero_point:T axis:i * out:T! -> A
_make_per_tensor_quantized_tensor self:T scale:f zero_point:i -> T
_make_per_tensor_quantized_tensor.out self:T scale:f zero_point:i * out:T! -> A
_masked_scale self:T mask:T scale:f -> T
_masked_scale.out self:T mask:T scale:f * out:T! -> A
_masked_softmax self:T mask:T dim:i=None mask_type:i=None -> T
_masked_softmax.out self:T mask:T dim:i=None mask_type:i=None * out:T! -> A
_masked_softmax_backward grad_output:T output:T mask:T dim:i=None -> T
_masked_softmax_backward.out grad_output:T output:T mask:T dim:i=None * out:T! -> A
_mixed_dtypes_linear input:T weight:T scale:T * bias:T=None activation:s=None -> T
_mkldnn_reshape self:T shape:z -> T
_mkldnn_reshape.out self:T shape:z * out:T! -> A
_mkldnn_transpose self:T dim0:i dim1:i -> T
_mkldnn_transpose.out self:T dim0:i dim1:i * out:T! -> A
_mkldnn_transpose_ self:T! dim0:i dim1:i -> A
_mps_convolution self:T weight:T bias:T padding:z stride:z dilation:z groups:i -> T
_mps_convolution.out self:T weight:T bias:T padding:z stride:z dilation:z groups:i * out:T! -> A
_mps_convolution_transpose self:T weight:T padding:z output_padding:z stride:z dilation:z groups:i -> T
_mps_convolution_transpose.out self:T weight:T padding:z output_padding:z stride:z dilation:z groups:i * out:T! -> A
_native_batch_norm_legit input:T weight:T bias:T running_mean:T! running_var:T! training:b momentum:f eps:f -> TTT
_native_batch_norm_legit.no_stats input:T weight:T bias:T training:b momentum:f eps:f -> TTT
_native_batch_norm_legit.no_stats_out input:T weight:T bias:T training:b momentum:f eps:f * out:T! save_mean:T! save_invstd:T! -> AAA
_native_batch_norm_legit.out input:T weight:T bias:T running_mean:T! running_var:T! training:b momentum:f eps:f * out:T! save_mean:T! save_invstd:T! -> AAA
_native_batch_norm_legit_functional input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f -> TTTTT
_native_batch_norm_legit_no_training input:T weight:T bias:T running_mean:T running_var:T momentum:f eps:f -> TTT
_native_batch_norm_legit_no_training.out input:T weight:T bias:T running_mean:T running_var:T momentum:f eps:f * out0:T! out1:T! out2:T! -> AAA
_native_multi_head_attention query:T key:T value:T embed_dim:i num_head:i qkv_weight:T qkv_bias:T proj_weight:T proj_bias:T mask:T=None need_weights:b=True average_attn_weights:b=True mask_type:i=None -> TT
_native_multi_head_attention.out query:T key:T value:T embed_dim:i num_head:i qkv_weight:T qkv_bias:T proj_weight:T proj_bias:T mask:T=None need_weights:b=True average_attn_weights:b=True mask_type:i=None * out0:T! out1:T! -> AA
_neg_view self:T -> A
_neg_view_copy self:T -> T
_neg_view_copy.out self:T * out:T! -> A
_nested_compute_contiguous_strides_offsets nested_size:T -> TT
_nested_from_padded padded:T cpu_nested_shape_example:T fuse_transform_0213:b=False -> T
_nested_from_padded.out padded:T cpu_nested_shape_example:T fuse_transform_0213:b=False * out:T! -> A
_nested_from_padded_and_nested_example padded:T nt_example:T -> T
_nested_from_padded_and_nested_example.out padded:T nt_example:T * out:T! -> A
_nested_from_padded_tensor padded:T offsets:T dummy:T ragged_idx:i=1 min_seqlen:T=None max_seqlen:T=None sum_S:i=None -> T
_nested_get_jagged_dummy any:T -> T
_nested_get_lengths self:T -> T
_nested_get_max_seqlen self:T -> T
_nested_get_min_seqlen self:T -> T
_nested_get_offsets self:T -> T
_nested_get_ragged_idx self:T -> i
_nested_get_values self:T -> A
_nested_get_values_copy self:T -> T
_nested_get_values_copy.out self:T * out:T! -> A
_nested_select_backward grad_output:T self:T dim:i index:i -> T
_nested_sum_backward grad:T self:T dim:z keepdim:b=False -> T
_nested_tensor_from_mask t:T mask:T mask_check:b=True -> T
_nested_tensor_from_mask.out t:T mask:T mask_check:b=True * out:T! -> A
_nested_tensor_from_mask_left_aligned t:T mask:T -> b
_nested_tensor_from_tensor_list list:L dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_nested_tensor_from_tensor_list.out list:L dtype:i=None layout:i=None device:V=None pin_memory:b=None * out:T! -> A
_nested_tensor_size self:T -> T
_nested_tensor_size.out self:T * out:T! -> A
_nested_tensor_softmax_with_shape self:T query:T -> T
_nested_tensor_storage_offsets self:T -> T
_nested_tensor_storage_offsets.out self:T * out:T! -> A
_nested_tensor_strides self:T -> T
_nested_tensor_strides.out self:T * out:T! -> A
_nested_view_from_buffer self:T nested_size:T nested_strides:T offsets:T -> A
_nested_view_from_buffer_copy self:T nested_size:T nested_strides:T offsets:T -> T
_nested_view_from_buffer_copy.out self:T nested_size:T nested_strides:T offsets:T * out:T! -> A
_nested_view_from_jagged self:T offsets:T dummy:T lengths:T=None ragged_idx:i=1 min_seqlen:T=None max_seqlen:T=None -> A
_nested_view_from_jagged_copy self:T offsets:T dummy:T lengths:T=None ragged_idx:i=1 min_seqlen:T=None max_seqlen:T=None -> T
_nested_view_from_jagged_copy.out self:T offsets:T dummy:T lengths:T=None ragged_idx:i=1 min_seqlen:T=None max_seqlen:T=None * out:T! -> A
_new_zeros_with_same_feature_meta self:T other:T * self_num_batch_dims:i=0 -> T
_new_zeros_with_same_feature_meta.out self:T other:T * self_num_batch_dims:i=0 out:T! -> A
_nnpack_spatial_convolution input:T weight:T bias:T padding:z stride:z= -> T
_nnpack_spatial_convolution.out input:T weight:T bias:T padding:z stride:z= * out:T! -> A
_nnz self:T -> i
_pack_padded_sequence input:T lengths:T batch_first:b -> TT
_pack_padded_sequence.out input:T lengths:T batch_first:b * out0:T! out1:T! -> AA
_pack_padded_sequence_backward grad:T input_size:z batch_sizes:T batch_first:b -> T
_pad_circular self:T pad:z -> T
_pad_enum self:T pad:z mode:i value:f=None -> T
_pad_packed_sequence data:T batch_sizes:T batch_first:b padding_value:n total_length:i -> TT
_padded_dense_to_jagged_forward dense:T offsets:L total_L:i=None -> T
_pdist_backward grad:T self:T p:f pdist:T -> T
_pdist_backward.out grad:T self:T p:f pdist:T * out:T! -> A
_pdist_forward self:T p:f=2.0 -> T
_pdist_forward.out self:T p:f=2.0 * out:T! -> A
_philox_key_fold_in key:T data:i -> T
_philox_key_split key:T num_splits:i -> T
_philox_normal self:T key:T mean:f=0.0 std:f=1.0 -> T
_philox_normal.out self:T key:T mean:f=0.0 std:f=1.0 * out:T! -> A
_philox_normal_ self:T! key:T mean:f=0.0 std:f=1.0 -> A
_philox_uniform self:T key:T low:f=0.0 high:f=1.0 -> T
_philox_uniform.out self:T key:T low:f=0.0 high:f=1.0 * out:T! -> A
_philox_uniform_ self:T! key:T low:f=0.0 high:f=1.0 -> A
_pin_memory self:T device:V=None -> T
_pin_memory.out self:T device:V=None * out:T! -> A
_prelu_kernel self:T weight:T -> T
_prelu_kernel_backward grad_output:T self:T weight:T -> TT
_propagate_xla_data input:T output:T
_remove_batch_dim self:T level:i batch_size:i out_dim:i -> T
_reshape_alias self:T size:z stride:z -> A
_reshape_alias_copy self:T size:z stride:z -> T
_reshape_alias_copy.out self:T size:z stride:z * out:T! -> A
_reshape_copy self:T size:z -> T
_reshape_from_tensor self:T shape:T -> T
_resize_output self:T size:z device:V -> T
_resize_output.out self:T size:z device:V * out:T! -> A
_resize_output_ self:T! size:z device:V -> A
_rowwise_prune weight:T mask:T compressed_indices_dtype:i -> TT
_safe_softmax self:T dim:i dtype:i=None -> T
_sample_dirichlet self:T generator=None -> T
_sample_dirichlet.out self:T generator=None * out:T! -> A
_saturate_weight_to_fp16 weight:T -> T
_scaled_dot_product_attention_math query:T key:T value:T attn_mask:T=None dropout_p:f=0.0 is_causal:b=False dropout_mask:T=None * scale:f=None enable_gqa:b=False -> TT
_scaled_dot_product_attention_math_for_mps query:T key:T value:T attn_mask:T=None dropout_p:f=0.0 is_causal:b=False dropout_mask:T=None * scale:f=None enable_gqa:b=False -> TT
_scaled_dot_product_cudnn_attention query:T key:T value:T attn_bias:T compute_log_sumexp:b dropout_p:f=0.0 is_causal:b=False return_debug_mask:b=False * scale:f=None -> TTTTiiTTT
_scaled_dot_product_cudnn_attention_backward grad_out:T query:T key:T value:T out:T logsumexp:T philox_seed:T philox_offset:T attn_bias:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b * scale:f=None -> TTT
_scaled_dot_product_efficient_attention query:T key:T value:T attn_bias:T compute_log_sumexp:b dropout_p:f=0.0 is_causal:b=False * scale:f=None -> TTTT
_scaled_dot_product_efficient_attention_backward grad_out_:T query:T key:T value:T attn_bias:T out:T logsumexp:T philox_seed:T philox_offset:T dropout_p:f grad_input_mask is_causal:b=False * scale:f=None -> TTTT
_scaled_dot_product_flash_attention query:T key:T value:T dropout_p:f=0.0 is_causal:b=False return_debug_mask:b=False * scale:f=None -> TTTTiiTTT
_scaled_dot_product_flash_attention.quantized query:T key:T value:T q_descale:T k_descale:T v_descale:T dropout_p:f=0.0 is_causal:b=False return_debug_mask:b=False * scale:f=None -> TTTTiiTTT
_scaled_dot_product_flash_attention_backward grad_out:T query:T key:T value:T out:T logsumexp:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b philox_seed:T philox_offset:T * scale:f=None -> TTT
_scaled_dot_product_flash_attention_for_cpu query:T key:T value:T dropout_p:f=0.0 is_causal:b=False * attn_mask:T=None scale:f=None -> TT
_scaled_dot_product_flash_attention_for_cpu_backward grad_out:T query:T key:T value:T out:T logsumexp:T dropout_p:f is_causal:b * attn_mask:T=None scale:f=None -> TTT
_scaled_dot_product_fused_attention_overrideable query:T key:T value:T attn_bias:T=None dropout_p:f=0.0 is_causal:b=False return_debug_mask:b=False * scale:f=None -> TTTTiiTTT
_scaled_dot_product_fused_attention_overrideable_backward grad_out:T query:T key:T value:T attn_bias:T grad_input_mask out:T logsumexp:T cum_seq_q:T cum_seq_k:T max_q:i max_k:i dropout_p:f is_causal:b philox_seed:T philox_offset:T * scale:f=None -> TTTT
_scaled_grouped_mm self:T mat2:T scale_a:T scale_b:T offs:T=None bias:T=None scale_result:T=None out_dtype:i=None use_fast_accum:b=False -> T
_scaled_grouped_mm_v2 self:T mat2:T scale_a:L recipe_a:z swizzle_a:z scale_b:L recipe_b:z swizzle_b:z offs:T=None bias:T=None out_dtype:i=None contraction_dim:z= use_fast_accum:b=False -> T
_scaled_mm self:T mat2:T scale_a:T scale_b:T bias:T=None scale_result:T=None out_dtype:i=None use_fast_accum:b=False -> T
_scaled_mm.out self:T mat2:T scale_a:T scale_b:T bias:T=None scale_result:T=None out_dtype:i=None use_fast_accum:b=False * out:T! -> A
_scaled_mm_v2 self:T mat2:T scale_a:L recipe_a:z swizzle_a:z scale_b:L recipe_b:z swizzle_b:z bias:T out_dtype:i contraction_dim:z= use_fast_accum:b=False -> T
_scaled_mm_v2.out self:T mat2:T scale_a:L recipe_a:z swizzle_a:z scale_b:L recipe_b:z swizzle_b:z bias:T out_dtype:i contraction_dim:z= use_fast_accum:b=False * out:T! -> A
_segment_reduce_backward grad:T output:T data:T reduce:s * lengths:T=None offsets:T=None axis:i=0 initial:n=None -> T
_segment_reduce_backward.out grad:T output:T data:T reduce:s * lengths:T=None offsets:T=None axis:i=0 initial:n=None out:T! -> A
_shape_as_tensor self:T -> T
_slow_conv2d_backward.grad_input grad_output:T self:T weight:T kernel_size:z stride:z padding:z * grad_input:T! grad_weight:T! grad_bias:T! -> AAA
_slow_conv2d_backward.output_mask grad_output:T self:T weight:T kernel_size:z stride:z padding:z output_mask -> TTT
_slow_conv2d_backward.output_mask_out grad_output:T self:T weight:T kernel_size:z stride:z padding:z output_mask * out0:T! out1:T! out2:T! -> AAA
_slow_conv2d_forward self:T weight:T kernel_size:z bias:T stride:z padding:z -> T
_slow_conv2d_forward.output self:T weight:T kernel_size:z bias:T stride:z padding:z * output:T! -> A
_sobol_engine_draw quasi:T n:i sobolstate:T dimension:i num_generated:i dtype:i -> TT
_sobol_engine_ff_ self:T! n:i sobolstate:T dimension:i num_generated:i -> A
_sobol_engine_initialize_state_ self:T! dimension:i -> A
_sobol_engine_scramble_ self:T! ltm:T dimension:i -> A
_softmax self:T dim:i half_to_float:b -> T
_softmax.out self:T dim:i half_to_float:b * out:T! -> A
_softmax_backward_data grad_output:T output:T dim:i input_dtype:i -> T
_softmax_backward_data.out grad_output:T output:T dim:i input_dtype:i * grad_input:T! -> A
_sparse_addmm self:T mat1:T mat2:T * beta:n=1 alpha:n=1 -> T
_sparse_addmm.out self:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T! -> A
_sparse_broadcast_to self:T size:z -> A
_sparse_broadcast_to_copy self:T size:z -> T
_sparse_broadcast_to_copy.out self:T size:z * out:T! -> A
_sparse_bsc_tensor_unsafe ccol_indices:T row_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_sparse_bsr_tensor_unsafe crow_indices:T col_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_sparse_compressed_tensor_unsafe compressed_indices:T plain_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_sparse_compressed_tensor_with_dims nnz:i dense_dim:i size:z blocksize:z index_dtype:i * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
_sparse_coo_tensor_unsafe indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None is_coalesced:b=None -> T
_sparse_coo_tensor_with_dims sparse_dim:i dense_dim:i size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
_sparse_coo_tensor_with_dims.out sparse_dim:i dense_dim:i size:z * out:T! -> A
_sparse_coo_tensor_with_dims_and_tensors sparse_dim:i dense_dim:i size:z indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=False is_coalesced:b=None -> T
_sparse_coo_tensor_with_dims_and_tensors.out sparse_dim:i dense_dim:i size:z indices:T values:T * is_coalesced:b=None out:T! -> A
_sparse_csc_tensor_unsafe ccol_indices:T row_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_sparse_csr_prod.dim_dtype self:T dim:z keepdim:b=False * dtype:i=None -> T
_sparse_csr_prod.dim_dtype_out self:T dim:z keepdim:b=False * dtype:i=None out:T! -> A
_sparse_csr_sum.dim_dtype self:T dim:z keepdim:b=False * dtype:i=None -> T
_sparse_csr_sum.dim_dtype_out self:T dim:z keepdim:b=False * dtype:i=None out:T! -> A
_sparse_csr_tensor_unsafe crow_indices:T col_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
_sparse_log_softmax self:T dim:i half_to_float:b -> T
_sparse_log_softmax.int self:T dim:i dtype:i=None -> T
_sparse_log_softmax.out self:T dim:i half_to_float:b * out:T! -> A
_sparse_log_softmax_backward_data grad_output:T output:T dim:i self:T -> T
_sparse_log_softmax_backward_data.out grad_output:T output:T dim:i self:T * out:T! -> A
_sparse_mask_projection self:T mask:T accumulate_matches:b=False -> T
_sparse_mask_projection.out self:T mask:T accumulate_matches:b=False * out:T! -> A
_sparse_mm sparse:T dense:T -> T
_sparse_mm.reduce sparse:T dense:T reduce:s -> T
_sparse_mm_reduce_impl self:T other:T reduce:s -> TT
_sparse_mm_reduce_impl_backward self:T grad_out:T weight:T reduce:s arg_out:T output_mask -> TT
_sparse_semi_structured_addmm input:T mat1:T mat1_meta:T mat2:T * alpha:n=1 beta:n=1 out_dtype:i=None -> T
_sparse_semi_structured_apply input:T thread_masks:T -> TT
_sparse_semi_structured_apply_dense input:T thread_masks:T -> T
_sparse_semi_structured_linear input:T weight:T meta:T * bias:T=None activation:s=None out_dtype:i=None -> T
_sparse_semi_structured_mm mat1:T mat1_meta:T mat2:T * out_dtype:i=None -> T
_sparse_semi_structured_tile input:T algorithm:s='' use_cutlass:b=True -> TTTTT
_sparse_softmax self:T dim:i half_to_float:b -> T
_sparse_softmax.int self:T dim:i dtype:i=None -> T
_sparse_softmax.out self:T dim:i half_to_float:b * out:T! -> A
_sparse_softmax_backward_data grad_output:T output:T dim:i self:T -> T
_sparse_softmax_backward_data.out grad_output:T output:T dim:i self:T * out:T! -> A
_sparse_sparse_matmul self:T other:T -> T
_sparse_sparse_matmul.out self:T other:T * out:T! -> A
_sparse_sum self:T -> T
_sparse_sum.dim self:T dim:z -> T
_sparse_sum.dim_dtype self:T dim:z * dtype:i -> T
_sparse_sum.dim_out self:T dim:z * out:T! -> A
_sparse_sum.dtype self:T * dtype:i -> T
_sparse_sum_backward grad:T self:T dim:z -> T
_sparse_sum_backward.out grad:T self:T dim:z * out:T! -> A
_spdiags diagonals:T offsets:T shape:z layout:i=None -> T
_spdiags.out diagonals:T offsets:T shape:z layout:i=None * out:T! -> A
_spsolve A:T B:T * left:b=True -> T
_stack tensors:L dim:i=0 -> T
_stack.out tensors:L dim:i=0 * out:T! -> A
_standard_gamma self:T generator=None -> T
_standard_gamma.out self:T generator=None * out:T! -> A
_standard_gamma_grad self:T output:T -> T
_standard_gamma_grad.out self:T output:T * out:T! -> A
_thnn_differentiable_gru_cell_backward grad_hy:T input_gates:T hidden_gates:T hx:T input_bias:T hidden_bias:T -> TTTTT
_thnn_differentiable_lstm_cell_backward grad_hy:T grad_cy:T input_gates:T hidden_gates:T input_bias:T hidden_bias:T cx:T cy:T -> TTTTT
_thnn_fused_gru_cell input_gates:T hidden_gates:T hx:T input_bias:T=None hidden_bias:T=None -> TT
_thnn_fused_gru_cell.out input_gates:T hidden_gates:T hx:T input_bias:T=None hidden_bias:T=None * out0:T! out1:T! -> AA
_thnn_fused_gru_cell_backward grad_hy:T workspace:T has_bias:b -> TTTTT
_thnn_fused_gru_cell_backward.out grad_hy:T workspace:T has_bias:b * out0:T! out1:T! out2:T! out3:T! out4:T! -> AAAAA
_thnn_fused_lstm_cell input_gates:T hidden_gates:T cx:T input_bias:T=None hidden_bias:T=None -> TTT
_thnn_fused_lstm_cell.out input_gates:T hidden_gates:T cx:T input_bias:T=None hidden_bias:T=None * out0:T! out1:T! out2:T! -> AAA
_thnn_fused_lstm_cell_backward grad_hy:T grad_cy:T cx:T cy:T workspace:T has_bias:b -> TTTTT
_thnn_fused_lstm_cell_backward_impl grad_hy:T grad_cy:T cx:T cy:T workspace:T has_bias:b -> TTT
_thnn_fused_lstm_cell_backward_impl.out grad_hy:T grad_cy:T cx:T cy:T workspace:T has_bias:b * out0:T! out1:T! out2:T! -> AAA
_to_copy self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None non_blocking:b=False memory_format:i=None -> T
_to_copy.out self:T * non_blocking:b=False memory_format:i=None out:T! -> A
_to_cpu tensors:L -> L
_to_dense self:T dtype:i=None masked_grad:b=None -> T
_to_dense.out self:T dtype:i=None masked_grad:b=None * out:T! -> A
_to_sparse self:T * layout:i=None blocksize:z=None dense_dim:i=None -> T
_to_sparse.out self:T * layout:i=None blocksize:z=None dense_dim:i=None out:T! -> A
_to_sparse.sparse_dim self:T sparse_dim:i -> T
_to_sparse.sparse_dim_out self:T sparse_dim:i * out:T! -> A
_to_sparse_bsc self:T blocksize:z dense_dim:i=None -> T
_to_sparse_bsc.out self:T blocksize:z dense_dim:i=None * out:T! -> A
_to_sparse_bsr self:T blocksize:z dense_dim:i=None -> T
_to_sparse_bsr.out self:T blocksize:z dense_dim:i=None * out:T! -> A
_to_sparse_csc self:T dense_dim:i=None -> T
_to_sparse_csc.out self:T dense_dim:i=None * out:T! -> A
_to_sparse_csr self:T dense_dim:i=None -> T
_to_sparse_csr.out self:T dense_dim:i=None * out:T! -> A
_to_sparse_semi_structured dense:T -> TT
_transform_bias_rescale_qkv qkv:T qkv_bias:T num_heads:i -> TTT
_transform_bias_rescale_qkv.out qkv:T qkv_bias:T num_heads:i * out0:T! out1:T! out2:T! -> AAA
_transformer_encoder_layer_fwd src:T embed_dim:i num_heads:i qkv_weight:T qkv_bias:T proj_weight:T proj_bias:T use_gelu:b norm_first:b eps:f norm_weight_1:T norm_bias_1:T norm_weight_2:T norm_bias_2:T ffn_weight_1:T ffn_bias_1:T ffn_weight_2:T ffn_bias_2:T mask:T=None mask_type:i=None -> T
_transformer_encoder_layer_fwd.out src:T embed_dim:i num_heads:i qkv_weight:T qkv_bias:T proj_weight:T proj_bias:T use_gelu:b norm_first:b eps:f norm_weight_1:T norm_bias_1:T norm_weight_2:T norm_bias_2:T ffn_weight_1:T ffn_bias_1:T ffn_weight_2:T ffn_bias_2:T mask:T=None mask_type:i=None * out:T! -> A
_trilinear i1:T i2:T i3:T expand1:z expand2:z expand3:z sumdim:z unroll_dim:i=1 -> T
_trilinear.out i1:T i2:T i3:T expand1:z expand2:z expand3:z sumdim:z unroll_dim:i=1 * out:T! -> A
_triton_multi_head_attention query:T key:T value:T embed_dim:i num_head:i qkv_weight:T qkv_bias:T proj_weight:T proj_bias:T mask:T=None -> T
_triton_multi_head_attention.out query:T key:T value:T embed_dim:i num_head:i qkv_weight:T qkv_bias:T proj_weight:T proj_bias:T mask:T=None * out:T! -> A
_triton_scaled_dot_attention q:T k:T v:T dropout_p:f=0.0 -> T
_triton_scaled_dot_attention.out q:T k:T v:T dropout_p:f=0.0 * out:T! -> A
_unique self:T sorted:b=True return_inverse:b=False -> TT
_unique.out self:T sorted:b=True return_inverse:b=False * out0:T! out1:T! -> AA
_unique2 self:T sorted:b=True return_inverse:b=False return_counts:b=False -> TTT
_unique2.out self:T sorted:b=True return_inverse:b=False return_counts:b=False * out0:T! out1:T! out2:T! -> AAA
_unpack_dual dual:T level:i -> AT
_unsafe_index.Tensor self:T indices:L -> T
_unsafe_index_put self:T indices:L values:T accumulate:b=False -> T
_unsafe_masked_index self:T mask:T indices:L fill:n -> T
_unsafe_masked_index_put_accumulate self:T mask:T indices:L values:T -> T
_unsafe_view self:T size:z -> T
_unsafe_view.out self:T size:z * out:T! -> A
_upsample_bicubic2d_aa self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
_upsample_bicubic2d_aa.out self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None * out:T! -> A
_upsample_bicubic2d_aa.vec input:T output_size:z align_corners:b scale_factors -> T
_upsample_bicubic2d_aa_backward grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
_upsample_bicubic2d_aa_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None * grad_input:T! -> A
_upsample_bilinear2d_aa self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
_upsample_bilinear2d_aa.out self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None * out:T! -> A
_upsample_bilinear2d_aa.vec input:T output_size:z align_corners:b scale_factors -> T
_upsample_bilinear2d_aa_backward grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
_upsample_bilinear2d_aa_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None * grad_input:T! -> A
_upsample_lanczos2d_aa self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
_upsample_lanczos2d_aa.out self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None * out:T! -> A
_upsample_lanczos2d_aa.vec input:T output_size:z align_corners:b scale_factors -> T
_upsample_lanczos2d_aa_backward grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
_upsample_lanczos2d_aa_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None * grad_input:T! -> A
_upsample_nearest_exact1d self:T output_size:z scales:f=None -> T
_upsample_nearest_exact1d.out self:T output_size:z scales:f=None * out:T! -> A
_upsample_nearest_exact1d.vec input:T output_size:z scale_factors -> T
_upsample_nearest_exact1d_backward grad_output:T output_size:z input_size:z scales:f=None -> T
_upsample_nearest_exact1d_backward.grad_input grad_output:T output_size:z input_size:z scales:f=None * grad_input:T! -> A
_upsample_nearest_exact2d self:T output_size:z scales_h:f=None scales_w:f=None -> T
_upsample_nearest_exact2d.out self:T output_size:z scales_h:f=None scales_w:f=None * out:T! -> A
_upsample_nearest_exact2d.vec input:T output_size:z scale_factors -> T
_upsample_nearest_exact2d_backward grad_output:T output_size:z input_size:z scales_h:f=None scales_w:f=None -> T
_upsample_nearest_exact2d_backward.grad_input grad_output:T output_size:z input_size:z scales_h:f=None scales_w:f=None * grad_input:T! -> A
_upsample_nearest_exact3d self:T output_size:z scales_d:f=None scales_h:f=None scales_w:f=None -> T
_upsample_nearest_exact3d.out self:T output_size:z scales_d:f=None scales_h:f=None scales_w:f=None * out:T! -> A
_upsample_nearest_exact3d.vec input:T output_size:z scale_factors -> T
_upsample_nearest_exact3d_backward grad_output:T output_size:z input_size:z scales_d:f=None scales_h:f=None scales_w:f=None -> T
_upsample_nearest_exact3d_backward.grad_input grad_output:T output_size:z input_size:z scales_d:f=None scales_h:f=None scales_w:f=None * grad_input:T! -> A
_use_cudnn_ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i -> b
_use_cudnn_ctc_loss.Tensor log_probs:T targets:T input_lengths:T target_lengths:T blank:i -> b
_use_miopen_ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i -> b
_use_miopen_ctc_loss.Tensor log_probs:T targets:T input_lengths:T target_lengths:T blank:i -> b
_validate_compressed_sparse_indices is_crow:b compressed_idx:T plain_idx:T cdim:i dim:i nnz:i
_validate_sparse_bsc_tensor_args ccol_indices:T row_indices:T values:T size:z check_pinning:b=None
_validate_sparse_bsr_tensor_args crow_indices:T col_indices:T values:T size:z check_pinning:b=None
_validate_sparse_compressed_tensor_args compressed_indices:T plain_indices:T values:T size:z layout:i check_pinning:b=None
_validate_sparse_coo_tensor_args indices:T values:T size:z is_coalesced:b=None check_pinning:b=None
_validate_sparse_csc_tensor_args ccol_indices:T row_indices:T values:T size:z check_pinning:b=None
_validate_sparse_csr_tensor_args crow_indices:T col_indices:T values:T size:z check_pinning:b=None
_values self:T -> A
_values_copy self:T -> T
_values_copy.out self:T * out:T! -> A
_version self:T -> i
_weight_int4pack_mm self:T mat2:T qGroupSize:i qScaleAndZeros:T -> T
_weight_int4pack_mm_for_cpu self:T mat2:T qGroupSize:i qScaleAndZeros:T -> T
_weight_int4pack_mm_with_scales_and_zeros self:T mat2:T qGroupSize:i qScale:T qZeros:T -> T
_weight_int8pack_mm self:T mat2:T scales:T -> T
_weight_norm v:T g:T dim:i=0 -> T
_weight_norm_differentiable_backward grad_w:T saved_v:T saved_g:T saved_norms:T dim:i -> TT
_weight_norm_interface v:T g:T dim:i=0 -> TT
_weight_norm_interface.out v:T g:T dim:i=0 * out0:T! out1:T! -> AA
_weight_norm_interface_backward grad_w:T saved_v:T saved_g:T saved_norms:T dim:i -> TT
_weight_norm_interface_backward.out grad_w:T saved_v:T saved_g:T saved_norms:T dim:i * out0:T! out1:T! -> AA
_wrapped_linear_prepack weight:T weight_scale:T weight_zero_point:T bias:T -> T
_wrapped_quantized_linear_prepacked input:T input_scale:T input_zero_point:T packed_weight:T output_scale:T output_zero_point:T out_channel:i -> T
abs self:T -> T
abs.out self:T * out:T! -> A
abs_ self:T! -> A
absolute self:T -> T
absolute.out self:T * out:T! -> A
absolute_ self:T! -> A
acos self:T -> T
acos.out self:T * out:T! -> A
acos_ self:T! -> A
acosh self:T -> T
acosh.out self:T * out:T! -> A
acosh_ self:T! -> A
adaptive_avg_pool1d self:T output_size:z -> T
adaptive_avg_pool1d.out self:T output_size:z * out:T! -> A
adaptive_avg_pool2d self:T output_size:z -> T
adaptive_avg_pool2d.out self:T output_size:z * out:T! -> A
adaptive_avg_pool3d self:T output_size:z -> T
adaptive_avg_pool3d.out self:T output_size:z * out:T! -> A
adaptive_avg_pool3d_backward.grad_input grad_output:T self:T * grad_input:T! -> A
adaptive_max_pool1d self:T output_size:z -> TT
adaptive_max_pool2d self:T output_size:z -> TT
adaptive_max_pool2d.out self:T output_size:z * out:T! indices:T! -> AA
adaptive_max_pool2d_backward grad_output:T self:T indices:T -> T
adaptive_max_pool2d_backward.grad_input grad_output:T self:T indices:T * grad_input:T! -> A
adaptive_max_pool3d self:T output_size:z -> TT
adaptive_max_pool3d.out self:T output_size:z * out:T! indices:T! -> AA
adaptive_max_pool3d_backward grad_output:T self:T indices:T -> T
adaptive_max_pool3d_backward.grad_input grad_output:T self:T indices:T * grad_input:T! -> A
add.Scalar self:T other:n alpha:n=1 -> T
add.Scalar_out self:T other:n alpha:n=1 * out:T! -> A
add.Tensor self:T other:T * alpha:n=1 -> T
add.out self:T other:T * alpha:n=1 out:T! -> A
add_.Scalar self:T! other:n alpha:n=1 -> A
add_.Tensor self:T! other:T * alpha:n=1 -> A
addbmm self:T batch1:T batch2:T * beta:n=1 alpha:n=1 -> T
addbmm.out self:T batch1:T batch2:T * beta:n=1 alpha:n=1 out:T! -> A
addbmm_ self:T! batch1:T batch2:T * beta:n=1 alpha:n=1 -> A
addcdiv self:T tensor1:T tensor2:T * value:n=1 -> T
addcdiv.out self:T tensor1:T tensor2:T * value:n=1 out:T! -> A
addcdiv_ self:T! tensor1:T tensor2:T * value:n=1 -> A
addcmul self:T tensor1:T tensor2:T * value:n=1 -> T
addcmul.out self:T tensor1:T tensor2:T * value:n=1 out:T! -> A
addcmul_ self:T! tensor1:T tensor2:T * value:n=1 -> A
addmm self:T mat1:T mat2:T * beta:n=1 alpha:n=1 -> T
addmm.dtype self:T mat1:T mat2:T out_dtype:i * beta:n=1 alpha:n=1 -> T
addmm.dtype_out self:T mat1:T mat2:T out_dtype:i * beta:n=1 alpha:n=1 out:T! -> A
addmm.out self:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T! -> A
addmm_ self:T! mat1:T mat2:T * beta:n=1 alpha:n=1 -> A
addmv self:T mat:T vec:T * beta:n=1 alpha:n=1 -> T
addmv.out self:T mat:T vec:T * beta:n=1 alpha:n=1 out:T! -> A
addmv_ self:T! mat:T vec:T * beta:n=1 alpha:n=1 -> A
addr self:T vec1:T vec2:T * beta:n=1 alpha:n=1 -> T
addr.out self:T vec1:T vec2:T * beta:n=1 alpha:n=1 out:T! -> A
addr_ self:T! vec1:T vec2:T * beta:n=1 alpha:n=1 -> A
adjoint self:T -> A
affine_grid_generator theta:T size:z align_corners:b -> T
affine_grid_generator.out theta:T size:z align_corners:b * out:T! -> A
affine_grid_generator_backward grad:T size:z align_corners:b -> T
alias self:T -> A
alias_copy self:T -> T
alias_copy.out self:T * out:T! -> A
all self:T -> T
all.all_out self:T * out:T! -> A
all.dim self:T dim:i keepdim:b=False -> T
all.dims self:T dim:z=None keepdim:b=False -> T
all.dims_out self:T dim:z=None keepdim:b=False * out:T! -> A
all.out self:T dim:i keepdim:b=False * out:T! -> A
allclose self:T other:T rtol:f=1e-05 atol:f=1e-08 equal_nan:b=False -> b
alpha_dropout input:T p:f train:b -> T
alpha_dropout_ self:T! p:f train:b -> A
amax self:T dim:z= keepdim:b=False -> T
amax.out self:T dim:z= keepdim:b=False * out:T! -> A
amin self:T dim:z= keepdim:b=False -> T
amin.out self:T dim:z= keepdim:b=False * out:T! -> A
aminmax self:T * dim:i=None keepdim:b=False -> TT
aminmax.out self:T * dim:i=None keepdim:b=False min:T! max:T! -> AA
angle self:T -> T
angle.out self:T * out:T! -> A
any self:T -> T
any.all_out self:T * out:T! -> A
any.dim self:T dim:i keepdim:b=False -> T
any.dims self:T dim:z=None keepdim:b=False -> T
any.dims_out self:T dim:z=None keepdim:b=False * out:T! -> A
any.out self:T dim:i keepdim:b=False * out:T! -> A
arange end:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
arange.out end:n * out:T! -> A
arange.start start:n end:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
arange.start_out start:n end:n step:n=1 * out:T! -> A
arange.start_step start:n end:n step:n=1 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
arccos self:T -> T
arccos.out self:T * out:T! -> A
arccos_ self:T! -> A
arccosh self:T -> T
arccosh.out self:T * out:T! -> A
arccosh_ self:T! -> A
arcsin self:T -> T
arcsin.out self:T * out:T! -> A
arcsin_ self:T! -> A
arcsinh self:T -> T
arcsinh.out self:T * out:T! -> A
arcsinh_ self:T! -> A
arctan self:T -> T
arctan.out self:T * out:T! -> A
arctan2 self:T other:T -> T
arctan2.out self:T other:T * out:T! -> A
arctan2_ self:T! other:T -> A
arctan_ self:T! -> A
arctanh self:T -> T
arctanh.out self:T * out:T! -> A
arctanh_ self:T! -> A
argmax self:T dim:i=None keepdim:b=False -> T
argmax.out self:T dim:i=None keepdim:b=False * out:T! -> A
argmin self:T dim:i=None keepdim:b=False -> T
argmin.out self:T dim:i=None keepdim:b=False * out:T! -> A
argsort self:T dim:i=-1 descending:b=False -> T
argsort.stable self:T * stable:b dim:i=-1 descending:b=False -> T
argsort.stable_out self:T * stable:b dim:i=-1 descending:b=False out:T! -> A
argwhere self:T -> T
as_strided self:T size:z stride:z storage_offset:i=None -> A
as_strided_ self:T! size:z stride:z storage_offset:i=None -> A
as_strided_copy self:T size:z stride:z storage_offset:i=None -> T
as_strided_copy.out self:T size:z stride:z storage_offset:i=None * out:T! -> A
as_strided_scatter self:T src:T size:z stride:z storage_offset:i=None -> T
as_strided_scatter.out self:T src:T size:z stride:z storage_offset:i=None * out:T! -> A
asin self:T -> T
asin.out self:T * out:T! -> A
asin_ self:T! -> A
asinh self:T -> T
asinh.out self:T * out:T! -> A
asinh_ self:T! -> A
atan self:T -> T
atan.out self:T * out:T! -> A
atan2 self:T other:T -> T
atan2.out self:T other:T * out:T! -> A
atan2_ self:T! other:T -> A
atan_ self:T! -> A
atanh self:T -> T
atanh.out self:T * out:T! -> A
atanh_ self:T! -> A
atleast_1d self:T -> T
atleast_1d.Sequence tensors:L -> L
atleast_2d self:T -> T
atleast_2d.Sequence tensors:L -> L
atleast_3d self:T -> T
atleast_3d.Sequence tensors:L -> L
avg_pool1d self:T kernel_size:z stride:z= padding:z= ceil_mode:b=False count_include_pad:b=True -> T
avg_pool1d.out self:T kernel_size:z stride:z= padding:z= ceil_mode:b=False count_include_pad:b=True * out:T! -> A
avg_pool2d self:T kernel_size:z stride:z= padding:z= ceil_mode:b=False count_include_pad:b=True divisor_override:i=None -> T
avg_pool2d.out self:T kernel_size:z stride:z= padding:z= ceil_mode:b=False count_include_pad:b=True divisor_override:i=None * out:T! -> A
avg_pool2d_backward grad_output:T self:T kernel_size:z stride:z padding:z ceil_mode:b count_include_pad:b divisor_override:i -> T
avg_pool2d_backward.grad_input grad_output:T self:T kernel_size:z stride:z padding:z ceil_mode:b count_include_pad:b divisor_override:i * grad_input:T! -> A
avg_pool3d self:T kernel_size:z stride:z= padding:z= ceil_mode:b=False count_include_pad:b=True divisor_override:i=None -> T
avg_pool3d.out self:T kernel_size:z stride:z= padding:z= ceil_mode:b=False count_include_pad:b=True divisor_override:i=None * out:T! -> A
avg_pool3d_backward grad_output:T self:T kernel_size:z stride:z padding:z ceil_mode:b count_include_pad:b divisor_override:i -> T
avg_pool3d_backward.grad_input grad_output:T self:T kernel_size:z stride:z padding:z ceil_mode:b count_include_pad:b divisor_override:i * grad_input:T! -> A
baddbmm self:T batch1:T batch2:T * beta:n=1 alpha:n=1 -> T
baddbmm.dtype self:T batch1:T batch2:T out_dtype:i * beta:n=1 alpha:n=1 -> T
baddbmm.dtype_out self:T batch1:T batch2:T out_dtype:i * beta:n=1 alpha:n=1 out:T! -> A
baddbmm.out self:T batch1:T batch2:T * beta:n=1 alpha:n=1 out:T! -> A
baddbmm_ self:T! batch1:T batch2:T * beta:n=1 alpha:n=1 -> A
bartlett_window window_length:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
bartlett_window.out window_length:i * out:T! -> A
bartlett_window.periodic window_length:i periodic:b * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
bartlett_window.periodic_out window_length:i periodic:b * out:T! -> A
batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f cudnn_enabled:b -> T
batch_norm_backward grad_out:T input:T weight:T running_mean:T running_var:T save_mean:T save_var:T update:b eps:f output_mask reserve:T -> TTT
batch_norm_backward_elemt grad_out:T input:T mean:T invstd:T weight:T sum_dy:T sum_dy_xmu:T count:T -> T
batch_norm_backward_elemt.out grad_out:T input:T mean:T invstd:T weight:T sum_dy:T sum_dy_xmu:T count:T * out:T! -> A
batch_norm_backward_reduce grad_out:T input:T mean:T invstd:T weight:T input_g:b weight_g:b bias_g:b -> TTTT
batch_norm_backward_reduce.out grad_out:T input:T mean:T invstd:T weight:T input_g:b weight_g:b bias_g:b * out0:T! out1:T! out2:T! out3:T! -> AAAA
batch_norm_elemt input:T weight:T bias:T mean:T invstd:T eps:f -> T
batch_norm_elemt.out input:T weight:T bias:T mean:T invstd:T eps:f * out:T! -> A
batch_norm_gather_stats input:T mean:T invstd:T running_mean:T running_var:T momentum:f eps:f count:i -> TT
batch_norm_gather_stats.out input:T mean:T invstd:T running_mean:T running_var:T momentum:f eps:f count:i * out0:T! out1:T! -> AA
batch_norm_gather_stats_with_counts input:T mean:T invstd:T running_mean:T running_var:T momentum:f eps:f counts:T -> TT
batch_norm_gather_stats_with_counts.out input:T mean:T invstd:T running_mean:T running_var:T momentum:f eps:f counts:T * out0:T! out1:T! -> AA
batch_norm_stats input:T eps:f -> TT
batch_norm_stats.out input:T eps:f * out0:T! out1:T! -> AA
batch_norm_update_stats input:T running_mean:T running_var:T momentum:f -> TT
batch_norm_update_stats.out input:T running_mean:T running_var:T momentum:f * out0:T! out1:T! -> AA
bernoulli self:T * generator=None -> T
bernoulli.Tensor self:T p:T * generator=None -> T
bernoulli.Tensor_out self:T p:T * generator=None out:T! -> A
bernoulli.float_out self:T p:f=0.5 * generator=None out:T! -> A
bernoulli.out self:T * generator=None out:T! -> A
bernoulli.p self:T p:f * generator=None -> T
bernoulli_.Tensor self:T! p:T * generator=None -> A
bernoulli_.float self:T! p:f=0.5 * generator=None -> A
bilinear input1:T input2:T weight:T bias:T=None -> T
binary_cross_entropy self:T target:T weight:T=None reduction:i=1 -> T
binary_cross_entropy.out self:T target:T weight:T=None reduction:i=1 * out:T! -> A
binary_cross_entropy_backward grad_output:T self:T target:T weight:T=None reduction:i=1 -> T
binary_cross_entropy_backward.grad_input grad_output:T self:T target:T weight:T=None reduction:i=1 * grad_input:T! -> A
binary_cross_entropy_with_logits self:T target:T weight:T=None pos_weight:T=None reduction:i=1 -> T
binary_cross_entropy_with_logits.out self:T target:T weight:T=None pos_weight:T=None reduction:i=1 * out:T! -> A
bincount self:T weights:T=None minlength:i=0 -> T
bincount.out self:T weights:T=None minlength:i=0 * out:T! -> A
binomial count:T prob:T generator=None -> T
binomial.out count:T prob:T generator=None * out:T! -> A
bitwise_and.Scalar self:T other:n -> T
bitwise_and.Scalar_Tensor self:n other:T -> T
bitwise_and.Scalar_Tensor_out self:n other:T * out:T! -> A
bitwise_and.Scalar_out self:T other:n * out:T! -> A
bitwise_and.Tensor self:T other:T -> T
bitwise_and.Tensor_out self:T other:T * out:T! -> A
bitwise_and_.Scalar self:T! other:n -> A
bitwise_and_.Tensor self:T! other:T -> A
bitwise_left_shift.Scalar_Tensor self:n other:T -> T
bitwise_left_shift.Scalar_Tensor_out self:n other:T * out:T! -> A
bitwise_left_shift.Tensor self:T other:T -> T
bitwise_left_shift.Tensor_Scalar self:T other:n -> T
bitwise_left_shift.Tensor_Scalar_out self:T other:n * out:T! -> A
bitwise_left_shift.Tensor_out self:T other:T * out:T! -> A
bitwise_left_shift_.Tensor self:T! other:T -> A
bitwise_left_shift_.Tensor_Scalar self:T! other:n -> A
bitwise_not self:T -> T
bitwise_not.out self:T * out:T! -> A
bitwise_not_ self:T! -> A
bitwise_or.Scalar self:T other:n -> T
bitwise_or.Scalar_Tensor self:n other:T -> T
bitwise_or.Scalar_Tensor_out self:n other:T * out:T! -> A
bitwise_or.Scalar_out self:T other:n * out:T! -> A
bitwise_or.Tensor self:T other:T -> T
bitwise_or.Tensor_out self:T other:T * out:T! -> A
bitwise_or_.Scalar self:T! other:n -> A
bitwise_or_.Tensor self:T! other:T -> A
bitwise_right_shift.Scalar_Tensor self:n other:T -> T
bitwise_right_shift.Scalar_Tensor_out self:n other:T * out:T! -> A
bitwise_right_shift.Tensor self:T other:T -> T
bitwise_right_shift.Tensor_Scalar self:T other:n -> T
bitwise_right_shift.Tensor_Scalar_out self:T other:n * out:T! -> A
bitwise_right_shift.Tensor_out self:T other:T * out:T! -> A
bitwise_right_shift_.Tensor self:T! other:T -> A
bitwise_right_shift_.Tensor_Scalar self:T! other:n -> A
bitwise_xor.Scalar self:T other:n -> T
bitwise_xor.Scalar_Tensor self:n other:T -> T
bitwise_xor.Scalar_Tensor_out self:n other:T * out:T! -> A
bitwise_xor.Scalar_out self:T other:n * out:T! -> A
bitwise_xor.Tensor self:T other:T -> T
bitwise_xor.Tensor_out self:T other:T * out:T! -> A
bitwise_xor_.Scalar self:T! other:n -> A
bitwise_xor_.Tensor self:T! other:T -> A
blackman_window window_length:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
blackman_window.out window_length:i * out:T! -> A
blackman_window.periodic window_length:i periodic:b * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
blackman_window.periodic_out window_length:i periodic:b * out:T! -> A
block_diag tensors:L -> T
block_diag.out tensors:L * out:T! -> A
bmm self:T mat2:T -> T
bmm.dtype self:T mat2:T out_dtype:i -> T
bmm.dtype_out self:T mat2:T out_dtype:i * out:T! -> A
bmm.out self:T mat2:T * out:T! -> A
broadcast_tensors tensors:L -> L
broadcast_to self:T size:z -> A
bucketize.Scalar self:n boundaries:T * out_int32:b=False right:b=False -> T
bucketize.Scalar_out self:n boundaries:T * out_int32:b=False right:b=False out:T! -> A
bucketize.Tensor self:T boundaries:T * out_int32:b=False right:b=False -> T
bucketize.Tensor_out self:T boundaries:T * out_int32:b=False right:b=False out:T! -> A
cartesian_prod tensors:L -> T
cat tensors:L dim:i=0 -> T
cat.out tensors:L dim:i=0 * out:T! -> A
cauchy self:T median:f=0.0 sigma:f=1.0 * generator=None -> T
cauchy.out self:T median:f=0.0 sigma:f=1.0 * generator=None out:T! -> A
cauchy_ self:T! median:f=0.0 sigma:f=1.0 * generator=None -> A
ccol_indices self:T -> A
ccol_indices_copy self:T -> T
ccol_indices_copy.out self:T * out:T! -> A
cdist x1:T x2:T p:f=2.0 compute_mode:i=None -> T
ceil self:T -> T
ceil.out self:T * out:T! -> A
ceil_ self:T! -> A
celu self:T alpha:n=1.0 -> T
celu.out self:T alpha:n=1.0 * out:T! -> A
celu_ self:T! alpha:n=1.0 -> A
chain_matmul matrices:L -> T
chain_matmul.out matrices:L * out:T! -> A
chalf self:T * memory_format:i=None -> T
channel_shuffle self:T groups:i -> T
channel_shuffle.out self:T groups:i * out:T! -> A
cholesky self:T upper:b=False -> T
cholesky.out self:T upper:b=False * out:T! -> A
cholesky_inverse self:T upper:b=False -> T
cholesky_inverse.out self:T upper:b=False * out:T! -> A
cholesky_solve self:T input2:T upper:b=False -> T
cholesky_solve.out self:T input2:T upper:b=False * out:T! -> A
choose_qparams_optimized input:T numel:i n_bins:i ratio:f bit_width:i -> TT
chunk self:T chunks:i dim:i=0 -> M
clamp self:T min:n=None max:n=None -> T
clamp.Tensor self:T min:T=None max:T=None -> T
clamp.Tensor_out self:T min:T=None max:T=None * out:T! -> A
clamp.out self:T min:n=None max:n=None * out:T! -> A
clamp_ self:T! min:n=None max:n=None -> A
clamp_.Tensor self:T! min:T=None max:T=None -> A
clamp_max self:T max:n -> T
clamp_max.Tensor self:T max:T -> T
clamp_max.Tensor_out self:T max:T * out:T! -> A
clamp_max.out self:T max:n * out:T! -> A
clamp_max_ self:T! max:n -> A
clamp_max_.Tensor self:T! max:T -> A
clamp_min self:T min:n -> T
clamp_min.Tensor self:T min:T -> T
clamp_min.Tensor_out self:T min:T * out:T! -> A
clamp_min.out self:T min:n * out:T! -> A
clamp_min_ self:T! min:n -> A
clamp_min_.Tensor self:T! min:T -> A
clip self:T min:n=None max:n=None -> T
clip.Tensor self:T min:T=None max:T=None -> T
clip.Tensor_out self:T min:T=None max:T=None * out:T! -> A
clip.out self:T min:n=None max:n=None * out:T! -> A
clip_ self:T! min:n=None max:n=None -> A
clip_.Tensor self:T! min:T=None max:T=None -> A
clone self:T * memory_format:i=None -> T
clone.out self:T * memory_format:i=None out:T! -> A
coalesce self:T -> A
col2im self:T output_size:z kernel_size:z dilation:z padding:z stride:z -> T
col2im.out self:T output_size:z kernel_size:z dilation:z padding:z stride:z * out:T! -> A
col_indices self:T -> A
col_indices_copy self:T -> T
col_indices_copy.out self:T * out:T! -> A
column_stack tensors:L -> T
column_stack.out tensors:L * out:T! -> A
combinations self:T r:i=2 with_replacement:b=False -> T
complex real:T imag:T -> T
complex.out real:T imag:T * out:T! -> A
concat tensors:L dim:i=0 -> T
concat.out tensors:L dim:i=0 * out:T! -> A
concatenate tensors:L dim:i=0 -> T
concatenate.out tensors:L dim:i=0 * out:T! -> A
conj self:T -> A
conj_physical self:T -> T
conj_physical.out self:T * out:T! -> A
conj_physical_ self:T! -> A
constant_pad_nd self:T pad:z value:n=0 -> T
constant_pad_nd.out self:T pad:z value:n=0 * out:T! -> A
contiguous self:T * memory_format:i=0 -> A
conv1d input:T weight:T bias:T=None stride:z= padding:z= dilation:z= groups:i=1 -> T
conv1d.padding input:T weight:T bias:T=None stride:z= padding:s='valid' dilation:z= groups:i=1 -> T
conv2d input:T weight:T bias:T=None stride:z= padding:z= dilation:z= groups:i=1 -> T
conv2d.padding input:T weight:T bias:T=None stride:z= padding:s='valid' dilation:z= groups:i=1 -> T
conv3d input:T weight:T bias:T=None stride:z= padding:z= dilation:z= groups:i=1 -> T
conv3d.padding input:T weight:T bias:T=None stride:z= padding:s='valid' dilation:z= groups:i=1 -> T
conv_depthwise3d self:T weight:T kernel_size:z bias:T stride:z padding:z dilation:z -> T
conv_depthwise3d.out self:T weight:T kernel_size:z bias:T stride:z padding:z dilation:z * out:T! -> A
conv_tbc self:T weight:T bias:T pad:i=0 -> T
conv_tbc.out self:T weight:T bias:T pad:i=0 * out:T! -> A
conv_tbc_backward self:T input:T weight:T bias:T pad:i -> TTT
conv_transpose1d input:T weight:T bias:T=None stride:z= padding:z= output_padding:z= groups:i=1 dilation:z= -> T
conv_transpose2d.input input:T weight:T bias:T=None stride:z= padding:z= output_padding:z= groups:i=1 dilation:z= -> T
conv_transpose3d.input input:T weight:T bias:T=None stride:z= padding:z= output_padding:z= groups:i=1 dilation:z= -> T
convolution input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i -> T
convolution.out input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i * out:T! -> A
convolution_backward grad_output:T input:T weight:T bias_sizes:z stride:z padding:z dilation:z transposed:b output_padding:z groups:i output_mask -> TTT
convolution_backward.out grad_output:T input:T weight:T bias_sizes:z stride:z padding:z dilation:z transposed:b output_padding:z groups:i output_mask * out0:T! out1:T! out2:T! -> AAA
convolution_backward_overrideable grad_output:T input:T weight:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i output_mask -> TTT
convolution_backward_overrideable.out grad_output:T input:T weight:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i output_mask * out0:T! out1:T! out2:T! -> AAA
convolution_overrideable input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i -> T
convolution_overrideable.out input:T weight:T bias:T stride:z padding:z dilation:z transposed:b output_padding:z groups:i * out:T! -> A
copy self:T src:T non_blocking:b=False -> T
copy.out self:T src:T non_blocking:b=False * out:T! -> A
copy_ self:T! src:T non_blocking:b=False -> A
copy_sparse_to_sparse self:T src:T non_blocking:b=False -> T
copy_sparse_to_sparse.out self:T src:T non_blocking:b=False * out:T! -> A
copy_sparse_to_sparse_ self:T! src:T non_blocking:b=False -> A
copysign.Scalar self:T other:n -> T
copysign.Scalar_out self:T other:n * out:T! -> A
copysign.Tensor self:T other:T -> T
copysign.out self:T other:T * out:T! -> A
copysign_.Scalar self:T! other:n -> A
copysign_.Tensor self:T! other:T -> A
corrcoef self:T -> T
cos self:T -> T
cos.out self:T * out:T! -> A
cos_ self:T! -> A
cosh self:T -> T
cosh.out self:T * out:T! -> A
cosh_ self:T! -> A
cosine_embedding_loss input1:T input2:T target:T margin:f=0.0 reduction:i=1 -> T
cosine_similarity x1:T x2:T dim:i=1 eps:f=1e-08 -> T
count_nonzero self:T dim:i=None -> T
count_nonzero.dim_IntList self:T dim:z -> T
count_nonzero.dim_IntList_out self:T dim:z * out:T! -> A
count_nonzero.out self:T dim:i=None * out:T! -> A
cov self:T * correction:i=1 fweights:T=None aweights:T=None -> T
cross self:T other:T dim:i=None -> T
cross.out self:T other:T dim:i=None * out:T! -> A
cross_entropy_loss self:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 label_smoothing:f=0.0 -> T
crow_indices self:T -> A
crow_indices_copy self:T -> T
crow_indices_copy.out self:T * out:T! -> A
ctc_loss.IntList log_probs:T targets:T input_lengths:z target_lengths:z blank:i=0 reduction:i=1 zero_infinity:b=False -> T
ctc_loss.Tensor log_probs:T targets:T input_lengths:T target_lengths:T blank:i=0 reduction:i=1 zero_infinity:b=False -> T
cudnn_affine_grid_generator theta:T N:i C:i H:i W:i -> T
cudnn_affine_grid_generator.out theta:T N:i C:i H:i W:i * out:T! -> A
cudnn_affine_grid_generator_backward grad:T N:i C:i H:i W:i -> T
cudnn_affine_grid_generator_backward.out grad:T N:i C:i H:i W:i * out:T! -> A
cudnn_batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b exponential_average_factor:f epsilon:f -> TTTT
cudnn_batch_norm.out input:T weight:T bias:T running_mean:T running_var:T training:b exponential_average_factor:f epsilon:f * out0:T! out1:T! out2:T! out3:T! -> AAAA
cudnn_batch_norm_backward input:T grad_output:T weight:T running_mean:T running_var:T save_mean:T save_var:T epsilon:f reserveSpace:T -> TTT
cudnn_batch_norm_backward.out input:T grad_output:T weight:T running_mean:T running_var:T save_mean:T save_var:T epsilon:f reserveSpace:T * out0:T! out1:T! out2:T! -> AAA
cudnn_convolution self:T weight:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b allow_tf32:b -> T
cudnn_convolution.out self:T weight:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b allow_tf32:b * out:T! -> A
cudnn_convolution_add_relu self:T weight:T z:T alpha:n bias:T stride:z padding:z dilation:z groups:i -> T
cudnn_convolution_add_relu.out self:T weight:T z:T alpha:n bias:T stride:z padding:z dilation:z groups:i * out:T! -> A
cudnn_convolution_relu self:T weight:T bias:T stride:z padding:z dilation:z groups:i -> T
cudnn_convolution_relu.out self:T weight:T bias:T stride:z padding:z dilation:z groups:i * out:T! -> A
cudnn_convolution_transpose self:T weight:T padding:z output_padding:z stride:z dilation:z groups:i benchmark:b deterministic:b allow_tf32:b -> T
cudnn_convolution_transpose.out self:T weight:T padding:z output_padding:z stride:z dilation:z groups:i benchmark:b deterministic:b allow_tf32:b * out:T! -> A
cudnn_grid_sampler self:T grid:T -> T
cudnn_grid_sampler.out self:T grid:T * out:T! -> A
cudnn_grid_sampler_backward self:T grid:T grad_output:T -> TT
cudnn_grid_sampler_backward.out self:T grid:T grad_output:T * out0:T! out1:T! -> AA
cudnn_is_acceptable self:T -> b
cummax self:T dim:i -> TT
cummax.out self:T dim:i * values:T! indices:T! -> AA
cummaxmin_backward grad:T input:T indices:T dim:i -> T
cummin self:T dim:i -> TT
cummin.out self:T dim:i * values:T! indices:T! -> AA
cumprod self:T dim:i * dtype:i=None -> T
cumprod.out self:T dim:i * dtype:i=None out:T! -> A
cumprod_ self:T! dim:i * dtype:i=None -> A
cumprod_backward grad:T input:T dim:i output:T -> T
cumsum self:T dim:i * dtype:i=None -> T
cumsum.out self:T dim:i * dtype:i=None out:T! -> A
cumsum_ self:T! dim:i * dtype:i=None -> A
cumulative_trapezoid.dx y:T * dx:n=1 dim:i=-1 -> T
cumulative_trapezoid.x y:T x:T * dim:i=-1 -> T
data self:T -> T
deg2rad self:T -> T
deg2rad.out self:T * out:T! -> A
deg2rad_ self:T! -> A
dense_dim self:T -> i
dequantize.self self:T -> T
dequantize.self_out self:T * out:T! -> A
dequantize.tensors tensors:L -> L
dequantize.tensors_out tensors:L * out:L!
det self:T -> T
detach self:T -> A
detach_ self:T! -> A
detach_copy self:T -> T
detach_copy.out self:T * out:T! -> A
diag self:T diagonal:i=0 -> T
diag.out self:T diagonal:i=0 * out:T! -> A
diag_embed self:T offset:i=0 dim1:i=-2 dim2:i=-1 -> T
diag_embed.out self:T offset:i=0 dim1:i=-2 dim2:i=-1 * out:T! -> A
diagflat self:T offset:i=0 -> T
diagonal self:T offset:i=0 dim1:i=0 dim2:i=1 -> A
diagonal_backward grad_output:T input_sizes:z offset:i dim1:i dim2:i -> T
diagonal_backward.out grad_output:T input_sizes:z offset:i dim1:i dim2:i * out:T! -> A
diagonal_copy self:T offset:i=0 dim1:i=0 dim2:i=1 -> T
diagonal_copy.out self:T offset:i=0 dim1:i=0 dim2:i=1 * out:T! -> A
diagonal_scatter self:T src:T offset:i=0 dim1:i=0 dim2:i=1 -> T
diagonal_scatter.out self:T src:T offset:i=0 dim1:i=0 dim2:i=1 * out:T! -> A
diff self:T n:i=1 dim:i=-1 prepend:T=None append:T=None -> T
diff.out self:T n:i=1 dim:i=-1 prepend:T=None append:T=None * out:T! -> A
digamma self:T -> T
digamma.out self:T * out:T! -> A
digamma_ self:T! -> A
dim self:T -> i
dist self:T other:T p:n=2 -> T
dist.out self:T other:T p:n=2 * out:T! -> A
div.Scalar self:T other:n -> T
div.Scalar_mode self:T other:n * rounding_mode:s -> T
div.Scalar_mode_out self:T other:n * rounding_mode:s out:T! -> A
div.Scalar_out self:T other:n * out:T! -> A
div.Tensor self:T other:T -> T
div.Tensor_mode self:T other:T * rounding_mode:s -> T
div.out self:T other:T * out:T! -> A
div.out_mode self:T other:T * rounding_mode:s out:T! -> A
div_.Scalar self:T! other:n -> A
div_.Scalar_mode self:T! other:n * rounding_mode:s -> A
div_.Tensor self:T! other:T -> A
div_.Tensor_mode self:T! other:T * rounding_mode:s -> A
divide.Scalar self:T other:n -> T
divide.Scalar_mode self:T other:n * rounding_mode:s -> T
divide.Tensor self:T other:T -> T
divide.Tensor_mode self:T other:T * rounding_mode:s -> T
divide.out self:T other:T * out:T! -> A
divide.out_mode self:T other:T * rounding_mode:s out:T! -> A
divide_.Scalar self:T! other:n -> A
divide_.Scalar_mode self:T! other:n * rounding_mode:s -> A
divide_.Tensor self:T! other:T -> A
divide_.Tensor_mode self:T! other:T * rounding_mode:s -> A
dot self:T tensor:T -> T
dot.out self:T tensor:T * out:T! -> A
dropout input:T p:f train:b -> T
dropout_ self:T! p:f train:b -> A
dsplit.array self:T indices:z -> M
dsplit.int self:T sections:i -> M
dstack tensors:L -> T
dstack.out tensors:L * out:T! -> A
einsum equation:s tensors:L * path:z=None -> T
elu self:T alpha:n=1 scale:n=1 input_scale:n=1 -> T
elu.out self:T alpha:n=1 scale:n=1 input_scale:n=1 * out:T! -> A
elu_ self:T! alpha:n=1 scale:n=1 input_scale:n=1 -> A
elu_backward grad_output:T alpha:n scale:n input_scale:n is_result:b self_or_result:T -> T
elu_backward.grad_input grad_output:T alpha:n scale:n input_scale:n is_result:b self_or_result:T * grad_input:T! -> A
embedding weight:T indices:T padding_idx:i=-1 scale_grad_by_freq:b=False sparse:b=False -> T
embedding.out weight:T indices:T padding_idx:i=-1 scale_grad_by_freq:b=False sparse:b=False * out:T! -> A
embedding_backward grad:T indices:T num_weights:i padding_idx:i scale_grad_by_freq:b sparse:b -> T
embedding_bag weight:T indices:T offsets:T scale_grad_by_freq:b=False mode:i=0 sparse:b=False per_sample_weights:T=None include_last_offset:b=False -> TTTT
embedding_bag.padding_idx weight:T indices:T offsets:T scale_grad_by_freq:b mode:i sparse:b per_sample_weights:T include_last_offset:b padding_idx:i -> TTTT
embedding_dense_backward grad_output:T indices:T num_weights:i padding_idx:i scale_grad_by_freq:b -> T
embedding_dense_backward.out grad_output:T indices:T num_weights:i padding_idx:i scale_grad_by_freq:b * out:T! -> A
embedding_renorm self:T indices:T max_norm:f norm_type:f -> T
embedding_renorm.out self:T indices:T max_norm:f norm_type:f * out:T! -> A
embedding_renorm_ self:T! indices:T max_norm:f norm_type:f -> A
embedding_sparse_backward grad:T indices:T num_weights:i padding_idx:i scale_grad_by_freq:b -> T
empty.memory_format size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
empty.out size:z * memory_format:i=None out:T! -> A
empty_like self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
empty_like.out self:T * memory_format:i=None out:T! -> A
empty_permuted size:z physical_layout:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
empty_permuted.out size:z physical_layout:z * out:T! -> A
empty_quantized size:z qtensor:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
empty_quantized.out size:z qtensor:T * memory_format:i=None out:T! -> A
empty_strided size:z stride:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
empty_strided.out size:z stride:z * out:T! -> A
eq.Scalar self:T other:n -> T
eq.Scalar_out self:T other:n * out:T! -> A
eq.Tensor self:T other:T -> T
eq.Tensor_out self:T other:T * out:T! -> A
eq_.Scalar self:T! other:n -> A
eq_.Tensor self:T! other:T -> A
equal self:T other:T -> b
erf self:T -> T
erf.out self:T * out:T! -> A
erf_ self:T! -> A
erfc self:T -> T
erfc.out self:T * out:T! -> A
erfc_ self:T! -> A
erfinv self:T -> T
erfinv.out self:T * out:T! -> A
erfinv_ self:T! -> A
exp self:T -> T
exp.out self:T * out:T! -> A
exp2 self:T -> T
exp2.out self:T * out:T! -> A
exp2_ self:T! -> A
exp_ self:T! -> A
expand self:T size:z * implicit:b=False -> A
expand_as self:T other:T -> A
expand_copy self:T size:z * implicit:b=False -> T
expand_copy.out self:T size:z * implicit:b=False out:T! -> A
expm1 self:T -> T
expm1.out self:T * out:T! -> A
expm1_ self:T! -> A
exponential self:T lambd:f=1.0 * generator=None -> T
exponential.out self:T lambd:f=1.0 * generator=None out:T! -> A
exponential_ self:T! lambd:f=1.0 * generator=None -> A
eye n:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
eye.m n:i m:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
eye.m_out n:i m:i * out:T! -> A
eye.out n:i * out:T! -> A
fake_quantize_per_channel_affine self:T scale:T zero_point:T axis:i quant_min:i quant_max:i -> T
fake_quantize_per_channel_affine_cachemask self:T scale:T zero_point:T axis:i quant_min:i quant_max:i -> TT
fake_quantize_per_channel_affine_cachemask.out self:T scale:T zero_point:T axis:i quant_min:i quant_max:i * out0:T! out1:T! -> AA
fake_quantize_per_channel_affine_cachemask_backward grad:T mask:T -> T
fake_quantize_per_tensor_affine self:T scale:f zero_point:i quant_min:i quant_max:i -> T
fake_quantize_per_tensor_affine.tensor_qparams self:T scale:T zero_point:T quant_min:i quant_max:i -> T
fake_quantize_per_tensor_affine_cachemask self:T scale:f zero_point:i quant_min:i quant_max:i -> TT
fake_quantize_per_tensor_affine_cachemask.out self:T scale:f zero_point:i quant_min:i quant_max:i * out0:T! out1:T! -> AA
fake_quantize_per_tensor_affine_cachemask_backward grad:T mask:T -> T
fbgemm_linear_fp16_weight input:T packed_weight:T bias:T -> T
fbgemm_linear_fp16_weight.out input:T packed_weight:T bias:T output:T! -> T
fbgemm_linear_fp16_weight_fp32_activation input:T packed_weight:T bias:T -> T
fbgemm_linear_fp16_weight_fp32_activation.out input:T packed_weight:T bias:T output:T! -> T
fbgemm_linear_int8_weight input:T weight:T packed:T col_offsets:T weight_scale:n weight_zero_point:n bias:T -> T
fbgemm_linear_int8_weight_fp32_activation input:T weight:T packed:T col_offsets:T weight_scale:n weight_zero_point:n bias:T -> T
fbgemm_linear_quantize_weight input:T -> TTfi
fbgemm_pack_gemm_matrix_fp16 input:T -> T
fbgemm_pack_quantized_matrix input:T -> T
fbgemm_pack_quantized_matrix.KN input:T K:i N:i -> T
feature_alpha_dropout input:T p:f train:b -> T
feature_alpha_dropout_ self:T! p:f train:b -> A
feature_dropout input:T p:f train:b -> T
feature_dropout_ self:T! p:f train:b -> A
fft_fft self:T n:i=None dim:i=-1 norm:s=None -> T
fft_fft.out self:T n:i=None dim:i=-1 norm:s=None * out:T! -> A
fft_fft2 self:T s:z=None dim:z= norm:s=None -> T
fft_fft2.out self:T s:z=None dim:z= norm:s=None * out:T! -> A
fft_fftfreq n:i d:f=1.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
fft_fftfreq.out n:i d:f=1.0 * out:T! -> A
fft_fftn self:T s:z=None dim:z=None norm:s=None -> T
fft_fftn.out self:T s:z=None dim:z=None norm:s=None * out:T! -> A
fft_fftshift self:T dim:z=None -> T
fft_hfft self:T n:i=None dim:i=-1 norm:s=None -> T
fft_hfft.out self:T n:i=None dim:i=-1 norm:s=None * out:T! -> A
fft_hfft2 self:T s:z=None dim:z= norm:s=None -> T
fft_hfft2.out self:T s:z=None dim:z= norm:s=None * out:T! -> A
fft_hfftn self:T s:z=None dim:z=None norm:s=None -> T
fft_hfftn.out self:T s:z=None dim:z=None norm:s=None * out:T! -> A
fft_ifft self:T n:i=None dim:i=-1 norm:s=None -> T
fft_ifft.out self:T n:i=None dim:i=-1 norm:s=None * out:T! -> A
fft_ifft2 self:T s:z=None dim:z= norm:s=None -> T
fft_ifft2.out self:T s:z=None dim:z= norm:s=None * out:T! -> A
fft_ifftn self:T s:z=None dim:z=None norm:s=None -> T
fft_ifftn.out self:T s:z=None dim:z=None norm:s=None * out:T! -> A
fft_ifftshift self:T dim:z=None -> T
fft_ihfft self:T n:i=None dim:i=-1 norm:s=None -> T
fft_ihfft.out self:T n:i=None dim:i=-1 norm:s=None * out:T! -> A
fft_ihfft2 self:T s:z=None dim:z= norm:s=None -> T
fft_ihfft2.out self:T s:z=None dim:z= norm:s=None * out:T! -> A
fft_ihfftn self:T s:z=None dim:z=None norm:s=None -> T
fft_ihfftn.out self:T s:z=None dim:z=None norm:s=None * out:T! -> A
fft_irfft self:T n:i=None dim:i=-1 norm:s=None -> T
fft_irfft.out self:T n:i=None dim:i=-1 norm:s=None * out:T! -> A
fft_irfft2 self:T s:z=None dim:z= norm:s=None -> T
fft_irfft2.out self:T s:z=None dim:z= norm:s=None * out:T! -> A
fft_irfftn self:T s:z=None dim:z=None norm:s=None -> T
fft_irfftn.out self:T s:z=None dim:z=None norm:s=None * out:T! -> A
fft_rfft self:T n:i=None dim:i=-1 norm:s=None -> T
fft_rfft.out self:T n:i=None dim:i=-1 norm:s=None * out:T! -> A
fft_rfft2 self:T s:z=None dim:z= norm:s=None -> T
fft_rfft2.out self:T s:z=None dim:z= norm:s=None * out:T! -> A
fft_rfftfreq n:i d:f=1.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
fft_rfftfreq.out n:i d:f=1.0 * out:T! -> A
fft_rfftn self:T s:z=None dim:z=None norm:s=None -> T
fft_rfftn.out self:T s:z=None dim:z=None norm:s=None * out:T! -> A
fill.Scalar self:T value:n -> T
fill.Scalar_out self:T value:n * out:T! -> A
fill.Tensor self:T value:T -> T
fill.Tensor_out self:T value:T * out:T! -> A
fill_.Scalar self:T! value:n -> A
fill_.Tensor self:T! value:T -> A
fill_diagonal_ self:T! fill_value:n wrap:b=False -> A
fix self:T -> T
fix.out self:T * out:T! -> A
fix_ self:T! -> A
flatten.using_ints self:T start_dim:i=0 end_dim:i=-1 -> A
flatten_dense_tensors tensors:L -> T
flip self:T dims:z -> T
flip.out self:T dims:z * out:T! -> A
fliplr self:T -> T
flipud self:T -> T
float_power.Scalar self:n exponent:T -> T
float_power.Scalar_out self:n exponent:T * out:T! -> A
float_power.Tensor_Scalar self:T exponent:n -> T
float_power.Tensor_Scalar_out self:T exponent:n * out:T! -> A
float_power.Tensor_Tensor self:T exponent:T -> T
float_power.Tensor_Tensor_out self:T exponent:T * out:T! -> A
float_power_.Scalar self:T! exponent:n -> A
float_power_.Tensor self:T! exponent:T -> A
floor self:T -> T
floor.out self:T * out:T! -> A
floor_ self:T! -> A
floor_divide self:T other:T -> T
floor_divide.Scalar self:T other:n -> T
floor_divide.Scalar_out self:T other:n * out:T! -> A
floor_divide.out self:T other:T * out:T! -> A
floor_divide_.Scalar self:T! other:n -> A
floor_divide_.Tensor self:T! other:T -> A
fmax self:T other:T -> T
fmax.out self:T other:T * out:T! -> A
fmin self:T other:T -> T
fmin.out self:T other:T * out:T! -> A
fmod.Scalar self:T other:n -> T
fmod.Scalar_out self:T other:n * out:T! -> A
fmod.Tensor self:T other:T -> T
fmod.Tensor_out self:T other:T * out:T! -> A
fmod_.Scalar self:T! other:n -> A
fmod_.Tensor self:T! other:T -> A
frac self:T -> T
frac.out self:T * out:T! -> A
frac_ self:T! -> A
fractional_max_pool2d self:T kernel_size:z output_size:z random_samples:T -> TT
fractional_max_pool2d.output self:T kernel_size:z output_size:z random_samples:T * output:T! indices:T! -> AA
fractional_max_pool2d_backward grad_output:T self:T kernel_size:z output_size:z indices:T -> T
fractional_max_pool2d_backward.grad_input grad_output:T self:T kernel_size:z output_size:z indices:T * grad_input:T! -> A
fractional_max_pool3d self:T kernel_size:z output_size:z random_samples:T -> TT
fractional_max_pool3d.output self:T kernel_size:z output_size:z random_samples:T * output:T! indices:T! -> AA
fractional_max_pool3d_backward grad_output:T self:T kernel_size:z output_size:z indices:T -> T
fractional_max_pool3d_backward.grad_input grad_output:T self:T kernel_size:z output_size:z indices:T * grad_input:T! -> A
frexp.Tensor self:T -> TT
frexp.Tensor_out self:T * mantissa:T! exponent:T! -> AA
frobenius_norm.dim self:T dim:z keepdim:b=False -> T
frobenius_norm.out self:T dim:z keepdim:b=False * out:T! -> A
from_file filename:s shared:b=None size:i=0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
from_file.out filename:s shared:b=None size:i=0 * out:T! -> A
full size:z fill_value:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
full.out size:z fill_value:n * out:T! -> A
full_like self:T fill_value:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
full_like.out self:T fill_value:n * memory_format:i=None out:T! -> A
fused_moving_avg_obs_fake_quant self:T observer_on:T fake_quant_on:T running_min:T! running_max:T! scale:T! zero_point:T! averaging_const:f quant_min:i quant_max:i ch_axis:i per_row_fake_quant:b=False symmetric_quant:b=False -> T
gather self:T dim:i index:T * sparse_grad:b=False -> T
gather.out self:T dim:i index:T * sparse_grad:b=False out:T! -> A
gather_backward grad:T self:T dim:i index:T sparse_grad:b -> T
gcd self:T other:T -> T
gcd.out self:T other:T * out:T! -> A
gcd_ self:T! other:T -> A
ge.Scalar self:T other:n -> T
ge.Scalar_out self:T other:n * out:T! -> A
ge.Tensor self:T other:T -> T
ge.Tensor_out self:T other:T * out:T! -> A
ge_.Scalar self:T! other:n -> A
ge_.Tensor self:T! other:T -> A
gelu self:T * approximate:s='none' -> T
gelu.out self:T * approximate:s='none' out:T! -> A
gelu_ self:T! * approximate:s='none' -> A
gelu_backward grad_output:T self:T * approximate:s='none' -> T
gelu_backward.grad_input grad_output:T self:T * approximate:s='none' grad_input:T! -> A
geometric self:T p:f * generator=None -> T
geometric.out self:T p:f * generator=None out:T! -> A
geometric_ self:T! p:f * generator=None -> A
geqrf self:T -> TT
geqrf.a self:T * a:T! tau:T! -> AA
ger self:T vec2:T -> T
ger.out self:T vec2:T * out:T! -> A
get_device self:T -> i
get_gradients context_id:i
glu self:T dim:i=-1 -> T
glu.out self:T dim:i=-1 * out:T! -> A
glu_backward grad_output:T self:T dim:i -> T
glu_backward.grad_input grad_output:T self:T dim:i * grad_input:T! -> A
glu_backward_jvp grad_x:T grad_glu:T x:T dgrad_glu:T dx:T dim:i -> T
glu_backward_jvp.out grad_x:T grad_glu:T x:T dgrad_glu:T dx:T dim:i * out:T! -> A
glu_jvp glu:T x:T dx:T dim:i -> T
glu_jvp.out glu:T x:T dx:T dim:i * out:T! -> A
gradient.array self:T * dim:z edge_order:i=1 -> L
gradient.scalararray self:T * spacing:n dim:z edge_order:i=1 -> L
gradient.scalarint self:T * spacing:n=None dim:i=None edge_order:i=1 -> L
gradient.scalarrayarray self:T * spacing dim:z edge_order:i=1 -> L
gradient.scalarrayint self:T * spacing dim:i=None edge_order:i=1 -> L
gradient.tensorarray self:T * spacing:L dim:z edge_order:i=1 -> L
gradient.tensorarrayint self:T * spacing:L dim:i=None edge_order:i=1 -> L
greater.Scalar self:T other:n -> T
greater.Scalar_out self:T other:n * out:T! -> A
greater.Tensor self:T other:T -> T
greater.Tensor_out self:T other:T * out:T! -> A
greater_.Scalar self:T! other:n -> A
greater_.Tensor self:T! other:T -> A
greater_equal.Scalar self:T other:n -> T
greater_equal.Scalar_out self:T other:n * out:T! -> A
greater_equal.Tensor self:T other:T -> T
greater_equal.Tensor_out self:T other:T * out:T! -> A
greater_equal_.Scalar self:T! other:n -> A
greater_equal_.Tensor self:T! other:T -> A
grid_sampler input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
grid_sampler_2d input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
grid_sampler_2d.out input:T grid:T interpolation_mode:i padding_mode:i align_corners:b * out:T! -> A
grid_sampler_2d_backward grad_output:T input:T grid:T interpolation_mode:i padding_mode:i align_corners:b output_mask -> TT
grid_sampler_2d_backward.out grad_output:T input:T grid:T interpolation_mode:i padding_mode:i align_corners:b output_mask * out0:T! out1:T! -> AA
grid_sampler_3d input:T grid:T interpolation_mode:i padding_mode:i align_corners:b -> T
grid_sampler_3d.out input:T grid:T interpolation_mode:i padding_mode:i align_corners:b * out:T! -> A
grid_sampler_3d_backward grad_output:T input:T grid:T interpolation_mode:i padding_mode:i align_corners:b output_mask -> TT
grid_sampler_3d_backward.out grad_output:T input:T grid:T interpolation_mode:i padding_mode:i align_corners:b output_mask * out0:T! out1:T! -> AA
group_norm input:T num_groups:i weight:T=None bias:T=None eps:f=1e-05 cudnn_enabled:b=True -> T
gru.data data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT
gru.input input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
gru_cell input:T hx:T w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> T
gt.Scalar self:T other:n -> T
gt.Scalar_out self:T other:n * out:T! -> A
gt.Tensor self:T other:T -> T
gt.Tensor_out self:T other:T * out:T! -> A
gt_.Scalar self:T! other:n -> A
gt_.Tensor self:T! other:T -> A
hamming_window window_length:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
hamming_window.out window_length:i * out:T! -> A
hamming_window.periodic window_length:i periodic:b * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
hamming_window.periodic_alpha window_length:i periodic:b alpha:f * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
hamming_window.periodic_alpha_beta window_length:i periodic:b alpha:f beta:f * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
hamming_window.periodic_alpha_beta_out window_length:i periodic:b alpha:f beta:f * out:T! -> A
hamming_window.periodic_alpha_out window_length:i periodic:b alpha:f * out:T! -> A
hamming_window.periodic_out window_length:i periodic:b * out:T! -> A
hann_window window_length:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
hann_window.out window_length:i * out:T! -> A
hann_window.periodic window_length:i periodic:b * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
hann_window.periodic_out window_length:i periodic:b * out:T! -> A
hardshrink self:T lambd:n=0.5 -> T
hardshrink.out self:T lambd:n=0.5 * out:T! -> A
hardshrink_backward grad_out:T self:T lambd:n -> T
hardshrink_backward.grad_input grad_out:T self:T lambd:n * grad_input:T! -> A
hardsigmoid self:T -> T
hardsigmoid.out self:T * out:T! -> A
hardsigmoid_ self:T! -> A
hardsigmoid_backward grad_output:T self:T -> T
hardsigmoid_backward.grad_input grad_output:T self:T * grad_input:T! -> A
hardswish self:T -> T
hardswish.out self:T * out:T! -> A
hardswish_ self:T! -> A
hardswish_backward grad_output:T self:T -> T
hardswish_backward.out grad_output:T self:T * out:T! -> A
hardtanh self:T min_val:n=-1 max_val:n=1 -> T
hardtanh.out self:T min_val:n=-1 max_val:n=1 * out:T! -> A
hardtanh_ self:T! min_val:n=-1 max_val:n=1 -> A
hardtanh_backward grad_output:T self:T min_val:n max_val:n -> T
hardtanh_backward.grad_input grad_output:T self:T min_val:n max_val:n * grad_input:T! -> A
hash_tensor self:T dim:z= * keepdim:b=False mode:i=0 -> T
hash_tensor.out self:T dim:z= * keepdim:b=False mode:i=0 out:T! -> A
heaviside self:T values:T -> T
heaviside.out self:T values:T * out:T! -> A
heaviside_ self:T! values:T -> A
hinge_embedding_loss self:T target:T margin:f=1.0 reduction:i=1 -> T
histc self:T bins:i=100 min:n=0 max:n=0 -> T
histc.out self:T bins:i=100 min:n=0 max:n=0 * out:T! -> A
histogram.bin_ct self:T bins:i=100 * range=None weight:T=None density:b=False -> TT
histogram.bin_ct_out self:T bins:i=100 * range=None weight:T=None density:b=False hist:T! bin_edges:T! -> AA
histogram.bins_tensor self:T bins:T * weight:T=None density:b=False -> TT
histogram.bins_tensor_out self:T bins:T * weight:T=None density:b=False hist:T! bin_edges:T! -> AA
histogramdd self:T bins:z range=None weight:T=None density:b=False -> TL
histogramdd.TensorList_bins self:T bins:L range=None weight:T=None density:b=False -> TL
histogramdd.int_bins self:T bins:i range=None weight:T=None density:b=False -> TL
hsplit.array self:T indices:z -> M
hsplit.int self:T sections:i -> M
hspmm mat1:T mat2:T -> T
hspmm.out mat1:T mat2:T * out:T! -> A
hstack tensors:L -> T
hstack.out tensors:L * out:T! -> A
huber_loss self:T target:T reduction:i=1 delta:f=1.0 -> T
huber_loss.out self:T target:T reduction:i=1 delta:f=1.0 * out:T! -> A
huber_loss_backward grad_output:T self:T target:T reduction:i delta:f -> T
huber_loss_backward.out grad_output:T self:T target:T reduction:i delta:f * grad_input:T! -> A
hypot self:T other:T -> T
hypot.out self:T other:T * out:T! -> A
hypot_ self:T! other:T -> A
i0 self:T -> T
i0.out self:T * out:T! -> A
i0_ self:T! -> A
igamma self:T other:T -> T
igamma.out self:T other:T * out:T! -> A
igamma_ self:T! other:T -> A
igammac self:T other:T -> T
igammac.out self:T other:T * out:T! -> A
igammac_ self:T! other:T -> A
im2col self:T kernel_size:z dilation:z padding:z stride:z -> T
im2col.out self:T kernel_size:z dilation:z padding:z stride:z * out:T! -> A
imag self:T -> A
index.Tensor self:T indices:L -> T
index.Tensor_out self:T indices:L * out:T! -> A
index_add self:T dim:i index:T source:T * alpha:n=1 -> T
index_add.out self:T dim:i index:T source:T * alpha:n=1 out:T! -> A
index_add_ self:T! dim:i index:T source:T * alpha:n=1 -> A
index_copy self:T dim:i index:T source:T -> T
index_copy.out self:T dim:i index:T source:T * out:T! -> A
index_copy_ self:T! dim:i index:T source:T -> A
index_fill.int_Scalar self:T dim:i index:T value:n -> T
index_fill.int_Scalar_out self:T dim:i index:T value:n * out:T! -> A
index_fill.int_Tensor self:T dim:i index:T value:T -> T
index_fill.int_Tensor_out self:T dim:i index:T value:T * out:T! -> A
index_fill_.int_Scalar self:T! dim:i index:T value:n -> A
index_fill_.int_Tensor self:T! dim:i index:T value:T -> A
index_put self:T indices:L values:T accumulate:b=False -> T
index_put.out self:T indices:L values:T accumulate:b=False * out:T! -> A
index_put_ self:T! indices:L values:T accumulate:b=False -> A
index_reduce self:T dim:i index:T source:T reduce:s * include_self:b=True -> T
index_reduce.out self:T dim:i index:T source:T reduce:s * include_self:b=True out:T! -> A
index_reduce_ self:T! dim:i index:T source:T reduce:s * include_self:b=True -> A
index_select self:T dim:i index:T -> T
index_select.out self:T dim:i index:T * out:T! -> A
index_select_backward grad:T self_sizes:z dim:i index:T -> T
indices self:T -> A
indices_copy self:T -> T
indices_copy.out self:T * out:T! -> A
infinitely_differentiable_gelu_backward grad:T self:T -> T
inner self:T other:T -> T
inner.out self:T other:T * out:T! -> A
instance_norm input:T weight:T bias:T running_mean:T running_var:T use_input_stats:b momentum:f eps:f cudnn_enabled:b -> T
int_repr self:T -> T
int_repr.out self:T * out:T! -> A
inverse self:T -> T
inverse.out self:T * out:T! -> A
is_coalesced self:T -> b
is_complex self:T -> b
is_conj self:T -> b
is_contiguous self:T -> b
is_contiguous.memory_format self:T memory_format:i -> b
is_distributed self:T -> b
is_floating_point self:T -> b
is_inference self:T -> b
is_leaf self:T -> b
is_neg self:T -> b
is_nonzero self:T -> b
is_pinned self:T device:V=None -> b
is_same_size self:T other:T -> b
is_set_to self:T tensor:T -> b
is_signed self:T -> b
isclose self:T other:T rtol:f=1e-05 atol:f=1e-08 equal_nan:b=False -> T
isfinite self:T -> T
isin.Scalar_Tensor element:n test_elements:T * assume_unique:b=False invert:b=False -> T
isin.Scalar_Tensor_out element:n test_elements:T * assume_unique:b=False invert:b=False out:T! -> A
isin.Tensor_Scalar elements:T test_element:n * assume_unique:b=False invert:b=False -> T
isin.Tensor_Scalar_out elements:T test_element:n * assume_unique:b=False invert:b=False out:T! -> A
isin.Tensor_Tensor elements:T test_elements:T * assume_unique:b=False invert:b=False -> T
isin.Tensor_Tensor_out elements:T test_elements:T * assume_unique:b=False invert:b=False out:T! -> A
isinf self:T -> T
isinf.out self:T * out:T! -> A
isnan self:T -> T
isnan.out self:T * out:T! -> A
isneginf self:T -> T
isneginf.out self:T * out:T! -> A
isposinf self:T -> T
isposinf.out self:T * out:T! -> A
isreal self:T -> T
istft self:T n_fft:i hop_length:i=None win_length:i=None window:T=None center:b=True normalized:b=False onesided:b=None length:i=None return_complex:b=False -> T
item self:T -> n
kaiser_window window_length:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
kaiser_window.beta window_length:i periodic:b beta:f * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
kaiser_window.beta_out window_length:i periodic:b beta:f * out:T! -> A
kaiser_window.out window_length:i * out:T! -> A
kaiser_window.periodic window_length:i periodic:b * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
kaiser_window.periodic_out window_length:i periodic:b * out:T! -> A
kl_div self:T target:T reduction:i=1 * log_target:b=False -> T
kron self:T other:T -> T
kron.out self:T other:T * out:T! -> A
kthvalue self:T k:i dim:i=-1 keepdim:b=False -> TT
kthvalue.values self:T k:i dim:i=-1 keepdim:b=False * values:T! indices:T! -> AA
l1_loss self:T target:T reduction:i=1 -> T
layer_norm input:T normalized_shape:z weight:T=None bias:T=None eps:f=1e-05 cudnn_enable:b=True -> T
lcm self:T other:T -> T
lcm.out self:T other:T * out:T! -> A
lcm_ self:T! other:T -> A
ldexp.Tensor self:T other:T -> T
ldexp.out self:T other:T * out:T! -> A
ldexp_ self:T! other:T -> A
le.Scalar self:T other:n -> T
le.Scalar_out self:T other:n * out:T! -> A
le.Tensor self:T other:T -> T
le.Tensor_out self:T other:T * out:T! -> A
le_.Scalar self:T! other:n -> A
le_.Tensor self:T! other:T -> A
leaky_relu self:T negative_slope:n=0.01 -> T
leaky_relu.out self:T negative_slope:n=0.01 * out:T! -> A
leaky_relu_ self:T! negative_slope:n=0.01 -> A
leaky_relu_backward grad_output:T self:T negative_slope:n self_is_result:b -> T
leaky_relu_backward.grad_input grad_output:T self:T negative_slope:n self_is_result:b * grad_input:T! -> A
lerp.Scalar self:T end:T weight:n -> T
lerp.Scalar_out self:T end:T weight:n * out:T! -> A
lerp.Tensor self:T end:T weight:T -> T
lerp.Tensor_out self:T end:T weight:T * out:T! -> A
lerp_.Scalar self:T! end:T weight:n -> A
lerp_.Tensor self:T! end:T weight:T -> A
less.Scalar self:T other:n -> T
less.Scalar_out self:T other:n * out:T! -> A
less.Tensor self:T other:T -> T
less.Tensor_out self:T other:T * out:T! -> A
less_.Scalar self:T! other:n -> A
less_.Tensor self:T! other:T -> A
less_equal.Scalar self:T other:n -> T
less_equal.Scalar_out self:T other:n * out:T! -> A
less_equal.Tensor self:T other:T -> T
less_equal.Tensor_out self:T other:T * out:T! -> A
less_equal_.Scalar self:T! other:n -> A
less_equal_.Tensor self:T! other:T -> A
lgamma self:T -> T
lgamma.out self:T * out:T! -> A
lgamma_ self:T! -> A
lift self:T -> T
lift.out self:T * out:T! -> A
lift_fresh self:T -> A
lift_fresh_copy self:T -> T
lift_fresh_copy.out self:T * out:T! -> A
linalg__powsum self:T ord:n=2 dim:z=None keepdim:b=False * dtype:i=None -> T
linalg_cholesky self:T * upper:b=False -> T
linalg_cholesky.out self:T * upper:b=False out:T! -> A
linalg_cholesky_ex self:T * upper:b=False check_errors:b=False -> TT
linalg_cholesky_ex.L self:T * upper:b=False check_errors:b=False L:T! info:T! -> AA
linalg_cond self:T p:n=None -> T
linalg_cond.out self:T p:n=None * out:T! -> A
linalg_cond.p_str self:T p:s -> T
linalg_cond.p_str_out self:T p:s * out:T! -> A
linalg_cross self:T other:T * dim:i=-1 -> T
linalg_cross.out self:T other:T * dim:i=-1 out:T! -> A
linalg_det A:T -> T
linalg_det.out A:T * out:T! -> A
linalg_diagonal A:T * offset:i=0 dim1:i=-2 dim2:i=-1 -> A
linalg_eig self:T -> TT
linalg_eig.out self:T * eigenvalues:T! eigenvectors:T! -> AA
linalg_eigh self:T UPLO:s='L' -> TT
linalg_eigh.eigvals self:T UPLO:s='L' * eigvals:T! eigvecs:T! -> AA
linalg_eigvals self:T -> T
linalg_eigvals.out self:T * out:T! -> A
linalg_eigvalsh self:T UPLO:s='L' -> T
linalg_eigvalsh.out self:T UPLO:s='L' * out:T! -> A
linalg_householder_product input:T tau:T -> T
linalg_householder_product.out input:T tau:T * out:T! -> A
linalg_inv A:T -> T
linalg_inv.out A:T * out:T! -> A
linalg_inv_ex A:T * check_errors:b=False -> TT
linalg_inv_ex.inverse A:T * check_errors:b=False inverse:T! info:T! -> AA
linalg_ldl_factor self:T * hermitian:b=False -> TT
linalg_ldl_factor.out self:T * hermitian:b=False LD:T! pivots:T! -> AA
linalg_ldl_factor_ex self:T * hermitian:b=False check_errors:b=False -> TTT
linalg_ldl_factor_ex.out self:T * hermitian:b=False check_errors:b=False LD:T! pivots:T! info:T! -> AAA
linalg_ldl_solve LD:T pivots:T B:T * hermitian:b=False -> T
linalg_ldl_solve.out LD:T pivots:T B:T * hermitian:b=False out:T! -> A
linalg_lstsq self:T b:T rcond:f=None * driver:s=None -> TTTT
linalg_lstsq.out self:T b:T rcond:f=None * driver:s=None solution:T! residuals:T! rank:T! singular_values:T! -> AAAA
linalg_lu A:T * pivot:b=True -> TTT
linalg_lu.out A:T * pivot:b=True P:T! L:T! U:T! -> AAA
linalg_lu_factor A:T * pivot:b=True -> TT
linalg_lu_factor.out A:T * pivot:b=True LU:T! pivots:T! -> AA
linalg_lu_factor_ex A:T * pivot:b=True check_errors:b=False -> TTT
linalg_lu_factor_ex.out A:T * pivot:b=True check_errors:b=False LU:T! pivots:T! info:T! -> AAA
linalg_lu_solve LU:T pivots:T B:T * left:b=True adjoint:b=False -> T
linalg_lu_solve.out LU:T pivots:T B:T * left:b=True adjoint:b=False out:T! -> A
linalg_matmul self:T other:T -> T
linalg_matmul.out self:T other:T * out:T! -> A
linalg_matrix_exp self:T -> T
linalg_matrix_exp.out self:T * out:T! -> A
linalg_matrix_norm self:T ord:n dim:z= keepdim:b=False * dtype:i=None -> T
linalg_matrix_norm.out self:T ord:n dim:z= keepdim:b=False * dtype:i=None out:T! -> A
linalg_matrix_norm.str_ord self:T ord:s='fro' dim:z= keepdim:b=False * dtype:i=None -> T
linalg_matrix_norm.str_ord_out self:T ord:s='fro' dim:z= keepdim:b=False * dtype:i=None out:T! -> A
linalg_matrix_power self:T n:i -> T
linalg_matrix_power.out self:T n:i * out:T! -> A
linalg_matrix_rank self:T tol:f hermitian:b=False -> T
linalg_matrix_rank.atol_rtol_float self:T * atol:f=None rtol:f=None hermitian:b=False -> T
linalg_matrix_rank.atol_rtol_float_out self:T * atol:f=None rtol:f=None hermitian:b=False out:T! -> A
linalg_matrix_rank.atol_rtol_tensor input:T * atol:T=None rtol:T=None hermitian:b=False -> T
linalg_matrix_rank.atol_rtol_tensor_out input:T * atol:T=None rtol:T=None hermitian:b=False out:T! -> A
linalg_matrix_rank.out self:T tol:f hermitian:b=False * out:T! -> A
linalg_matrix_rank.out_tol_tensor input:T tol:T hermitian:b=False * out:T! -> A
linalg_matrix_rank.tol_tensor input:T tol:T hermitian:b=False -> T
linalg_multi_dot tensors:L -> T
linalg_multi_dot.out tensors:L * out:T! -> A
linalg_norm self:T ord:n=None dim:z=None keepdim:b=False * dtype:i=None -> T
linalg_norm.ord_str self:T ord:s dim:z=None keepdim:b=False * dtype:i=None -> T
linalg_norm.ord_str_out self:T ord:s dim:z=None keepdim:b=False * dtype:i=None out:T! -> A
linalg_norm.out self:T ord:n=None dim:z=None keepdim:b=False * dtype:i=None out:T! -> A
linalg_pinv self:T rcond:f hermitian:b=False -> T
linalg_pinv.atol_rtol_float self:T * atol:f=None rtol:f=None hermitian:b=False -> T
linalg_pinv.atol_rtol_float_out self:T * atol:f=None rtol:f=None hermitian:b=False out:T! -> A
linalg_pinv.atol_rtol_tensor self:T * atol:T=None rtol:T=None hermitian:b=False -> T
linalg_pinv.atol_rtol_tensor_out self:T * atol:T=None rtol:T=None hermitian:b=False out:T! -> A
linalg_pinv.out self:T rcond:f hermitian:b=False * out:T! -> A
linalg_pinv.out_rcond_tensor self:T rcond:T hermitian:b=False * out:T! -> A
linalg_pinv.rcond_tensor self:T rcond:T hermitian:b=False -> T
linalg_qr A:T mode:s='reduced' -> TT
linalg_qr.out A:T mode:s='reduced' * Q:T! R:T! -> AA
linalg_slogdet A:T -> TT
linalg_slogdet.out A:T * sign:T! logabsdet:T! -> AA
linalg_solve A:T B:T * left:b=True -> T
linalg_solve.out A:T B:T * left:b=True out:T! -> A
linalg_solve_ex A:T B:T * left:b=True check_errors:b=False -> TT
linalg_solve_ex.out A:T B:T * left:b=True check_errors:b=False result:T! info:T! -> AA
linalg_solve_triangular self:T B:T * upper:b left:b=True unitriangular:b=False -> T
linalg_solve_triangular.out self:T B:T * upper:b left:b=True unitriangular:b=False out:T! -> A
linalg_svd A:T full_matrices:b=True * driver:s=None -> TTT
linalg_svd.U A:T full_matrices:b=True * driver:s=None U:T! S:T! Vh:T! -> AAA
linalg_svdvals A:T * driver:s=None -> T
linalg_svdvals.out A:T * driver:s=None out:T! -> A
linalg_tensorinv self:T ind:i=2 -> T
linalg_tensorinv.out self:T ind:i=2 * out:T! -> A
linalg_tensorsolve self:T other:T dims:z=None -> T
linalg_tensorsolve.out self:T other:T dims:z=None * out:T! -> A
linalg_vander x:T * N:i=None -> T
linalg_vecdot x:T y:T * dim:i=-1 -> T
linalg_vecdot.out x:T y:T * dim:i=-1 out:T! -> A
linalg_vector_norm self:T ord:n=2 dim:z=None keepdim:b=False * dtype:i=None -> T
linalg_vector_norm.out self:T ord:n=2 dim:z=None keepdim:b=False * dtype:i=None out:T! -> A
linear input:T weight:T bias:T=None -> T
linear.out input:T weight:T bias:T=None * out:T! -> A
linear_backward self:T grad_output:T weight:T output_mask -> TTT
linear_backward.out self:T grad_output:T weight:T output_mask * out0:T! out1:T! out2:T! -> AAA
linspace start:n end:n steps:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
linspace.Scalar_Tensor start:n end:T steps:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
linspace.Scalar_Tensor_out start:n end:T steps:i * out:T! -> A
linspace.Tensor_Scalar start:T end:n steps:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
linspace.Tensor_Scalar_out start:T end:n steps:i * out:T! -> A
linspace.Tensor_Tensor start:T end:T steps:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
linspace.Tensor_Tensor_out start:T end:T steps:i * out:T! -> A
linspace.out start:n end:n steps:i * out:T! -> A
log self:T -> T
log.out self:T * out:T! -> A
log10 self:T -> T
log10.out self:T * out:T! -> A
log10_ self:T! -> A
log1p self:T -> T
log1p.out self:T * out:T! -> A
log1p_ self:T! -> A
log2 self:T -> T
log2.out self:T * out:T! -> A
log2_ self:T! -> A
log_ self:T! -> A
log_normal self:T mean:f=1.0 std:f=2.0 * generator=None -> T
log_normal.out self:T mean:f=1.0 std:f=2.0 * generator=None out:T! -> A
log_normal_ self:T! mean:f=1.0 std:f=2.0 * generator=None -> A
log_sigmoid self:T -> T
log_sigmoid.out self:T * out:T! -> A
log_sigmoid_backward grad_output:T self:T buffer:T -> T
log_sigmoid_backward.grad_input grad_output:T self:T buffer:T * grad_input:T! -> A
log_sigmoid_forward self:T -> TT
log_sigmoid_forward.output self:T * output:T! buffer:T! -> AA
log_softmax.int self:T dim:i dtype:i=None -> T
log_softmax.int_out self:T dim:i dtype:i=None * out:T! -> A
logaddexp self:T other:T -> T
logaddexp.out self:T other:T * out:T! -> A
logaddexp2 self:T other:T -> T
logaddexp2.out self:T other:T * out:T! -> A
logcumsumexp self:T dim:i -> T
logcumsumexp.out self:T dim:i * out:T! -> A
logdet self:T -> T
logical_and self:T other:T -> T
logical_and.out self:T other:T * out:T! -> A
logical_and_ self:T! other:T -> A
logical_not self:T -> T
logical_not.out self:T * out:T! -> A
logical_not_ self:T! -> A
logical_or self:T other:T -> T
logical_or.out self:T other:T * out:T! -> A
logical_or_ self:T! other:T -> A
logical_xor self:T other:T -> T
logical_xor.out self:T other:T * out:T! -> A
logical_xor_ self:T! other:T -> A
logit self:T eps:f=None -> T
logit.out self:T eps:f=None * out:T! -> A
logit_ self:T! eps:f=None -> A
logit_backward grad_output:T self:T eps:f=None -> T
logit_backward.grad_input grad_output:T self:T eps:f=None * grad_input:T! -> A
logspace start:n end:n steps:i base:f=10.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
logspace.Scalar_Tensor start:n end:T steps:i base:f=10.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
logspace.Scalar_Tensor_out start:n end:T steps:i base:f=10.0 * out:T! -> A
logspace.Tensor_Scalar start:T end:n steps:i base:f=10.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
logspace.Tensor_Scalar_out start:T end:n steps:i base:f=10.0 * out:T! -> A
logspace.Tensor_Tensor start:T end:T steps:i base:f=10.0 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
logspace.Tensor_Tensor_out start:T end:T steps:i base:f=10.0 * out:T! -> A
logspace.out start:n end:n steps:i base:f=10.0 * out:T! -> A
logsumexp self:T dim:z keepdim:b=False -> T
logsumexp.out self:T dim:z keepdim:b=False * out:T! -> A
lstm.data data:T batch_sizes:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TTT
lstm.input input:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TTT
lstm_cell input:T hx:L w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> TT
lstm_mps_backward grad_y:T grad_hy:T grad_cy:T z_state:T cell_state_fwd:T input:T layersOutputs:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TLL
lstm_mps_backward.out grad_y:T grad_hy:T grad_cy:T z_state:T cell_state_fwd:T input:T layersOutputs:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b * out0:T! out1:L! out2:L!
lt.Scalar self:T other:n -> T
lt.Scalar_out self:T other:n * out:T! -> A
lt.Tensor self:T other:T -> T
lt.Tensor_out self:T other:T * out:T! -> A
lt_.Scalar self:T! other:n -> A
lt_.Tensor self:T! other:T -> A
lu_solve self:T LU_data:T LU_pivots:T -> T
lu_solve.out self:T LU_data:T LU_pivots:T * out:T! -> A
lu_unpack LU_data:T LU_pivots:T unpack_data:b=True unpack_pivots:b=True -> TTT
lu_unpack.out LU_data:T LU_pivots:T unpack_data:b=True unpack_pivots:b=True * P:T! L:T! U:T! -> AAA
mH self:T -> A
mT self:T -> A
margin_ranking_loss input1:T input2:T target:T margin:f=0.0 reduction:i=1 -> T
masked_fill.Scalar self:T mask:T value:n -> T
masked_fill.Scalar_out self:T mask:T value:n * out:T! -> A
masked_fill.Tensor self:T mask:T value:T -> T
masked_fill.Tensor_out self:T mask:T value:T * out:T! -> A
masked_fill_.Scalar self:T! mask:T value:n -> A
masked_fill_.Tensor self:T! mask:T value:T -> A
masked_scatter self:T mask:T source:T -> T
masked_scatter.out self:T mask:T source:T * out:T! -> A
masked_scatter_ self:T! mask:T source:T -> A
masked_scatter_backward grad_output:T mask:T sizes:z -> T
masked_select self:T mask:T -> T
masked_select.out self:T mask:T * out:T! -> A
masked_select_backward grad:T input:T mask:T -> T
matmul self:T other:T -> T
matmul.out self:T other:T * out:T! -> A
matmul_backward grad:T self:T other:T mask -> TT
matmul_backward.out grad:T self:T other:T mask * out0:T! out1:T! -> AA
matrix_H self:T -> A
matrix_exp self:T -> T
matrix_exp_backward self:T grad:T -> T
matrix_power self:T n:i -> T
matrix_power.out self:T n:i * out:T! -> A
max self:T -> T
max.dim self:T dim:i keepdim:b=False -> TT
max.dim_max self:T dim:i keepdim:b=False * max:T! max_values:T! -> AA
max.other self:T other:T -> T
max.out self:T other:T * out:T! -> A
max.unary_out self:T * out:T! -> A
max_pool1d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
max_pool1d_with_indices self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> TT
max_pool2d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
max_pool2d_backward grad_output:T self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
max_pool2d_backward.out grad_output:T self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
max_pool2d_with_indices self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> TT
max_pool2d_with_indices.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! indices:T! -> AA
max_pool2d_with_indices_backward grad_output:T self:T kernel_size:z stride:z padding:z dilation:z ceil_mode:b indices:T -> T
max_pool2d_with_indices_backward.grad_input grad_output:T self:T kernel_size:z stride:z padding:z dilation:z ceil_mode:b indices:T * grad_input:T! -> A
max_pool3d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
max_pool3d_with_indices self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> TT
max_pool3d_with_indices.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! indices:T! -> AA
max_pool3d_with_indices_backward grad_output:T self:T kernel_size:z stride:z padding:z dilation:z ceil_mode:b indices:T -> T
max_pool3d_with_indices_backward.grad_input grad_output:T self:T kernel_size:z stride:z padding:z dilation:z ceil_mode:b indices:T * grad_input:T! -> A
max_unpool2d self:T indices:T output_size:z -> T
max_unpool2d.out self:T indices:T output_size:z * out:T! -> A
max_unpool3d self:T indices:T output_size:z stride:z padding:z -> T
max_unpool3d.out self:T indices:T output_size:z stride:z padding:z * out:T! -> A
maximum self:T other:T -> T
maximum.out self:T other:T * out:T! -> A
mean self:T * dtype:i=None -> T
mean.dim self:T dim:z keepdim:b=False * dtype:i=None -> T
mean.dtype_out self:T * dtype:i=None out:T! -> A
mean.out self:T dim:z keepdim:b=False * dtype:i=None out:T! -> A
median self:T -> T
median.dim self:T dim:i keepdim:b=False -> TT
median.dim_values self:T dim:i keepdim:b=False * values:T! indices:T! -> AA
median.out self:T * out:T! -> A
meshgrid tensors:L -> L
meshgrid.indexing tensors:L * indexing:s -> L
min self:T -> T
min.dim self:T dim:i keepdim:b=False -> TT
min.dim_min self:T dim:i keepdim:b=False * min:T! min_indices:T! -> AA
min.other self:T other:T -> T
min.out self:T other:T * out:T! -> A
min.unary_out self:T * out:T! -> A
minimum self:T other:T -> T
minimum.out self:T other:T * out:T! -> A
miopen_batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b exponential_average_factor:f epsilon:f -> TTT
miopen_batch_norm.out input:T weight:T bias:T running_mean:T running_var:T training:b exponential_average_factor:f epsilon:f * out0:T! out1:T! out2:T! -> AAA
miopen_batch_norm_backward input:T grad_output:T weight:T running_mean:T running_var:T save_mean:T save_var:T epsilon:f -> TTT
miopen_batch_norm_backward.out input:T grad_output:T weight:T running_mean:T running_var:T save_mean:T save_var:T epsilon:f * out0:T! out1:T! out2:T! -> AAA
miopen_convolution self:T weight:T bias:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b -> T
miopen_convolution.out self:T weight:T bias:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b * out:T! -> A
miopen_convolution_add_relu self:T weight:T z:T alpha:n bias:T stride:z padding:z dilation:z groups:i -> T
miopen_convolution_relu self:T weight:T bias:T stride:z padding:z dilation:z groups:i -> T
miopen_convolution_transpose self:T weight:T bias:T padding:z output_padding:z stride:z dilation:z groups:i benchmark:b deterministic:b -> T
miopen_convolution_transpose.out self:T weight:T bias:T padding:z output_padding:z stride:z dilation:z groups:i benchmark:b deterministic:b * out:T! -> A
miopen_ctc_loss log_probs:T targets:T input_lengths:z target_lengths:z blank:i deterministic:b zero_infinity:b -> TT
miopen_ctc_loss.Tensor log_probs:T targets:T input_lengths:T target_lengths:T blank:i deterministic:b zero_infinity:b -> TT
miopen_ctc_loss.out log_probs:T targets:T input_lengths:z target_lengths:z blank:i deterministic:b zero_infinity:b * out0:T! out1:T! -> AA
miopen_depthwise_convolution self:T weight:T bias:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b -> T
miopen_depthwise_convolution.out self:T weight:T bias:T padding:z stride:z dilation:z groups:i benchmark:b deterministic:b * out:T! -> A
miopen_rnn input:T weight:L weight_stride0:i hx:T cx:T mode:i hidden_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T -> TTTTT
miopen_rnn.out input:T weight:L weight_stride0:i hx:T cx:T mode:i hidden_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T * out0:T! out1:T! out2:T! out3:T! out4:T! -> AAAAA
miopen_rnn_backward input:T weight:L weight_stride0:i weight_buf:T hx:T cx:T output:T grad_output:T grad_hy:T grad_cy:T mode:i hidden_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T reserve:T output_mask -> TTTL
miopen_rnn_backward.out input:T weight:L weight_stride0:i weight_buf:T hx:T cx:T output:T grad_output:T grad_hy:T grad_cy:T mode:i hidden_size:i num_layers:i batch_first:b dropout:f train:b bidirectional:b batch_sizes:z dropout_state:T reserve:T output_mask * out0:T! out1:T! out2:T! out3:L!
mish self:T -> T
mish.out self:T * out:T! -> A
mish_ self:T! -> A
mish_backward grad_output:T self:T -> T
mkldnn_adaptive_avg_pool2d self:T output_size:z -> T
mkldnn_adaptive_avg_pool2d.out self:T output_size:z * out:T! -> A
mkldnn_adaptive_avg_pool2d_backward grad_output:T self:T -> T
mkldnn_adaptive_avg_pool2d_backward.out grad_output:T self:T * out:T! -> A
mkldnn_convolution self:T weight:T bias:T padding:z stride:z dilation:z groups:i -> T
mkldnn_convolution.out self:T weight:T bias:T padding:z stride:z dilation:z groups:i * out:T! -> A
mkldnn_linear self:T weight:T bias:T=None -> T
mkldnn_linear.out self:T weight:T bias:T=None * out:T! -> A
mkldnn_linear_backward self:T grad_output:T weight:T output_mask -> TTT
mkldnn_linear_backward.out self:T grad_output:T weight:T output_mask * out0:T! out1:T! out2:T! -> AAA
mkldnn_linear_backward_input input_size:z grad_output:T weight:T -> T
mkldnn_linear_backward_input.out input_size:z grad_output:T weight:T * out:T! -> A
mkldnn_linear_backward_weights grad_output:T input:T weight:T bias_defined:b -> TT
mkldnn_linear_backward_weights.out grad_output:T input:T weight:T bias_defined:b * out0:T! out1:T! -> AA
mkldnn_max_pool2d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
mkldnn_max_pool2d.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
mkldnn_max_pool2d_backward grad_output:T output:T input:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
mkldnn_max_pool2d_backward.out grad_output:T output:T input:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
mkldnn_max_pool3d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
mkldnn_max_pool3d.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
mkldnn_max_pool3d_backward grad_output:T output:T input:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
mkldnn_max_pool3d_backward.out grad_output:T output:T input:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
mkldnn_reorder_conv2d_weight self:T padding:z= stride:z= dilation:z= groups:i=1 input_size:z=None -> T
mkldnn_reorder_conv2d_weight.out self:T padding:z= stride:z= dilation:z= groups:i=1 input_size:z=None * out:T! -> A
mkldnn_reorder_conv3d_weight self:T padding:z= stride:z= dilation:z= groups:i=1 input_size:z=None -> T
mkldnn_reorder_conv3d_weight.out self:T padding:z= stride:z= dilation:z= groups:i=1 input_size:z=None * out:T! -> A
mkldnn_rnn_layer input:T weight0:T weight1:T weight2:T weight3:T hx_:T cx_:T reverse:b batch_sizes:z mode:i hidden_size:i num_layers:i has_biases:b bidirectional:b batch_first:b train:b -> TTTT
mkldnn_rnn_layer.out input:T weight0:T weight1:T weight2:T weight3:T hx_:T cx_:T reverse:b batch_sizes:z mode:i hidden_size:i num_layers:i has_biases:b bidirectional:b batch_first:b train:b * out0:T! out1:T! out2:T! out3:T! -> AAAA
mkldnn_rnn_layer_backward input:T weight1:T weight2:T weight3:T weight4:T hx_:T cx_tmp:T output:T hy_:T cy_:T grad_output:T grad_hy:T grad_cy:T reverse:b mode:i hidden_size:i num_layers:i has_biases:b train:b bidirectional:b batch_sizes:z batch_first:b workspace:T -> TTTTTTT
mkldnn_rnn_layer_backward.out input:T weight1:T weight2:T weight3:T weight4:T hx_:T cx_tmp:T output:T hy_:T cy_:T grad_output:T grad_hy:T grad_cy:T reverse:b mode:i hidden_size:i num_layers:i has_biases:b train:b bidirectional:b batch_sizes:z batch_first:b workspace:T * out0:T! out1:T! out2:T! out3:T! out4:T! out5:T! out6:T! -> AAAAAAA
mm self:T mat2:T -> T
mm.dtype self:T mat2:T out_dtype:i -> T
mm.dtype_out self:T mat2:T out_dtype:i * out:T! -> A
mm.out self:T mat2:T * out:T! -> A
mode self:T dim:i=-1 keepdim:b=False -> TT
mode.values self:T dim:i=-1 keepdim:b=False * values:T! indices:T! -> AA
moveaxis.int self:T source:i destination:i -> A
moveaxis.intlist self:T source:z destination:z -> A
movedim.int self:T source:i destination:i -> A
movedim.intlist self:T source:z destination:z -> A
mps_convolution_backward self:T grad_output:T weight:T padding:z stride:z dilation:z groups:i output_mask -> TTT
mps_convolution_backward.out self:T grad_output:T weight:T padding:z stride:z dilation:z groups:i output_mask * out0:T! out1:T! out2:T! -> AAA
mps_convolution_transpose_backward self:T grad_output:T weight:T padding:z output_padding:z stride:z dilation:z groups:i output_mask -> TT
mps_convolution_transpose_backward.out self:T grad_output:T weight:T padding:z output_padding:z stride:z dilation:z groups:i output_mask * out0:T! out1:T! -> AA
mse_loss self:T target:T reduction:i=1 -> T
mse_loss.out self:T target:T reduction:i=1 * out:T! -> A
mse_loss_backward grad_output:T self:T target:T reduction:i -> T
mse_loss_backward.grad_input grad_output:T self:T target:T reduction:i * grad_input:T! -> A
msort self:T -> T
msort.out self:T * out:T! -> A
mul.Scalar self:T other:n -> T
mul.Scalar_out self:T other:n * out:T! -> A
mul.Tensor self:T other:T -> T
mul.out self:T other:T * out:T! -> A
mul_.Scalar self:T! other:n -> A
mul_.Tensor self:T! other:T -> A
multi_margin_loss self:T target:T p:n=1 margin:n=1 weight:T=None reduction:i=1 -> T
multi_margin_loss.out self:T target:T p:n=1 margin:n=1 weight:T=None reduction:i=1 * out:T! -> A
multi_margin_loss_backward grad_output:T self:T target:T p:n margin:n weight:T=None reduction:i=1 -> T
multi_margin_loss_backward.grad_input grad_output:T self:T target:T p:n margin:n weight:T=None reduction:i=1 * grad_input:T! -> A
multilabel_margin_loss self:T target:T reduction:i=1 -> T
multilabel_margin_loss.out self:T target:T reduction:i=1 * out:T! -> A
multilabel_margin_loss_backward grad_output:T self:T target:T reduction:i is_target:T -> T
multilabel_margin_loss_backward.grad_input grad_output:T self:T target:T reduction:i is_target:T * grad_input:T! -> A
multilabel_margin_loss_forward self:T target:T reduction:i -> TT
multilabel_margin_loss_forward.output self:T target:T reduction:i * output:T! is_target:T! -> AA
multinomial self:T num_samples:i replacement:b=False * generator=None -> T
multinomial.out self:T num_samples:i replacement:b=False * generator=None out:T! -> A
multiply.Scalar self:T other:n -> T
multiply.Tensor self:T other:T -> T
multiply.out self:T other:T * out:T! -> A
multiply_.Scalar self:T! other:n -> A
multiply_.Tensor self:T! other:T -> A
mv self:T vec:T -> T
mv.out self:T vec:T * out:T! -> A
mvlgamma self:T p:i -> T
mvlgamma.out self:T p:i * out:T! -> A
mvlgamma_ self:T! p:i -> A
nan_to_num self:T nan:f=None posinf:f=None neginf:f=None -> T
nan_to_num.out self:T nan:f=None posinf:f=None neginf:f=None * out:T! -> A
nan_to_num_ self:T! nan:f=None posinf:f=None neginf:f=None -> A
nanmean self:T dim:z=None keepdim:b=False * dtype:i=None -> T
nanmean.out self:T dim:z=None keepdim:b=False * dtype:i=None out:T! -> A
nanmedian self:T -> T
nanmedian.dim self:T dim:i keepdim:b=False -> TT
nanmedian.dim_values self:T dim:i keepdim:b=False * values:T! indices:T! -> AA
nanmedian.out self:T * out:T! -> A
nanquantile self:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' -> T
nanquantile.out self:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' out:T! -> A
nanquantile.scalar self:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' -> T
nanquantile.scalar_out self:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' out:T! -> A
nansum self:T dim:z=None keepdim:b=False * dtype:i=None -> T
nansum.out self:T dim:z=None keepdim:b=False * dtype:i=None out:T! -> A
narrow self:T dim:i start:i length:i -> A
narrow.Tensor self:T dim:i start:T length:i -> A
narrow_copy self:T dim:i start:i length:i -> T
narrow_copy.out self:T dim:i start:i length:i * out:T! -> A
native_batch_norm input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f -> TTT
native_batch_norm.out input:T weight:T bias:T running_mean:T running_var:T training:b momentum:f eps:f * out:T! save_mean:T! save_invstd:T! -> AAA
native_batch_norm_backward grad_out:T input:T weight:T running_mean:T running_var:T save_mean:T save_invstd:T train:b eps:f output_mask -> TTT
native_batch_norm_backward.out grad_out:T input:T weight:T running_mean:T running_var:T save_mean:T save_invstd:T train:b eps:f output_mask * out0:T! out1:T! out2:T! -> AAA
native_channel_shuffle self:T groups:i -> T
native_dropout input:T p:f train:b -> TT
native_dropout.out input:T p:f train:b * out0:T! out1:T! -> AA
native_dropout_backward grad_output:T mask:T scale:f -> T
native_dropout_backward.out grad_output:T mask:T scale:f * out:T! -> A
native_group_norm input:T weight:T bias:T N:i C:i HxW:i group:i eps:f -> TTT
native_group_norm.out input:T weight:T bias:T N:i C:i HxW:i group:i eps:f * out0:T! out1:T! out2:T! -> AAA
native_group_norm_backward grad_out:T input:T mean:T rstd:T weight:T N:i C:i HxW:i group:i output_mask -> TTT
native_group_norm_backward.out grad_out:T input:T mean:T rstd:T weight:T N:i C:i HxW:i group:i output_mask * out0:T! out1:T! out2:T! -> AAA
native_layer_norm input:T normalized_shape:z weight:T bias:T eps:f -> TTT
native_layer_norm.out input:T normalized_shape:z weight:T bias:T eps:f * out0:T! out1:T! out2:T! -> AAA
native_layer_norm_backward grad_out:T input:T normalized_shape:z mean:T rstd:T weight:T bias:T output_mask -> TTT
native_layer_norm_backward.out grad_out:T input:T normalized_shape:z mean:T rstd:T weight:T bias:T output_mask * out0:T! out1:T! out2:T! -> AAA
native_norm self:T p:n=2 -> T
native_norm.ScalarOpt_dim_dtype self:T p:n dim:z keepdim:b dtype:i -> T
native_norm.ScalarOpt_dim_dtype_out self:T p:n dim:z keepdim:b dtype:i * out:T! -> A
native_norm.out self:T p:n=2 * out:T! -> A
ne.Scalar self:T other:n -> T
ne.Scalar_out self:T other:n * out:T! -> A
ne.Tensor self:T other:T -> T
ne.Tensor_out self:T other:T * out:T! -> A
ne_.Scalar self:T! other:n -> A
ne_.Tensor self:T! other:T -> A
neg self:T -> T
neg.out self:T * out:T! -> A
neg_ self:T! -> A
negative self:T -> T
negative.out self:T * out:T! -> A
negative_ self:T! -> A
nested_to_padded_tensor self:T padding:f output_size:z=None -> T
new_empty self:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
new_empty.out self:T size:z * out:T! -> A
new_empty_strided self:T size:z stride:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
new_empty_strided.out self:T size:z stride:z * out:T! -> A
new_full self:T size:z fill_value:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
new_full.out self:T size:z fill_value:n * out:T! -> A
new_ones self:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
new_ones.out self:T size:z * out:T! -> A
new_zeros self:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
new_zeros.out self:T size:z * out:T! -> A
nextafter self:T other:T -> T
nextafter.out self:T other:T * out:T! -> A
nextafter_ self:T! other:T -> A
nll_loss self:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 -> T
nll_loss.out self:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 * out:T! -> A
nll_loss2d self:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 -> T
nll_loss2d.out self:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 * out:T! -> A
nll_loss2d_backward grad_output:T self:T target:T weight:T reduction:i ignore_index:i total_weight:T -> T
nll_loss2d_backward.grad_input grad_output:T self:T target:T weight:T reduction:i ignore_index:i total_weight:T * grad_input:T! -> A
nll_loss2d_forward self:T target:T weight:T reduction:i ignore_index:i -> TT
nll_loss2d_forward.output self:T target:T weight:T reduction:i ignore_index:i * output:T! total_weight:T! -> AA
nll_loss_backward grad_output:T self:T target:T weight:T reduction:i ignore_index:i total_weight:T -> T
nll_loss_backward.grad_input grad_output:T self:T target:T weight:T reduction:i ignore_index:i total_weight:T * grad_input:T! -> A
nll_loss_forward self:T target:T weight:T reduction:i ignore_index:i -> TT
nll_loss_forward.output self:T target:T weight:T reduction:i ignore_index:i * output:T! total_weight:T! -> AA
nll_loss_nd self:T target:T weight:T=None reduction:i=1 ignore_index:i=-100 -> T
nonzero self:T -> T
nonzero.out self:T * out:T! -> A
nonzero_numpy self:T -> L
nonzero_static self:T * size:i fill_value:i=-1 -> T
nonzero_static.out self:T * size:i fill_value:i=-1 out:T! -> A
norm.Scalar self:T p:n=2 -> T
norm.ScalarOpt_dim self:T p:n dim:z keepdim:b=False -> T
norm.ScalarOpt_dim_dtype self:T p:n dim:z keepdim:b * dtype:i -> T
norm.ScalarOpt_dtype self:T p:n * dtype:i -> T
norm.ScalarOpt_dtype_out self:T p:n * dtype:i out:T! -> A
norm.Scalar_out self:T p:n=2 * out:T! -> A
norm.dtype_out self:T p:n dim:z keepdim:b * dtype:i out:T! -> A
norm.out self:T p:n dim:z keepdim:b=False * out:T! -> A
norm_except_dim v:T pow:i=2 dim:i=0 -> T
normal.Tensor_Tensor mean:T std:T * generator=None -> T
normal.Tensor_Tensor_out mean:T std:T * generator=None out:T! -> A
normal.Tensor_float mean:T std:f=1.0 * generator=None -> T
normal.Tensor_float_out mean:T std:f=1.0 * generator=None out:T! -> A
normal.float_Tensor mean:f std:T * generator=None -> T
normal.float_Tensor_out mean:f std:T * generator=None out:T! -> A
normal.float_float mean:f std:f size:z * generator=None dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
normal.float_float_out mean:f std:f size:z * generator=None out:T! -> A
normal.out self:T mean:f=0.0 std:f=1.0 * generator=None out:T! -> A
normal_ self:T! mean:f=0.0 std:f=1.0 * generator=None -> A
normal_functional self:T mean:f=0.0 std:f=1.0 * generator=None -> T
not_equal.Scalar self:T other:n -> T
not_equal.Scalar_out self:T other:n * out:T! -> A
not_equal.Tensor self:T other:T -> T
not_equal.Tensor_out self:T other:T * out:T! -> A
not_equal_.Scalar self:T! other:n -> A
not_equal_.Tensor self:T! other:T -> A
nuclear_norm self:T keepdim:b=False -> T
nuclear_norm.dim self:T dim:z keepdim:b=False -> T
nuclear_norm.dim_out self:T dim:z keepdim:b=False * out:T! -> A
nuclear_norm.out self:T keepdim:b=False * out:T! -> A
numel self:T -> i
numpy_T self:T -> A
one_hot self:T num_classes:i=-1 -> T
ones size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
ones.out size:z * out:T! -> A
ones_like self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
ones_like.out self:T * memory_format:i=None out:T! -> A
orgqr self:T input2:T -> T
orgqr.out self:T input2:T * out:T! -> A
ormqr self:T input2:T input3:T left:b=True transpose:b=False -> T
ormqr.out self:T input2:T input3:T left:b=True transpose:b=False * out:T! -> A
outer self:T vec2:T -> T
outer.out self:T vec2:T * out:T! -> A
output_nr self:T -> i
pad self:T pad:z mode:s='constant' value:f=None -> T
pad_sequence sequences:L batch_first:b=False padding_value:f=0.0 padding_side:s='right' -> T
pairwise_distance x1:T x2:T p:f=2.0 eps:f=1e-06 keepdim:b=False -> T
pdist self:T p:f=2.0 -> T
permute self:T dims:z -> A
permute_copy self:T dims:z -> T
permute_copy.out self:T dims:z * out:T! -> A
pin_memory self:T device:V=None -> A
pinverse self:T rcond:f=1e-15 -> T
pixel_shuffle self:T upscale_factor:i -> T
pixel_shuffle.out self:T upscale_factor:i * out:T! -> A
pixel_unshuffle self:T downscale_factor:i -> T
pixel_unshuffle.out self:T downscale_factor:i * out:T! -> A
poisson self:T generator=None -> T
poisson.out self:T generator=None * out:T! -> A
poisson_nll_loss input:T target:T log_input:b full:b eps:f reduction:i -> T
polar abs:T angle:T -> T
polar.out abs:T angle:T * out:T! -> A
polygamma n:i self:T -> T
polygamma.out n:i self:T * out:T! -> A
polygamma_ self:T! n:i -> A
positive self:T -> A
pow.Scalar self:n exponent:T -> T
pow.Scalar_out self:n exponent:T * out:T! -> A
pow.Tensor_Scalar self:T exponent:n -> T
pow.Tensor_Scalar_out self:T exponent:n * out:T! -> A
pow.Tensor_Tensor self:T exponent:T -> T
pow.Tensor_Tensor_out self:T exponent:T * out:T! -> A
pow_.Scalar self:T! exponent:n -> A
pow_.Tensor self:T! exponent:T -> A
prelu self:T weight:T -> T
prod self:T * dtype:i=None -> T
prod.dim_int self:T dim:i keepdim:b=False * dtype:i=None -> T
prod.int_out self:T dim:i keepdim:b=False * dtype:i=None out:T! -> A
prod.out self:T * dtype:i=None out:T! -> A
put self:T index:T source:T accumulate:b=False -> T
put.out self:T index:T source:T accumulate:b=False * out:T! -> A
put_ self:T! index:T source:T accumulate:b=False -> A
q_per_channel_axis self:T -> i
q_per_channel_scales self:T -> T
q_per_channel_scales.out self:T * out:T! -> A
q_per_channel_zero_points self:T -> T
q_per_channel_zero_points.out self:T * out:T! -> A
q_scale self:T -> f
q_zero_point self:T -> i
qr self:T some:b=True -> TT
qr.Q self:T some:b=True * Q:T! R:T! -> AA
qscheme self:T
quantile self:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' -> T
quantile.out self:T q:T dim:i=None keepdim:b=False * interpolation:s='linear' out:T! -> A
quantile.scalar self:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' -> T
quantile.scalar_out self:T q:f dim:i=None keepdim:b=False * interpolation:s='linear' out:T! -> A
quantize_per_channel self:T scales:T zero_points:T axis:i dtype:i -> T
quantize_per_channel.out self:T scales:T zero_points:T axis:i dtype:i * out:T! -> A
quantize_per_tensor self:T scale:f zero_point:i dtype:i -> T
quantize_per_tensor.out self:T scale:f zero_point:i dtype:i * out:T! -> A
quantize_per_tensor.tensor_qparams self:T scale:T zero_point:T dtype:i -> T
quantize_per_tensor.tensor_qparams_out self:T scale:T zero_point:T dtype:i * out:T! -> A
quantize_per_tensor.tensors tensors:L scales:T zero_points:T dtype:i -> L
quantize_per_tensor.tensors_out tensors:L scales:T zero_points:T dtype:i * out:L!
quantize_per_tensor_dynamic self:T dtype:i reduce_range:b -> T
quantize_per_tensor_dynamic.out self:T dtype:i reduce_range:b * out:T! -> A
quantized_batch_norm input:T weight:T bias:T mean:T var:T eps:f output_scale:f output_zero_point:i -> T
quantized_batch_norm.out input:T weight:T bias:T mean:T var:T eps:f output_scale:f output_zero_point:i * out:T! -> A
quantized_gru.data data:T batch_sizes:T hx:T params has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT
quantized_gru.data_legacy data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT
quantized_gru.input input:T hx:T params has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
quantized_gru.input_legacy input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
quantized_gru_cell input:T hx:T w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> T
quantized_lstm.data data:T batch_sizes:T hx:L params has_biases:b num_layers:i dropout:f train:b bidirectional:b * dtype:i=None use_dynamic:b=False -> TTT
quantized_lstm.data_legacy data:T batch_sizes:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b * dtype:i=None use_dynamic:b=False -> TTT
quantized_lstm.input input:T hx:L params has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b * dtype:i=None use_dynamic:b=False -> TTT
quantized_lstm.input_legacy input:T hx:L params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b * dtype:i=None use_dynamic:b=False -> TTT
quantized_lstm_cell input:T hx:L w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> TT
quantized_max_pool1d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
quantized_max_pool1d.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
quantized_max_pool2d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
quantized_max_pool2d.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
quantized_max_pool3d self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False -> T
quantized_max_pool3d.out self:T kernel_size:z stride:z= padding:z= dilation:z= ceil_mode:b=False * out:T! -> A
quantized_rnn_relu_cell input:T hx:T w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> T
quantized_rnn_tanh_cell input:T hx:T w_ih:T w_hh:T b_ih:T b_hh:T packed_ih:T packed_hh:T col_offsets_ih:T col_offsets_hh:T scale_ih:n scale_hh:n zero_point_ih:n zero_point_hh:n -> T
rad2deg self:T -> T
rad2deg.out self:T * out:T! -> A
rad2deg_ self:T! -> A
rand size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
rand.generator size:z * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
rand.generator_out size:z * generator out:T! -> A
rand.out size:z * out:T! -> A
rand_like self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
rand_like.generator self:T * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
rand_like.generator_out self:T * generator memory_format:i=None out:T! -> A
rand_like.out self:T * memory_format:i=None out:T! -> A
randint high:i size:z * dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
randint.generator high:i size:z * generator dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
randint.generator_out high:i size:z * generator out:T! -> A
randint.low low:i high:i size:z * dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
randint.low_generator low:i high:i size:z * generator dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
randint.low_generator_out low:i high:i size:z * generator out:T! -> A
randint.low_out low:i high:i size:z * out:T! -> A
randint.out high:i size:z * out:T! -> A
randint_like self:T high:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randint_like.Tensor self:T high:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randint_like.Tensor_generator self:T high:T * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randint_like.Tensor_generator_out self:T high:T * generator memory_format:i=None out:T! -> A
randint_like.Tensor_out self:T high:T * memory_format:i=None out:T! -> A
randint_like.generator self:T high:i * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randint_like.generator_out self:T high:i * generator memory_format:i=None out:T! -> A
randint_like.low_dtype self:T low:i high:i * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randint_like.low_dtype_out self:T low:i high:i * memory_format:i=None out:T! -> A
randint_like.low_generator_dtype self:T low:i high:i * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randint_like.low_generator_dtype_out self:T low:i high:i * generator memory_format:i=None out:T! -> A
randint_like.out self:T high:i * memory_format:i=None out:T! -> A
randn size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
randn.generator size:z * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
randn.generator_out size:z * generator out:T! -> A
randn.out size:z * out:T! -> A
randn_like self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randn_like.generator self:T * generator dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
randn_like.generator_out self:T * generator memory_format:i=None out:T! -> A
randn_like.out self:T * memory_format:i=None out:T! -> A
random self:T * generator=None -> T
random.from self:T from:i to:i * generator=None -> T
random.from_out self:T from:i to:i * generator=None out:T! -> A
random.out self:T * generator=None out:T! -> A
random.to self:T to:i * generator=None -> T
random.to_out self:T to:i * generator=None out:T! -> A
random_ self:T! * generator=None -> A
random_.from self:T! from:i to:i * generator=None -> A
random_.to self:T! to:i * generator=None -> A
randperm n:i * dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
randperm.generator n:i * generator dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
randperm.generator_out n:i * generator out:T! -> A
randperm.out n:i * out:T! -> A
range start:n end:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
range.out start:n end:n step:n=1 * out:T! -> A
range.out_ start:n end:n * out:T! -> A
range.step start:n end:n step:n=1 * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
ravel self:T -> A
real self:T -> A
reciprocal self:T -> T
reciprocal.out self:T * out:T! -> A
reciprocal_ self:T! -> A
record_stream self:T! s
reflection_pad1d self:T padding:z -> T
reflection_pad1d.out self:T padding:z * out:T! -> A
reflection_pad1d_backward grad_output:T self:T padding:z -> T
reflection_pad1d_backward.grad_input grad_output:T self:T padding:z * grad_input:T! -> A
reflection_pad2d self:T padding:z -> T
reflection_pad2d.out self:T padding:z * out:T! -> A
reflection_pad2d_backward grad_output:T self:T padding:z -> T
reflection_pad2d_backward.grad_input grad_output:T self:T padding:z * grad_input:T! -> A
reflection_pad3d self:T padding:z -> T
reflection_pad3d.out self:T padding:z * out:T! -> A
reflection_pad3d_backward grad_output:T self:T padding:z -> T
reflection_pad3d_backward.grad_input grad_output:T self:T padding:z * grad_input:T! -> A
relu self:T -> T
relu.out self:T * out:T! -> A
relu6 self:T -> T
relu6_ self:T! -> A
relu_ self:T! -> A
remainder.Scalar self:T other:n -> T
remainder.Scalar_Tensor self:n other:T -> T
remainder.Scalar_Tensor_out self:n other:T * out:T! -> A
remainder.Scalar_out self:T other:n * out:T! -> A
remainder.Tensor self:T other:T -> T
remainder.Tensor_out self:T other:T * out:T! -> A
remainder_.Scalar self:T! other:n -> A
remainder_.Tensor self:T! other:T -> A
renorm self:T p:n dim:i maxnorm:n -> T
renorm.out self:T p:n dim:i maxnorm:n * out:T! -> A
renorm_ self:T! p:n dim:i maxnorm:n -> A
repeat self:T repeats:z -> T
repeat.out self:T repeats:z * out:T! -> A
repeat_interleave.Tensor repeats:T * output_size:i=None -> T
repeat_interleave.Tensor_out repeats:T * output_size:i=None out:T! -> A
repeat_interleave.self_Tensor self:T repeats:T dim:i=None * output_size:i=None -> T
repeat_interleave.self_int self:T repeats:i dim:i=None * output_size:i=None -> T
replication_pad1d self:T padding:z -> T
replication_pad1d.out self:T padding:z * out:T! -> A
replication_pad1d_backward grad_output:T self:T padding:z -> T
replication_pad1d_backward.grad_input grad_output:T self:T padding:z * grad_input:T! -> A
replication_pad2d self:T padding:z -> T
replication_pad2d.out self:T padding:z * out:T! -> A
replication_pad2d_backward grad_output:T self:T padding:z -> T
replication_pad2d_backward.grad_input grad_output:T self:T padding:z * grad_input:T! -> A
replication_pad3d self:T padding:z -> T
replication_pad3d.out self:T padding:z * out:T! -> A
replication_pad3d_backward grad_output:T self:T padding:z -> T
replication_pad3d_backward.grad_input grad_output:T self:T padding:z * grad_input:T! -> A
requires_grad_ self:T! requires_grad:b=True -> A
reshape self:T shape:z -> A
reshape_as self:T other:T -> A
resize self:T size:z * memory_format:i=None -> T
resize.out self:T size:z * memory_format:i=None out:T! -> A
resize_ self:T! size:z * memory_format:i=None -> A
resize_as self:T the_template:T * memory_format:i=None -> T
resize_as.out self:T the_template:T * memory_format:i=None out:T! -> A
resize_as_ self:T! the_template:T * memory_format:i=None -> A
resize_as_sparse self:T the_template:T -> T
resize_as_sparse.out self:T the_template:T * out:T! -> A
resize_as_sparse_ self:T! the_template:T -> A
resolve_conj self:T -> A
resolve_neg self:T -> A
result_type.Scalar tensor:T other:n -> i
result_type.Scalar_Tensor scalar:n tensor:T -> i
result_type.Tensor tensor:T other:T -> i
retain_grad self:T!
retains_grad self:T -> b
rms_norm input:T normalized_shape:z weight:T=None eps:f=None -> T
rnn_relu.data data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT
rnn_relu.input input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
rnn_relu_cell input:T hx:T w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> T
rnn_tanh.data data:T batch_sizes:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b -> TT
rnn_tanh.input input:T hx:T params:L has_biases:b num_layers:i dropout:f train:b bidirectional:b batch_first:b -> TT
rnn_tanh_cell input:T hx:T w_ih:T w_hh:T b_ih:T=None b_hh:T=None -> T
roll self:T shifts:z dims:z= -> T
roll.out self:T shifts:z dims:z= * out:T! -> A
rot90 self:T k:i=1 dims:z= -> T
rot90.out self:T k:i=1 dims:z= * out:T! -> A
round self:T -> T
round.decimals self:T * decimals:i -> T
round.decimals_out self:T * decimals:i out:T! -> A
round.out self:T * out:T! -> A
round_ self:T! -> A
round_.decimals self:T! * decimals:i -> A
row_indices self:T -> A
row_indices_copy self:T -> T
row_indices_copy.out self:T * out:T! -> A
row_stack tensors:L -> T
row_stack.out tensors:L * out:T! -> A
rrelu self:T lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> T
rrelu_ self:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> A
rrelu_with_noise self:T noise:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> T
rrelu_with_noise.out self:T noise:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None * out:T! -> A
rrelu_with_noise_ self:T! noise:T! lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> A
rrelu_with_noise_backward grad_output:T self:T noise:T lower:n upper:n training:b self_is_result:b -> T
rrelu_with_noise_backward.out grad_output:T self:T noise:T lower:n upper:n training:b self_is_result:b * out:T! -> A
rrelu_with_noise_functional self:T noise:T lower:n=0.125 upper:n=0.3333333333333333 training:b=False generator=None -> TT
rsqrt self:T -> T
rsqrt.out self:T * out:T! -> A
rsqrt_ self:T! -> A
rsub.Scalar self:T other:n alpha:n=1 -> T
rsub.Scalar_out self:T other:n alpha:n=1 * out:T! -> A
rsub.Tensor self:T other:T * alpha:n=1 -> T
rsub.Tensor_out self:T other:T * alpha:n=1 out:T! -> A
scalar_tensor s:n * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
scalar_tensor.out s:n * out:T! -> A
scaled_dot_product_attention query:T key:T value:T attn_mask:T=None dropout_p:f=0.0 is_causal:b=False * scale:f=None enable_gqa:b=False -> T
scatter.reduce self:T dim:i index:T src:T * reduce:s -> T
scatter.reduce_out self:T dim:i index:T src:T * reduce:s out:T! -> A
scatter.src self:T dim:i index:T src:T -> T
scatter.src_out self:T dim:i index:T src:T * out:T! -> A
scatter.value self:T dim:i index:T value:n -> T
scatter.value_out self:T dim:i index:T value:n * out:T! -> A
scatter.value_reduce self:T dim:i index:T value:n * reduce:s -> T
scatter.value_reduce_out self:T dim:i index:T value:n * reduce:s out:T! -> A
scatter_.reduce self:T! dim:i index:T src:T * reduce:s -> A
scatter_.src self:T! dim:i index:T src:T -> A
scatter_.value self:T! dim:i index:T value:n -> A
scatter_.value_reduce self:T! dim:i index:T value:n * reduce:s -> A
scatter_add self:T dim:i index:T src:T -> T
scatter_add.out self:T dim:i index:T src:T * out:T! -> A
scatter_add_ self:T! dim:i index:T src:T -> A
scatter_reduce.two self:T dim:i index:T src:T reduce:s * include_self:b=True -> T
scatter_reduce.two_out self:T dim:i index:T src:T reduce:s * include_self:b=True out:T! -> A
scatter_reduce_.two self:T! dim:i index:T src:T reduce:s * include_self:b=True -> A
searchsorted.Scalar sorted_sequence:T self:n * out_int32:b=False right:b=False side:s=None sorter:T=None -> T
searchsorted.Scalar_out sorted_sequence:T self:n * out_int32:b=False right:b=False side:s=None sorter:T=None out:T! -> A
searchsorted.Tensor sorted_sequence:T self:T * out_int32:b=False right:b=False side:s=None sorter:T=None -> T
searchsorted.Tensor_out sorted_sequence:T self:T * out_int32:b=False right:b=False side:s=None sorter:T=None out:T! -> A
segment_reduce data:T reduce:s * lengths:T=None indices:T=None offsets:T=None axis:i=0 unsafe:b=False initial:n=None -> T
segment_reduce.out data:T reduce:s * lengths:T=None indices:T=None offsets:T=None axis:i=0 unsafe:b=False initial:n=None out:T! -> A
select.int self:T dim:i index:i -> A
select_backward grad_output:T input_sizes:z dim:i index:i -> T
select_backward.out grad_output:T input_sizes:z dim:i index:i * out:T! -> A
select_copy.int self:T dim:i index:i -> T
select_copy.int_out self:T dim:i index:i * out:T! -> A
select_scatter self:T src:T dim:i index:i -> T
select_scatter.out self:T src:T dim:i index:i * out:T! -> A
selu self:T -> T
selu_ self:T! -> A
set self:T -> T
set.out self:T * out:T! -> A
set.source_Storage self:T source -> T
set.source_Storage_out self:T source * out:T! -> A
set.source_Storage_storage_offset self:T source storage_offset:i size:z stride:z= -> T
set.source_Storage_storage_offset_out self:T source storage_offset:i size:z stride:z= * out:T! -> A
set.source_Tensor self:T source:T -> T
set.source_Tensor_out self:T source:T * out:T! -> A
set_ self:T! -> A
set_.source_Storage self:T! source -> A
set_.source_Storage_storage_offset self:T! source storage_offset:i size:z stride:z= -> A
set_.source_Tensor self:T! source:T -> A
set_.source_Tensor_storage_offset self:T! source:T storage_offset:i size:z stride:z= -> A
set_data self:T! new_data:T
sgn self:T -> T
sgn.out self:T * out:T! -> A
sgn_ self:T! -> A
sigmoid self:T -> T
sigmoid.out self:T * out:T! -> A
sigmoid_ self:T! -> A
sigmoid_backward grad_output:T output:T -> T
sigmoid_backward.grad_input grad_output:T output:T * grad_input:T! -> A
sign self:T -> T
sign.out self:T * out:T! -> A
sign_ self:T! -> A
signbit self:T -> T
signbit.out self:T * out:T! -> A
silu self:T -> T
silu.out self:T * out:T! -> A
silu_ self:T! -> A
silu_backward grad_output:T self:T -> T
silu_backward.grad_input grad_output:T self:T * grad_input:T! -> A
sin self:T -> T
sin.out self:T * out:T! -> A
sin_ self:T! -> A
sinc self:T -> T
sinc.out self:T * out:T! -> A
sinc_ self:T! -> A
sinh self:T -> T
sinh.out self:T * out:T! -> A
sinh_ self:T! -> A
size.int self:T dim:i -> i
slice.Tensor self:T dim:i=0 start:i=None end:i=None step:i=1 -> A
slice_backward grad_output:T input_sizes:z dim:i start:i end:i step:i -> T
slice_backward.out grad_output:T input_sizes:z dim:i start:i end:i step:i * out:T! -> A
slice_copy.Tensor self:T dim:i=0 start:i=None end:i=None step:i=1 -> T
slice_copy.Tensor_out self:T dim:i=0 start:i=None end:i=None step:i=1 * out:T! -> A
slice_inverse self:T src:T dim:i=0 start:i=None end:i=None step:i=1 -> A
slice_scatter self:T src:T dim:i=0 start:i=None end:i=None step:i=1 -> T
slice_scatter.out self:T src:T dim:i=0 start:i=None end:i=None step:i=1 * out:T! -> A
slogdet self:T -> TT
slogdet.out self:T * sign:T! logabsdet:T! -> AA
slow_conv3d self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= -> T
slow_conv3d.out self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= * out:T! -> A
slow_conv3d_forward self:T weight:T kernel_size:z bias:T stride:z padding:z -> T
slow_conv3d_forward.output self:T weight:T kernel_size:z bias:T stride:z padding:z * output:T! -> A
slow_conv_dilated2d self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= dilation:z= -> T
slow_conv_dilated2d.out self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= dilation:z= * out:T! -> A
slow_conv_dilated3d self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= dilation:z= -> T
slow_conv_dilated3d.out self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= dilation:z= * out:T! -> A
slow_conv_transpose2d self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= output_padding:z= dilation:z= -> T
slow_conv_transpose2d.out self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= output_padding:z= dilation:z= * out:T! -> A
slow_conv_transpose3d self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= output_padding:z= dilation:z= -> T
slow_conv_transpose3d.out self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= output_padding:z= dilation:z= * out:T! -> A
smm self:T mat2:T -> T
smooth_l1_loss self:T target:T reduction:i=1 beta:f=1.0 -> T
smooth_l1_loss.out self:T target:T reduction:i=1 beta:f=1.0 * out:T! -> A
smooth_l1_loss_backward grad_output:T self:T target:T reduction:i beta:f -> T
smooth_l1_loss_backward.grad_input grad_output:T self:T target:T reduction:i beta:f * grad_input:T! -> A
soft_margin_loss self:T target:T reduction:i=1 -> T
soft_margin_loss.out self:T target:T reduction:i=1 * out:T! -> A
soft_margin_loss_backward grad_output:T self:T target:T reduction:i -> T
soft_margin_loss_backward.grad_input grad_output:T self:T target:T reduction:i * grad_input:T! -> A
softmax.int self:T dim:i dtype:i=None -> T
softmax.int_out self:T dim:i dtype:i=None * out:T! -> A
softplus self:T beta:n=1 threshold:n=20 -> T
softplus.out self:T beta:n=1 threshold:n=20 * out:T! -> A
softplus_backward grad_output:T self:T beta:n threshold:n -> T
softplus_backward.grad_input grad_output:T self:T beta:n threshold:n * grad_input:T! -> A
softshrink self:T lambd:n=0.5 -> T
softshrink.out self:T lambd:n=0.5 * out:T! -> A
softshrink_backward grad_output:T self:T lambd:n -> T
softshrink_backward.grad_input grad_output:T self:T lambd:n * grad_input:T! -> A
sort self:T dim:i=-1 descending:b=False -> TT
sort.stable self:T * stable:b dim:i=-1 descending:b=False -> TT
sort.values self:T dim:i=-1 descending:b=False * values:T! indices:T! -> AA
sort.values_stable self:T * stable:b dim:i=-1 descending:b=False values:T! indices:T! -> AA
sparse_bsc_tensor.ccol_row_value ccol_indices:T row_indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_bsc_tensor.ccol_row_value_size ccol_indices:T row_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_bsr_tensor.crow_col_value crow_indices:T col_indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_bsr_tensor.crow_col_value_size crow_indices:T col_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_compressed_tensor.comp_plain_value compressed_indices:T plain_indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_compressed_tensor.comp_plain_value_size compressed_indices:T plain_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_coo_tensor.indices indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None is_coalesced:b=None -> T
sparse_coo_tensor.indices_size indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None is_coalesced:b=None -> T
sparse_coo_tensor.size size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_coo_tensor.size_out size:z * out:T! -> A
sparse_csc_tensor.ccol_row_value ccol_indices:T row_indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_csc_tensor.ccol_row_value_size ccol_indices:T row_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_csr_tensor.crow_col_value crow_indices:T col_indices:T values:T * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_csr_tensor.crow_col_value_size crow_indices:T col_indices:T values:T size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=False -> T
sparse_dim self:T -> i
sparse_mask self:T mask:T -> T
sparse_mask.out self:T mask:T * out:T! -> A
sparse_resize self:T size:z sparse_dim:i dense_dim:i -> T
sparse_resize.out self:T size:z sparse_dim:i dense_dim:i * out:T! -> A
sparse_resize_ self:T! size:z sparse_dim:i dense_dim:i -> A
sparse_resize_and_clear self:T size:z sparse_dim:i dense_dim:i -> T
sparse_resize_and_clear.out self:T size:z sparse_dim:i dense_dim:i * out:T! -> A
sparse_resize_and_clear_ self:T! size:z sparse_dim:i dense_dim:i -> A
sparse_sampled_addmm self:T mat1:T mat2:T * beta:n=1 alpha:n=1 -> T
sparse_sampled_addmm.out self:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T! -> A
special_airy_ai x:T -> T
special_airy_ai.out x:T * out:T! -> A
special_bessel_j0 self:T -> T
special_bessel_j0.out self:T * out:T! -> A
special_bessel_j1 self:T -> T
special_bessel_j1.out self:T * out:T! -> A
special_bessel_y0 self:T -> T
special_bessel_y0.out self:T * out:T! -> A
special_bessel_y1 self:T -> T
special_bessel_y1.out self:T * out:T! -> A
special_chebyshev_polynomial_t x:T n:T -> T
special_chebyshev_polynomial_t.n_scalar x:T n:n -> T
special_chebyshev_polynomial_t.n_scalar_out x:T n:n * out:T! -> A
special_chebyshev_polynomial_t.out x:T n:T * out:T! -> A
special_chebyshev_polynomial_t.x_scalar x:n n:T -> T
special_chebyshev_polynomial_t.x_scalar_out x:n n:T * out:T! -> A
special_chebyshev_polynomial_u x:T n:T -> T
special_chebyshev_polynomial_u.n_scalar x:T n:n -> T
special_chebyshev_polynomial_u.n_scalar_out x:T n:n * out:T! -> A
special_chebyshev_polynomial_u.out x:T n:T * out:T! -> A
special_chebyshev_polynomial_u.x_scalar x:n n:T -> T
special_chebyshev_polynomial_u.x_scalar_out x:n n:T * out:T! -> A
special_chebyshev_polynomial_v x:T n:T -> T
special_chebyshev_polynomial_v.n_scalar x:T n:n -> T
special_chebyshev_polynomial_v.n_scalar_out x:T n:n * out:T! -> A
special_chebyshev_polynomial_v.out x:T n:T * out:T! -> A
special_chebyshev_polynomial_v.x_scalar x:n n:T -> T
special_chebyshev_polynomial_v.x_scalar_out x:n n:T * out:T! -> A
special_chebyshev_polynomial_w x:T n:T -> T
special_chebyshev_polynomial_w.n_scalar x:T n:n -> T
special_chebyshev_polynomial_w.n_scalar_out x:T n:n * out:T! -> A
special_chebyshev_polynomial_w.out x:T n:T * out:T! -> A
special_chebyshev_polynomial_w.x_scalar x:n n:T -> T
special_chebyshev_polynomial_w.x_scalar_out x:n n:T * out:T! -> A
special_digamma self:T -> T
special_digamma.out self:T * out:T! -> A
special_entr self:T -> T
special_entr.out self:T * out:T! -> A
special_erf self:T -> T
special_erf.out self:T * out:T! -> A
special_erfc self:T -> T
special_erfc.out self:T * out:T! -> A
special_erfcx self:T -> T
special_erfcx.out self:T * out:T! -> A
special_erfinv self:T -> T
special_erfinv.out self:T * out:T! -> A
special_exp2 self:T -> T
special_exp2.out self:T * out:T! -> A
special_expit self:T -> T
special_expit.out self:T * out:T! -> A
special_expm1 self:T -> T
special_expm1.out self:T * out:T! -> A
special_gammainc self:T other:T -> T
special_gammainc.out self:T other:T * out:T! -> A
special_gammaincc self:T other:T -> T
special_gammaincc.out self:T other:T * out:T! -> A
special_gammaln self:T -> T
special_gammaln.out self:T * out:T! -> A
special_hermite_polynomial_h x:T n:T -> T
special_hermite_polynomial_h.n_scalar x:T n:n -> T
special_hermite_polynomial_h.n_scalar_out x:T n:n * out:T! -> A
special_hermite_polynomial_h.out x:T n:T * out:T! -> A
special_hermite_polynomial_h.x_scalar x:n n:T -> T
special_hermite_polynomial_h.x_scalar_out x:n n:T * out:T! -> A
special_hermite_polynomial_he x:T n:T -> T
special_hermite_polynomial_he.n_scalar x:T n:n -> T
special_hermite_polynomial_he.n_scalar_out x:T n:n * out:T! -> A
special_hermite_polynomial_he.out x:T n:T * out:T! -> A
special_hermite_polynomial_he.x_scalar x:n n:T -> T
special_hermite_polynomial_he.x_scalar_out x:n n:T * out:T! -> A
special_i0 self:T -> T
special_i0.out self:T * out:T! -> A
special_i0e self:T -> T
special_i0e.out self:T * out:T! -> A
special_i1 self:T -> T
special_i1.out self:T * out:T! -> A
special_i1e self:T -> T
special_i1e.out self:T * out:T! -> A
special_laguerre_polynomial_l x:T n:T -> T
special_laguerre_polynomial_l.n_scalar x:T n:n -> T
special_laguerre_polynomial_l.n_scalar_out x:T n:n * out:T! -> A
special_laguerre_polynomial_l.out x:T n:T * out:T! -> A
special_laguerre_polynomial_l.x_scalar x:n n:T -> T
special_laguerre_polynomial_l.x_scalar_out x:n n:T * out:T! -> A
special_legendre_polynomial_p x:T n:T -> T
special_legendre_polynomial_p.n_scalar x:T n:n -> T
special_legendre_polynomial_p.n_scalar_out x:T n:n * out:T! -> A
special_legendre_polynomial_p.out x:T n:T * out:T! -> A
special_legendre_polynomial_p.x_scalar x:n n:T -> T
special_legendre_polynomial_p.x_scalar_out x:n n:T * out:T! -> A
special_log1p self:T -> T
special_log1p.out self:T * out:T! -> A
special_log_ndtr self:T -> T
special_log_ndtr.out self:T * out:T! -> A
special_log_softmax self:T dim:i * dtype:i=None -> T
special_logit self:T eps:f=None -> T
special_logit.out self:T eps:f=None * out:T! -> A
special_logsumexp self:T dim:z keepdim:b=False -> T
special_logsumexp.out self:T dim:z keepdim:b=False * out:T! -> A
special_modified_bessel_i0 self:T -> T
special_modified_bessel_i0.out self:T * out:T! -> A
special_modified_bessel_i1 self:T -> T
special_modified_bessel_i1.out self:T * out:T! -> A
special_modified_bessel_k0 self:T -> T
special_modified_bessel_k0.out self:T * out:T! -> A
special_modified_bessel_k1 self:T -> T
special_modified_bessel_k1.out self:T * out:T! -> A
special_multigammaln self:T p:i -> T
special_multigammaln.out self:T p:i * out:T! -> A
special_ndtr self:T -> T
special_ndtr.out self:T * out:T! -> A
special_ndtri self:T -> T
special_ndtri.out self:T * out:T! -> A
special_polygamma n:i self:T -> T
special_polygamma.out n:i self:T * out:T! -> A
special_psi self:T -> T
special_psi.out self:T * out:T! -> A
special_round self:T * decimals:i=0 -> T
special_round.out self:T * decimals:i=0 out:T! -> A
special_scaled_modified_bessel_k0 x:T -> T
special_scaled_modified_bessel_k0.out x:T * out:T! -> A
special_scaled_modified_bessel_k1 x:T -> T
special_scaled_modified_bessel_k1.out x:T * out:T! -> A
special_shifted_chebyshev_polynomial_t x:T n:T -> T
special_shifted_chebyshev_polynomial_t.n_scalar x:T n:n -> T
special_shifted_chebyshev_polynomial_t.n_scalar_out x:T n:n * out:T! -> A
special_shifted_chebyshev_polynomial_t.out x:T n:T * out:T! -> A
special_shifted_chebyshev_polynomial_t.x_scalar x:n n:T -> T
special_shifted_chebyshev_polynomial_t.x_scalar_out x:n n:T * out:T! -> A
special_shifted_chebyshev_polynomial_u x:T n:T -> T
special_shifted_chebyshev_polynomial_u.n_scalar x:T n:n -> T
special_shifted_chebyshev_polynomial_u.n_scalar_out x:T n:n * out:T! -> A
special_shifted_chebyshev_polynomial_u.out x:T n:T * out:T! -> A
special_shifted_chebyshev_polynomial_u.x_scalar x:n n:T -> T
special_shifted_chebyshev_polynomial_u.x_scalar_out x:n n:T * out:T! -> A
special_shifted_chebyshev_polynomial_v x:T n:T -> T
special_shifted_chebyshev_polynomial_v.n_scalar x:T n:n -> T
special_shifted_chebyshev_polynomial_v.n_scalar_out x:T n:n * out:T! -> A
special_shifted_chebyshev_polynomial_v.out x:T n:T * out:T! -> A
special_shifted_chebyshev_polynomial_v.x_scalar x:n n:T -> T
special_shifted_chebyshev_polynomial_v.x_scalar_out x:n n:T * out:T! -> A
special_shifted_chebyshev_polynomial_w x:T n:T -> T
special_shifted_chebyshev_polynomial_w.n_scalar x:T n:n -> T
special_shifted_chebyshev_polynomial_w.n_scalar_out x:T n:n * out:T! -> A
special_shifted_chebyshev_polynomial_w.out x:T n:T * out:T! -> A
special_shifted_chebyshev_polynomial_w.x_scalar x:n n:T -> T
special_shifted_chebyshev_polynomial_w.x_scalar_out x:n n:T * out:T! -> A
special_sinc self:T -> T
special_sinc.out self:T * out:T! -> A
special_softmax self:T dim:i dtype:i=None -> T
special_spherical_bessel_j0 x:T -> T
special_spherical_bessel_j0.out x:T * out:T! -> A
special_xlog1py self:T other:T -> T
special_xlog1py.other_scalar self:T other:n -> T
special_xlog1py.other_scalar_out self:T other:n * out:T! -> A
special_xlog1py.out self:T other:T * out:T! -> A
special_xlog1py.self_scalar self:n other:T -> T
special_xlog1py.self_scalar_out self:n other:T * out:T! -> A
special_xlogy self:T other:T -> T
special_xlogy.other_scalar self:T other:n -> T
special_xlogy.other_scalar_out self:T other:n * out:T! -> A
special_xlogy.out self:T other:T * out:T! -> A
special_xlogy.self_scalar self:n other:T -> T
special_xlogy.self_scalar_out self:n other:T * out:T! -> A
special_zeta self:T other:T -> T
special_zeta.other_scalar self:T other:n -> T
special_zeta.other_scalar_out self:T other:n * out:T! -> A
special_zeta.out self:T other:T * out:T! -> A
special_zeta.self_scalar self:n other:T -> T
special_zeta.self_scalar_out self:n other:T * out:T! -> A
split.Tensor self:T split_size:i dim:i=0 -> M
split.sizes self:T split_size:z dim:i=0 -> M
split_copy.Tensor self:T split_size:i dim:i=0 -> L
split_copy.Tensor_out self:T split_size:i dim:i=0 * out:L!
split_with_sizes self:T split_sizes:z dim:i=0 -> M
split_with_sizes_copy self:T split_sizes:z dim:i=0 -> L
split_with_sizes_copy.out self:T split_sizes:z dim:i=0 * out:L!
sqrt self:T -> T
sqrt.out self:T * out:T! -> A
sqrt_ self:T! -> A
square self:T -> T
square.out self:T * out:T! -> A
square_ self:T! -> A
squeeze self:T -> A
squeeze.dim self:T dim:i -> A
squeeze.dims self:T dim:z -> A
squeeze_ self:T! -> A
squeeze_.dim self:T! dim:i -> A
squeeze_.dims self:T! dim:z -> A
squeeze_copy self:T -> T
squeeze_copy.dim self:T dim:i -> T
squeeze_copy.dim_out self:T dim:i * out:T! -> A
squeeze_copy.dims self:T dim:z -> T
squeeze_copy.dims_out self:T dim:z * out:T! -> A
squeeze_copy.out self:T * out:T! -> A
sspaddmm self:T mat1:T mat2:T * beta:n=1 alpha:n=1 -> T
sspaddmm.out self:T mat1:T mat2:T * beta:n=1 alpha:n=1 out:T! -> A
stack tensors:L dim:i=0 -> T
stack.out tensors:L dim:i=0 * out:T! -> A
std self:T unbiased:b=True -> T
std.correction self:T dim:z=None * correction:n=None keepdim:b=False -> T
std.correction_out self:T dim:z=None * correction:n=None keepdim:b=False out:T! -> A
std.dim self:T dim:z unbiased:b=True keepdim:b=False -> T
std.out self:T dim:z unbiased:b=True keepdim:b=False * out:T! -> A
std_mean self:T unbiased:b=True -> TT
std_mean.correction self:T dim:z=None * correction:n=None keepdim:b=False -> TT
std_mean.correction_out self:T dim:z=None * correction:n=None keepdim:b=False out0:T! out1:T! -> AA
std_mean.dim self:T dim:z unbiased:b=True keepdim:b=False -> TT
stft self:T n_fft:i hop_length:i=None win_length:i=None window:T=None normalized:b=False onesided:b=None return_complex:b=None align_to_window:b=None -> T
stft.center self:T n_fft:i hop_length:i=None win_length:i=None window:T=None center:b=True pad_mode:s='reflect' normalized:b=False onesided:b=None return_complex:b=None align_to_window:b=None -> T
storage_offset self:T -> i
stride.int self:T dim:i -> i
sub.Scalar self:T other:n alpha:n=1 -> T
sub.Scalar_out self:T other:n alpha:n=1 * out:T! -> A
sub.Tensor self:T other:T * alpha:n=1 -> T
sub.out self:T other:T * alpha:n=1 out:T! -> A
sub_.Scalar self:T! other:n alpha:n=1 -> A
sub_.Tensor self:T! other:T * alpha:n=1 -> A
subtract.Scalar self:T other:n alpha:n=1 -> T
subtract.Tensor self:T other:T * alpha:n=1 -> T
subtract.out self:T other:T * alpha:n=1 out:T! -> A
subtract_.Scalar self:T! other:n alpha:n=1 -> A
subtract_.Tensor self:T! other:T * alpha:n=1 -> A
sum self:T * dtype:i=None -> T
sum.IntList_out self:T dim:z keepdim:b=False * dtype:i=None out:T! -> A
sum.dim_IntList self:T dim:z keepdim:b=False * dtype:i=None -> T
sum.out self:T * dtype:i=None out:T! -> A
sum_to_size self:T size:z -> T
svd self:T some:b=True compute_uv:b=True -> TTT
svd.U self:T some:b=True compute_uv:b=True * U:T! S:T! V:T! -> AAA
swapaxes self:T axis0:i axis1:i -> A
swapaxes_ self:T! axis0:i axis1:i -> A
swapdims self:T dim0:i dim1:i -> A
swapdims_ self:T! dim0:i dim1:i -> A
sym_is_contiguous self:T memory_format:i=0 -> b
sym_numel self:T -> i
sym_size.int self:T dim:i -> i
sym_storage_offset self:T -> i
sym_stride.int self:T dim:i -> i
t self:T -> A
t_ self:T! -> A
t_copy self:T -> T
t_copy.out self:T * out:T! -> A
take self:T index:T -> T
take.out self:T index:T * out:T! -> A
take_along_dim self:T indices:T dim:i=None -> T
take_along_dim.out self:T indices:T dim:i=None * out:T! -> A
tan self:T -> T
tan.out self:T * out:T! -> A
tan_ self:T! -> A
tanh self:T -> T
tanh.out self:T * out:T! -> A
tanh_ self:T! -> A
tanh_backward grad_output:T output:T -> T
tanh_backward.grad_input grad_output:T output:T * grad_input:T! -> A
tensor_split.indices self:T indices:z dim:i=0 -> M
tensor_split.sections self:T sections:i dim:i=0 -> M
tensor_split.tensor_indices_or_sections self:T tensor_indices_or_sections:T dim:i=0 -> M
tensordot self:T other:T dims_self:z dims_other:z -> T
tensordot.out self:T other:T dims_self:z dims_other:z * out:T! -> A
thnn_conv2d self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= -> T
thnn_conv2d.out self:T weight:T kernel_size:z bias:T=None stride:z= padding:z= * out:T! -> A
threshold self:T threshold:n value:n -> T
threshold.out self:T threshold:n value:n * out:T! -> A
threshold_ self:T! threshold:n value:n -> A
threshold_backward grad_output:T self:T threshold:n -> T
threshold_backward.grad_input grad_output:T self:T threshold:n * grad_input:T! -> A
tile self:T dims:z -> T
to.device self:T device:V dtype:i non_blocking:b=False copy:b=False memory_format:i=None -> A
to.dtype self:T dtype:i non_blocking:b=False copy:b=False memory_format:i=None -> A
to.dtype_layout self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None non_blocking:b=False copy:b=False memory_format:i=None -> A
to.other self:T other:T non_blocking:b=False copy:b=False memory_format:i=None -> A
to_dense self:T dtype:i=None * masked_grad:b=None -> T
to_dense_backward grad:T input:T masked_grad:b=None -> T
to_mkldnn self:T dtype:i=None -> T
to_mkldnn.out self:T dtype:i=None * out:T! -> A
to_mkldnn_backward grad:T input:T -> T
to_padded_tensor self:T padding:f output_size:z=None -> T
to_padded_tensor.out self:T padding:f output_size:z=None * out:T! -> A
to_sparse self:T * layout:i=None blocksize:z=None dense_dim:i=None -> T
to_sparse.sparse_dim self:T sparse_dim:i -> T
to_sparse_bsc self:T blocksize:z dense_dim:i=None -> T
to_sparse_bsr self:T blocksize:z dense_dim:i=None -> T
to_sparse_csc self:T dense_dim:i=None -> T
to_sparse_csr self:T dense_dim:i=None -> T
topk self:T k:i dim:i=-1 largest:b=True sorted:b=True -> TT
topk.values self:T k:i dim:i=-1 largest:b=True sorted:b=True * values:T! indices:T! -> AA
trace self:T -> T
trace.out self:T * out:T! -> A
trace_backward grad:T sizes:z -> T
transpose.int self:T dim0:i dim1:i -> A
transpose_ self:T! dim0:i dim1:i -> A
transpose_copy.int self:T dim0:i dim1:i -> T
transpose_copy.int_out self:T dim0:i dim1:i * out:T! -> A
trapezoid.dx y:T * dx:n=1 dim:i=-1 -> T
trapezoid.x y:T x:T * dim:i=-1 -> T
trapz.dx y:T * dx:f=1.0 dim:i=-1 -> T
trapz.x y:T x:T * dim:i=-1 -> T
triangular_solve self:T A:T upper:b=True transpose:b=False unitriangular:b=False -> TT
triangular_solve.X self:T A:T upper:b=True transpose:b=False unitriangular:b=False * X:T! M:T! -> AA
tril self:T diagonal:i=0 -> T
tril.out self:T diagonal:i=0 * out:T! -> A
tril_ self:T! diagonal:i=0 -> A
tril_indices row:i col:i offset:i=0 * dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
tril_indices.out row:i col:i offset:i=0 * out:T! -> A
triplet_margin_loss anchor:T positive:T negative:T margin:f=1.0 p:f=2.0 eps:f=1e-06 swap:b=False reduction:i=1 -> T
triu self:T diagonal:i=0 -> T
triu.out self:T diagonal:i=0 * out:T! -> A
triu_ self:T! diagonal:i=0 -> A
triu_indices row:i col:i offset:i=0 * dtype:i=4 layout:i=None device:V=None pin_memory:b=None -> T
triu_indices.out row:i col:i offset:i=0 * out:T! -> A
true_divide.Scalar self:T other:n -> T
true_divide.Tensor self:T other:T -> T
true_divide.out self:T other:T * out:T! -> A
true_divide_.Scalar self:T! other:n -> A
true_divide_.Tensor self:T! other:T -> A
trunc self:T -> T
trunc.out self:T * out:T! -> A
trunc_ self:T! -> A
type_as self:T other:T -> T
unbind.int self:T dim:i=0 -> M
unbind_copy.int self:T dim:i=0 -> L
unbind_copy.int_out self:T dim:i=0 * out:L!
unflatten.int self:T dim:i sizes:z -> A
unflatten_dense_tensors flat:T tensors:L -> L
unfold self:T dimension:i size:i step:i -> A
unfold_backward grad_in:T input_sizes:z dim:i size:i step:i -> T
unfold_backward.out grad_in:T input_sizes:z dim:i size:i step:i * out:T! -> A
unfold_copy self:T dimension:i size:i step:i -> T
unfold_copy.out self:T dimension:i size:i step:i * out:T! -> A
uniform self:T from:f=0.0 to:f=1.0 * generator=None -> T
uniform.out self:T from:f=0.0 to:f=1.0 * generator=None out:T! -> A
uniform_ self:T! from:f=0.0 to:f=1.0 * generator=None -> A
unique_consecutive self:T return_inverse:b=False return_counts:b=False dim:i=None -> TTT
unique_consecutive.out self:T return_inverse:b=False return_counts:b=False dim:i=None * out0:T! out1:T! out2:T! -> AAA
unique_dim self:T dim:i sorted:b=True return_inverse:b=False return_counts:b=False -> TTT
unique_dim.out self:T dim:i sorted:b=True return_inverse:b=False return_counts:b=False * out0:T! out1:T! out2:T! -> AAA
unique_dim_consecutive self:T dim:i return_inverse:b=False return_counts:b=False -> TTT
unique_dim_consecutive.out self:T dim:i return_inverse:b=False return_counts:b=False * out0:T! out1:T! out2:T! -> AAA
unsafe_chunk self:T chunks:i dim:i=0 -> L
unsafe_split.Tensor self:T split_size:i dim:i=0 -> L
unsafe_split.Tensor_out self:T split_size:i dim:i=0 * out:L!
unsafe_split_with_sizes self:T split_sizes:z dim:i=0 -> L
unsafe_split_with_sizes.out self:T split_sizes:z dim:i=0 * out:L!
unsqueeze self:T dim:i -> A
unsqueeze_ self:T! dim:i -> A
unsqueeze_copy self:T dim:i -> T
unsqueeze_copy.out self:T dim:i * out:T! -> A
upsample_bicubic2d self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
upsample_bicubic2d.out self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None * out:T! -> A
upsample_bicubic2d.vec input:T output_size:z align_corners:b scale_factors -> T
upsample_bicubic2d_backward grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
upsample_bicubic2d_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None * grad_input:T! -> A
upsample_bilinear2d self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
upsample_bilinear2d.out self:T output_size:z align_corners:b scales_h:f=None scales_w:f=None * out:T! -> A
upsample_bilinear2d.vec input:T output_size:z align_corners:b scale_factors -> T
upsample_bilinear2d.vec_out input:T output_size:z align_corners:b scale_factors * out:T! -> A
upsample_bilinear2d_backward grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None -> T
upsample_bilinear2d_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales_h:f=None scales_w:f=None * grad_input:T! -> A
upsample_linear1d self:T output_size:z align_corners:b scales:f=None -> T
upsample_linear1d.out self:T output_size:z align_corners:b scales:f=None * out:T! -> A
upsample_linear1d.vec input:T output_size:z align_corners:b scale_factors -> T
upsample_linear1d_backward grad_output:T output_size:z input_size:z align_corners:b scales:f=None -> T
upsample_linear1d_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales:f=None * grad_input:T! -> A
upsample_nearest1d self:T output_size:z scales:f=None -> T
upsample_nearest1d.out self:T output_size:z scales:f=None * out:T! -> A
upsample_nearest1d.vec input:T output_size:z scale_factors -> T
upsample_nearest1d_backward grad_output:T output_size:z input_size:z scales:f=None -> T
upsample_nearest1d_backward.grad_input grad_output:T output_size:z input_size:z scales:f=None * grad_input:T! -> A
upsample_nearest2d self:T output_size:z scales_h:f=None scales_w:f=None -> T
upsample_nearest2d.out self:T output_size:z scales_h:f=None scales_w:f=None * out:T! -> A
upsample_nearest2d.vec input:T output_size:z scale_factors -> T
upsample_nearest2d.vec_out input:T output_size:z scale_factors * out:T! -> A
upsample_nearest2d_backward grad_output:T output_size:z input_size:z scales_h:f=None scales_w:f=None -> T
upsample_nearest2d_backward.grad_input grad_output:T output_size:z input_size:z scales_h:f=None scales_w:f=None * grad_input:T! -> A
upsample_nearest3d self:T output_size:z scales_d:f=None scales_h:f=None scales_w:f=None -> T
upsample_nearest3d.out self:T output_size:z scales_d:f=None scales_h:f=None scales_w:f=None * out:T! -> A
upsample_nearest3d.vec input:T output_size:z scale_factors -> T
upsample_nearest3d_backward grad_output:T output_size:z input_size:z scales_d:f=None scales_h:f=None scales_w:f=None -> T
upsample_nearest3d_backward.grad_input grad_output:T output_size:z input_size:z scales_d:f=None scales_h:f=None scales_w:f=None * grad_input:T! -> A
upsample_trilinear3d self:T output_size:z align_corners:b scales_d:f=None scales_h:f=None scales_w:f=None -> T
upsample_trilinear3d.out self:T output_size:z align_corners:b scales_d:f=None scales_h:f=None scales_w:f=None * out:T! -> A
upsample_trilinear3d.vec input:T output_size:z align_corners:b scale_factors -> T
upsample_trilinear3d_backward grad_output:T output_size:z input_size:z align_corners:b scales_d:f=None scales_h:f=None scales_w:f=None -> T
upsample_trilinear3d_backward.grad_input grad_output:T output_size:z input_size:z align_corners:b scales_d:f=None scales_h:f=None scales_w:f=None * grad_input:T! -> A
value_selecting_reduction_backward grad:T dim:i indices:T sizes:z keepdim:b -> T
values self:T -> A
values_copy self:T -> T
values_copy.out self:T * out:T! -> A
vander x:T N:i=None increasing:b=False -> T
var self:T unbiased:b=True -> T
var.correction self:T dim:z=None * correction:n=None keepdim:b=False -> T
var.correction_out self:T dim:z=None * correction:n=None keepdim:b=False out:T! -> A
var.dim self:T dim:z unbiased:b=True keepdim:b=False -> T
var.out self:T dim:z unbiased:b=True keepdim:b=False * out:T! -> A
var_mean self:T unbiased:b=True -> TT
var_mean.correction self:T dim:z=None * correction:n=None keepdim:b=False -> TT
var_mean.correction_out self:T dim:z=None * correction:n=None keepdim:b=False out0:T! out1:T! -> AA
var_mean.dim self:T dim:z unbiased:b=True keepdim:b=False -> TT
vdot self:T other:T -> T
vdot.out self:T other:T * out:T! -> A
view self:T size:z -> A
view.dtype self:T dtype:i -> A
view_as self:T other:T -> A
view_as_complex self:T -> A
view_as_complex_copy self:T -> T
view_as_complex_copy.out self:T * out:T! -> A
view_as_real self:T -> A
view_as_real_copy self:T -> T
view_as_real_copy.out self:T * out:T! -> A
view_copy self:T size:z -> T
view_copy.dtype self:T dtype:i -> T
view_copy.dtype_out self:T dtype:i * out:T! -> A
view_copy.out self:T size:z * out:T! -> A
vsplit.array self:T indices:z -> M
vsplit.int self:T sections:i -> M
vstack tensors:L -> T
vstack.out tensors:L * out:T! -> A
where condition:T -> L
where.Scalar condition:T self:n other:n -> T
where.ScalarOther condition:T self:T other:n -> T
where.ScalarSelf condition:T self:n other:T -> T
where.self condition:T self:T other:T -> T
where.self_out condition:T self:T other:T * out:T! -> A
xlogy.OutScalar_Other self:T other:n * out:T! -> A
xlogy.OutScalar_Self self:n other:T * out:T! -> A
xlogy.OutTensor self:T other:T * out:T! -> A
xlogy.Scalar_Other self:T other:n -> T
xlogy.Scalar_Self self:n other:T -> T
xlogy.Tensor self:T other:T -> T
xlogy_.Scalar_Other self:T! other:n -> A
xlogy_.Tensor self:T! other:T -> A
zero self:T -> T
zero.out self:T * out:T! -> A
zero_ self:T! -> A
zeros size:z * dtype:i=None layout:i=None device:V=None pin_memory:b=None -> T
zeros.out size:z * out:T! -> A
zeros_like self:T * dtype:i=None layout:i=None device:V=None pin_memory:b=None memory_format:i=None -> T
zeros_like.out self:T * memory_format:i=None out:T! -> A
"""
