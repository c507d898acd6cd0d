// How many bytes of devices a block asks for, and how many it has at once. The trace points tell an address and no
// size, so the device's allocator is asked, at each of its allocations and only while somebody wants to know. Nothing is
// reset: what the program reads of these numbers stays as it is.
#pragma once

#include "attribution.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace overhead::sink {

class DeviceMemory {
 public:
  static DeviceMemory& one() {
    static auto* memory = new DeviceMemory;
    return *memory;
  }

  // Gives a number for `stop`.
  int start() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (watches_.empty()) begin();
    auto& watch = watches_[++last_number_];
    for (const auto& [device, usage] : usages_) watch.before += usage.current;
    users_ = static_cast<int>(watches_.size());
    return last_number_;
  }

  // The most bytes that the block had at once, beyond what there was when it began; and why that, or the number of bytes
  // asked for, cannot be relied on. The lines that asked for them are noted, where somebody attributes.
  std::pair<int64_t, std::string> stop(int number) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto watch = watches_.at(number);
    watches_.erase(number);
    users_ = static_cast<int>(watches_.size());
    for (const auto& [cause, bytes] : watch.lines) attribution().add(cause, bytes);
    return {watch.peak, watch.wrong};
  }

  void allocated(c10::DeviceType type, uintptr_t pointer) noexcept {
    if (users_.load(std::memory_order_relaxed) == 0) return;
    try {
      std::optional<Cause> cause;
      if (attribution().wants(Kind::peak_bytes)) cause = attribution().cause_of(Kind::peak_bytes); // takes Python's lock
      const Device device{type, c10::impl::VirtualGuardImpl(type).getDevice().index()};
      int64_t bytes = 0;
      {
        std::lock_guard<std::mutex> lock(mutex_);
        bytes = grow(device, pointer, cause);
      }
      note(Kind::alloc_bytes, nullptr, bytes);
    } catch (const std::exception&) {
      std::lock_guard<std::mutex> lock(mutex_);
      fail("torch's allocator for this device told no statistics");
    }
  }

  void freed(uintptr_t pointer) noexcept {
    if (users_.load(std::memory_order_relaxed) == 0) return;
    std::lock_guard<std::mutex> lock(mutex_);
    auto block = blocks_.find(pointer);
    if (block == blocks_.end()) return;
    auto& [cause, bytes] = block->second;
    auto held = held_.find(cause);
    if (held != held_.end() && (held->second -= bytes) <= 0) held_.erase(held);
    blocks_.erase(block);
  }

 private:
  using Device = std::pair<c10::DeviceType, c10::DeviceIndex>;

  // Bytes of a device that were asked for: in use, and since its statistics were reset.
  struct Usage {
    int64_t current = 0, allocated = 0, freed = 0;
  };

  struct Watch {
    int64_t before = 0, peak = 0;
    std::map<Cause, int64_t> lines; // that asked for what there was at the peak
    std::string wrong;
  };

  void begin() {
    blocks_.clear();
    held_.clear();
    usages_.clear();
    for (auto type : {c10::DeviceType::CUDA, c10::DeviceType::PrivateUse1}) {
      if (!c10::impl::hasDeviceGuardImpl(type)) continue;
      const auto count = c10::impl::VirtualGuardImpl(type).deviceCount();
      for (c10::DeviceIndex index = 0; index < count; index++)
        if (auto usage = usage_of({type, index})) usages_[{type, index}] = *usage;
    }
  }

  static std::optional<Usage> usage_of(Device device) {
    auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(device.first));
    if (!allocator) return std::nullopt;
    if (!allocator->initialized()) return Usage{};
    const auto stats = allocator->getDeviceStats(device.second);
    const auto& asked = stats.requested_bytes[0]; // of pools large and small
    return Usage{asked.current, asked.allocated, asked.freed};
  }

  // Gives the bytes of a fresh block.
  int64_t grow(Device device, uintptr_t pointer, const std::optional<Cause>& cause) {
    const auto now = usage_of(device);
    if (!now) {
      fail("torch's allocator for this device tells no statistics");
      return 0;
    }
    const auto before = std::exchange(usages_[device], *now);
    if (now->allocated < before.allocated || now->freed < before.freed) {
      fail("the program reset the statistics of the device's memory while the block ran");
      return 0;
    }
    const auto bytes = now->allocated - before.allocated;
    if (cause) {
      blocks_[pointer] = {*cause, bytes};
      held_[*cause] += bytes;
    }
    int64_t in_use = 0;
    for (const auto& [one, usage] : usages_) in_use += usage.current;
    for (auto& [number, watch] : watches_) {
      if (in_use - watch.before <= watch.peak) continue;
      watch.peak = in_use - watch.before;
      watch.lines = held_;
    }
    return bytes;
  }

  void fail(const char* why) {
    for (auto& [number, watch] : watches_) watch.wrong = why;
  }

  std::mutex mutex_;
  std::atomic<int> users_{0};
  int last_number_ = 0;
  std::map<int, Watch> watches_;
  std::map<Device, Usage> usages_;
  std::unordered_map<uintptr_t, std::pair<Cause, int64_t>> blocks_; // that have a cause
  std::map<Cause, int64_t> held_; // bytes of these blocks
};

} // namespace overhead::sink
