// What ATen asks the CUDA runtime about. `import torch` has made the default hooks object of a
// CPU-only build already, and it cannot be registered over; it holds no data, so exposing the
// device swaps its vtable pointer, and taking the device back restores it.
#pragma once

#include "guard.h"
#include "memory.h"
#include "pinned.h"
#include "random.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/utils/device_lazy_init.h>

namespace overhead::simulated {

struct CudaHooks final : at::CUDAHooksInterface {
  explicit CudaHooks(at::CUDAHooksArgs) {}

  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasCUDA() const override { return true; }
  bool hasCUDART() const override { return true; }
  std::string showConfig() const override { return "simulated cuda"; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }

  c10::DeviceIndex deviceCount() const override { return static_cast<c10::DeviceIndex>(visible_devices.load()); }
  int getNumGPUs() const override { return visible_devices; }
  void setCurrentDevice(c10::DeviceIndex d) const override { switch_device(d); }
  c10::DeviceIndex getCurrentDevice() const override { return simulated::current_device; }
  c10::DeviceIndex current_device() const override { return simulated::current_device; }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex d) const override { return exchange_device(d); }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex d) const override { return exchange_device(d); }
  void deviceSynchronize(c10::DeviceIndex d) const override { Guard().synchronizeDevice(d); }

  bool isPinnedPtr(const void* p) const override { return pinned_blocks().contains(static_cast<const char*>(p)); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }
  c10::Allocator* getCUDADeviceAllocator() const override { return &device_allocator(); }
  c10::Device getDeviceFromPtr(void* p) const override {
    const auto device = ledger().device_of(p);
    TORCH_CHECK(
        device, "The specified pointer resides on host memory and is not registered with any CUDA device. (simulated cuda)");
    return device_at(*device);
  }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex d) const override { return default_generator(d); }
  at::Generator getNewGenerator(c10::DeviceIndex d) const override {
    TORCH_CHECK(d < visible_devices, "The device_index is invalid. (simulated cuda)");
    return new_generator(d);
  }
};

class CudaHooksSwitch {
 public:
  void to_simulated() {
    static auto* ours = new CudaHooks(at::CUDAHooksArgs{});
    void* target = hooks_object();
    if (!stock_) std::memcpy(&stock_, target, sizeof(stock_));
    std::memcpy(target, static_cast<void*>(ours), sizeof(stock_));
    // Otherwise a device="cuda" argument keeps the answer that lazy initialisation gave it first.
    torch::utils::set_requires_device_init(device_type, true);
  }
  void to_stock() {
    if (stock_) std::memcpy(hooks_object(), &stock_, sizeof(stock_));
    torch::utils::set_requires_device_init(device_type, true);
  }

 private:
  static void* hooks_object() {
    return const_cast<void*>(static_cast<const void*>(&at::detail::getCUDAHooks()));
  }
  void* stock_ = nullptr; // the vtable pointer of torch's own object
};

inline CudaHooksSwitch& cuda_hooks_switch() {
  static auto* one = new CudaHooksSwitch;
  return *one;
}

} // namespace overhead::simulated
