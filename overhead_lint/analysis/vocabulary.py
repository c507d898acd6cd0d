"""All names that heuristics go by, with the role in which each is looked for.

A name may stand here if it is PyTorch's or Python's own (role `API`), belongs to a common base class of
the ecosystem (`BASE`), or is found in its role in at least three repositories of the corpus:
`benchmarks/names.py` looks, and fails on any other. Heuristics fitted to the names of one repository do
not hold for the next.
"""

from __future__ import annotations

import enum
from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["LISTS", "Listed", "Role"]


class Role(enum.Enum):
    """Where in source a word is looked for."""

    API = "a name of Python or PyTorch"
    BASE = "a method of a common base class"
    DECORATOR = "a word of decorators' names"
    FUNCTION = "a word of functions' names"
    FUNCTION_FIRST = "the first word of functions' names"
    METHOD = "a method's whole name"
    STEPPED = "a word of what .step() is called on"
    CALLED = "the last word of variables that are called"
    ITERATED = "a word of what loops go over, or next() takes from"
    COUNTER = "a word of what % is taken of, or a number compared with"
    INTERVAL = "a word of what % is taken by"
    FLAG = "a word of what branches test"
    FLAG_NAME = "the whole name of what branches test"
    VARIABLE = "the last word of names of variables and attributes"
    STEM = "a part of names of functions and classes"
    FOLDER = "a folder of a repository"


class Listed(NamedTuple):
    """A list of words and the role that they were listed for."""

    role: Role
    words: frozenset[str]


LISTS: Final[dict[str, Listed]] = {}
"""All lists, by name."""


def _listed(name: str, role: Role, words: str) -> frozenset[str]:
    found = frozenset(words.split())
    LISTS[name] = Listed(role, found)
    return found


# Functions that run in every step, or never do.
STEP_METHODS: Final = _listed(
    "STEP_METHODS",
    Role.BASE,
    """compute_loss on_after_backward on_before_optimizer_step on_train_batch_end on_train_batch_start
    optimizer_zero_grad""",
)
STEP_PREFIXES: Final = _listed(
    "STEP_PREFIXES",
    Role.FUNCTION,
    """backward closure decode decoding eval evaluation forward inference optim optimizer predict
    prediction sampling test train training val validation""",
)
# Contexts that are entered around each step: those that PyTorch has, and `forward_context`.
STEP_CONTEXTS: Final = _listed("STEP_CONTEXTS", Role.API, "autocast no_sync")
CONTEXTS: Final = _listed("CONTEXTS", Role.FUNCTION, "context ctx")
# What is clipped between a backward pass and the optimizer's step.
GRADIENTS: Final = _listed("GRADIENTS", Role.FUNCTION, "grad gradient gradients grads")
DISPATCH_METHODS: Final = _listed("DISPATCH_METHODS", Role.API, "__torch_dispatch__ __torch_function__")
AUTOGRAD_METHODS: Final = _listed("AUTOGRAD_METHODS", Role.API, "forward backward setup_context jvp vjp vmap")
CACHES: Final = _listed(
    "CACHES",
    Role.API,
    """functools.cache functools.lru_cache functools.cached_property
    torch.compiler.assume_constant_result""",
)
CACHE_DECORATORS: Final = _listed("CACHE_DECORATORS", Role.DECORATOR, "cache cached")
COLD_METHODS: Final = _listed(
    "COLD_METHODS",
    Role.API,
    """__deepcopy__ __del__ __getstate__ __init_subclass__ __post_init__ __reduce__ __repr__ __setstate__
    __str__ extra_repr get_extra_state load_state_dict reset_parameters set_extra_state state_dict""",
)
COLD_BASE_METHODS: Final = _listed("COLD_BASE_METHODS", Role.METHOD, "_init_weights from_pretrained ")
COLD_FIRST: Final = _listed(
    "COLD_FIRST",
    Role.FUNCTION_FIRST,
    """benchmark configure download dump export init initialize load parse plot register restore
    resume save setup visualize""",
)
# What these set was saved before: it says nothing of what it is by default.
RESTORING: Final = _listed("RESTORING", Role.FUNCTION_FIRST, "load restore resume")
RESTORING_METHODS: Final = _listed("RESTORING_METHODS", Role.API, "__setstate__ set_extra_state")
# What is converted once, before or after all steps: `convert_weights`, not `convert_to_weights`.
CONVERTED: Final = _listed(
    "CONVERTED", Role.FUNCTION, "checkpoint config file model module state weight weights"
)
# Weights go to other processes between phases of steps: `broadcast_weights`, `update_weights_from_disk`.
EXCHANGED: Final = _listed("EXCHANGED", Role.FUNCTION_FIRST, "broadcast receive recv send sync transfer")
EXCHANGED_BY: Final = _listed("EXCHANGED_BY", Role.FUNCTION, "from via")
COLD_ANYWHERE: Final = _listed("COLD_ANYWHERE", Role.FUNCTION, "ckpt onnx pretrained safetensors")
# Classes with one of these in their names stand in for others while a model is exported.
EXPORTED: Final = _listed("EXPORTED", Role.STEM, "export onnx")
# What users of a library call in each of their steps.
LOSSES: Final = _listed("LOSSES", Role.FUNCTION, "loss ")
COLLATING: Final = _listed("COLLATING", Role.FUNCTION, "collate collator")
STAND_INS: Final = _listed(
    "STAND_INS",
    Role.API,
    "torch.nn.utils.clip_grad_norm torch.nn.utils.clip_grad_norm_ torch.nn.utils.clip_grad_value_",
)
# Operators of a library that users call once, to look at what came out or for what a file holds, and folders
# of such.
LOOKED_AT: Final = _listed(
    "LOOKED_AT", Role.FUNCTION_FIRST, "convert draw evaluate plot print show visualize"
)
REFERENCES: Final = _listed("REFERENCES", Role.FUNCTION, "naive ref reference")
NO_OPERATORS: Final = _listed("NO_OPERATORS", Role.FOLDER, "evaluation io metrics")
# What is named so, and holds a loop of steps, is a whole evaluation.
EVALUATIONS: Final = _listed("EVALUATIONS", Role.FUNCTION, "eval evaluate evaluation validate validation")
# What libraries call for each batch of what is no training.
PREDICTIONS: Final = _listed("PREDICTIONS", Role.FUNCTION, "predict prediction test")
# What a generation of many tokens is told ends with one of these: `max_new_tokens`, `sampling_params`.
GENERATION: Final = _listed(
    "GENERATION", Role.VARIABLE, "config id length params processor sample sequences temperature tokens"
)
# Parameters of transformers and diffusers, and of those made after them, that say how many steps to take.
GENERATION_LENGTHS: Final = _listed("GENERATION_LENGTHS", Role.API, "max_new_tokens num_inference_steps")
HOT_DESPITE: Final = _listed("HOT_DESPITE", Role.FUNCTION, "backward activation activations tensors")

# Libraries whose functions take what is on the host, methods that make few elements of many, and contexts
# that turn gradients off.
HOST_LIBRARIES: Final = _listed(
    "HOST_LIBRARIES", Role.API, "PIL cv2 imageio librosa matplotlib scipy skimage sklearn soundfile"
)
REDUCTIONS: Final = _listed("REDUCTIONS", Role.API, "amax amin max mean median min norm prod std sum var")
WITHOUT_GRADIENTS: Final = _listed("WITHOUT_GRADIENTS", Role.API, "inference_mode no_grad")

# What programs call an object of a library that they hand around, mostly without an annotation.
ACCELERATORS: Final = _listed("ACCELERATORS", Role.VARIABLE, "accelerator")
FABRICS: Final = _listed("FABRICS", Role.VARIABLE, "fabric")

BATCHING: Final = _listed("BATCHING", Role.API, "foreach")

# Loops whose rounds are steps.
OPTIMIZERS: Final = _listed("OPTIMIZERS", Role.STEPPED, "opt optim optimizer scaler engine")
SCHEDULERS: Final = _listed("SCHEDULERS", Role.STEPPED, "scheduler ")
ENVIRONMENTS: Final = _listed("ENVIRONMENTS", Role.STEPPED, "env")
MODELS: Final = _listed("MODELS", Role.CALLED, "generator model net transformer unet vae")
ASKING_MODELS: Final = _listed(
    "ASKING_MODELS", Role.FUNCTION, "embed encode forward generate infer model predict"
)
LOADERS: Final = _listed("LOADERS", Role.ITERATED, "dataloader loader loaders dl")
CONFIGS: Final = _listed("CONFIGS", Role.VARIABLE, "cfg config")
ASKING_FOR_NONE: Final = _listed("ASKING_FOR_NONE", Role.FLAG_NAME, "exists")
FIRST_GIVEN: Final = _listed("FIRST_GIVEN", Role.FUNCTION, "default")
SETTINGS: Final = _listed("SETTINGS", Role.VARIABLE, "args cfg conf config hparams settings")
BATCHES: Final = _listed("BATCHES", Role.ITERATED, "batches microbatches")
STREAMS: Final = _listed("STREAMS", Role.ITERATED, "batch batches data dataset it iter iterator stream train")
TIMES: Final = _listed("TIMES", Role.ITERATED, "timesteps")
ROUNDS: Final = _listed("ROUNDS", Role.ITERATED, "batches iterations iters microbatches steps timesteps")
NEW_TOKENS: Final = _listed("NEW_TOKENS", Role.ITERATED, "new tokens")
STEP_CALLS: Final = _listed(
    "STEP_CALLS",
    Role.FUNCTION,
    """batch decode eval forward inference model opt optim optimizer predict sample test train
    training val valid validation""",
)
PARTS: Final = _listed("PARTS", Role.ITERATED, "accum accumulation microbatch microbatches")
VERBS: Final = _listed(
    "VERBS",
    Role.FUNCTION_FIRST,
    """add build compile configure convert copy create export finalize find format free get has init
    initialize is load make move offload patch prepare print reset restore save set setup to unwrap update
    validate wrap""",
)
EPOCHS: Final = _listed("EPOCHS", Role.ITERATED, "epoch epochs")
TRAINERS: Final = _listed("TRAINERS", Role.FUNCTION, "trainer")
TRAINING: Final = _listed("TRAINING", Role.FUNCTION, "train training")
TRAININGS: Final = _listed("TRAININGS", Role.BASE, "fit train")

# Branches that hardly ever run.
STEP_WORDS: Final = _listed(
    "STEP_WORDS",
    Role.COUNTER,
    "batch batches epoch iter iteration iters step steps update updates",
)
COUNTERS: Final = _listed("COUNTERS", Role.COUNTER, "count counter i idx index j n ")
INTERVAL_WORDS: Final = _listed(
    "INTERVAL_WORDS",
    Role.INTERVAL,
    "eval every freq frequency interval log period save",
)
# Optimizer steps happen every so many micro-batches: what is behind that test is the step itself.
NO_INTERVAL: Final = _listed("NO_INTERVAL", Role.INTERVAL, "accumulation grad gradient")
RARE_FLAGS: Final = _listed("RARE_FLAGS", Role.FLAG, "debug dump profile profiler profiling verbose")
RARE_FLAG_PAIRS: Final = _listed("RARE_FLAG_PAIRS", Role.FLAG, "should do need needs")
RARE_ACTS: Final = _listed(
    "RARE_ACTS", Role.FLAG, "checkpoint ckpt eval evaluate log logging print save validate"
)
# Parameters that are off by default and begin with one of these ask for files.
OFF_FLAGS: Final = _listed("OFF_FLAGS", Role.FLAG, "dump save")
# Options by which users choose what a program does.
MODES: Final = _listed(
    "MODES",
    Role.FLAG_NAME,
    "action command demo eval evaluate evaluation finetune generate infer inference job mode phase predict"
    " prediction pretrain sample stage task test testing train training validate validation",
)
DONE_FLAGS: Final = _listed("DONE_FLAGS", Role.FLAG, "captured created initialized ")
FIRST: Final = _listed("FIRST", Role.FLAG, "first")
FIRST_FLAGS: Final = _listed("FIRST_FLAGS", Role.FLAG, "batch call forward iter iteration run step time")
MAIN_RANK: Final = _listed("MAIN_RANK", Role.FLAG, "rank")
MAIN_FLAGS: Final = _listed(
    "MAIN_FLAGS", Role.BASE, "is_global_zero is_local_main_process is_main_process is_world_process_zero"
)
EXPORT_CALLS: Final = _listed(
    "EXPORT_CALLS",
    Role.API,
    """torch.onnx.is_in_onnx_export torch.jit.is_scripting torch.jit.is_tracing
    torch.compiler.is_exporting torch._C._get_tracing_state""",
)
CAPTURE_CALLS: Final = _listed(
    "CAPTURE_CALLS",
    Role.API,
    "torch.cuda.is_current_stream_capturing torch.cuda.graphs.is_current_stream_capturing",
)
CAPTURING: Final = _listed("CAPTURING", Role.API, "torch.cuda.graph torch.cuda.graphs.graph")
CHECKING_CALLS: Final = _listed(
    "CHECKING_CALLS",
    Role.API,
    """torch.are_deterministic_algorithms_enabled torch.is_anomaly_enabled
    torch.is_anomaly_check_nan_enabled""",
)
CAPTURE_FLAGS: Final = _listed("CAPTURE_FLAGS", Role.FLAG, "capturing")
EXPORT_FLAGS: Final = _listed("EXPORT_FLAGS", Role.FLAG, "exporting onnx scripting tracing")
CLOCKS: Final = _listed(
    "CLOCKS",
    Role.API,
    "time.time time.perf_counter time.monotonic time.time_ns time.process_time timeit.default_timer",
)
NOT_FINITE: Final = _listed("NOT_FINITE", Role.API, "isinf isnan")
FINITE: Final = _listed("FINITE", Role.API, "isfinite")
# What flags and functions are named that ask for numbers that are not finite: `has_nan`, `overflow`.
BAD_NUMBERS: Final = _listed("BAD_NUMBERS", Role.FLAG, "inf nan overflow")
BAD_FOUND: Final = _listed("BAD_FOUND", Role.FLAG, "found has is")
# What masks are named that mark what nobody has used for long, to be replaced: `expired_codes`.
EXPIRED: Final = _listed("EXPIRED", Role.FLAG, "dead expired")
WARNINGS: Final = _listed(
    "WARNINGS", Role.API, "logging.Logger.critical logging.Logger.error logging.Logger.warning"
)
# Calls by which a program tells how far it has come; some are known by their last names, as methods.
SHOWING: Final = _listed(
    "SHOWING",
    Role.API,
    """logging.Logger.info print torch.save torch.utils.tensorboard.SummaryWriter.add_image
    torch.utils.tensorboard.SummaryWriter.add_images torch.utils.tensorboard.SummaryWriter.add_scalar
    torch.utils.tensorboard.SummaryWriter.add_scalars""",
)
# Calls and categories of warnings that tell of a way to call something which is going to be dropped.
DEPRECATING: Final = _listed("DEPRECATING", Role.FUNCTION_FIRST, "deprecate deprecated")
DEPRECATIONS: Final = _listed(
    "DEPRECATIONS", Role.API, "DeprecationWarning FutureWarning PendingDeprecationWarning"
)
ELAPSED: Final = _listed("ELAPSED", Role.FLAG, "elapsed duration")
