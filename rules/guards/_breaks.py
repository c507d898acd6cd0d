"""What ends a graph of `torch.compile`: calls by name.

Each entry was compiled with torch 2.13, 2.14 and 2.15 and its graph breaks counted;
tests/rules/test_graph_breaks.py counts them again. What only some of these do is in `_releases`, too. What
one would expect to break and does not (``id``, ``next(self.parameters())``,
``x.numpy()``, generator expressions, ``try`` without a break inside) is in there as well.
"""

from __future__ import annotations

OUTSIDE = "do it outside of the compiled function, or under `if not torch.compiler.is_compiling():`"
ON_DEVICE = "keep it in a tensor (torch.where, index_select), or compute it outside of the compiled function"
FIXED_SHAPE = "keep the shape (torch.where, a factor of 0), or do it outside of the compiled function"
AT_CONSTRUCTION = "build it in __init__"

FUNCTIONS: dict[str, str] = {
    **dict.fromkeys(
        """copy.copy datetime.datetime.now datetime.datetime.utcnow gc.collect glob.glob inspect.currentframe
        inspect.stack json.dumps os.getcwd os.getpid os.makedirs os.path.exists os.path.isfile pickle.dumps
        pickle.loads random.choice random.gauss random.random random.sample random.seed random.shuffle
        socket.gethostname subprocess.run sys._getframe sys.getsizeof sys.stdout.flush sys.stdout.write
        threading.current_thread threading.get_ident time.monotonic time.perf_counter time.perf_counter_ns
        time.process_time time.sleep time.time time.time_ns traceback.print_exc uuid.uuid4
        warnings.simplefilter warnings.warn""".split(),  # noqa: SIM905
        OUTSIDE,
    ),
    **dict.fromkeys(
        """numpy.random.rand numpy.random.randint numpy.random.uniform torch.autograd.backward
        torch.autograd.grad torch.backends.mps.is_available torch.can_cast torch.cuda.device_count
        torch.cuda.get_device_name torch.cuda.get_device_properties torch.cuda.is_bf16_supported
        torch.cuda.manual_seed
        torch.cuda.max_memory_allocated torch.cuda.memory_allocated torch.cuda.nvtx.range
        torch.cuda.nvtx.range_pop torch.cuda.nvtx.range_push torch.get_default_device
        torch.get_float32_matmul_precision torch.get_num_threads torch.get_rng_state torch.jit.isinstance
        torch.manual_seed torch.nn.utils.rnn.pack_padded_sequence torch.random.fork_rng
        torch.random.manual_seed torch.result_type torch.save torch.set_num_threads torch.set_rng_state
        torch.sparse_coo_tensor torch.typename""".split(),  # noqa: SIM905
        OUTSIDE,
    ),
    **dict.fromkeys(("torch.allclose", "torch.equal", "torch.is_nonzero"), ON_DEVICE),
    **dict.fromkeys(
        """torch.Generator torch.nn.BatchNorm1d torch.nn.BatchNorm2d torch.nn.Conv1d torch.nn.Conv2d
        torch.nn.Conv3d torch.nn.Embedding torch.nn.LayerNorm torch.nn.Linear torch.nn.Parameter
        torch.nn.parameter.Parameter""".split(),  # noqa: SIM905
        AT_CONSTRUCTION,
    ),
}
"""Functions that break the graph whatever they are called with, and what to do instead."""

BUILTINS = frozenset({"print", "open", "exec", "globals"})
"""Functions of Python that do so."""

SIZES = frozenset(
    """torch.arange torch.empty torch.linspace torch.ones torch.rand torch.randn torch.randperm
    torch.zeros""".split()  # noqa: SIM905
)
SIZE_METHODS = frozenset({"expand", "new_empty", "new_ones", "new_zeros", "reshape", "view"})
"""What takes sizes: given as tensors, these are read back."""

SHAPE_FUNCTIONS = frozenset(
    """torch.argwhere torch.bincount torch.combinations torch.masked_select torch.nonzero torch.unique
    torch.unique_consecutive""".split()  # noqa: SIM905
)
"""Functions whose result is as large as the values say."""

SHAPE_METHODS = frozenset(
    {"argwhere", "bincount", "masked_select", "nonzero", "unique", "unique_consecutive"}
)

VALUE_METHODS = frozenset({"allclose", "equal", "is_nonzero", "tolist"})
"""Methods of tensors that give a Python value."""

OTHER_METHODS = {
    "backward": "call it outside of the compiled function",
    "is_pinned": OUTSIDE,
    "is_shared": OUTSIDE,
    "requires_grad_": "ask for gradients before the compiled function is called",
    "resize_": "do it outside of the compiled function",
    "share_memory_": OUTSIDE,
    "storage": OUTSIDE,
    "to_sparse": "do it outside of the compiled function",
}
"""Methods of tensors that break the graph otherwise."""

OPTIMIZER_METHODS = frozenset({"step", "zero_grad"})
"""Methods of optimizers, which the compiler leaves alone unless they are compiled by themselves."""

OPTIMIZERS = frozenset({"opt", "optim", "optimizer"})

LOG_METHODS = frozenset(
    {"critical", "debug", "error", "exception", "info", "isEnabledFor", "log", "warn", "warning"}
)
LOG_SWITCHES = frozenset(
    {"ignore_logger_methods", "ignore_logging_functions", "reorderable_logging_functions"}
)
"""Settings of Dynamo that make it trace over logging, or print after the graph."""

SCALAR_SWITCH = "capture_scalar_outputs"
SHAPE_SWITCH = "capture_dynamic_output_shape_ops"
