// Direct dispatch of compiled code, and the recognition of states in which its guards passed.
#include <torch/csrc/utils/pybind.h>

#include "class_call.h"
#include "replacements.h"

namespace py = pybind11;
namespace dispatch = overhead::dispatch;

namespace {

py::object add_type(py::module_& module, const char* name, PyType_Spec& spec) {
  auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
  if (!type) throw py::error_already_set();
  module.attr(name) = type;
  return type;
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.doc() = "Direct dispatch of code that torch.compile made.";
#ifdef OVERHEAD_DICTS_TELL_CHANGES
  add_type(module, "FlatState", overhead::flat::spec);
#ifndef OVERHEAD_DICTS_ARE_NUMBERED
  module.def("make_tables", [](bool wanted) { dispatch::DictWatcher::one().makes_tables = wanted; });
  module.def("trust_watchers", [] { dispatch::DictWatcher::one().is_trusted = true; });
#endif
  module.def("notice_replacements", [](py::type watched, py::tuple dicts, py::object cls) {
    return dispatch::notice_replacements(reinterpret_cast<PyTypeObject*>(watched.ptr()), dicts.ptr(), cls.ptr());
  });
#endif
  auto* gate_type = reinterpret_cast<PyTypeObject*>(add_type(module, "Gate", dispatch::gate_spec).ptr());
  module.def("use_dynamo", [](py::object get_callback, py::object set_hook, py::object tracker) {
    dispatch::dynamo().use(get_callback.ptr(), set_hook.ptr());
    Py_XSETREF(dispatch::names().tracker, tracker.release().ptr());
  });
  module.def("call_through_gates", [gate_type](py::type type, py::str name) {
    if (!dispatch::use_class_call(reinterpret_cast<PyTypeObject*>(type.ptr()), name.ptr(), gate_type))
      throw py::error_already_set();
  });
}
