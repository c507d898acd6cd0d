// What all parts of the simulated device share: its type, its limits, and each thread's current
// device and stream.
//
// On a CPU-only torch nothing is registered for the device type CUDA, so it is free. Taking it,
// and not PrivateUse1, lets unchanged CUDA code run, and lets torch's own autograd engine make the
// decisions about events that it makes on a GPU. On a torch built for CUDA the type is taken: there the device is
// of the type PrivateUse1, the reduced form.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/GPUTrace.h>
#include <c10/util/Exception.h>

#include <array>
#include <atomic>
#include <cstdint>

#include <unistd.h>

namespace overhead::simulated {

// Set once a process, before anything is registered.
inline c10::DeviceType device_type = c10::DeviceType::CUDA;
inline c10::DispatchKey dispatch_key = c10::DispatchKey::CUDA;

inline bool is_reduced() {
  return device_type == c10::DeviceType::PrivateUse1;
}

inline void use_reduced() {
  device_type = c10::DeviceType::PrivateUse1;
  dispatch_key = c10::DispatchKey::PrivateUse1;
}

// The autograd engine makes its device queues once, so this many are made when the device is armed.
constexpr int max_devices = 8;

// Devices that the program may see; 0 while the simulated device is not exposed.
inline std::atomic<int> visible_devices{0};

// The process that armed the device: a forked child must not use it, as with CUDA.
inline std::atomic<pid_t> owner_process{0};

inline thread_local c10::DeviceIndex current_device = 0;
inline thread_local std::array<c10::StreamId, max_devices> current_streams{}; // 0 is the default stream

inline c10::DeviceIndex index_of(c10::Device device) {
  return device.index() < 0 ? current_device : device.index();
}

inline c10::Device device_at(c10::DeviceIndex index) {
  return c10::Device(device_type, index);
}

inline c10::Stream stream_of(c10::DeviceIndex device) {
  return c10::Stream(c10::Stream::UNSAFE, device_at(device), current_streams[device]);
}

inline void switch_device(c10::DeviceIndex index) {
  if (index >= 0) current_device = index;
}

inline c10::DeviceIndex exchange_device(c10::DeviceIndex index) {
  auto old = current_device;
  switch_device(index);
  return old;
}

// Every use of the device passes here, so that broken code does not run: a fork child, and a tensor or stream
// that outlived the block in which the device was exposed.
inline void check_usable() {
  TORCH_CHECK(
      owner_process == getpid(),
      "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
      "'spawn' start method (simulated cuda)");
  TORCH_CHECK(
      visible_devices > 0,
      "simulated cuda: a tensor or stream of the device is used after the device was taken back; use it inside the "
      "block");
}

inline void check_ordinal(c10::Device device) {
  check_usable();
  TORCH_CHECK(
      device.index() < visible_devices,
      "CUDA error: invalid device ordinal (simulated cuda: ",
      visible_devices.load(),
      " device(s), asked for ",
      device,
      ")");
}

// Calls one of torch's GPU trace points, as the CUDA runtime does.
template <typename Call>
void trace(Call&& call) {
  if (auto* interpreter = c10::impl::GPUTrace::get_trace(); C10_UNLIKELY(interpreter != nullptr))
    call(**interpreter);
}

inline uintptr_t handle(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

} // namespace overhead::simulated
