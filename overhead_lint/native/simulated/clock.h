// Time on the device, in ticks that stand for microseconds. Nothing is measured: a kernel and a copy take one tick of
// their stream, the host takes none. So times are the same in every run, and streams that need not wait for each
// other overlap as on a GPU.
#pragma once

#include "device.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace overhead::simulated {

class Clock {
 public:
  // One kernel or copy: it begins when the stream is free, and not before the host has asked for it.
  void work(const c10::Stream& stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto& time = time_of(stream);
    time = std::max(time, host_) + 1;
  }

  // When all that the stream has been given will be done.
  int64_t done(const c10::Stream& stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::max(time_of(stream), host_);
  }

  void stream_waits(const c10::Stream& stream, int64_t until) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto& time = time_of(stream);
    time = std::max(time, until);
  }

  void host_waits(int64_t until) {
    std::lock_guard<std::mutex> lock(mutex_);
    host_ = std::max(host_, until);
  }

  void host_waits_for_device(c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [stream, time] : streams_)
      if (stream.first == device) host_ = std::max(host_, time);
  }

  // Whether it is done by now. Who asks and hears "not yet" is taken to ask again later, and then it is done.
  bool query(int64_t when) {
    std::lock_guard<std::mutex> lock(mutex_);
    const bool done = when <= host_;
    host_ = std::max(host_, when);
    return done;
  }

  // Whether the host has waited for it, or asked.
  bool is_over(int64_t when) {
    std::lock_guard<std::mutex> lock(mutex_);
    return when <= host_;
  }

  void reset() {
    std::lock_guard<std::mutex> lock(mutex_);
    streams_.clear();
  }

 private:
  int64_t& time_of(const c10::Stream& stream) { return streams_[{stream.device_index(), stream.id()}]; }

  std::mutex mutex_;
  std::map<std::pair<c10::DeviceIndex, c10::StreamId>, int64_t> streams_;
  int64_t host_ = 0;
};

inline Clock& device_clock() {
  static auto* one = new Clock; // streams may be used after static destructors have run
  return *one;
}

} // namespace overhead::simulated
