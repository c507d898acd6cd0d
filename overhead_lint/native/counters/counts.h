// What is counted, and the counters. Counting takes one relaxed atomic addition: no lock, no Python.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace overhead::sink {

enum class Kind : uint8_t {
  event_create,
  event_destroy,
  event_record,
  event_wait,
  event_sync,
  stream_create,
  stream_sync,
  device_sync,
  alloc,
  free,
  dispatches,
  autograd_nodes,
  copies_h2d,
  copies_d2h,
  python_calls,
  contexts,
  saved_tensors,
  saved_bytes,
};

// As the metrics are named.
constexpr std::array<const char*, 18> kind_names{
    "event_create", "event_destroy", "event_record", "event_wait", "event_sync", "stream_create",
    "stream_sync", "device_sync", "alloc", "free", "dispatches", "autograd_nodes",
    "copies_h2d", "copies_d2h", "python_calls", "contexts", "saved_tensors", "saved_bytes"};
constexpr size_t kind_total = kind_names.size();

// Only ever counts up: a measurement is the difference of two readings, so measurements nest.
inline std::array<std::atomic<int64_t>, kind_total> counters{};

inline void count(Kind kind, int64_t amount = 1) noexcept {
  counters[static_cast<size_t>(kind)].fetch_add(amount, std::memory_order_relaxed);
}

} // namespace overhead::sink
