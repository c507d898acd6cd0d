"""What ends a graph of `torch.compile`: calls by name, as torch 2.13 takes them.

Each entry was compiled with torch 2.13 and its graph breaks counted; tests/rules/test_graph_breaks.py
counts them again. What one would expect to break and does not (``id``, ``next(self.parameters())``,
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
        torch.autograd.grad torch.backends.mps.is_available torch.cuda.device_count
        torch.cuda.get_device_name torch.cuda.get_device_properties torch.cuda.manual_seed
        torch.cuda.max_memory_allocated torch.cuda.memory_allocated torch.cuda.nvtx.range
        torch.cuda.nvtx.range_pop torch.cuda.nvtx.range_push torch.get_float32_matmul_precision
        torch.get_num_threads torch.get_rng_state torch.manual_seed torch.random.fork_rng
        torch.random.manual_seed torch.save torch.set_num_threads torch.set_rng_state
        torch.typename""".split(),  # noqa: SIM905
        OUTSIDE,
    ),
    **dict.fromkeys(("torch.allclose", "torch.equal", "torch.is_nonzero"), ON_DEVICE),
    **dict.fromkeys(
        ("torch.Generator", "torch.nn.Parameter", "torch.nn.parameter.Parameter"), AT_CONSTRUCTION
    ),
}
"""Functions that break the graph whatever they are called with, and what to do instead."""

BUILTINS = frozenset({"print", "open", "exec", "globals"})
"""Functions of Python that do so."""

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
    "is_shared": OUTSIDE,
    "share_memory_": OUTSIDE,
    "to_sparse": "do it outside of the compiled function",
}
"""Methods of tensors that break the graph otherwise."""

LOG_METHODS = frozenset(
    {"critical", "debug", "error", "exception", "info", "isEnabledFor", "log", "warn", "warning"}
)
LOG_SWITCHES = frozenset(
    {"ignore_logger_methods", "ignore_logging_functions", "reorderable_logging_functions"}
)
"""Settings of Dynamo that make it trace over logging, or print after the graph."""

SCALAR_SWITCH = "capture_scalar_outputs"
SHAPE_SWITCH = "capture_dynamic_output_shape_ops"
