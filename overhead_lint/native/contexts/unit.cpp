// The runtime APIs that run at every step, without the interpreter in between.
//
// What is rare (arguments seen for the first time, function modes, wrong use) is left to the functions
// of Python that each part is bound to, so that both forms have one meaning.
#include <torch/csrc/utils/pybind.h>

#ifdef Py_GIL_DISABLED
#error "the tables here are guarded by the interpreter lock"
#endif

#include "autocast.h"
#include "constants.h"
#include "grad_modes.h"
#include "hashes.h"
#include "queries.h"
#include "ranges.h"
#include "stand_in.h"

namespace contexts = overhead::contexts;

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.doc() = "Blocks and look-ups of overhead_lint.runtime.";
  PyObject* self = module.ptr();
  bool complete = contexts::add_stand_in(self) &&
                  contexts::add_base_type(self, contexts::autocast::spec, "AutocastBlock") &&
                  contexts::grad::add_types(self) && contexts::ranges::add_types(self) &&
                  contexts::add_base_type(self, contexts::hashes::spec(), "HashOnce");
  for (PyMethodDef* functions : {contexts::autocast::functions, contexts::grad::functions(),
                                 contexts::ranges::functions(), contexts::queries::functions(),
                                 contexts::constants::functions()}) {
    complete = complete && PyModule_AddFunctions(self, functions) == 0;
  }
  if (!complete) throw pybind11::error_already_set();
}
