// Counts operators that pass the dispatcher, autograd nodes that run, and copies between host and
// device, through callbacks of at::RecordFunction. Unlike a dispatch mode they leave torch.compile
// alone.
#pragma once

#include "attribution.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstring>
#include <memory>

namespace overhead::sink {

inline std::unique_ptr<at::ObserverContext> on_dispatch(const at::RecordFunction& op) {
  if (is_operator(op.name())) note(Kind::dispatches, op.name());
  return nullptr;
}

inline std::unique_ptr<at::ObserverContext> on_node(const at::RecordFunction&) {
  note(Kind::autograd_nodes);
  return nullptr;
}

// Whether an input is a tensor with memory, and on the host or not. Of one without elements nothing is copied.
enum class Place : uint8_t { none, host, device };
inline Place place_of(const c10::IValue& input) {
  if (!input.isTensor() || !input.toTensor().defined()) return Place::none;
  const auto& tensor = input.toTensor();
  // A fake tensor of a compilation says it is on a device, and has the key of meta tensors.
  if (tensor.is_meta() || tensor.key_set().has(c10::DispatchKey::Meta)) return Place::none;
  if (tensor.sym_numel().maybe_as_int() == 0) return Place::none;
  return tensor.is_cpu() ? Place::host : Place::device;
}

// Whether a copy to a device has to read memory that is not pinned, which the host copies to where the device can read it,
// whether or not the program asks not to wait. So has one whose numbers CUDA converts or lays out anew on the host, in
// memory of its own: without a wait it converts on the device, and with one on the host (ATen/native/cuda/Copy.cu).
// Asked of the device's hooks: is_pinned() is an operator, which would count.
inline bool reads_pageable_memory(const at::Tensor& to, const at::Tensor& from, bool non_blocking) {
  if (!from.has_storage()) return true;
  const bool same_type = to.scalar_type() == from.scalar_type(), same_sizes = to.sizes() == from.sizes();
  const bool as_it_is =
      same_type && same_sizes && to.strides() == from.strides() && from.is_non_overlapping_and_dense();
  if (!as_it_is && (!same_sizes || !from.is_contiguous() || (!same_type && !non_blocking))) return true;
  const auto& hooks = at::globalContext().getAcceleratorHooksInterface(to.device().type());
  return !hooks.isPinnedPtr(from.storage().data());
}

// A copy between host and device that runs. CUDA makes one of another type or layout of two operators, one within the
// other: numbers are converted, and then copied as they are. That is one copy.
struct Copying final : at::ObserverContext {
  inline static thread_local int depth = 0;
  Copying() { ++depth; }
  ~Copying() override { --depth; }
};

inline std::unique_ptr<at::ObserverContext> on_copy(const at::RecordFunction& op) {
  auto inputs = op.inputs();
  if (std::strcmp(op.name(), "aten::copy_") == 0 && inputs.size() >= 2) {
    auto to = place_of(inputs[0]), from = place_of(inputs[1]);
    if (to == Place::none || from == Place::none || to == from) return nullptr;
    if (Copying::depth == 0) {
      note(to == Place::device ? Kind::copies_h2d : Kind::copies_d2h);
      const bool non_blocking = inputs.size() >= 3 && inputs[2].isBool() && inputs[2].toBool();
      if (to == Place::device && reads_pageable_memory(inputs[0].toTensor(), inputs[1].toTensor(), non_blocking))
        note(Kind::copies_pageable);
    }
    return std::make_unique<Copying>();
  }
  if (std::strcmp(op.name(), "aten::_local_scalar_dense") == 0 && !inputs.empty()) {
    if (place_of(inputs[0]) == Place::device) note(Kind::copies_d2h);
  }
  return nullptr;
}

// Whether a callback is called: a program may clear them, or switch them off in its thread, and then what it
// does is not counted. Others may be there all the same.
inline bool is_heard(at::RecordScope scope, at::RecordFunctionCallback::StartCallback start) {
  auto called = at::getStepCallbacksUnlessEmpty(scope);
  if (!called) return false;
  for (const auto& one : called->callbacks_)
    if (one.start_ == start) return true;
  return false;
}

// Each counter is on while somebody uses it; changed with the interpreter lock held.
class Callback {
 public:
  Callback(at::RecordFunctionCallback::StartCallback start, at::RecordScope scope, bool inputs)
      : start_(start), scope_(scope), inputs_(inputs) {}

  // Gives whether it counts.
  bool start() {
    if (users_++ == 0)
      handle_ = at::addGlobalCallback(
          at::RecordFunctionCallback(start_).scopes({scope_}).needsInputs(inputs_));
    return is_heard(scope_, start_);
  }
  // Gives whether it still counted.
  bool stop() {
    bool heard = is_heard(scope_, start_);
    if (--users_ == 0) at::removeCallback(handle_);
    return heard;
  }

 private:
  at::RecordFunctionCallback::StartCallback start_;
  at::RecordScope scope_;
  bool inputs_;
  int users_ = 0;
  at::CallbackHandle handle_ = at::INVALID_CALLBACK_HANDLE;
};

inline Callback& dispatch_callback() {
  static auto* one = new Callback(&on_dispatch, at::RecordScope::FUNCTION, false);
  return *one;
}
inline Callback& node_callback() {
  static auto* one = new Callback(&on_node, at::RecordScope::BACKWARD_FUNCTION, false);
  return *one;
}
inline Callback& copy_callback() {
  static auto* one = new Callback(&on_copy, at::RecordScope::FUNCTION, true);
  return *one;
}

} // namespace overhead::sink
