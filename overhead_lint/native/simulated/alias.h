// Zero-copy views between the simulated device and the CPU: device memory is host memory, so a
// CPU kernel can work on a CPU tensor over the same bytes.
#pragma once

#include "memory.h"
#include "sparse_parts.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/CPUAllocator.h>

#include <optional>
#include <unordered_map>

namespace overhead::simulated {

using at::Tensor;

// Refuses a tensor whose storage was resized to less than it needs, where a kernel would read or write beyond it.
inline void check_memory(const Tensor& t) {
  if (!t.defined() || t.device().type() != device_type || t.layout() != c10::kStrided || t.is_nested()) return;
  const auto held = t.storage().nbytes();
  if (t.numel() == 0 || t._is_zerotensor()) return;
  const auto needed = at::detail::computeStorageNbytes(
      t.sizes(), t.strides(), t.itemsize(), static_cast<size_t>(t.storage_offset()));
  TORCH_CHECK(
      needed <= held, "CUDA error: an illegal memory access was encountered (simulated cuda: a tensor of ", needed,
      " bytes in a storage that was resized to ", held, ")");
}

// The views made for one operator call. Tensors that share a storage get views that share one too.
class Aliases {
 public:
  explicit Aliases(const char* operator_name) : name_(operator_name) {}

  // Device of the last device tensor seen: results are allocated on it.
  c10::DeviceIndex device = current_device;

  Tensor to_cpu(const Tensor& t) {
    if (!t.defined() || t.device().type() != device_type) return t;
    refuse_other_layouts(t);
    device = t.device().index();
    if (C10_UNLIKELY(is_sparse(t)))
      return over_parts(t, c10::Device(c10::kCPU), [this](const Tensor& part) { return to_cpu(part); });
    auto* mine = t.storage().unsafeGetStorageImpl();
    auto known = on_cpu_.find(mine);
    if (known == on_cpu_.end()) {
      c10::Storage alias(
          c10::Storage::use_byte_size_t(),
          mine->nbytes(),
          c10::DataPtr(const_cast<void*>(mine->data()), new c10::Storage(t.storage()), &let_go, c10::Device(c10::kCPU)),
          c10::GetCPUAllocator(),
          /*resizable=*/true);
      on_device_.emplace(alias.unsafeGetStorageImpl(), Origin{t.storage(), keys_of_view(t)});
      known = on_cpu_.emplace(mine, alias).first;
    }
    return over(known->second, c10::DispatchKeySet(c10::DispatchKey::CPU), t);
  }

  // A result of a CPU kernel: a view of an argument's memory, or memory new to the device.
  Tensor to_device(const Tensor& t) {
    if (!t.defined() || t.device().type() == device_type) return t;
    refuse_other_layouts(t);
    if (C10_UNLIKELY(is_sparse(t)))
      return over_parts(t, device_at(device), [this](const Tensor& part) { return to_device(part); });
    auto* theirs = t.storage().unsafeGetStorageImpl();
    auto known = on_device_.find(theirs);
    if (known != on_device_.end() && known->second.storage.data() != theirs->data()) { // a part that grew
      on_device_.erase(known);
      known = on_device_.end();
    }
    if (known == on_device_.end())
      known = on_device_.emplace(theirs, Origin{adopt(t.storage(), device), std::nullopt}).first;
    auto keys = known->second.keys.value_or(c10::DispatchKeySet(dispatch_key));
    return over(known->second.storage, keys, t, known->second.keys.has_value());
  }

  // An out= or resize_ kernel may have given the view other memory or another shape, and a sparse one other parts.
  void write_back(const Tensor& original, const Tensor& alias) {
    if (C10_UNLIKELY(is_sparse(original))) {
      device = original.device().index();
      if (!has_same_parts(original, alias))
        put_parts(original, alias, [this](const Tensor& part) { return to_device(part); });
      return;
    }
    auto mine = original.storage();
    auto theirs = alias.storage();
    if (theirs.data() != mine.data() || theirs.nbytes() != mine.nbytes()) {
      auto adopted = adopt(theirs, original.device().index());
      mine.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(adopted.mutable_data_ptr()));
      mine.unsafeGetStorageImpl()->set_nbytes(theirs.nbytes());
    }
    if (alias.sizes() != original.sizes() || alias.strides() != original.strides() ||
        alias.storage_offset() != original.storage_offset())
      original.unsafeGetTensorImpl()->set_sizes_and_strides(alias.sizes(), alias.strides(), alias.storage_offset());
  }

 private:
  static void let_go(void* storage) { delete static_cast<c10::Storage*>(storage); }

  static void let_go_and_count(void* storage) {
    auto* held = static_cast<c10::Storage*>(storage);
    note_free(held->data());
    delete held;
  }

  static c10::Storage adopt(const c10::Storage& cpu, c10::DeviceIndex device) {
    void* bytes = const_cast<void*>(cpu.data());
    note_allocation(bytes, cpu.nbytes(), device);
    return c10::Storage(
        c10::Storage::use_byte_size_t(),
        cpu.nbytes(),
        c10::DataPtr(bytes, new c10::Storage(cpu), bytes ? &let_go_and_count : &let_go, device_at(device)),
        &device_allocator(),
        /*resizable=*/true);
  }

  // Memory on the device; where it is an argument's, with the keys that views of that argument have.
  struct Origin {
    c10::Storage storage;
    std::optional<c10::DispatchKeySet> keys;
  };

  // A view of an ordinary tensor is an ordinary one also in inference mode, and that of an inference tensor
  // never is; a new tensor goes by the mode. torch adds keys to new tensors, but none to views.
  static c10::DispatchKeySet keys_of_view(const Tensor& t) {
    const auto backend = c10::toBackendComponent(dispatch_key);
    auto keys = c10::DispatchKeySet(dispatch_key) | c10::getAutocastRelatedKeySetFromBackend(backend);
    if (t.is_inference()) return keys;
    return keys | c10::getAutogradRelatedKeySetFromBackend(backend);
  }

  static Tensor over(c10::Storage storage, c10::DispatchKeySet keys, const Tensor& like, bool view = false) {
    // A lazy zero of forward-mode differentiation; without the key its null storage would be read.
    if (like._is_zerotensor()) keys = keys.add(c10::DispatchKey::ZeroTensor);
    auto t = view
        ? at::detail::make_tensor<at::TensorImpl>(at::TensorImpl::VIEW, std::move(storage), keys, like.dtype())
        : at::detail::make_tensor<at::TensorImpl>(std::move(storage), keys, like.dtype());
    auto* impl = t.unsafeGetTensorImpl();
    impl->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
    if (like.unsafeGetTensorImpl()->is_wrapped_number()) impl->set_wrapped_number(true);
    if (like.is_conj()) t._set_conj(true);
    if (like.is_neg()) t._set_neg(true);
    return t;
  }

  void refuse_other_layouts(const Tensor& t) const {
    if (C10_LIKELY(!t.is_quantized() && !t.is_nested() && (t.layout() == c10::kStrided || is_sparse(t)))) return;
    TORCH_CHECK_NOT_IMPLEMENTED(
        false,
        "simulated cuda: '",
        name_,
        "' with a ",
        t.is_quantized() ? "quantized" : t.is_nested() ? "nested" : "opaque",
        " tensor (nested and quantized tensors are not simulated; use others or a real GPU)");
  }

  const char* name_;
  std::unordered_map<c10::StorageImpl*, c10::Storage> on_cpu_;
  std::unordered_map<c10::StorageImpl*, Origin> on_device_;
};

} // namespace overhead::simulated
