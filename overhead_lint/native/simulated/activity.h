// Counts of what no GPU trace point tells: kernels, copies and uses of a tensor on another stream.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace overhead::simulated {

enum class Activity : uint8_t { kernel, copy_h2d, copy_d2h, copy_d2d, record_stream, stream_switch };

constexpr std::array<const char*, 6> activity_names{
    "kernel", "copy_h2d", "copy_d2h", "copy_d2d", "record_stream", "stream_switch"};

inline std::array<std::atomic<int64_t>, activity_names.size()> activity_counters{};

inline void count(Activity activity) {
  activity_counters[static_cast<size_t>(activity)].fetch_add(1, std::memory_order_relaxed);
}

} // namespace overhead::simulated
