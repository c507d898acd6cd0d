// Counts what a block of Python makes the host do: device events, streams and synchronisations at
// c10's GPU trace points (for a real CUDA runtime and for the simulated device alike), bytes of the device, operators,
// autograd nodes, copies and saved tensors, Python calls; and says which source lines caused them.
#include <torch/csrc/utils/pybind.h>

#include <pybind11/stl.h>

#include "operators.h"
#include "python_calls.h"
#include "saved_tensors.h"
#include "trace_interpreter.h"

namespace py = pybind11;
namespace sink = overhead::sink;

namespace {

// Both are changed with the interpreter lock held.
int starts = 0;
int attributing = 0;
int folders_used = 0;

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

// [(thread as Python's get_ident() tells it, 0 for garbage collections, kind, amount)]
py::list bystanders() {
  py::list result;
  for (const auto& [thread, kind, amount] : sink::Bystanders::one().amounts())
    result.append(py::make_tuple(thread, sink::kind_names[static_cast<size_t>(kind)], amount));
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

// Sites hold code objects of the table, so it is emptied only when nobody attributes.
void use_folders(std::vector<std::string> internal, std::vector<std::string> standard) {
  if (folders_used++ == 0) sink::codes().set_folders(std::move(internal), std::move(standard));
}

void leave_folders() {
  if (--folders_used == 0) sink::codes().forget();
}

void attribute(
    const std::vector<std::string>& kinds, std::vector<std::string> internal, std::vector<std::string> standard) {
  uint64_t mask = kind_mask(kinds);
  use_folders(std::move(internal), std::move(standard));
  sink::forward_lines_switch().start();
  if (attributing++ == 0) {
    sink::attribution().begin(mask);
  } else {
    sink::attribution().widen(mask);
  }
}

void stop_attributing() {
  TORCH_CHECK(attributing > 0, "overhead-lint: attribution is stopped more often than started");
  if (--attributing == 0) {
    sink::attribution().end();
    sink::attribution().clear();
  }
  sink::forward_lines_switch().stop();
  leave_folders();
}

py::object path_of(sink::Site site) {
  if (!site) return py::none();
  return py::reinterpret_borrow<py::object>(site.code->co_filename);
}

py::tuple told(const sink::Cause& cause, int64_t number) {
  at::Tensor leaf = cause.leaf ? sink::attribution().leaf(cause.leaf) : at::Tensor();
  return py::make_tuple(
      sink::kind_names[static_cast<size_t>(cause.kind)],
      sink::origin_names[static_cast<size_t>(cause.origin)],
      path_of(cause.site),
      cause.site.line,
      cause.label,
      cause.op,
      leaf.defined() ? py::cast(leaf) : py::none(),
      number);
}

// [(kind, origin, path, line, label, operator or "", leaf tensor or None, amount)]
py::list causes() {
  py::list result;
  for (const auto& [cause, amount] : sink::attribution().amounts()) result.append(told(cause, amount));
  return result;
}

// The same of single things that happened on streams, in the order of time, with the nanosecond in place of
// the amount.
py::list moments() {
  py::list result;
  for (const auto& [at, cause] : sink::attribution().moments()) result.append(told(cause, at));
  return result;
}

using CodeKinds = std::vector<std::pair<py::object, std::string>>;

sink::PythonCalls::Kinds by_code(const CodeKinds& kinds) {
  sink::PythonCalls::Kinds result;
  for (const auto& [code, kind] : kinds) {
    if (!PyCode_Check(code.ptr())) throw py::type_error("overhead-lint: an entry of a context is no code object");
    result.emplace(reinterpret_cast<PyCodeObject*>(code.ptr()), kind);
  }
  return result;
}

void start_calls(
    const CodeKinds& entries, const CodeKinds& generators, std::vector<std::string> internal,
    std::vector<std::string> standard) {
  auto enters = by_code(entries), runs = by_code(generators);
  use_folders(std::move(internal), std::move(standard));
  sink::PythonCalls::one().start(std::move(enters), std::move(runs));
}

bool stop_calls() {
  bool kept = sink::PythonCalls::one().stop();
  leave_folders();
  return kept;
}

void start_spans(
    const std::vector<py::object>& entries, const py::object& base, size_t most, std::vector<std::string> internal,
    std::vector<std::string> standard) {
  TORCH_CHECK(!sink::Spans::one().on(), "overhead-lint: spans are recorded already");
  std::unordered_set<PyCodeObject*> codes;
  for (const auto& code : entries)
    if (PyCode_Check(code.ptr())) codes.insert(reinterpret_cast<PyCodeObject*>(code.ptr()));
  use_folders(std::move(internal), std::move(standard));
  sink::Spans::one().start(std::move(codes), reinterpret_cast<PyCodeObject*>(base.ptr()), most);
}

// {"kept", "lost", "begun", "ended", "spans": [(begin, end, parent, thread, what, name, path and line of the
// code, path and line that does it)], "instants": [(at, kind, parent)], "calls": [(number of the call around it or -1,
// line there, path, name, role)], "lines": [(number of a call or -1, line, time)]}; times in nanoseconds.
py::dict stop_spans() {
  auto& all = sink::Spans::one();
  TORCH_CHECK(all.on(), "overhead-lint: no spans are recorded");
  py::dict result;
  result["kept"] = all.stop();
  result["lost"] = all.lost();
  result["begun"] = all.begun();
  result["ended"] = all.ended();
  py::list spans, instants;
  for (const auto& span : all.spans()) {
    sink::Site code{span.code, span.code ? span.code->co_firstlineno : 0};
    spans.append(py::make_tuple(
        span.begin, span.end, span.parent, span.thread, sink::what_names[static_cast<size_t>(span.what)],
        all.name(span.name), path_of(code), code.line, path_of(span.site), span.site.line));
  }
  for (const auto& instant : all.instants())
    instants.append(py::make_tuple(instant.at, sink::kind_names[static_cast<size_t>(instant.kind)], instant.parent));
  const auto& tree = all.calls();
  py::list calls, lines;
  for (const auto& call : tree.calls())
    calls.append(py::make_tuple(
        call.parent, tree.line({call.parent, call.offset}), path_of({call.code, 0}), all.name(call.code),
        sink::role_names[static_cast<size_t>(call.role)]));
  tree.each([&](auto point, int64_t taken) { lines.append(py::make_tuple(point.call, tree.line(point), taken)); });
  result["calls"] = calls;
  result["lines"] = lines;
  result["spans"] = spans;
  result["instants"] = instants;
  all.clear();
  leave_folders();
  return result;
}

} // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("start", &start);
  m.def("stop", &stop);
  m.def("counts", &counts);
  m.def("attribute", &attribute, py::arg("kinds"), py::arg("internal"), py::arg("standard"));
  m.def("stop_attributing", &stop_attributing);
  m.def("causes", &causes);
  m.def("moments", &moments);
  m.def("now", &sink::now);

  m.def("start_watching", [] { sink::Bystanders::one().start(); });
  m.def("stop_watching", [] { sink::Bystanders::one().stop(); });
  m.def("bystanders", &bystanders);
  m.def("collected", [] { return sink::Bystanders::one().collected(); });
  m.def("on_collection", [](const std::string& phase, const py::object&) {
    sink::Bystanders::one().on_collection(phase == "start");
  });

  m.def("start_dispatches", [] { return sink::dispatch_callback().start(); });
  m.def("stop_dispatches", [] { return sink::dispatch_callback().stop(); });
  m.def("start_nodes", [] { return sink::node_callback().start(); });
  m.def("stop_nodes", [] { return sink::node_callback().stop(); });
  m.def("start_copies", [] { return sink::copy_callback().start(); });
  m.def("stop_copies", [] { return sink::copy_callback().stop(); });
  m.def("start_memory", [] { return sink::DeviceMemory::one().start(); });
  m.def("stop_memory", [](int number) { return sink::DeviceMemory::one().stop(number); });
  m.def("start_calls", &start_calls);
  m.def("stop_calls", &stop_calls);
  m.def("set_calls_guest", [](const py::object& guest) {
    sink::PythonCalls::one().set_guest(guest.is_none() ? nullptr : guest.ptr());
  });
  m.def("start_saved", [] { return sink::SavedTensors::one().start(); });
  m.def("stop_saved", [](const std::vector<py::object>& contexts) {
    return sink::SavedTensors::one().stop(contexts);
  });

  m.def(
      "start_spans", &start_spans, py::arg("entries"), py::arg("base"), py::arg("most"), py::arg("internal"),
      py::arg("standard"));
  m.def("stop_spans", &stop_spans);
}
