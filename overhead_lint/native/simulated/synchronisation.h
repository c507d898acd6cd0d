// Operators that make the host wait for the device.
#pragma once

#include "guard.h"

namespace overhead::simulated {

enum class SyncMode : int { allowed = 0, warn = 1, refuse = 2 }; // torch.cuda.set_sync_debug_mode
inline std::atomic<SyncMode> sync_mode{SyncMode::allowed};

// The host waits for the stream that is current on the operator's device.
inline void operator_synchronises(const char* name, c10::DeviceIndex device) {
  switch (sync_mode.load()) {
    case SyncMode::refuse:
      TORCH_CHECK(false, "called a synchronizing CUDA operation (simulated cuda: ", name, ")");
    case SyncMode::warn:
      TORCH_WARN("called a synchronizing CUDA operation (simulated cuda: ", name, ")");
      break;
    case SyncMode::allowed:
      break;
  }
  Guard().synchronizeStream(stream_of(device));
}

} // namespace overhead::simulated
