"""What torch's own names stand for: which calls give tensors, and where those live."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ARITHMETIC",
    "ARRAY_METHODS",
    "CASTS",
    "COMPILE",
    "DIMENSIONS",
    "ELEMENTWISE",
    "FACTORIES",
    "FORWARD_USES",
    "GIVES_TENSOR",
    "HOST_FACTORIES",
    "INTEGER_CASTS",
    "KEEPS_DTYPE",
    "MASK_FUNCTIONS",
    "NUMBER_ATTRIBUTES",
    "NUMBER_METHODS",
    "OBJECT_ATTRIBUTES",
    "OBJECT_METHODS",
    "SEQUENCE_FUNCTIONS",
    "TENSOR_ATTRIBUTES",
    "TENSOR_ONLY",
    "TUPLE_MODULES",
    "is_bool_dtype",
    "is_dtype",
    "is_integer_dtype",
    "is_tensor_function",
]

# Modules below torch whose functions take and give tensors.
_TENSOR_MODULES: Final = frozenset(
    """torch torch.nn.functional torch.linalg torch.fft torch.special torch.functional torch.ops.aten
    torch._C._nn""".split()  # noqa: SIM905
)
# Functions of torch itself that do not give a tensor.
_NO_TENSOR: Final = frozenset(
    """allclose are_deterministic_algorithms_enabled autocast broadcast_shapes can_cast compile
    compiled_with_cxx11_abi device enable_grad equal export finfo get_autocast_dtype
    get_autocast_gpu_dtype get_default_device get_default_dtype get_device_module
    get_float32_matmul_precision get_num_interop_threads get_num_threads get_rng_state iinfo
    inference_mode initial_seed is_autocast_cache_enabled is_autocast_enabled is_complex is_conj
    is_deterministic is_distributed is_floating_point is_grad_enabled is_inference
    is_inference_mode_enabled is_neg is_nonzero is_same_size is_signed is_storage is_tensor load
    manual_seed no_grad numel promote_types result_type save seed set_default_device
    set_default_dtype set_default_tensor_type set_float32_matmul_precision set_grad_enabled
    set_num_threads set_printoptions set_rng_state typename use_deterministic_algorithms
    vmap""".split()  # noqa: SIM905
)
_DTYPES: Final = frozenset(
    """bfloat16 bool cfloat complex128 complex64 double float float16 float32 float64 half int int16
    int32 int64 int8 long short uint8""".split()  # noqa: SIM905
)

_INTEGERS: Final = frozenset("bool int int16 int32 int64 int8 long short uint8".split())  # noqa: SIM905

COMPILE: Final = frozenset(
    {"torch.compile", "torch._dynamo.optimize", "torch.compiler.compile", "overhead_lint.runtime.compile"}
)
"""What compiles the function or module that it is given."""

FACTORIES: Final = frozenset(
    """arange empty eye full linspace logspace ones rand randint randn randperm range tensor
    tril_indices triu_indices zeros hann_window""".split()  # noqa: SIM905
)
"""Functions of torch that make a tensor, in CPU memory unless told a device."""

HOST_FACTORIES: Final = frozenset(
    """BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor
    LongTensor ShortTensor Tensor from_numpy frombuffer""".split()  # noqa: SIM905
)
"""Functions of torch that make a tensor in CPU memory whatever they are told."""

SEQUENCE_FUNCTIONS: Final = frozenset(
    """broadcast_tensors chunk cummax cummin eigh frexp hsplit kthvalue meshgrid mode qr slogdet sort
    split std_mean svd tensor_split topk unbind unsafe_chunk unsafe_split var_mean
    vsplit""".split()  # noqa: SIM905
)
"""Functions and methods that give several tensors."""

NUMBER_METHODS: Final = frozenset(
    """_nnz allclose const_data_ptr data_ptr dense_dim dim element_size equal get_device has_names
    is_coalesced is_complex is_conj is_contiguous is_distributed is_floating_point is_inference is_neg
    is_nonzero is_pinned is_same_size is_set_to is_shared is_signed item ndimension nelement numel
    q_scale q_zero_point sparse_dim storage_offset""".split()  # noqa: SIM905
)
OBJECT_METHODS: Final = frozenset({"tolist", "untyped_storage", "storage", "type", "stride", "size"})
ARRAY_METHODS: Final = frozenset({"numpy", "__array__"})
NUMBER_ATTRIBUTES: Final = frozenset(
    """_version is_cpu is_cuda is_ipu is_leaf is_maia is_meta is_mkldnn is_mps is_mtia is_nested is_quantized
    is_sparse is_sparse_csr is_vulkan is_xla is_xpu itemsize nbytes ndim output_nr requires_grad
    retains_grad""".split()  # noqa: SIM905
)
OBJECT_ATTRIBUTES: Final = frozenset({"device", "dtype", "grad_fn", "layout", "names", "shape"})
TENSOR_ATTRIBUTES: Final = frozenset({"H", "T", "data", "grad", "imag", "mH", "mT", "real"})

ARITHMETIC: Final = frozenset(
    """add bmm div dot eq floor_divide fmod ge gt le lt matmul maximum minimum mm mul ne outer pow remainder
    sub true_divide""".split()  # noqa: SIM905
)
"""Methods that combine a tensor with another, or with a number, as operators do."""

MASK_FUNCTIONS: Final = frozenset(
    """bool eq ge greater greater_equal gt isclose isfinite isin isinf isnan isneginf isposinf isreal le less
    less_equal logical_and logical_not logical_or logical_xor lt ne not_equal signbit""".split()  # noqa: SIM905
)
"""Functions and methods that give a tensor of booleans."""

KEEPS_DTYPE: Final = frozenset(
    """all any broadcast_to clone contiguous cpu cuda detach expand expand_as flatten flip gather index_select
    movedim narrow permute repeat reshape roll select squeeze swapaxes t transpose unflatten unsqueeze view
    view_as""".split()  # noqa: SIM905
)
"""Methods that give a tensor of booleans for one of booleans."""

TENSOR_ONLY: Final = frozenset(
    """addmm baddbmm bfloat16 bmm clamp clamp_ clamp_min contiguous cuda detach detach_ dim expand
    expand_as gather grad grad_fn index_add_ index_copy_ index_fill index_select is_contiguous is_cuda
    masked_fill masked_fill_ masked_scatter masked_select matmul mul_ narrow new_empty new_full
    new_ones new_tensor new_zeros numel permute pin_memory register_hook repeat_interleave requires_grad
    requires_grad_ retain_grad scatter scatter_ scatter_add scatter_add_ sigmoid size softmax split
    stride sub_ tanh to tril triu type_as unbind unfold unflatten unsqueeze unsqueeze_ untyped_storage
    view view_as zero_""".split()  # noqa: SIM905
)
"""Attributes that tensors have and arrays, numbers and containers have not."""

GIVES_TENSOR: Final = frozenset(
    """add_ addcdiv_ addcmul addcmul_ addmm baddbmm bincount bmm clamp clamp_ clamp_max clamp_min contiguous
    detach detach_ diag_embed div_ expand_as fill_ fliplr flipud index_add index_add_ index_copy_ index_fill
    index_put_ index_select log_softmax logical_and logical_not logical_or logsumexp long masked_fill
    masked_fill_ masked_scatter masked_select mul_ new_empty new_full new_ones new_tensor new_zeros normal_
    permute repeat_interleave scatter_ scatter_add scatter_add_ scatter_reduce softmax sub_ take_along_dim
    type_as uniform_ unsqueeze unsqueeze_ view_as zero_""".split()  # noqa: SIM905
)
"""Methods that only tensors have, and that give one."""

DIMENSIONS: Final = frozenset(
    """all amax amin any argmax argmin argsort chunk cumprod cumsum flip index_select kthvalue log_softmax
    logsumexp max mean median min norm prod softmax sort split squeeze std sum topk unbind unflatten unsqueeze
    var""".split()  # noqa: SIM905
)
"""Methods that are tensors' where they are told ``dim`` or ``keepdim`` by keyword."""

ELEMENTWISE: Final = frozenset(
    "erf exp expm1 isfinite isinf isnan log1p reciprocal relu rsqrt sigmoid square tanh".split()  # noqa: SIM905
)
"""Methods that tensors have and arrays have not, where they are told nothing."""

INTEGER_CASTS: Final = frozenset({"bool", "byte", "int", "short"})
"""Methods without arguments that tensors have, and arrays, containers and modules have not."""

CASTS: Final = frozenset({"bfloat16", "double", "float", "half"})
"""Methods without arguments that tensors and modules have, arrays and containers have not."""

FORWARD_USES: Final = TENSOR_ONLY - {"to"} | frozenset(
    """abs all any argmax argmin cumsum exp flatten item log long max mean min norm reshape shape sqrt
    squeeze std sum transpose var""".split()  # noqa: SIM905
)
"""Attributes that tell a tensor among what ``forward`` is called with: arrays are not."""

TUPLE_MODULES: Final = frozenset({"GRU", "GRUCell", "LSTM", "LSTMCell", "MultiheadAttention", "RNN"})
"""Classes of ``torch.nn`` whose call gives several tensors."""


def is_tensor_function(name: str) -> bool:
    """Whether a qualified name is a function of torch that works on tensors and gives some."""
    module, _, last = name.rpartition(".")
    if module == "torch":
        return last not in _NO_TENSOR and (last[:1].islower() or last.endswith("Tensor"))
    return module in _TENSOR_MODULES and last[:1].islower()


def is_dtype(name: str | None) -> bool:
    """Whether a qualified name is one of torch's dtypes."""
    module, _, last = (name or "").rpartition(".")
    return module == "torch" and last in _DTYPES


def is_integer_dtype(name: str | None) -> bool:
    """Whether a qualified name is one of torch's dtypes for integers, or that for booleans."""
    module, _, last = (name or "").rpartition(".")
    return module == "torch" and last in _INTEGERS


def is_bool_dtype(name: str | None) -> bool:
    """Whether a qualified name is torch's dtype for booleans, or Python's type."""
    return name in {"torch.bool", "bool"}
