// A simulated CUDA device for a CPU-only torch: kernels run at once on the CPU, streams and events
// only tell the GPU trace points, so that unchanged CUDA code runs and can be counted.
#include <torch/csrc/utils/pybind.h>

#include <pybind11/stl.h>

#include "engine_threads.h"
#include "registration.h"

namespace py = pybind11;
namespace simulated = overhead::simulated;

namespace {

// Once a process: registers the device, for the processes that are forked from this one, too. Nothing is visible yet.
void register_with_torch(
    bool reduced,
    std::unordered_map<std::string, int> synchronisations,
    std::unordered_map<std::string, std::tuple<int, std::string, std::string, std::string, std::string, std::vector<std::string>, bool>>
        reads,
    std::unordered_map<std::string, int> sends,
    std::unordered_set<std::string> stages,
    std::unordered_set<std::string> indexing,
    std::unordered_set<std::string> views,
    std::unordered_set<std::string> mixed_devices,
    std::unordered_set<std::string> host_numbers,
    std::unordered_set<std::string> absent,
    std::unordered_map<std::string, std::tuple<std::string, std::unordered_set<std::string>>> absent_types,
    std::unordered_map<std::string, std::tuple<std::string, std::string, bool>> varies,
    std::unordered_set<std::string> in_double,
    std::unordered_set<std::string> in_float,
    std::unordered_map<std::string, std::tuple<bool, int, int, bool>> sparse) {
  static bool registered = false; // under the interpreter lock
  if (registered) return;
  if (reduced) simulated::use_reduced();
  std::unordered_map<std::string, simulated::Reads> by_name;
  for (auto& [name, read] : reads) by_name[name] = std::make_from_tuple<simulated::Reads>(std::move(read));
  std::unordered_map<std::string, simulated::AbsentTypes> without_types;
  for (auto& [name, types] : absent_types)
    without_types[name] = std::make_from_tuple<simulated::AbsentTypes>(std::move(types));
  std::unordered_map<std::string, simulated::Varies> varying;
  for (auto& [name, when] : varies) varying[name] = std::make_from_tuple<simulated::Varies>(std::move(when));
  std::unordered_map<std::string, simulated::SparseTraits> own_sparse_kernels;
  for (auto& [name, traits] : sparse) own_sparse_kernels[name] = std::make_from_tuple<simulated::SparseTraits>(traits);
  simulated::operator_table().fill(
      {std::move(synchronisations), std::move(by_name), std::move(sends), std::move(without_types), std::move(varying),
       std::move(own_sparse_kernels), std::move(stages), std::move(indexing), std::move(views),
       std::move(mixed_devices), std::move(host_numbers), std::move(absent), std::move(in_double),
       std::move(in_float)});
  simulated::register_guard();
  simulated::register_device();
  registered = true;
}

// Starts the engine's threads for the registered device, which is this process's from then on.
void arm() {
  simulated::owner_process = getpid();
  py::gil_scoped_release unlocked; // the engine's new threads take the lock to set themselves up
  simulated::engine_threads().arm(simulated::max_devices);
}

void leave_streams_and_device() {
  simulated::current_device = 0;
  simulated::current_streams.fill(0);
}

void expose(int devices) {
  TORCH_CHECK(devices > 0 && devices <= simulated::max_devices, "simulated cuda: 1 to ", simulated::max_devices,
              " devices can be had, not ", devices);
  simulated::register_guard();
  leave_streams_and_device();
  simulated::device_clock().reset();
  simulated::ledger().unlimit();
  for (auto& generator : simulated::default_generators()) generator.set_current_seed(c10::default_rng_seed_val);
  for (int device = 0; device < simulated::max_devices; device++) {
    simulated::ledger().reset_accumulated(static_cast<c10::DeviceIndex>(device));
    simulated::ledger().reset_peak(static_cast<c10::DeviceIndex>(device));
  }
  simulated::visible_devices = devices;
  simulated::show_device();
}

void take_back() {
  simulated::hide_device();
  simulated::visible_devices = 0;
  simulated::sync_mode = simulated::SyncMode::allowed;
  leave_streams_and_device();
}

void check_device(int device) {
  TORCH_CHECK(
      device >= 0 && device < simulated::max_devices, "CUDA error: invalid device ordinal (simulated cuda: ", device, ")");
  simulated::check_ordinal(simulated::device_at(static_cast<c10::DeviceIndex>(device)));
}

void set_device(int device) {
  if (device < 0) return;
  check_device(device);
  simulated::current_device = static_cast<c10::DeviceIndex>(device);
}

int exchange_device(int device) {
  int old = simulated::current_device;
  set_device(device);
  return old;
}

c10::Stream stream(int64_t id, int device) {
  return c10::Stream(c10::Stream::UNSAFE, simulated::device_at(static_cast<c10::DeviceIndex>(device)), id);
}

std::tuple<int64_t, int, int> current_stream(int device) {
  check_device(device);
  auto s = simulated::stream_of(simulated::index_of(simulated::device_at(static_cast<c10::DeviceIndex>(device))));
  return {s.id(), s.device_index(), static_cast<int>(s.device_type())};
}

py::dict gauge(const simulated::Gauge& g) {
  using namespace py::literals;
  return py::dict("current"_a = g.current, "peak"_a = g.peak, "allocated"_a = g.allocated, "freed"_a = g.freed);
}

py::dict activity() {
  py::dict result;
  for (size_t i = 0; i < simulated::activity_names.size(); i++)
    result[simulated::activity_names[i]] = simulated::activity_counters[i].load();
  return result;
}

void bind_device(py::module_& m) {
  m.attr("max_devices") = simulated::max_devices;
  m.attr("device_memory") = simulated::device_memory;
  m.def("register_with_torch", &register_with_torch);
  m.def("arm", &arm);
  m.def("expose", &expose);
  m.def("take_back", &take_back);
  m.def("quiesce", [] { return simulated::engine_threads().quiesce(); }, py::call_guard<py::gil_scoped_release>());
  m.def("activity", &activity);
  m.def("get_device", [] { return static_cast<int>(simulated::current_device); });
  m.def("set_device", &set_device);
  m.def("exchange_device", &exchange_device);
  m.def("synchronize_device", [](int d) { simulated::Guard().synchronizeDevice(static_cast<c10::DeviceIndex>(d)); });
  m.def("set_sync_mode", [](int mode) { simulated::sync_mode = static_cast<simulated::SyncMode>(mode); });
}

void bind_streams(py::module_& m) {
  m.def("current_stream", &current_stream);
  m.def("set_stream", [](int64_t id, int device) {
    set_device(device);
    simulated::Guard().exchangeStream(stream(id, device));
  });
  m.def("synchronize_stream", [](int64_t id, int d) { simulated::Guard().synchronizeStream(stream(id, d)); });
  m.def("milliseconds_between", [](uintptr_t start, uintptr_t end) {
    return simulated::live_events().milliseconds_between(start, end);
  });
}

void bind_memory(py::module_& m) {
  m.def("memory", [](int device) {
    check_device(device);
    auto usage = simulated::ledger().usage(static_cast<c10::DeviceIndex>(device));
    return py::make_tuple(gauge(usage.bytes), gauge(usage.blocks));
  });
  m.def("limit_memory", [](double fraction, int d) {
    check_device(d);
    simulated::ledger().limit(fraction, static_cast<c10::DeviceIndex>(d));
  });
  m.def("times_out_of_memory", [](int d) {
    check_device(d);
    return simulated::ledger().times_out_of_memory(static_cast<c10::DeviceIndex>(d));
  });
  m.def("memory_fraction", [](int d) {
    check_device(d);
    return simulated::ledger().fraction(static_cast<c10::DeviceIndex>(d));
  });
  m.def("reset_peak_memory", [](int d) {
    check_device(d);
    simulated::ledger().reset_peak(static_cast<c10::DeviceIndex>(d));
  });
  m.def("reset_accumulated_memory", [](int d) {
    check_device(d);
    simulated::ledger().reset_accumulated(static_cast<c10::DeviceIndex>(d));
  });
  m.def("new_bytes", [](int64_t bytes, int d) {
    return simulated::new_bytes(bytes, static_cast<c10::DeviceIndex>(d));
  });
  m.def("pin", [](uintptr_t start, size_t bytes) {
    simulated::pinned_blocks().add(reinterpret_cast<const char*>(start), bytes);
  });
  m.def("unpin", [](uintptr_t start) { simulated::pinned_blocks().remove(reinterpret_cast<const char*>(start)); });
  m.def("resize_storage", &simulated::resize_storage);
  m.def("default_generator", [](int d) { return simulated::default_generator(static_cast<c10::DeviceIndex>(d)); });
}

} // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  bind_device(m);
  bind_streams(m);
  bind_memory(m);
}
