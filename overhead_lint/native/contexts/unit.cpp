// The runtime APIs that run at every step, without the interpreter in between.
//
// What is rare (arguments seen for the first time, function modes, wrong use) is left to the functions
// of Python that each part is bound to, so that both forms have one meaning.
#include <torch/csrc/utils/pybind.h>

#ifdef Py_GIL_DISABLED
#error "the tables here are guarded by the interpreter lock"
#endif

#include "autocast.h"
#include "grad_modes.h"

namespace contexts = overhead::contexts;

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.doc() = "Blocks and look-ups of overhead_lint.runtime.";
  PyObject* self = module.ptr();
  const bool complete = contexts::add_base_type(self, contexts::autocast::spec, "AutocastBlock") &&
                        PyModule_AddFunctions(self, contexts::autocast::functions) == 0 &&
                        contexts::grad::add_types(self) &&
                        PyModule_AddFunctions(self, contexts::grad::functions()) == 0;
  if (!complete) throw pybind11::error_already_set();
}
