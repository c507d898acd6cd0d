"""Names of torch by what is known of them: what the tables of effects have to say of each."""

from __future__ import annotations

NO_TENSORS = frozenset(
    """autocast autocast_decrement_nesting autocast_increment_nesting broadcast_shapes clear_autocast_cache
    compile compiled_with_cxx11_abi cond cudnn_is_acceptable device enable_grad export finfo fork
    get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_default_device
    get_default_dtype get_deterministic_debug_mode get_device get_device_module get_file_path
    get_float32_matmul_precision get_rng_state iinfo inference_mode init_num_threads manual_seed no_grad
    promote_types result_type save set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype
    set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
    set_default_device set_default_dtype set_default_tensor_type set_deterministic_debug_mode
    set_float32_matmul_precision set_flush_denormal set_grad_enabled set_num_interop_threads
    set_num_threads set_printoptions set_rng_state set_warn_always sym_constrain_range
    sym_constrain_range_for_size sym_float sym_fresh_size sym_int sym_ite sym_max sym_min sym_not
    sym_sqrt sym_sum to_dlpack typename use_deterministic_algorithms vmap wait while_loop""".split()  # noqa: SIM905
)

NUMBER_FUNCTIONS = frozenset(
    """allclose are_deterministic_algorithms_enabled can_cast equal get_num_interop_threads get_num_threads
    initial_seed is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
    is_autocast_cpu_enabled is_autocast_enabled is_complex is_conj is_deterministic
    is_deterministic_algorithms_warn_only_enabled is_distributed is_floating_point is_grad_enabled
    is_inference is_inference_mode_enabled is_neg is_nonzero is_same_size is_signed is_storage is_tensor
    is_vulkan_available is_warn_always_enabled numel q_per_channel_axis q_scale q_zero_point seed""".split()  # noqa: SIM905
)

DTYPES = frozenset(
    """bfloat16 bool cfloat complex128 complex64 double float float16 float32 float64 half int int16 int32
    int64 int8 long short uint8""".split()  # noqa: SIM905
)

INTEGERS = frozenset(
    """bool int int16 int32 int64 int8 long short uint8""".split()  # noqa: SIM905
)

FACTORIES = frozenset(
    """arange bartlett_window blackman_window empty empty_permuted empty_quantized empty_strided eye full
    hamming_window hann_window kaiser_window linspace logspace ones rand randint randn randperm range
    tensor tril_indices triu_indices zeros""".split()  # noqa: SIM905
)

HOST_FACTORIES = frozenset(
    """BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor
    LongTensor ShortTensor Tensor from_numpy frombuffer""".split()  # noqa: SIM905
)

SEVERAL = frozenset(
    """aminmax batch_norm_stats broadcast_tensors cholesky_ex chunk cummax cummin dsplit eig eigh frexp
    geqrf gradient gru histogram histogramdd hsplit inv_ex kthvalue ldl_factor ldl_factor_ex lobpcg lstm
    lstm_cell lstsq lu lu_factor lu_factor_ex lu_unpack max_pool1d_with_indices meshgrid mode
    multi_head_attention_forward native_batch_norm native_dropout native_group_norm native_layer_norm
    pca_lowrank qr rnn_relu rnn_tanh slogdet solve_ex sort split split_copy split_with_sizes
    split_with_sizes_copy std_mean svd svd_lowrank tensor_split topk triangular_solve unbind unbind_copy
    unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes var_mean vsplit""".split()  # noqa: SIM905
)

NUMBER_METHODS = frozenset(
    """_nnz allclose const_data_ptr data_ptr dense_dim dim element_size equal get_device has_names
    is_coalesced is_complex is_conj is_contiguous is_distributed is_floating_point is_inference is_neg
    is_nonzero is_pinned is_same_size is_set_to is_shared is_signed item ndimension nelement numel
    q_scale q_zero_point sparse_dim storage_offset""".split()  # noqa: SIM905
)

NUMBER_ATTRIBUTES = frozenset(
    """_version is_cpu is_cuda is_ipu is_leaf is_maia is_meta is_mkldnn is_mps is_mtia is_nested
    is_quantized is_sparse is_sparse_csr is_vulkan is_xla is_xpu itemsize nbytes ndim output_nr
    requires_grad retains_grad""".split()  # noqa: SIM905
)

TENSOR_ATTRIBUTES = frozenset(
    """H T data grad imag mH mT real""".split()  # noqa: SIM905
)

OBJECT_ATTRIBUTES = frozenset(
    """device dtype grad_fn layout names""".split()  # noqa: SIM905
)

MODULE_TENSORS = frozenset(
    """bias in_proj_bias in_proj_weight num_batches_tracked running_mean running_var weight""".split()  # noqa: SIM905
)

SHAPING = frozenset(
    """expand expand_as movedim narrow permute repeat reshape reshape_as swapaxes swapdims tile transpose
    unflatten unfold view view_as""".split()  # noqa: SIM905
)

MASKS = frozenset(
    """all any bool eq ge greater greater_equal gt isclose isfinite isin isinf isnan isneginf isposinf
    isreal le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal
    signbit""".split()  # noqa: SIM905
)

KEEPING = frozenset(
    """broadcast_to clone contiguous cpu cuda detach expand expand_as flatten flip gather index_select
    movedim narrow permute repeat reshape roll select squeeze swapaxes t transpose unflatten unsqueeze
    view view_as""".split()  # noqa: SIM905
)

TENSOR_ONLY = frozenset(
    """add_ addcdiv_ addcmul addcmul_ addmm baddbmm bernoulli_ bfloat16 bmm clamp clamp_ clamp_max
    clamp_min clone contiguous copy_ cuda data_ptr detach detach_ dim div_ element_size expand expand_as
    fill_ gather grad grad_fn index_add_ index_copy_ index_fill index_put_ index_select is_contiguous
    is_cuda is_leaf kthvalue lerp log_softmax logsumexp masked_fill masked_fill_ masked_scatter
    masked_select matmul mul_ multinomial narrow new_empty new_full new_ones new_tensor new_zeros
    normal_ numel permute pin_memory register_hook repeat_interleave requires_grad requires_grad_
    reshape_as retain_grad retains_grad rsqrt scatter scatter_ scatter_add scatter_add_ scatter_reduce
    sigmoid size softmax split stride sub_ tanh tensor_split to to_sparse topk tril triu type_as unbind
    unflatten unfold uniform_ unsqueeze unsqueeze_ untyped_storage view view_as zero_""".split()  # noqa: SIM905
)

GIVES_TENSOR = frozenset(
    """abs_ add_ addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ addmv addmv_ addr addr_
    as_strided as_strided_ baddbmm baddbmm_ bernoulli_ bincount bitwise_and_ bitwise_not_ bitwise_or_
    bitwise_xor_ bmm cauchy_ ceil_ clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ contiguous
    cos_ cumprod_ cumsum_ detach detach_ diag_embed div_ exp_ expand_as exponential_ fill_
    fill_diagonal_ fliplr flipud floor_ geometric_ index_add index_add_ index_copy index_copy_
    index_fill index_fill_ index_put index_put_ index_reduce index_reduce_ index_select lerp lerp_ log_
    log_normal_ log_prob log_softmax logcumsumexp logical_and logical_and_ logical_not logical_not_
    logical_or logical_or_ logical_xor_ logsumexp long masked_fill masked_fill_ masked_scatter
    masked_scatter_ masked_select matrix_exp mm mul_ nan_to_num_ neg_ new_empty new_empty_strided
    new_full new_ones new_tensor new_zeros nonzero_static normal_ permute pow_ random_ reciprocal_ relu_
    repeat_interleave reshape_as round_ rsample rsqrt_ scatter_ scatter_add scatter_add_ scatter_reduce
    scatter_reduce_ select_scatter sigmoid_ sin_ slice_scatter softmax sqrt_ square_ squeeze_ sub_
    sum_to_size swapdims take_along_dim tanh_ transpose_ tril_ triu_ type_as uniform_ unsqueeze
    unsqueeze_ view_as xlogy zero_""".split()  # noqa: SIM905
)

DIMENSIONS = frozenset(
    """all amax amin any argmax argmin argsort chunk cumprod cumsum flip index_select kthvalue log_softmax
    logsumexp max mean median min norm prod softmax sort split squeeze std sum topk unbind unflatten
    unsqueeze var""".split()  # noqa: SIM905
)

ELEMENTWISE = frozenset(
    """acos acosh arccos arcsin arctan argwhere asin asinh atan atanh bitwise_not ceil conj_physical cos
    cosh count_nonzero deg2rad digamma erf erfc erfinv exp exp2 expm1 frac isfinite isinf isnan isneginf
    isposinf isreal lgamma log10 log1p log2 logdet logit nan_to_num nanmean nansum neg rad2deg
    reciprocal relu rsqrt sgn sigmoid signbit sin sinc sinh sqrt square tan tanh tril triu trunc""".split()  # noqa: SIM905
)

INTEGER_CASTS = frozenset(
    """bool byte int short""".split()  # noqa: SIM905
)

CASTS = frozenset(
    """bfloat16 double float half""".split()  # noqa: SIM905
)

IN_FORWARD = frozenset(
    """abs add_ addcdiv_ addcmul addcmul_ addmm all any argmax argmin baddbmm bernoulli_ bfloat16 bmm clamp
    clamp_ clamp_max clamp_min clone contiguous copy_ cuda cumsum data_ptr detach detach_ dim div_
    element_size exp expand expand_as fill_ flatten gather grad grad_fn index_add_ index_copy_
    index_fill index_put_ index_select is_contiguous is_cuda is_leaf item kthvalue lerp log log_softmax
    logsumexp long masked_fill masked_fill_ masked_scatter masked_select matmul max mean min mul_
    multinomial narrow new_empty new_full new_ones new_tensor new_zeros norm normal_ numel permute
    pin_memory register_hook repeat_interleave requires_grad requires_grad_ reshape reshape_as
    retain_grad retains_grad rsqrt scatter scatter_ scatter_add scatter_add_ scatter_reduce shape
    sigmoid size softmax split sqrt squeeze std stride sub_ sum tanh tensor_split to_sparse topk
    transpose tril triu type_as unbind unflatten unfold uniform_ unsqueeze unsqueeze_ untyped_storage
    var view view_as zero_""".split()  # noqa: SIM905
)

ARITHMETIC = frozenset(
    """add bmm div dot eq floor_divide fmod ge gt le lt matmul maximum minimum mm mul ne outer pow
    remainder sub true_divide""".split()  # noqa: SIM905
)

COMBINING = frozenset(
    """bmm div dot eq ge gt le lt matmul maximum minimum mm mul ne outer sub true_divide""".split()  # noqa: SIM905
)

TUPLE_MODULES = frozenset(
    """AdaptiveLogSoftmaxWithLoss GRU LSTM LSTMCell MultiheadAttention RNN""".split()  # noqa: SIM905
)
