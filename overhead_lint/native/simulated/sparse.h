// Sparse tensors. CUDA shares most of their kernels with the CPU: these are written in terms of other operators, and run
// here as they are, on tensors of the device. What CUDA has kernels of its own for runs on views for the CPU, and waits as
// the device table says.
#pragma once

#include "composed_kernels.h"

#include <c10/core/DeviceGuard.h>

namespace overhead::simulated {

// The device that a call is about: that of its first tensor of a device, or the one that it names.
inline std::optional<c10::Device> device_of_call(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const auto first = stack.size() - op.schema().arguments().size();
  const auto on_device = [](const Tensor& t) { return t.defined() && t.device().type() == device_type; };
  for (size_t i = first; i < stack.size(); i++) {
    const auto& value = stack[i];
    if (value.isTensor() && on_device(value.toTensor())) return value.toTensor().device();
    if (value.isTensorList())
      for (const Tensor& t : value.toTensorVector())
        if (on_device(t)) return t.device();
    if (value.isDevice() && value.toDevice().type() == device_type) return allocation_device(value.toDevice());
  }
  return std::nullopt;
}

// Runs the CPU's kernel on tensors of the device.
inline void run_shared(const c10::OperatorHandle& op, torch::jit::Stack* stack, c10::DispatchKey on_cpu) {
  check_usable();
  c10::OptionalDeviceGuard on(device_of_call(op, *stack));
  op.redispatchBoxed(c10::DispatchKeySet(on_cpu), stack);
}

inline void shared_with_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  run_shared(op, stack, c10::DispatchKey::CPU);
}

// Elements at one place are added up first, as CUDA does; the kernel of the CPU need not, so this only counts.
inline void add_up_duplicates(const Tensor& t) {
  if (!t.defined() || !t.is_sparse() || t.device().type() != device_type || t.is_coalesced()) return;
  at::AutoDispatchBelowADInplaceOrView below_autograd;
  at::_ops::_coalesce::call(t);
}

inline bool in_sparse_dimension(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const Tensor t = argument(op, stack, "self").toTensor();
  const auto dim = argument(op, stack, "dim").toInt();
  return t.is_sparse() && (dim < 0 ? dim + t.dim() : dim) < t.sparse_dim();
}

// An operator that CUDA has kernels of its own for.
inline void run_on_views(
    const c10::OperatorHandle& op, torch::jit::Stack* stack, c10::DispatchKey on_cpu, const SparseTraits& traits) {
  const auto& arguments = op.schema().arguments();
  const bool waits = !traits.if_sparse_dimension || in_sparse_dimension(op, *stack);
  Tensor filled; // a sparse tensor of the device that has elements
  bool any_empty = false;
  for (size_t i = 0; i < arguments.size(); i++) {
    const auto& value = (*stack)[stack->size() - arguments.size() + i];
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    const Tensor t = value.toTensor();
    const bool written = arguments[i].alias_info() && arguments[i].alias_info()->isWrite();
    if (t.device().type() != device_type || !t.is_sparse() || written) continue;
    if (traits.coalesces) add_up_duplicates(t);
    if (t._nnz() > 0) {
      filled = t;
    } else {
      any_empty = true;
    }
  }
  BoxedCall(op, *stack, on_cpu).run();
  if (!waits || any_empty || !filled.defined()) return;
  for (int i = 0; i < traits.synchronisations; i++)
    operator_synchronises(op.schema().name().c_str(), filled.device().index());
  for (int i = 0; i < traits.reads; i++) at::_ops::_local_scalar_dense::call(filled._values());
}

inline void sparse_fallback(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const auto called = keys.highestPriorityTypeId();
  const auto on_cpu = c10::toRuntimePerBackendFunctionalityKey(c10::toFunctionalityKey(called), c10::BackendComponent::CPUBit);
  const bool absent = operator_table().traits(op).absent;
  TORCH_CHECK_NOT_IMPLEMENTED(
      !absent && op.hasComputedKernelForDispatchKey(on_cpu),
      "Could not run '", op.operator_name(), "' with arguments from the '", called,
      "' backend (simulated cuda: ", absent ? "CUDA" : "the CPU", " has no such kernel)");
  const auto* traits = operator_table().sparse(op);
  traits ? run_on_views(op, stack, on_cpu, *traits) : run_shared(op, stack, on_cpu);
}

// Sorts places, and waits for how many of them differ.
inline Tensor coalesce(const Tensor& self) {
  check_usable();
  c10::DeviceGuard on(self.device());
  if (self._nnz() < 2) return self.clone()._coalesced_(true);
  Tensor result;
  {
    FusedKernel k("aten::_coalesce");
    result = k.out(at::_ops::_coalesce::call(k.in(self)));
  }
  operator_synchronises("aten::_coalesce", self.device().index());
  return result;
}

inline void add_on_views(const Tensor& self, const Tensor& other, const at::Scalar& alpha, Tensor& out) {
  FusedKernel k("aten::add");
  Tensor to = k.in(out);
  at::_ops::add_out::call(k.in(self), k.in(other), alpha, to);
  k.write_back(out, to);
}

// Sets the elements of both beside each other, where the CPU merges them: so nobody waits, unless they get many.
inline Tensor& add_sparse(const Tensor& self, const Tensor& other, const at::Scalar& alpha, Tensor& out) {
  check_usable();
  c10::DeviceGuard on(out.device());
  const char* names[] = {"self", "other", "out"};
  int which = 0;
  for (const Tensor* t : {&self, &other, &static_cast<const Tensor&>(out)}) {
    TORCH_CHECK(
        t->device().type() == device_type, "add: expected '", names[which], "' to be a CUDA tensor, but got a CPU tensor (simulated cuda)");
    which++;
  }
  if (!self.is_sparse()) {
    add_on_views(self, other, alpha, out);
    return out;
  }
  TORCH_CHECK(other.is_sparse(), "add(sparse, dense) is not supported. Use add(dense, sparse) instead.");
  TORCH_CHECK(
      self.device() == other.device() && self.device() == out.device(),
      "Expected all tensors to be on the same device, but found at least two devices, ", self.device(), " and ",
      self.device() == other.device() ? out.device() : other.device(), "! (simulated cuda)");
  const auto type = at::result_type(self, other);
  TORCH_CHECK(
      at::canCast(type, out.scalar_type()), "Can't convert result type ", type, " to output ", out.scalar_type());
  TORCH_CHECK(
      self.sizes() == other.sizes(), "add: expected 'self' and 'other' to have same size, but ", self.sizes(), " != ",
      other.sizes());
  if (other._nnz() == 0 || self._nnz() == 0) {
    add_on_views(self, other, alpha, out);
    return out;
  }
  TORCH_CHECK(
      at::sparse::is_same_density(self, other), "add: expected 'self' and 'other' to have same density, but 'self' has ",
      self.sparse_dim(), " sparse dimensions while 'other' has ", other.sparse_dim(), " sparse dimensions");
  Tensor added = other._values().to(type);
  if (!alpha.equal(1)) added = added.mul(alpha);
  Tensor indices = at::cat({self._indices(), other._indices()}, 1);
  Tensor values = at::cat({self._values().to(type), added}, 0);
  if (out.scalar_type() != type) {
    Tensor promoted = at::_coalesce(at::_sparse_coo_tensor_unsafe(indices, values, other.sizes()));
    indices = promoted._indices();
    values = promoted._values().to(out.scalar_type());
  } else {
    at::resize_as_sparse_(out, other);
  }
  at::sparse::alias_into_sparse(out, indices, values);
  out._coalesced_(false);
  if (out._nnz() <= out.numel()) return out;
  const auto fewer = at::_coalesce(out);
  at::sparse::alias_into_sparse(out, fewer._indices(), fewer._values());
  return out;
}

// Of two sparse tensors, how many places both have is read; with a dense one or a number nothing is.
inline void meet(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto first = stack->size() - op.schema().arguments().size();
  const Tensor one = (*stack)[first].toTensor(), other = (*stack)[first + 1].toTensor();
  const bool reads = one.is_sparse() && other.is_sparse() && one.dim() > 0 && other.dim() > 0;
  run_on_views(op, stack, c10::DispatchKey::SparseCPU, {false, 0, reads ? 1 : 0, false});
}

} // namespace overhead::simulated
