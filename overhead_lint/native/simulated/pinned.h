// Pinned memory is host memory that is remembered as pinned. As with CUDA, a copy without a wait marks a block as used on
// its stream, and when the block is freed an event is recorded on each of these: it tells when the block may be given out
// again. Events that were recorded are used again by later blocks.
#pragma once

#include "guard.h"

#include <c10/core/impl/alloc_cpu.h>

#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace overhead::simulated {

class PinnedBlocks {
 public:
  void add(const char* start, size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    blocks_[start] = {bytes, {}};
  }
  // Gives the streams of copies that used it.
  std::vector<c10::Stream> remove(const char* start) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto block = blocks_.find(start);
    if (block == blocks_.end()) return {};
    auto users = std::move(block->second.users);
    blocks_.erase(block);
    return users;
  }
  bool contains(const char* pointer) {
    std::lock_guard<std::mutex> lock(mutex_);
    return find(pointer) != nullptr;
  }
  // A copy that nobody waited for reads or writes here.
  void use(const char* pointer, const c10::Stream& stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto* block = find(pointer);
    if (!block) return;
    for (const auto& user : block->users)
      if (user == stream) return;
    block->users.push_back(stream);
  }

 private:
  struct Block {
    size_t bytes;
    std::vector<c10::Stream> users;
  };

  Block* find(const char* pointer) {
    auto after = blocks_.upper_bound(pointer);
    if (after == blocks_.begin()) return nullptr;
    auto& [start, block] = *std::prev(after);
    return pointer < start + std::max<size_t>(block.bytes, 1) ? &block : nullptr;
  }

  std::mutex mutex_;
  std::map<const char*, Block> blocks_;
};

inline PinnedBlocks& pinned_blocks() {
  static auto* one = new PinnedBlocks;
  return *one;
}

// The events of freed blocks. Kernels run at once, so each may be used again as soon as a block is asked for.
class PinnedEvents {
 public:
  void record(const c10::Stream& stream) {
    // A block may outlive the device, and is freed by a destructor, which must not throw.
    if (stream.device_index() >= visible_devices) return;
    void* event = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!free_.empty()) {
        event = free_.back();
        free_.pop_back();
      }
    }
    Guard().record(&event, stream, stream.device_index(), c10::EventFlag::BACKEND_DEFAULT);
    std::lock_guard<std::mutex> lock(mutex_);
    recorded_.push_back(event);
  }
  void collect() {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.insert(free_.end(), recorded_.begin(), recorded_.end());
    recorded_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<void*> free_, recorded_;
};

inline PinnedEvents& pinned_events() {
  static auto* one = new PinnedEvents;
  return *one;
}

inline void free_pinned_memory(void* pointer) {
  for (const auto& stream : pinned_blocks().remove(static_cast<const char*>(pointer))) pinned_events().record(stream);
  c10::free_cpu(pointer);
}

struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    pinned_events().collect();
    void* pointer = c10::alloc_cpu(std::max<size_t>(bytes, 1));
    pinned_blocks().add(static_cast<const char*>(pointer), bytes);
    return {pointer, pointer, &free_pinned_memory, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_pinned_memory; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }
};

inline PinnedAllocator& pinned_allocator() {
  static auto* one = new PinnedAllocator;
  return *one;
}

} // namespace overhead::simulated
