// Streams and events: they do nothing but tell the GPU trace points, since kernels run at once.
#pragma once

#include "activity.h"
#include "clock.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace overhead::simulated {

struct Event {
  int64_t ticks; // of its stream when it was recorded last
};

// Events that live, so that a number from Python can be told from a dangling one.
class LiveEvents {
 public:
  void add(Event* event) {
    std::lock_guard<std::mutex> lock(mutex_);
    events_.insert(event);
  }
  void remove(Event* event) {
    std::lock_guard<std::mutex> lock(mutex_);
    events_.erase(event);
  }
  double milliseconds_between(uintptr_t start, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto* first = reinterpret_cast<Event*>(start);
    auto* last = reinterpret_cast<Event*>(end);
    TORCH_CHECK(events_.count(first) && events_.count(last), "simulated cuda: no such event");
    TORCH_CHECK(
        device_clock().is_over(first->ticks) && device_clock().is_over(last->ticks),
        "Both events must be completed before calculating elapsed time.");
    return 1e-3 * static_cast<double>(last->ticks - first->ticks);
  }

 private:
  std::mutex mutex_;
  std::unordered_set<Event*> events_;
};

inline LiveEvents& live_events() {
  static auto* events = new LiveEvents; // events may be destroyed after static destructors have run
  return *events;
}

// Priority in the lowest four bits, as torch.cuda.Stream.priority reads it back.
constexpr int priority_bits = 4;
constexpr int highest_priority = 5;
inline std::atomic<int64_t> next_stream{1};

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return device_type; }

  c10::Device exchangeDevice(c10::Device d) const override { return device_at(exchange_device(d.index())); }
  c10::Device getDevice() const override { return device_at(current_device); }
  void setDevice(c10::Device d) const override { switch_device(d.index()); }
  void uncheckedSetDevice(c10::Device d) const noexcept override { switch_device(d.index()); }
  c10::DeviceIndex deviceCount() const noexcept override {
    return static_cast<c10::DeviceIndex>(visible_devices.load());
  }
  void synchronizeDevice(const c10::DeviceIndex device) const override {
    device_clock().host_waits_for_device(device);
    trace([](auto& t) { t.trace_gpu_device_synchronization(device_type); });
  }

  c10::Stream getStream(c10::Device d) const override { return stream_of(index_of(d)); }
  c10::Stream getDefaultStream(c10::Device d) const override {
    return c10::Stream(c10::Stream::UNSAFE, device_at(index_of(d)), 0);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device d, bool high) const override {
    return getNewStream(d, high ? -1 : 0);
  }
  c10::Stream getNewStream(c10::Device d, int priority) const override {
    check_ordinal(d);
    int64_t urgency = priority < 0 ? std::min(-priority, highest_priority) : 0;
    int64_t id = (next_stream++ << priority_bits) | urgency;
    trace([&](auto& t) { t.trace_gpu_stream_creation(device_type, static_cast<uintptr_t>(id)); });
    return c10::Stream(c10::Stream::UNSAFE, device_at(index_of(d)), id);
  }
  c10::Stream exchangeStream(c10::Stream s) const override {
    auto old = getStream(s.device());
    if (old.id() != s.id()) count(Activity::stream_switch);
    current_streams[s.device_index()] = s.id();
    return old;
  }
  void* getStreamNativeHandle(const c10::Stream s) const {  // which not every torch asks for
    return reinterpret_cast<void*>(static_cast<uintptr_t>(s.id()));
  }
  bool queryStream(const c10::Stream& s) const override { return device_clock().query(device_clock().done(s)); }
  void synchronizeStream(const c10::Stream& s) const override {
    device_clock().host_waits(device_clock().done(s));
    trace([&](auto& t) { t.trace_gpu_stream_synchronization(device_type, static_cast<uintptr_t>(s.id())); });
  }
  void recordDataPtrOnStream(const c10::DataPtr&, const c10::Stream&) const override {
    count(Activity::record_stream);
  }

  void record(void** event, const c10::Stream& s, const c10::DeviceIndex, const c10::EventFlag) const override {
    check_ordinal(s.device());
    if (!*event) *event = create();
    auto* recorded = static_cast<Event*>(*event);
    recorded->ticks = device_clock().done(s);
    trace([&](auto& t) {
      t.trace_gpu_event_record(device_type, handle(recorded), static_cast<uintptr_t>(s.id()));
    });
  }
  void block(void* event, const c10::Stream& s) const override {
    if (!event) return; // never recorded: nothing to wait for
    device_clock().stream_waits(s, static_cast<Event*>(event)->ticks);
    trace([&](auto& t) { t.trace_gpu_event_wait(device_type, handle(event), static_cast<uintptr_t>(s.id())); });
  }
  void synchronizeEvent(void* event) const override {
    if (!event) return;
    device_clock().host_waits(static_cast<Event*>(event)->ticks);
    trace([&](auto& t) { t.trace_gpu_event_synchronization(device_type, handle(event)); });
  }
  bool queryEvent(void* event) const override {
    return !event || device_clock().query(static_cast<Event*>(event)->ticks);
  }
  double elapsedTime(void* start, void* end, const c10::DeviceIndex) const override {
    return live_events().milliseconds_between(handle(start), handle(end));
  }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
    if (!event) return;
    try {
      trace([&](auto& t) { t.trace_gpu_event_deletion(device_type, handle(event)); });
    } catch (...) {
      // A Python callback of torch's own tracer may throw while the interpreter goes down.
    }
    live_events().remove(static_cast<Event*>(event));
    delete static_cast<Event*>(event);
  }

 private:
  // CUDA makes an event when it is first recorded, and so does this.
  static Event* create() {
    auto* event = new Event{0};
    live_events().add(event);
    trace([&](auto& t) { t.trace_gpu_event_creation(device_type, handle(event)); });
    return event;
  }
};

} // namespace overhead::simulated
