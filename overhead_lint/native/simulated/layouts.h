// Nested and quantized tensors: their operators are refused, but for those that nested.h has.
#pragma once

#include "device.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace overhead::simulated {

// Whether an operator has a kernel for a layout on the CPU, and beside it a composite one, which on the device would
// win over the refusal of all operators and fail somewhere within.
inline bool has_kernel_for_layout(const c10::OperatorHandle& op, c10::DispatchKey layout_on_cpu) {
  using c10::DispatchKey;
  return op.hasKernelForDispatchKey(layout_on_cpu) &&
      (op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) ||
       op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) ||
       op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional));
}

inline void refuse_layout(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack*) {
  const auto key = keys.highestPriorityTypeId();
  const bool nested = c10::toFunctionalityKey(key) == c10::DispatchKey::NestedTensor;
  TORCH_CHECK_NOT_IMPLEMENTED(
      false,
      "simulated cuda: '", op.schema().operator_name(), "' on ", key,
      " (nested and quantized tensors are not simulated; use dense tensors",
      nested ? ", in nn.TransformerEncoder by enable_nested_tensor=False," : "", " or a real GPU)");
}

} // namespace overhead::simulated
