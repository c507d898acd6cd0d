// Registers the device with torch: guard, allocator, kernels, and what torch.distributed needs.
#pragma once

#include "cuda_hooks.h"
#include "layouts.h"
#include "nested.h"
#include "profiler.h"
#include "reduced_autocast.h"
#include "reduced_hooks.h"
#include "sparse.h"

#include <torch/csrc/distributed/c10d/reducer_timer.hpp>
#include <torch/library.h>

namespace overhead::simulated {

// DistributedDataParallel's logger asks for a timer of the device; times mean nothing here.
struct ReducerTimer final : c10d::Timer {
  explicit ReducerTimer(c10::Device) {}
  std::optional<int64_t> measureDifference(Event start, Event end) override {
    auto from = getTimeRef(start), to = getTimeRef(end);
    if (from == -1 || to == -1 || to < from) return std::nullopt;
    return to - from;
  }
};

struct Silent final : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

class Registration {
 public:
  void register_all() {
    c10::SetAllocator(device_type, &device_allocator(), /*priority=*/10);
    library("_", dispatch_key).fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
    auto& aten = library("aten", dispatch_key);
    register_kernels(aten);
    register_fused_kernels(aten);
    register_composed_kernels(aten);
    register_padded_batches(aten);
    register_fallback_over_composites(aten);
    register_sparse(aten);
    refuse_other_layouts();
    register_distributed();
    if (!is_reduced()) return register_profiler_clock();
    library("_", c10::DispatchKey::AutocastPrivateUse1).fallback(torch::CppFunction::makeFallthrough());
    at::autocast::register_for_private_device(library("aten", c10::DispatchKey::AutocastPrivateUse1));
  }

 private:
  torch::Library& library(const char* ns, c10::DispatchKey key) {
    libraries_.push_back(std::make_unique<torch::Library>(torch::Library::IMPL, ns, key, __FILE__, __LINE__));
    return *libraries_.back();
  }

  static void register_kernels(torch::Library& aten) {
    aten.impl("empty.memory_format", empty);
    aten.impl("empty_strided", empty_strided);
    aten.impl("copy_", copy_);
    aten.impl("_local_scalar_dense", local_scalar_dense);
    aten.impl("equal", equal);
    aten.impl("record_stream", record_stream);
    aten.impl("set_.source_Storage_storage_offset", set_storage_offset);
    aten.impl("set_.source_Storage", set_storage);
    aten.impl("set_.source_Tensor", set_tensor);
    aten.impl("_fused_sdp_choice", attention_choice);
    // These have a composite kernel that asks for the backend; the CPU kernels do that for themselves.
    for (const char* name : {"convolution", "convolution_backward", "convolution_overrideable"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&fallback>());
    // The composite kernels of these call one of the device's type, which only CUDA builds have.
    for (const char* name : {"kaiser_window", "kaiser_window.periodic", "kaiser_window.beta"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&fallback>());
  }

  static void register_fused_kernels(torch::Library& aten) {
    aten.impl("_thnn_fused_lstm_cell", lstm_cell);
    aten.impl("_thnn_fused_lstm_cell_backward_impl", lstm_cell_backward);
    aten.impl("_thnn_fused_gru_cell", gru_cell);
    aten.impl("_thnn_fused_gru_cell_backward", gru_cell_backward);
    aten.impl("_softmax", softmax);
    aten.impl("_log_softmax", log_softmax);
    aten.impl("_softmax_backward_data", softmax_backward);
    aten.impl("_log_softmax_backward_data", log_softmax_backward);
    aten.impl("mm.dtype", mm_to);
    aten.impl("mm.dtype_out", mm_to_out);
    aten.impl("bmm.dtype", bmm_to);
    aten.impl("addmm.dtype", addmm_to);
    aten.impl("baddbmm.dtype", baddbmm_to);
    aten.impl("batch_norm_stats", batch_norm_stats);
    aten.impl("batch_norm_gather_stats_with_counts", batch_norm_gather_stats);
    aten.impl("batch_norm_elemt", batch_norm_apply);
    aten.impl("batch_norm_backward_reduce", batch_norm_backward_reduce);
    aten.impl("batch_norm_backward_elemt", batch_norm_backward_apply);
    aten.impl("_use_cudnn_ctc_loss", no_vendor_ctc_loss);
    aten.impl("_use_cudnn_ctc_loss.Tensor", no_vendor_ctc_loss_tensor);
    aten.impl("_use_miopen_ctc_loss", no_vendor_ctc_loss);
    aten.impl("_use_miopen_ctc_loss.Tensor", no_vendor_ctc_loss_tensor);
  }

  static void register_composed_kernels(torch::Library& aten) {
    aten.impl("linalg_matrix_exp", matrix_exponential);
    aten.impl("bernoulli_.Tensor", torch::CppFunction::makeFromBoxedFunction<&draw_by_chances>());
    aten.impl("_fused_moving_avg_obs_fq_helper", torch::CppFunction::makeFromBoxedFunction<&observe_and_quantize>());
    for (const char* name : {"_fft_c2c", "_fft_c2r", "_fft_r2c"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&fourier>());
    for (const char* name : {"mode", "mode.values"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&most_frequent>());
    for (const char* name : {"_linalg_svd", "_linalg_svd.U"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&singular_values>());
    for (const char* name : {"linalg_lstsq", "linalg_lstsq.out"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&least_squares>());
    for (const char* name : {"isin.Tensor_Tensor", "isin.Tensor_Tensor_out"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&is_in>());
  }

  void register_padded_batches(torch::Library& aten) {
    aten.impl("_nested_tensor_from_mask_left_aligned", is_left_aligned);
    aten.impl("_nested_tensor_from_mask", nest_padded);
    auto& nested = library("aten", per_backend(c10::DispatchKey::NestedTensor));
    nested.impl("_transformer_encoder_layer_fwd", torch::CppFunction::makeFromBoxedFunction<&nested_encoder_layer>());
    nested.impl("to_padded_tensor", torch::CppFunction::makeFromBoxedFunction<&pad_nested>());
  }

  void register_sparse(torch::Library& aten) {
    using c10::DispatchKey;
    auto& sparse = library("aten", per_backend(DispatchKey::Sparse));
    sparse.impl("_coalesce", coalesce);
    sparse.impl("add.out", add_sparse);
    for (const char* name : {"mul.out", "sparse_mask", "_sparse_mask_projection"})
      sparse.impl(name, torch::CppFunction::makeFromBoxedFunction<&meet>());
    for (const char* name : {"_to_sparse", "_to_sparse.sparse_dim", "_to_sparse_csr", "_to_sparse_csc", "_to_sparse_bsr",
                             "_to_sparse_bsc"})
      aten.impl(name, torch::CppFunction::makeFromBoxedFunction<&shared_with_cpu>());
    for (auto functionality : {DispatchKey::Sparse, DispatchKey::SparseCsr})
      register_layout<&sparse_fallback>(functionality);
  }

  // A composite kernel wins over the fallback of a backend, so an operator with a kernel of its own
  // for CPU and CUDA and a composite one for other backends would take that: other operators, more
  // of them, and other numbers in the last place. Such operators get the fallback by name.
  static void register_fallback_over_composites(torch::Library& aten) {
    using c10::DispatchKey;
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const auto& name : dispatcher.getAllOpNames()) {
      if (name.name.rfind("aten::", 0) != 0) continue;
      auto op = dispatcher.findOp(name);
      if (!op || op->hasKernelForDispatchKey(dispatch_key)) continue; // registered above
      bool composite = op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) ||
          op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional) ||
          op->hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd);
      if ((composite && op->hasKernelForDispatchKey(DispatchKey::CPU)) || fused_on_cuda_only(name))
        aten.impl(name_within(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&fallback>());
    }
  }

  // A CUDA build has one fused kernel for these and the CPU has none.
  static bool fused_on_cuda_only(const c10::OperatorName& op) {
    return (op.name.rfind("aten::_foreach_", 0) == 0 && op.name != "aten::_foreach_mm") || op.name == "aten::_chunk_cat";
  }

  void refuse_other_layouts() {
    using c10::DispatchKey;
    for (auto functionality : {DispatchKey::Quantized, DispatchKey::NestedTensor})
      register_layout<&refuse_layout>(functionality);
  }

  // One kernel for all operators on tensors of a layout, those with a kernel for it on the CPU and a composite one among them.
  template <c10::BoxedKernel::BoxedKernelFunction_withDispatchKeys* kernel>
  void register_layout(c10::DispatchKey functionality) {
    const auto key = per_backend(functionality);
    const auto on_cpu = c10::toRuntimePerBackendFunctionalityKey(functionality, c10::BackendComponent::CPUBit);
    library("_", key).fallback(torch::CppFunction::makeFromBoxedFunction<kernel>());
    auto& aten = library("aten", key);
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const auto& name : dispatcher.getAllOpNames()) {
      if (name.name.rfind("aten::", 0) != 0) continue;
      auto op = dispatcher.findOp(name);
      if (op && !op->hasKernelForDispatchKey(key) && has_kernel_for_layout(*op, on_cpu))
        aten.impl(name_within(name).c_str(), torch::CppFunction::makeFromBoxedFunction<kernel>());
    }
  }

  static c10::DispatchKey per_backend(c10::DispatchKey functionality) {
    return c10::toRuntimePerBackendFunctionalityKey(functionality, c10::toBackendComponent(dispatch_key));
  }

  // A CPU-only torch registers CUDA kernels of torch.distributed all the same; with gloo they give
  // a null Work, and the process crashes.
  void register_distributed() {
    if (!c10d::TimerRegistry()->Has(device_type))
      c10d::TimerRegistry()->Register(device_type, [](c10::Device device) -> std::unique_ptr<c10d::Timer> {
        return std::make_unique<ReducerTimer>(device);
      });
    Silent silent; // "Overriding a previously registered kernel" is what is meant
    c10::WarningUtils::WarningHandlerGuard no_warnings(&silent);
    auto& distributed = library("c10d", dispatch_key);
    for (const auto& op : c10::Dispatcher::singleton().getAllOpNames())
      if (op.name.rfind("c10d::", 0) == 0 && op.name != "c10d::monitored_barrier_")
        distributed.impl(name_within(op).c_str(), torch::CppFunction::makeFromBoxedFunction<&fallback>());
  }

  static std::string name_within(const c10::OperatorName& op) {
    std::string name = op.name.substr(op.name.find("::") + 2);
    return op.overload_name.empty() ? name : name + "." + op.overload_name;
  }

  std::vector<std::unique_ptr<torch::Library>> libraries_;
};

// To be done each time the device is exposed: a FakeTensorMode (so torch.compile) that starts while no
// device is visible puts a guard that does nothing in its place, as it does on a machine without GPU.
inline void register_guard() {
  static auto* guard = new Guard;
  c10::impl::DeviceGuardImplRegistrar(device_type, guard);  // writes it down, in every torch
}

// ATen answers for the device from here on.
inline void show_device() {
  if (is_reduced()) return register_reduced_hooks();
  cuda_hooks_switch().to_simulated();
}

inline void hide_device() {
  if (!is_reduced()) cuda_hooks_switch().to_stock();
}

inline void register_device() {
  // Never undone: taking kernels away under live tensors would crash them.
  static auto* registration = new Registration;
  registration->register_all();
}

} // namespace overhead::simulated
