// Counts device events, streams and synchronisations at c10's GPU trace points, for a real CUDA
// runtime and for the simulated device alike, and says which source lines caused them.
#include <torch/csrc/utils/pybind.h>

#include <pybind11/stl.h>

#include "trace_interpreter.h"

namespace py = pybind11;
namespace sink = overhead::sink;

namespace {

// Both are changed with the interpreter lock held.
int starts = 0;
int attributing = 0;
at::CallbackHandle operator_callback = at::INVALID_CALLBACK_HANDLE;

void start() {
  if (starts++ == 0) sink::install();
}

// False: somebody else took the trace points over, and the counts since then are short.
bool stop() {
  TORCH_CHECK(starts > 0, "overhead-lint: the trace sink is stopped more often than started");
  bool ours = sink::installed();
  if (--starts == 0 && ours) sink::uninstall();
  return ours;
}

py::dict counts() {
  py::dict result;
  for (size_t i = 0; i < sink::kind_total; i++)
    result[sink::kind_names[i]] = sink::counters[i].load(std::memory_order_relaxed);
  return result;
}

uint64_t kind_mask(const std::vector<std::string>& names) {
  uint64_t mask = 0;
  for (const auto& name : names) {
    auto known = std::find(sink::kind_names.begin(), sink::kind_names.end(), name);
    TORCH_CHECK_VALUE(known != sink::kind_names.end(), "overhead-lint: nothing of the name ", name, " is counted");
    mask |= uint64_t{1} << (known - sink::kind_names.begin());
  }
  return mask;
}

void attribute(const std::vector<std::string>& kinds, std::vector<std::string> internal_prefixes) {
  uint64_t mask = kind_mask(kinds);
  if (attributing++ == 0) {
    sink::codes().set_internal_prefixes(std::move(internal_prefixes));
    operator_callback = at::addGlobalCallback(
        at::RecordFunctionCallback(&sink::on_operator).scopes({at::RecordScope::FUNCTION}));
    sink::attribution().begin(mask);
  } else {
    sink::attribution().widen(mask);
  }
}

void stop_attributing() {
  TORCH_CHECK(attributing > 0, "overhead-lint: attribution is stopped more often than started");
  if (--attributing) return;
  sink::attribution().end();
  at::removeCallback(operator_callback);
  sink::attribution().clear();
  sink::codes().forget();
}

// [(kind, origin, path, line, node, leaf tensor or None, amount)]
py::list causes() {
  py::list result;
  for (const auto& [cause, amount] : sink::attribution().amounts()) {
    py::object path = py::none();
    if (cause.site) path = py::reinterpret_borrow<py::object>(cause.site.code->co_filename);
    at::Tensor leaf = cause.leaf ? sink::attribution().leaf(cause.leaf) : at::Tensor();
    result.append(py::make_tuple(
        sink::kind_names[static_cast<size_t>(cause.kind)],
        sink::origin_names[static_cast<size_t>(cause.origin)],
        path,
        cause.site.line,
        cause.node,
        leaf.defined() ? py::cast(leaf) : py::none(),
        amount));
  }
  return result;
}

} // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("start", &start);
  m.def("stop", &stop);
  m.def("counts", &counts);
  m.def("attribute", &attribute, py::arg("kinds"), py::arg("internal_prefixes"));
  m.def("stop_attributing", &stop_attributing);
  m.def("causes", &causes);
}
