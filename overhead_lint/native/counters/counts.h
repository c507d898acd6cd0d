// What is counted, and the counters.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
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
  copies_pageable,
  python_calls,
  contexts,
  saved_tensors,
  saved_bytes,
  alloc_bytes,
  peak_bytes, // of a block by itself: nothing that counts up
};

// As the metrics are named.
constexpr std::array<const char*, 21> kind_names{
    "event_create", "event_destroy", "event_record", "event_wait", "event_sync", "stream_create",
    "stream_sync", "device_sync", "alloc", "free", "dispatches", "autograd_nodes",
    "copies_h2d", "copies_d2h", "copies_pageable", "python_calls", "contexts", "saved_tensors", "saved_bytes",
    "alloc_bytes", "peak_bytes"};
constexpr size_t kind_total = kind_names.size();

// Only ever counts up: a measurement is the difference of two readings, so measurements nest.
inline std::array<std::atomic<int64_t>, kind_total> counters{};

// Nanoseconds of a clock that only goes forward.
inline int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// What happens on a device's streams, few enough in a step for each one's moment to be kept.
inline bool is_on_streams(Kind kind) {
  switch (kind) {
    case Kind::event_record:
    case Kind::event_wait:
    case Kind::event_sync:
    case Kind::stream_sync:
    case Kind::device_sync:
    case Kind::copies_h2d:
    case Kind::copies_d2h:
      return true;
    default:
      return false;
  }
}

} // namespace overhead::sink
