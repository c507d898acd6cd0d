// Tensors of several devices in one call, refused in CUDA's words.
#pragma once

#include "device.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>

#include <optional>
#include <string>

namespace overhead::simulated {

using at::Tensor;

// Which devices the tensors of one call are on, and whether CUDA would take them together.
class DeviceCheck {
 public:
  explicit DeviceCheck(bool takes_host_numbers) : takes_host_numbers_(takes_host_numbers) {}

  void see(const Tensor& t, const c10::Argument& argument) {
    if (!t.defined()) return;
    const bool written = argument.alias_info() && argument.alias_info()->isWrite();
    const bool number = takes_host_numbers_ && t.device().is_cpu() && t.dim() == 0 && !written;
    if (!number) see(t.device(), argument.name().c_str());
  }

  // Indices may be on the host or with the tensor that they index, nowhere else.
  void refuse_index(const Tensor& index) const {
    if (index.device().type() != device_type || !common_ || *common_ == index.device()) return;
    TORCH_CHECK(
        false, "indices should be either on cpu or on the same device as the indexed tensor (", common_->str(),
        ") (simulated cuda)");
  }

  bool any() const { return on_device_; }

  void refuse_mixture(const std::string& operator_name) const {
    if (!on_device_ || !differing_) return;
    const std::string method = "wrapper_CUDA_" + operator_name.substr(operator_name.find("::") + 2);
    // A kernel over all elements finds the mixture itself, others leave it to the code that calls them: two texts.
    TORCH_CHECK(
        !takes_host_numbers_,
        "Expected all tensors to be on the same device, but found at least two devices, ",
        (common_->is_cpu() ? *differing_ : *common_).str(), " and ",
        (common_->is_cpu() ? *common_ : *differing_).str(), "! (simulated cuda: when checking argument for argument ",
        argument_, " in method ", method, ")");
    TORCH_CHECK(
        false,
        "Expected all tensors to be on the same device, but got ", argument_, " is on ", differing_->str(),
        ", different from other tensors on ", common_->str(), " (simulated cuda: when checking argument in method ",
        method, ")");
  }

 private:
  void see(c10::Device device, const char* argument) {
    on_device_ |= device.type() == device_type;
    if (!common_) {
      common_ = device;
    } else if (device != *common_ && !differing_) {
      differing_ = device;
      argument_ = argument;
    }
  }

  bool takes_host_numbers_;
  bool on_device_ = false;
  std::optional<c10::Device> common_, differing_; // of the first tensor, and of the first one elsewhere
  const char* argument_ = nullptr;
};

} // namespace overhead::simulated
