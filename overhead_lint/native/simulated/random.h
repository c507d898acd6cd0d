// Random numbers: each device has a generator of its own, so that the CPU's sequence never moves.
// It wraps a CPU generator, since CPU kernels draw from it.
#pragma once

#include "device.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>

#include <memory>
#include <mutex>
#include <vector>

namespace overhead::simulated {

struct DeviceGenerator final : c10::GeneratorImpl {
  explicit DeviceGenerator(
      c10::DeviceIndex device,
      at::Generator inside = at::detail::createCPUGenerator(),
      std::shared_ptr<uint64_t> offset = std::make_shared<uint64_t>(0))
      : c10::GeneratorImpl(device_at(device), c10::DispatchKeySet(dispatch_key)),
        inside(std::move(inside)),
        offset_(std::move(offset)) {}

  void set_current_seed(uint64_t seed) override {
    inside.set_current_seed(seed);
    *offset_ = 0;
  }
  uint64_t current_seed() const override { return inside.current_seed(); }
  uint64_t seed() override { return inside.seed(); }
  void set_offset(uint64_t offset) override { *offset_ = offset; }
  uint64_t get_offset() const override { return *offset_; }
  void set_state(const c10::TensorImpl& state) override { inside.unsafeGetGeneratorImpl()->set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return inside.unsafeGetGeneratorImpl()->get_state();
  }
  // These two hand on the state itself, which both generators then draw from; clones have one of their own.
  c10::intrusive_ptr<c10::GeneratorImpl> graphsafe_get_state() const override {
    return c10::make_intrusive<DeviceGenerator>(device_.index(), inside, offset_);
  }
  void graphsafe_set_state(const c10::intrusive_ptr<c10::GeneratorImpl>& state) override {
    auto* other = dynamic_cast<DeviceGenerator*>(state.get());
    TORCH_CHECK(other, "Expected a CUDA Generator");
    inside = other->inside;
    offset_ = other->offset_;
  }

  at::Generator inside;

 private:
  DeviceGenerator* clone_impl() const override {
    return new DeviceGenerator(device_.index(), inside.clone(), std::make_shared<uint64_t>(*offset_));
  }

  std::shared_ptr<uint64_t> offset_;
};

inline at::Generator new_generator(c10::DeviceIndex device) {
  return at::Generator(c10::make_intrusive<DeviceGenerator>(device < 0 ? current_device : device));
}

inline std::vector<at::Generator>& default_generators() {
  static auto* all = [] {
    auto* made = new std::vector<at::Generator>;
    for (int i = 0; i < max_devices; i++) made->push_back(new_generator(static_cast<c10::DeviceIndex>(i)));
    return made;
  }();
  return *all;
}

inline const at::Generator& default_generator(c10::DeviceIndex device) {
  return default_generators()[device < 0 ? current_device : device];
}

// The CPU generator inside a generator of the device.
inline at::Generator inside_of(const at::Generator& generator) {
  auto* ours = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  return ours ? ours->inside : generator;
}

// For operators that take no generator and draw from the CPU's default one: lends them the state
// of the device's generator and puts the CPU's own back. CPU code that draws in another thread at
// that moment would see the wrong state; two operators of the device exclude each other.
class LentState {
 public:
  explicit LentState(at::Generator owner)
      : lock_(mutex()), owner_(std::move(owner)), cpu_(at::detail::getDefaultCPUGenerator()), saved_(cpu_.get_state()) {
    cpu_.set_state(owner_.get_state());
  }
  ~LentState() {
    owner_.set_state(cpu_.get_state());
    cpu_.set_state(saved_);
  }
  LentState(const LentState&) = delete;
  LentState& operator=(const LentState&) = delete;

 private:
  static std::mutex& mutex() {
    static auto* one = new std::mutex;
    return *one;
  }
  std::lock_guard<std::mutex> lock_;
  at::Generator owner_, cpu_;
  at::Tensor saved_;
};

} // namespace overhead::simulated
