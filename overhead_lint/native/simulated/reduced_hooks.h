// What ATen asks a device of the type PrivateUse1 about. Its hooks can be registered once, for the process.
#pragma once

#include "guard.h"
#include "memory.h"
#include "pinned.h"
#include "random.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>

namespace overhead::simulated {

struct ReducedHooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return visible_devices > 0; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }

  c10::DeviceIndex deviceCount() const override { return static_cast<c10::DeviceIndex>(visible_devices.load()); }
  void setCurrentDevice(c10::DeviceIndex d) const override { switch_device(d); }
  c10::DeviceIndex getCurrentDevice() const override { return simulated::current_device; }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex d) const override { return exchange_device(d); }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex d) const override { return exchange_device(d); }

  bool isPinnedPtr(const void* p) const override { return pinned_blocks().contains(static_cast<const char*>(p)); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }
  c10::Device getDeviceFromPtr(void*) const override { return device_at(0); }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex d) const override { return default_generator(d); }
  at::Generator getNewGenerator(c10::DeviceIndex d) const override {
    TORCH_CHECK(d < visible_devices, "The device_index is invalid. (simulated device)");
    return new_generator(d);
  }
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    resize_bytes(storage.unsafeGetStorageImpl(), bytes);
  }
};

// The hooks answer by the number of visible devices: there is nothing to take back.
inline void register_reduced_hooks() {
  static auto* ours = [] {
    auto* made = new ReducedHooks;
    at::RegisterPrivateUse1HooksInterface(made);
    return made;
  }();
  (void)ours;
}

} // namespace overhead::simulated
