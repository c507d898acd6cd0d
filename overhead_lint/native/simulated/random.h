// Random numbers: each device has a generator of its own, so that the CPU's sequence never moves. As on CUDA its
// state is a seed and an offset; CPU kernels draw from a generator of theirs that is made of both.
#pragma once

#include "device.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/Utils.h>
#include <ATen/core/Generator.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace overhead::simulated {

// What a generator draws from next: CUDA's numbers are a function of both, and so are these.
struct SeedAndOffset {
  uint64_t seed = c10::default_rng_seed_val, offset = 0;
};

struct DeviceGenerator final : c10::GeneratorImpl {
  explicit DeviceGenerator(
      c10::DeviceIndex device, std::shared_ptr<SeedAndOffset> state = std::make_shared<SeedAndOffset>())
      : c10::GeneratorImpl(device_at(device), c10::DispatchKeySet(dispatch_key)), state_(std::move(state)) {}

  void set_current_seed(uint64_t seed) override { *state_ = {seed, 0}; }
  uint64_t current_seed() const override { return state_->seed; }
  uint64_t seed() override {
    set_current_seed(c10::detail::getNonDeterministicRandom(/*is_cuda=*/true));
    return state_->seed;
  }
  void set_offset(uint64_t offset) override {
    TORCH_CHECK(offset % drawn_at_once == 0, "offset must be a multiple of 4");
    state_->offset = offset;
  }
  uint64_t get_offset() const override { return state_->offset; }

  // Sixteen bytes, as CUDA's, or eight of the seed alone.
  void set_state(const c10::TensorImpl& state) override {
    at::detail::check_rng_state(state);
    const auto bytes = static_cast<size_t>(state.numel());
    TORCH_CHECK(bytes == sizeof(SeedAndOffset) || bytes == sizeof(uint64_t), "RNG state is wrong size");
    SeedAndOffset read;
    read.offset = 0;
    std::memcpy(&read, state.data(), bytes);
    TORCH_CHECK(read.offset % drawn_at_once == 0, "offset must be a multiple of 4");
    *state_ = read;
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    auto state = at::detail::empty_cpu(
        {sizeof(SeedAndOffset)}, at::kByte, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
    std::memcpy(state.data_ptr(), state_.get(), sizeof(SeedAndOffset));
    return state.getIntrusivePtr();
  }
  // These two hand on the state itself, which both generators then draw from; clones have one of their own.
  c10::intrusive_ptr<c10::GeneratorImpl> graphsafe_get_state() const override {
    return c10::make_intrusive<DeviceGenerator>(device_.index(), state_);
  }
  void graphsafe_set_state(const c10::intrusive_ptr<c10::GeneratorImpl>& state) override {
    auto* other = dynamic_cast<DeviceGenerator*>(state.get());
    TORCH_CHECK(other, "Expected a CUDA Generator");
    state_ = other->state_;
  }

  // A generator of the CPU for one operator, which CPU kernels draw from; the next operator gets another. The first
  // one after a seed draws what the CPU would.
  at::Generator for_one_operator() {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto [seed, offset] = *state_;
    state_->offset += drawn_at_once;
    return at::detail::createCPUGenerator(offset ? scattered(seed ^ scattered(offset)) : seed);
  }

 private:
  static constexpr uint64_t drawn_at_once = 4; // which CUDA's offsets are multiples of

  // The finaliser of SplitMix64: near numbers give far ones, in the low bits too, which are all that the CPU seeds with.
  static uint64_t scattered(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  DeviceGenerator* clone_impl() const override {
    return new DeviceGenerator(device_.index(), std::make_shared<SeedAndOffset>(*state_));
  }

  std::shared_ptr<SeedAndOffset> state_;
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

// What an operator of the CPU draws from that stands in for one of the device.
inline at::Generator for_one_operator(const at::Generator& generator) {
  auto* ours = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  return ours ? ours->for_one_operator() : generator;
}

// For operators that take no generator and draw from the CPU's default one: lends them a state and puts the CPU's
// own back. CPU code that draws in another thread at that moment would see the wrong state; two operators of the
// device exclude each other.
class LentState {
 public:
  explicit LentState(const at::Generator& owner)
      : lock_(mutex()), cpu_(at::detail::getDefaultCPUGenerator()), saved_(cpu_.get_state()) {
    cpu_.set_state(for_one_operator(owner).get_state());
  }
  ~LentState() { cpu_.set_state(saved_); }
  LentState(const LentState&) = delete;
  LentState& operator=(const LentState&) = delete;

 private:
  static std::mutex& mutex() {
    static auto* one = new std::mutex;
    return *one;
  }
  std::lock_guard<std::mutex> lock_;
  at::Generator cpu_;
  at::Tensor saved_;
};

} // namespace overhead::simulated
