// Operators that only a CUDA build has a kernel for, written with CPU operators on aliased memory:
// recurrent cells, half-to-float softmax, synchronised batch normalisation.
#pragma once

#include "kernels.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace overhead::simulated {

// One such kernel while it runs: aliases arguments, gives results, and is one kernel to the counts.
class FusedKernel {
 public:
  explicit FusedKernel(const char* name) : aliases_(name) {
    check_usable();
    count(Activity::kernel);
  }
  ~FusedKernel() { device_clock().work(stream_of(aliases_.device)); }
  FusedKernel(const FusedKernel&) = delete;
  FusedKernel& operator=(const FusedKernel&) = delete;
  Tensor in(const Tensor& t) {
    check_memory(t);
    return aliases_.to_cpu(t);
  }
  Tensor in(const std::optional<Tensor>& t) { return t && t->defined() ? in(*t) : Tensor(); }
  Tensor out(const Tensor& t) { return t.defined() ? aliases_.to_device(t) : t; }
  void write_back(const Tensor& original, const Tensor& view) { aliases_.write_back(original, view); }

 private:
  Aliases aliases_;
  Unrecorded quietly_;
};

using OptionalTensor = std::optional<Tensor>;

inline Tensor plus(const Tensor& a, const Tensor& b) {
  return b.defined() ? a + b : a;
}

inline std::tuple<Tensor, Tensor, Tensor> lstm_cell(
    const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& cell,
    const OptionalTensor& input_bias, const OptionalTensor& hidden_bias) {
  FusedKernel k("aten::_thnn_fused_lstm_cell");
  auto gates = plus(plus(k.in(input_gates) + k.in(hidden_gates), k.in(input_bias)), k.in(hidden_bias)).chunk(4, 1);
  auto in = gates[0].sigmoid(), forget = gates[1].sigmoid(), fresh = gates[2].tanh(), out = gates[3].sigmoid();
  auto new_cell = forget * k.in(cell) + in * fresh;
  return {k.out(out * new_cell.tanh()), k.out(new_cell), k.out(at::cat({in, forget, fresh, out}, 1))};
}

inline std::tuple<Tensor, Tensor, Tensor> lstm_cell_backward(
    const OptionalTensor& grad_hidden, const OptionalTensor& grad_cell, const Tensor& cell, const Tensor& new_cell,
    const Tensor& workspace, bool has_bias) {
  FusedKernel k("aten::_thnn_fused_lstm_cell_backward_impl");
  auto from_hidden = k.in(grad_hidden), from_cell = k.in(grad_cell);
  if (!from_hidden.defined() && !from_cell.defined()) return {};
  auto old_cell = k.in(cell), now = k.in(new_cell).tanh();
  if (!from_hidden.defined()) from_hidden = at::zeros_like(now);
  auto saved = k.in(workspace).chunk(4, 1);
  auto in = saved[0], forget = saved[1], fresh = saved[2], out = saved[3];
  auto grad = plus(from_hidden * out * (1 - now * now), from_cell);
  auto grad_gates = at::cat(
      {grad * fresh * in * (1 - in),
       grad * old_cell * forget * (1 - forget),
       grad * in * (1 - fresh * fresh),
       from_hidden * now * out * (1 - out)},
      1);
  return {k.out(grad_gates), k.out(grad * forget), k.out(has_bias ? grad_gates.sum(0) : Tensor())};
}

inline std::tuple<Tensor, Tensor> gru_cell(
    const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& hidden,
    const OptionalTensor& input_bias, const OptionalTensor& hidden_bias) {
  FusedKernel k("aten::_thnn_fused_gru_cell");
  auto x = plus(k.in(input_gates), k.in(input_bias)).chunk(3, 1);
  auto h = plus(k.in(hidden_gates), k.in(hidden_bias)).chunk(3, 1);
  auto old = k.in(hidden);
  auto reset = (x[0] + h[0]).sigmoid(), update = (x[1] + h[1]).sigmoid(), fresh = (x[2] + reset * h[2]).tanh();
  return {k.out((old - fresh) * update + fresh), k.out(at::cat({reset, update, fresh, old, h[2]}, 1))};
}

inline std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gru_cell_backward(
    const Tensor& grad_hidden, const Tensor& workspace, bool has_bias) {
  FusedKernel k("aten::_thnn_fused_gru_cell_backward");
  auto grad = k.in(grad_hidden);
  auto saved = k.in(workspace).chunk(5, 1);
  auto reset = saved[0], update = saved[1], fresh = saved[2], old = saved[3], hidden_fresh = saved[4];
  auto grad_update = grad * (old - fresh) * update * (1 - update);
  auto grad_fresh = grad * (1 - update) * (1 - fresh * fresh);
  auto grad_reset = grad_fresh * hidden_fresh * reset * (1 - reset);
  auto grad_x = at::cat({grad_reset, grad_update, grad_fresh}, 1);
  auto grad_h = at::cat({grad_reset, grad_update, grad_fresh * reset}, 1);
  auto bias = [&](const Tensor& g) { return k.out(has_bias ? g.sum(0) : Tensor()); };
  return {k.out(grad_x), k.out(grad_h), k.out(grad * update), bias(grad_x), bias(grad_h)};
}

// On CUDA softmax may read half precision and write float; the CPU kernels refuse that.
inline Tensor softmax(const Tensor& x, int64_t dim, bool half_to_float) {
  FusedKernel k("aten::_softmax");
  auto in = k.in(x);
  return k.out(at::_softmax(half_to_float ? in.to(at::kFloat) : in, dim, false));
}

inline Tensor log_softmax(const Tensor& x, int64_t dim, bool half_to_float) {
  FusedKernel k("aten::_log_softmax");
  auto in = k.in(x);
  return k.out(at::_log_softmax(half_to_float ? in.to(at::kFloat) : in, dim, false));
}

inline Tensor softmax_backward(const Tensor& grad, const Tensor& result, int64_t dim, at::ScalarType input_type) {
  FusedKernel k("aten::_softmax_backward_data");
  auto y = k.in(result);
  return k.out(at::_softmax_backward_data(k.in(grad), y, dim, y.scalar_type()).to(input_type));
}

inline Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, int64_t dim, at::ScalarType input_type) {
  FusedKernel k("aten::_log_softmax_backward_data");
  auto y = k.in(result);
  return k.out(at::_log_softmax_backward_data(k.in(grad), y, dim, y.scalar_type()).to(input_type));
}

// On CUDA a product may be given in another type than its factors have.
inline Tensor mm_to(const Tensor& a, const Tensor& b, at::ScalarType type) {
  FusedKernel k("aten::mm");
  return k.out(at::mm(k.in(a).to(type), k.in(b).to(type)));
}

inline Tensor& mm_to_out(const Tensor& a, const Tensor& b, at::ScalarType type, Tensor& out) {
  FusedKernel k("aten::mm");
  k.in(out).copy_(at::mm(k.in(a).to(type), k.in(b).to(type)));
  return out;
}

inline Tensor bmm_to(const Tensor& a, const Tensor& b, at::ScalarType type) {
  FusedKernel k("aten::bmm");
  return k.out(at::bmm(k.in(a).to(type), k.in(b).to(type)));
}

inline Tensor addmm_to(
    const Tensor& t, const Tensor& a, const Tensor& b, at::ScalarType type, const at::Scalar& beta,
    const at::Scalar& alpha) {
  FusedKernel k("aten::addmm");
  return k.out(at::addmm(k.in(t).to(type), k.in(a).to(type), k.in(b).to(type), beta, alpha));
}

inline Tensor baddbmm_to(
    const Tensor& t, const Tensor& a, const Tensor& b, at::ScalarType type, const at::Scalar& beta,
    const at::Scalar& alpha) {
  FusedKernel k("aten::baddbmm");
  return k.out(at::baddbmm(k.in(t).to(type), k.in(a).to(type), k.in(b).to(type), beta, alpha));
}

// Synchronised batch normalisation: channels are dimension 1 of x, counts has one entry a rank.
inline Tensor by_channel(const Tensor& v, const Tensor& x) {
  std::vector<int64_t> shape(static_cast<size_t>(x.dim()), 1);
  shape[1] = -1;
  return v.view(shape);
}

inline std::vector<int64_t> all_but_channel(const Tensor& x) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < x.dim(); d++)
    if (d != 1) dims.push_back(d);
  return dims;
}

inline std::tuple<Tensor, Tensor> batch_norm_stats(const Tensor& input, double eps) {
  FusedKernel k("aten::batch_norm_stats");
  auto x = k.in(input).to(at::kFloat);
  auto dims = all_but_channel(x);
  return {k.out(x.mean(dims)), k.out((x.var(dims, false) + eps).rsqrt())};
}

inline std::tuple<Tensor, Tensor> batch_norm_gather_stats(
    const Tensor&, const Tensor& mean, const Tensor& inverse_deviation, const OptionalTensor& running_mean,
    const OptionalTensor& running_var, double momentum, double eps, const Tensor& counts) {
  FusedKernel k("aten::batch_norm_gather_stats_with_counts");
  auto means = k.in(mean), deviations = k.in(inverse_deviation);
  auto n = k.in(counts).to(at::kFloat).view({-1, 1});
  auto total = n.sum();
  auto all_mean = (n * means).sum(0) / total;
  auto all_var = (n * (deviations.pow(-2) - eps + means * means)).sum(0) / total - all_mean * all_mean;
  if (auto running = k.in(running_mean); running.defined()) running.mul_(1 - momentum).add_(all_mean, momentum);
  if (auto running = k.in(running_var); running.defined())
    running.mul_(1 - momentum).add_(all_var * total / (total - 1), momentum);
  return {k.out(all_mean), k.out((all_var + eps).rsqrt())};
}

inline Tensor batch_norm_apply(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, const Tensor& mean,
    const Tensor& inverse_deviation, double) {
  FusedKernel k("aten::batch_norm_elemt");
  auto x = k.in(input);
  auto y = (x - by_channel(k.in(mean), x)) * by_channel(k.in(inverse_deviation), x);
  if (auto w = k.in(weight); w.defined()) y = y * by_channel(w, x);
  if (auto b = k.in(bias); b.defined()) y = y + by_channel(b, x);
  return k.out(y.to(x.scalar_type()));
}

inline std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_backward_reduce(
    const Tensor& grad, const Tensor& input, const Tensor& mean, const Tensor& inverse_deviation,
    const OptionalTensor&, bool, bool, bool) {
  FusedKernel k("aten::batch_norm_backward_reduce");
  auto g = k.in(grad).to(at::kFloat), x = k.in(input);
  auto dims = all_but_channel(x);
  auto sum = g.sum(dims);
  auto sum_centred = (g * (x - by_channel(k.in(mean), x))).sum(dims);
  return {k.out(sum), k.out(sum_centred), k.out(sum_centred * k.in(inverse_deviation)), k.out(sum.clone())};
}

inline Tensor batch_norm_backward_apply(
    const Tensor& grad, const Tensor& input, const Tensor& mean, const Tensor& inverse_deviation,
    const OptionalTensor& weight, const Tensor& sum, const Tensor& sum_centred, const Tensor& counts) {
  FusedKernel k("aten::batch_norm_backward_elemt");
  auto g = k.in(grad), x = k.in(input);
  auto scale = by_channel(k.in(inverse_deviation), x);
  auto total = k.in(counts).sum();
  auto centred = x - by_channel(k.in(mean), x);
  auto result = (g - by_channel(k.in(sum), x) / total -
                 centred * scale * scale * by_channel(k.in(sum_centred), x) / total) * scale;
  if (auto w = k.in(weight); w.defined()) result = result * by_channel(w, x);
  return k.out(result.to(x.scalar_type()));
}

// "No": the plain implementations are taken.
inline bool no_vendor_ctc_loss(const Tensor&, const Tensor&, at::IntArrayRef, at::IntArrayRef, int64_t) {
  return false;
}
inline bool no_vendor_ctc_loss_tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&, int64_t) {
  return false;
}

} // namespace overhead::simulated
