// Padded batches in nn.TransformerEncoder, in evaluation: it makes a nested tensor of them, which its layers take, and
// pads the result. Nothing else of nested tensors is simulated. They compute on views for the CPU, as all others do.
#pragma once

#include "composed_kernels.h"

#include <ATen/NestedTensorImpl.h>

namespace overhead::simulated {

using at::native::NestedTensorImpl;

inline Tensor nest(const Tensor& numbers, const Tensor& sizes) {
  return at::detail::make_tensor<NestedTensorImpl>(numbers, sizes);
}

// How many places of each row the mask has, on the device. CUDA computes it by these operators, too.
inline Tensor lengths_in(const Tensor& t, const Tensor& mask) {
  TORCH_CHECK(
      mask.scalar_type() == at::kBool, "Expected mask to be of ScalarType Bool, but got ", mask.scalar_type(), " instead.");
  TORCH_CHECK(mask.dim() == 2, "Padding mask should be 2D");
  TORCH_CHECK(t.dim() == 3, "Input should be a 3D tensor, N * L * D");
  TORCH_CHECK(t.size(0) == mask.size(0) && t.size(1) == mask.size(1), "Mask size should match input size");
  return mask.cumsum(1).select(1, t.size(1) - 1);
}

// Whether no row has a gap: this reads a number.
inline bool is_left_aligned(const Tensor& t, const Tensor& mask) {
  auto lengths = lengths_in(t, mask);
  auto ended = at::cat({mask, at::zeros({t.size(0), 1}, mask.options())}, 1);
  return lengths.equal(ended.to(at::kInt).argmin(1).to(lengths.scalar_type()));
}

inline bool in_half_or_single(const Tensor& t) {
  return t.scalar_type() == at::kFloat || t.scalar_type() == at::kHalf;
}

// Numbers that the host has of a nested tensor go to the device, and nobody waits for them.
inline void send_sizes(c10::Device device) {
  at::empty({1}, c10::TensorOptions(c10::kCPU)).to(device, /*non_blocking=*/true);
}

inline Tensor nest_padded(const Tensor& t, const Tensor& mask, bool mask_check) {
  TORCH_CHECK(t.size(0) > 0, "a nested tensor of no rows cannot be made (simulated cuda)");
  if (mask_check) TORCH_CHECK(is_left_aligned(t, mask), "Mask must be left-aligned without gaps");
  auto lengths = lengths_in(t, mask).unsqueeze(1);
  auto sizes = at::cat({lengths, at::full_like(lengths, t.size(2))}, 1).to(c10::kCPU);
  Tensor numbers;
  {
    FusedKernel k("aten::_nested_from_padded");
    auto within = at::arange(t.size(1)).unsqueeze(0) < sizes.narrow(1, 0, 1);
    numbers = k.out(k.in(t).index({within}).flatten());
  }
  if (in_half_or_single(t)) {
    send_sizes(t.device());
  } else { // by masked_select
    operator_synchronises("aten::masked_select", t.device().index());
  }
  return nest(numbers, sizes);
}

// An operator on nested tensors, with its results: what it copies is left to the caller.
inline void run_nested(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& arguments = op.schema().arguments();
  const auto first = stack->size() - arguments.size();
  Tensor result;
  {
    FusedKernel k(op.schema().name().c_str());
    DeviceCheck devices(/*takes_host_numbers=*/false);
    for (size_t i = 0; i < arguments.size(); i++) {
      auto& value = (*stack)[first + i];
      if (!value.isTensor() || !value.toTensor().defined()) continue;
      const Tensor t = value.toTensor();
      devices.see(t, arguments[i]);
      auto* nested = at::native::get_nested_tensor_impl_or_null(t);
      value = nested ? nest(k.in(nested->get_buffer()), nested->get_nested_sizes()) : k.in(t);
    }
    devices.refuse_mixture(op.schema().name());
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::NestedTensorCPU), stack);
    const Tensor computed = stack->back().toTensor();
    auto* nested = at::native::get_nested_tensor_impl_or_null(computed);
    result = nested ? nest(k.out(nested->get_buffer()), nested->get_nested_sizes()) : k.out(computed);
  }
  stack->back() = result;
}

// Whether CUDA takes a fused kernel of attention for it, which wants to know on the device where each row begins.
inline bool takes_fused_attention(const Tensor& source, int64_t head) {
  const auto& context = at::globalContext();
  const auto type = source.scalar_type();
  const bool flash = (type == at::kHalf || type == at::kBFloat16) && context.userEnabledFlashSDP();
  const bool efficient = type != at::kDouble && context.userEnabledMemEfficientSDP();
  return head % 8 == 0 && (flash || efficient) &&
      at::native::get_nested_sizes(source).select(1, 0).gt(1).all().item<bool>();
}

inline void nested_encoder_layer(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor source = argument(op, *stack, "src").toTensor();
  const auto head = argument(op, *stack, "embed_dim").toInt() / argument(op, *stack, "num_heads").toInt();
  run_nested(op, stack);
  if (source.numel() == 0) return;
  if (takes_fused_attention(source, head)) {
    for (int of = 0; of < 2; of++) send_number(source.device()); // queries, and keys
  } else {
    for (int of = 0; of < 3; of++) send_sizes(source.device()); // projections, mask, result
  }
}

inline void pad_nested(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor nested = argument(op, *stack, "self").toTensor();
  run_nested(op, stack);
  if (in_half_or_single(nested) || nested.scalar_type() == at::kDouble) send_number(nested.device());
}

} // namespace overhead::simulated
