// Autocast for a device of the type PrivateUse1: the operators and the precisions that CUDA has.
#pragma once

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace at::autocast { // torch's macros name what is in there

inline void register_for_private_device(torch::Library& m) {
#define OVERHEAD_LOWER(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define OVERHEAD_FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define OVERHEAD_FP32_SET_OPT_DTYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define OVERHEAD_PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
  AT_FORALL_LOWER_PRECISION_FP(OVERHEAD_LOWER)
  AT_FORALL_FP32(OVERHEAD_FP32)
  AT_FORALL_FP32_SET_OPT_DTYPE(OVERHEAD_FP32_SET_OPT_DTYPE)
  AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(KERNEL_DIFFERENT_REDISPATCH_SIGNATURE_PRIVATEUSEONE)
  AT_FORALL_PROMOTE(OVERHEAD_PROMOTE)
#undef OVERHEAD_LOWER
#undef OVERHEAD_FP32
#undef OVERHEAD_FP32_SET_OPT_DTYPE
#undef OVERHEAD_PROMOTE
}

} // namespace at::autocast
