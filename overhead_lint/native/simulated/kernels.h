// Kernels that the fallback cannot make: allocation, copies, reading a number, changing storage.
#pragma once

#include "fallback.h"
#include "pinned.h"

#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_local_scalar_dense_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/eq.h>
#include <c10/core/DeviceGuard.h>

namespace overhead::simulated {

// The device's own operators are recorded; the CPU operators that stand in for them are not.
struct Unrecorded {
  at::DisableRecordFunctionGuard unrecorded;
  at::AutoDispatchBelowAutograd below_autograd;
};

inline c10::Device allocation_device(std::optional<c10::Device> asked) {
  check_usable();
  if (asked) check_ordinal(*asked);
  return device_at(asked ? index_of(*asked) : current_device);
}

inline void refuse_pinning(std::optional<bool> pinned) {
  TORCH_CHECK(!pinned.value_or(false), "Only dense CPU tensors can be pinned (simulated cuda)");
}

inline Tensor empty(
    c10::SymIntArrayRef size,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout>,
    std::optional<c10::Device> device,
    std::optional<bool> pinned,
    std::optional<at::MemoryFormat> format) {
  refuse_pinning(pinned);
  c10::DeviceGuard on(allocation_device(device));
  return at::detail::empty_generic_symint(
      size, &device_allocator(), c10::DispatchKeySet(dispatch_key), c10::dtype_or_default(dtype), format);
}

inline Tensor empty_strided(
    c10::SymIntArrayRef size,
    c10::SymIntArrayRef stride,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout>,
    std::optional<c10::Device> device,
    std::optional<bool> pinned) {
  refuse_pinning(pinned);
  c10::DeviceGuard on(allocation_device(device));
  return at::detail::empty_strided_symint_generic(
      size, stride, &device_allocator(), c10::DispatchKeySet(dispatch_key), c10::dtype_or_default(dtype));
}

// One stream lets another wait for the work it has now, as CUDA does around a copy between devices.
inline void wait_for(c10::Stream waiting, c10::Stream awaited) {
  Guard guard;
  void* event = nullptr;
  guard.record(&event, awaited, awaited.device_index(), c10::EventFlag::BACKEND_DEFAULT);
  guard.block(event, waiting);
  guard.destroyEvent(event, awaited.device_index());
}

inline Tensor& copy_(Tensor& self, const Tensor& source, bool non_blocking) {
  check_usable();
  if (self.is_same(source)) return self;
  check_memory(self);
  check_memory(source);
  Aliases aliases("aten::copy_");
  Tensor to = aliases.to_cpu(self), from = aliases.to_cpu(source);
  const bool to_device = self.device().type() == device_type, from_device = source.device().type() == device_type;
  const bool between_devices = to_device && from_device && self.device() != source.device() && self.numel() > 0;
  if (between_devices) wait_for(stream_of(source.device().index()), stream_of(self.device().index()));
  {
    Unrecorded quietly;
    at::_ops::copy_::call(to, from, false);
  }
  if (self.numel() == 0) return self; // there is nothing to launch or to wait for
  device_clock().work(stream_of(to_device ? self.device().index() : source.device().index()));
  if (between_devices) wait_for(stream_of(self.device().index()), stream_of(source.device().index()));
  if (to_device && from_device) {
    count(Activity::copy_d2d);
  } else {
    const auto device = (to_device ? self : source).device().index();
    count(to_device ? Activity::copy_h2d : Activity::copy_d2h);
    if (!non_blocking)
      operator_synchronises(to_device ? "a blocking copy to the device" : "a blocking copy to the host", device);
    else if (self.scalar_type() == source.scalar_type() && self.strides() == source.strides())
      // Otherwise CUDA copies by way of memory of its own, which is not pinned.
      pinned_blocks().use(static_cast<const char*>((to_device ? from : to).const_data_ptr()), stream_of(device));
  }
  return self;
}

inline at::Scalar local_scalar_dense(const Tensor& t) {
  check_usable();
  check_memory(t);
  Aliases aliases("aten::_local_scalar_dense");
  auto on_cpu = aliases.to_cpu(t);
  count(Activity::copy_d2h);
  operator_synchronises("aten::_local_scalar_dense", t.device().index());
  Unrecorded quietly;
  return at::_ops::_local_scalar_dense::call(on_cpu);
}

// Compares on the device and reads one number, if the answer is not known without.
inline bool equal(const Tensor& self, const Tensor& other) {
  check_usable();
  TORCH_CHECK(
      self.device() == other.device(), "Cannot compare two tensors on different devices. Got: ", self.device(), " and ",
      other.device());
  if (self.sizes() != other.sizes()) return false;
  if (self.numel() == 0) return true;
  const bool same = self.is_alias_of(other) && self.storage_offset() == other.storage_offset() &&
      self.dtype() == other.dtype() && self.strides() == other.strides() && self.is_conj() == other.is_conj() &&
      self.is_neg() == other.is_neg();
  if (same) return true;
  for (int kernel = 0; kernel < 2; kernel++) { // of the comparison, and of the reduction
    device_clock().work(stream_of(self.device().index()));
    count(Activity::kernel);
  }
  at::_ops::_local_scalar_dense::call(self);
  Aliases aliases("aten::equal");
  Tensor mine = aliases.to_cpu(self), theirs = aliases.to_cpu(other);
  Unrecorded quietly;
  return at::eq(mine, theirs).all().item<bool>();
}

inline void record_stream(Tensor&, c10::Stream) {
  count(Activity::record_stream);
}

inline void resize_storage(const Tensor& holder, int64_t bytes) {
  check_usable();
  c10::DeviceGuard on(holder.device());
  resize_bytes(holder.storage().unsafeGetStorageImpl(), static_cast<size_t>(bytes));
}

// A storage of another device is refused, and one that is too small grows, as on the CPU.
inline Tensor& set_storage_offset(
    Tensor& self, c10::Storage storage, c10::SymInt offset, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
  check_usable();
  const auto sizes = C10_AS_INTARRAYREF_SLOW(size);
  const auto strides = C10_AS_INTARRAYREF_SLOW(stride);
  const auto start = offset.expect_int();
  at::native::checkSetStorage(self, std::move(storage), start, sizes, strides);
  auto* impl = self.unsafeGetTensorImpl();
  impl->set_storage_offset(start);
  strides.data() ? impl->set_sizes_and_strides(sizes, strides) : impl->set_sizes_contiguous(sizes);
  const auto bytes = self.numel() == 0
      ? 0
      : at::detail::computeStorageNbytes(self.sizes(), self.strides(), self.itemsize(), static_cast<size_t>(start));
  if (bytes > self.storage().nbytes()) resize_storage(self, static_cast<int64_t>(bytes));
  return self;
}

inline Tensor& set_storage(Tensor& self, c10::Storage storage) {
  const c10::SymInt elements(static_cast<int64_t>(storage.nbytes() / self.itemsize()));
  return set_storage_offset(self, std::move(storage), 0, elements, {});
}

inline Tensor& set_tensor(Tensor& self, const Tensor& source) {
  if (self.is_same(source)) return self;
  return set_storage_offset(
      self, source.storage(), source.storage_offset(), source.sym_sizes(), source.sym_strides());
}

// The plain formula: fused attention kernels of CUDA have no CPU stand-in with the same outputs.
inline int64_t attention_choice(
    const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, double, bool, std::optional<double>, bool) {
  return 0;
}

// For torch.UntypedStorage, whose own code for the device is not in a CPU-only torch.
inline Tensor new_bytes(int64_t bytes, c10::DeviceIndex device) {
  c10::DeviceGuard on(allocation_device(device_at(device)));
  return at::detail::empty_generic(
      {bytes}, &device_allocator(), c10::DispatchKeySet(dispatch_key), at::kByte, std::nullopt);
}

} // namespace overhead::simulated
