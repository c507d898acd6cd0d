// Operators that CUDA, as the CPU, has written in terms of others, some of which wait. Elsewhere such operators wait
// by themselves; of these the CPU's kernel hides it, since it is the CPU's operators that it calls.
#pragma once

#include "fused_kernels.h"

#include <ATen/ops/isin_ops.h>

#include <array>
#include <cmath>

namespace overhead::simulated {

// What the exponential of matrices reads from the device and sends to it, each with a wait.
struct Exchanged {
  int read = 0, sent = 0;
};

// Of one matrix the norm is read, then its place is sent, with the coefficients of the polynomial that the norm asks
// for; the bounds are those between the polynomials of degree 1, 2, 4, 8, 12, and 18 beyond.
inline Exchanged exchanged_for_one(double norm, bool in_double) {
  constexpr std::array<double, 5> of_float{1.192092800768788e-07, 5.978858893805233e-04, 5.116619363445086e-02,
                                           5.800524627688768e-01, 1.461661507209034e+00};
  constexpr std::array<double, 5> of_double{2.220446049250313e-16, 2.580956802971767e-08, 3.397168839976962e-04,
                                            4.991228871115323e-02, 2.996158913811580e-01};
  constexpr std::array<int, 5> lists{0, 0, 2, 4, 1};
  if (std::isnan(norm)) return {1, 0}; // which no polynomial is for
  const auto& bounds = in_double ? of_double : of_float;
  for (size_t i = 0; i < bounds.size(); i++)
    if (norm <= bounds[i]) return {1, 1 + lists[i]};
  return {3, 3}; // how often to square is read twice, and the place is sent again
}

inline Tensor matrix_exponential(const Tensor& self) {
  Tensor result;
  Exchanged exchanged;
  {
    FusedKernel k("aten::linalg_matrix_exp");
    auto matrix = k.in(self);
    result = k.out(at::linalg_matrix_exp(matrix));
    if (self.numel() > self.size(-1) * self.size(-2)) {
      exchanged = {2, 1}; // how often to square, and one list of coefficients
    } else if (self.numel() > 0) {
      const auto norm = matrix.abs().sum(-2).max().to(at::kDouble).item<double>();
      exchanged = exchanged_for_one(norm, c10::toRealValueType(self.scalar_type()) == at::kDouble);
    }
  }
  if (self.size(-1) < 2) return result; // exponentials of numbers
  for (int i = 0; i < exchanged.read; i++) at::_ops::_local_scalar_dense::call(self);
  for (int i = 0; i < exchanged.sent; i++) send_number(self.device());
  return result;
}

// An argument of a boxed call.
inline c10::IValue& argument(const c10::OperatorHandle& op, torch::jit::Stack& stack, const char* name) {
  const auto& schema = op.schema();
  const auto at = schema.argumentIndexWithName(name);
  TORCH_INTERNAL_ASSERT(at, schema.name(), " has no ", name);
  return stack[stack.size() - schema.arguments().size() + *at];
}

// Rows of more than 2,048 numbers are worked off one by one, and what the host found of each is sent.
inline void most_frequent(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor self = argument(op, *stack, "self").toTensor();
  const auto asked = argument(op, *stack, "dim").toInt();
  fallback(op, stack);
  if (self.dim() == 0 || self.numel() == 0) return;
  const auto row = self.size(asked);
  if (row <= 2048) return;
  for (int64_t of = 0; of < self.numel() / row; of++) operator_synchronises("aten::mode", self.device().index());
}

// The iterations of cuSOLVER may not converge, which is asked before the rest; the CPU has no drivers to choose from.
inline void singular_values(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor matrix = argument(op, *stack, "A").toTensor();
  auto& driver = argument(op, *stack, "driver");
  const std::string asked = driver.isNone() ? "gesvdj" : driver.toStringRef();
  TORCH_CHECK(
      asked == "gesvd" || asked == "gesvdj" || asked == "gesvda",
      "torch.linalg.svd: unknown svd driver ", asked, " in svd_cusolver computation. (simulated cuda)");
  driver = c10::IValue();
  fallback(op, stack);
  if (matrix.numel() > 0 && asked != "gesvd") at::_ops::_local_scalar_dense::call(matrix);
}

// CUDA has one driver, which is not the CPU's default.
inline void least_squares(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  auto& driver = argument(op, *stack, "driver");
  TORCH_CHECK(
      driver.isNone() || driver.toStringRef() == "gels",
      "torch.linalg.lstsq: `driver` other than `gels` is not supported on CUDA (simulated cuda)");
  driver = c10::IValue("gels");
  fallback(op, stack);
}

// The observer that quantization of each channel has asks whether to quantize, and then about the zero points.
inline void observe_and_quantize(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor on = argument(op, *stack, "fake_quant_on").toTensor();
  const Tensor zero_point = argument(op, *stack, "zero_point").toTensor();
  const bool by_channel = argument(op, *stack, "per_row_fake_quant").toBool();
  fallback(op, stack);
  if (!by_channel || !at::_ops::_local_scalar_dense::call(on).toBool()) return;
  for (int of = 0; of < 2; of++) at::_ops::_local_scalar_dense::call(zero_point);
}

// Chances that are on the host are copied to the device.
inline void draw_by_chances(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor self = argument(op, *stack, "self").toTensor();
  auto& chances = argument(op, *stack, "p");
  if (self.device().type() == device_type && chances.toTensor().device().is_cpu())
    chances = c10::IValue(chances.toTensor().to(self.device()));
  fallback(op, stack);
}

// In half precision only sizes that are powers of two are transformed.
inline void fourier(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor self = argument(op, *stack, "self").toTensor();
  if (self.scalar_type() == at::kHalf || self.scalar_type() == at::kComplexHalf) {
    const auto dims = argument(op, *stack, "dim").toIntVector();
    std::vector<int64_t> sizes;
    for (const auto dim : dims) sizes.push_back(self.size(dim));
    if (op.schema().argumentIndexWithName("last_dim_size"))
      sizes.back() = argument(op, *stack, "last_dim_size").toInt();
    for (const auto size : sizes)
      TORCH_CHECK(
          (size & (size - 1)) == 0,
          "cuFFT only supports dimensions whose sizes are powers of two when computing in half precision, but got a signal size of",
          at::IntArrayRef(sizes), " (simulated cuda)");
  }
  fallback(op, stack);
}

// Sorts where there is much to look for, and so reads two numbers of distinct elements: the CPU's kernel, on tensors
// of the device. Elsewhere it compares each with each.
inline void is_in(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const Tensor elements = argument(op, *stack, "elements").toTensor();
  const Tensor among = argument(op, *stack, "test_elements").toTensor();
  const bool unique = argument(op, *stack, "assume_unique").toBool(), invert = argument(op, *stack, "invert").toBool();
  const auto many = static_cast<int64_t>(10.0f * std::pow(static_cast<double>(elements.numel()), 0.145));
  if (elements.device() != among.device() || elements.numel() == 0 || among.numel() < many) return fallback(op, stack);
  check_usable();
  at::AutoDispatchBelowADInplaceOrView below_autograd;
  c10::DeviceGuard on(elements.device());
  Tensor out = op.schema().overload_name() == "Tensor_Tensor_out"
      ? argument(op, *stack, "out").toTensor()
      : at::empty(elements.sizes(), elements.options().dtype(at::kBool));
  at::_ops::isin_Tensor_Tensor_out::redispatch(
      c10::DispatchKeySet(c10::DispatchKey::CPU), elements, among, unique, invert, out);
  torch::jit::drop(*stack, op.schema().arguments().size());
  torch::jit::push(*stack, out);
}

} // namespace overhead::simulated
