// The object that torch's GPU trace points call: c10's interface to a Python interpreter, of which
// only the trace functions are ever used here. Torch's own implementation calls Python for each of
// them; this one counts, and hands on to whoever was installed before (the CUDA sanitizer).
//
// The functions are declared without `override` where their set differs between torch versions.
#pragma once

#include "attribution.h"
#include "memory.h"

#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/GPUTrace.h>
#include <c10/core/impl/PyInterpreter.h>

namespace overhead::sink {

inline const c10::impl::PyInterpreter* previous = nullptr;

#define NOT_A_TRACE_POINT TORCH_INTERNAL_ASSERT(false, "overhead-lint: the trace sink is no Python interpreter")

class TraceInterpreter final : public c10::impl::PyInterpreterVTable {
  using Device = c10::DeviceType;
  using Handle = uintptr_t;
  using Impl = c10::TensorImpl;

 public:
  std::string name() const override { return "overhead-lint"; }

  void trace_gpu_event_creation(Device d, Handle event) const override {
    note(Kind::event_create);
    if (previous) (*previous)->trace_gpu_event_creation(d, event);
  }
  void trace_gpu_event_deletion(Device d, Handle event) const override {
    note(Kind::event_destroy);
    if (previous) (*previous)->trace_gpu_event_deletion(d, event);
  }
  void trace_gpu_event_record(Device d, Handle event, Handle stream) const override {
    note(Kind::event_record);
    if (previous) (*previous)->trace_gpu_event_record(d, event, stream);
  }
  void trace_gpu_event_wait(Device d, Handle event, Handle stream) const override {
    note(Kind::event_wait);
    if (previous) (*previous)->trace_gpu_event_wait(d, event, stream);
  }
  void trace_gpu_event_synchronization(Device d, Handle event) const override {
    note(Kind::event_sync);
    if (previous) (*previous)->trace_gpu_event_synchronization(d, event);
  }
  void trace_gpu_stream_creation(Device d, Handle stream) const override {
    note(Kind::stream_create);
    if (previous) (*previous)->trace_gpu_stream_creation(d, stream);
  }
  void trace_gpu_stream_synchronization(Device d, Handle stream) const override {
    note(Kind::stream_sync);
    if (previous) (*previous)->trace_gpu_stream_synchronization(d, stream);
  }
  void trace_gpu_device_synchronization(Device d) const override {
    note(Kind::device_sync);
    if (previous) (*previous)->trace_gpu_device_synchronization(d);
  }
  void trace_gpu_memory_allocation(Device d, Handle pointer) const override {
    note(Kind::alloc);
    DeviceMemory::one().allocated(d, pointer);
    if (previous) (*previous)->trace_gpu_memory_allocation(d, pointer);
  }
  void trace_gpu_memory_deallocation(Device d, Handle pointer) const override {
    note(Kind::free);
    DeviceMemory::one().freed(pointer);
    if (previous) (*previous)->trace_gpu_memory_deallocation(d, pointer);
  }

  void incref(PyObject*) const { NOT_A_TRACE_POINT; }
  void decref(PyObject*) const { NOT_A_TRACE_POINT; }
  void decref(PyObject*, bool) const { NOT_A_TRACE_POINT; }
  bool try_incref(const c10::impl::PyObjectSlot&) const { NOT_A_TRACE_POINT; }
  size_t refcnt(PyObject*) const { NOT_A_TRACE_POINT; }
  c10::intrusive_ptr<Impl> detach(const Impl*) const { NOT_A_TRACE_POINT; }
  void dispatch(const c10::OperatorHandle&, torch::jit::Stack*) const { NOT_A_TRACE_POINT; }
  void reportErrorCallback(PyObject*, c10::DispatchKey) const { NOT_A_TRACE_POINT; }
  void python_op_registration_trampoline(
      const c10::OperatorHandle&, c10::DispatchKey, c10::DispatchKeySet, torch::jit::Stack*, bool, bool) const {
    NOT_A_TRACE_POINT;
  }
  void throw_abstract_impl_not_imported_error(std::string, const char*, const char*) const { NOT_A_TRACE_POINT; }
  void python_dispatcher(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack*) const {
    NOT_A_TRACE_POINT;
  }
  bool is_contiguous(const Impl*, at::MemoryFormat) const { NOT_A_TRACE_POINT; }
  c10::SymBool sym_is_contiguous(const Impl*, at::MemoryFormat) const { NOT_A_TRACE_POINT; }
  bool is_strides_like(const Impl*, at::MemoryFormat) const { NOT_A_TRACE_POINT; }
  bool is_non_overlapping_and_dense(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::Device device(const Impl*) const { NOT_A_TRACE_POINT; }
  int64_t dim(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::IntArrayRef strides(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::IntArrayRef sizes(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::SymIntArrayRef sym_sizes(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::Layout layout(const Impl*) const { NOT_A_TRACE_POINT; }
  int64_t numel(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::SymInt sym_numel(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::SymIntArrayRef sym_strides(const Impl*) const { NOT_A_TRACE_POINT; }
  c10::SymInt sym_storage_offset(const Impl*) const { NOT_A_TRACE_POINT; }
  void reset_backward_hooks(const Impl*) const { NOT_A_TRACE_POINT; }
};

#undef NOT_A_TRACE_POINT

// One sink for the process, never destroyed: a thread may be inside a trace point at any time.
inline const c10::impl::PyInterpreter* the_sink() {
  static auto* sink = new c10::impl::PyInterpreter(new TraceInterpreter);
  return sink;
}

inline bool installed() {
  using c10::impl::GPUTrace;
  return GPUTrace::haveState && GPUTrace::gpuTraceState.load(std::memory_order_acquire) == the_sink();
}

inline void install() {
  using c10::impl::GPUTrace;
  previous = GPUTrace::haveState ? GPUTrace::gpuTraceState.load(std::memory_order_acquire) : nullptr;
  GPUTrace::gpuTraceState.store(the_sink(), std::memory_order_release);
  GPUTrace::haveState = true;
}

// Must not be called when somebody else took the trace points over in the meantime.
inline void uninstall() {
  using c10::impl::GPUTrace;
  if (!previous) GPUTrace::haveState = false;
  GPUTrace::gpuTraceState.store(previous, std::memory_order_release);
}

} // namespace overhead::sink
