// Device memory is host memory that is counted for a device.
#pragma once

#include "device.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/impl/alloc_cpu.h>

#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace overhead::simulated {

constexpr size_t device_memory = size_t{16} << 30;

// One number of torch.cuda.memory_stats.
struct Gauge {
  int64_t current = 0, peak = 0, allocated = 0, freed = 0;

  void grow(int64_t by) {
    current += by;
    allocated += by;
    peak = std::max(peak, current);
  }
  void shrink(int64_t by) {
    current -= by;
    freed += by;
  }
  void reset_peak() { peak = current; }
  void reset_accumulated() {
    allocated = current;
    freed = 0;
  }
};

struct Usage {
  Gauge bytes, blocks;
};

class Ledger {
 public:
  // What torch.cuda.set_per_process_memory_fraction sets, of device_memory.
  void limit(double fraction, c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    fractions_[device] = fraction;
  }
  void unlimit() {
    std::lock_guard<std::mutex> lock(mutex_);
    fractions_.fill(1.0);
  }
  double fraction(c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    return fractions_[device];
  }

  void refuse_too_much(size_t bytes, c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto capacity = static_cast<int64_t>(fractions_[device] * static_cast<double>(device_memory));
    const auto used = usage_[device].bytes.current;
    if (static_cast<int64_t>(bytes) <= capacity - used) return;
    out_of_memory_[device]++;
    TORCH_CHECK_WITH(
        OutOfMemoryError, false,
        "CUDA out of memory. Tried to allocate ", bytes, " bytes. GPU ", static_cast<int>(device), " has ", capacity,
        " bytes, of which ", used, " are in use (simulated cuda)");
  }
  int64_t times_out_of_memory(c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    return out_of_memory_[device];
  }

  void allocated(const void* pointer, size_t bytes, c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    blocks_[pointer] = {bytes, device};
    usage_[device].bytes.grow(static_cast<int64_t>(bytes));
    usage_[device].blocks.grow(1);
  }
  void freed(const void* pointer) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = blocks_.find(pointer);
    if (known == blocks_.end()) return;
    auto [bytes, device] = known->second;
    usage_[device].bytes.shrink(static_cast<int64_t>(bytes));
    usage_[device].blocks.shrink(1);
    blocks_.erase(known);
  }
  // The device that an address lies on: on none, the host's.
  std::optional<c10::DeviceIndex> device_of(const void* pointer) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [start, block] : blocks_) {
      const auto* first = static_cast<const char*>(start);
      const auto* asked = static_cast<const char*>(pointer);
      if (asked >= first && asked < first + std::max<size_t>(block.bytes, 1)) return block.device;
    }
    return std::nullopt;
  }
  Usage usage(c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    return usage_[device];
  }
  void reset_peak(c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    usage_[device].bytes.reset_peak();
    usage_[device].blocks.reset_peak();
  }
  void reset_accumulated(c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(mutex_);
    usage_[device].bytes.reset_accumulated();
    usage_[device].blocks.reset_accumulated();
  }

 private:
  struct Block {
    size_t bytes;
    c10::DeviceIndex device;
  };
  std::mutex mutex_;
  std::unordered_map<const void*, Block> blocks_;
  std::array<Usage, max_devices> usage_{};
  std::array<int64_t, max_devices> out_of_memory_{};
  std::array<double, max_devices> fractions_ = [] {
    std::array<double, max_devices> whole;
    whole.fill(1.0);
    return whole;
  }();
};

inline Ledger& ledger() {
  static auto* one = new Ledger; // tensors may be freed after static destructors have run
  return *one;
}

inline void note_allocation(const void* pointer, size_t bytes, c10::DeviceIndex device) {
  if (!pointer) return;
  ledger().allocated(pointer, bytes, device);
  trace([&](auto& t) { t.trace_gpu_memory_allocation(device_type, handle(pointer)); });
}

inline void note_free(const void* pointer) {
  if (!pointer) return;
  ledger().freed(pointer);
  trace([&](auto& t) { t.trace_gpu_memory_deallocation(device_type, handle(pointer)); });
}

inline void free_device_memory(void* pointer) {
  note_free(pointer);
  c10::free_cpu(pointer);
}

struct Allocator final : c10::DeviceAllocator {
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t) override {}
  void recordStream(const c10::DataPtr&, c10::Stream) override {}

  c10::DataPtr allocate(size_t bytes) override {
    if (!bytes) return {nullptr, nullptr, &c10::detail::deleteNothing, device_at(current_device)};
    ledger().refuse_too_much(bytes, current_device);
    void* pointer = c10::alloc_cpu(bytes);
    note_allocation(pointer, bytes, current_device);
    return {pointer, pointer, &free_device_memory, device_at(current_device)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_device_memory; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override {
    auto [bytes, blocks] = ledger().usage(device);
    c10::CachingDeviceAllocator::DeviceStats stats;
    for (auto* gauge : {&stats.allocated_bytes, &stats.reserved_bytes, &stats.active_bytes, &stats.requested_bytes})
      fill((*gauge)[0], bytes);
    fill(stats.allocation[0], blocks);
    return stats;
  }
  void resetAccumulatedStats(c10::DeviceIndex device) override { ledger().reset_accumulated(device); }
  void resetPeakStats(c10::DeviceIndex device) override { ledger().reset_peak(device); }
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex device) {  // which not every torch asks for
    return {device_memory - static_cast<size_t>(ledger().usage(device).bytes.current), device_memory};
  }

 private:
  template <typename Stat>
  static void fill(Stat& stat, const Gauge& gauge) {
    stat.current = gauge.current;
    stat.peak = gauge.peak;
    stat.allocated = gauge.allocated;
    stat.freed = gauge.freed;
  }
};

inline Allocator& device_allocator() {
  static auto* one = new Allocator;
  return *one;
}

// On the current device.
inline void resize_bytes(c10::StorageImpl* storage, size_t bytes) {
  auto fresh = device_allocator().allocate(bytes);
  if (fresh.get() && storage->data())
    std::memcpy(fresh.get(), storage->data(), std::min(bytes, storage->nbytes()));
  storage->set_data_ptr_noswap(std::move(fresh));
  storage->set_nbytes(bytes);
}

} // namespace overhead::simulated
