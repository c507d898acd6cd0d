// Blocks of mixed precision: what torch.autocast does at entry and exit.
#pragma once

#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/autocast_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/Dtype.h>

#include <iterator>
#include <string>
#include <vector>

#include "active.h"
#include "blocks.h"
#include "stand_in.h"

namespace overhead::contexts::autocast {

struct Saved {
  bool enabled;
  bool cache_enabled;
  at::ScalarType scalar_type;
  PyObject* stock;  // owned; a stock block that was entered in this one's place, or null
};

struct Block {
  PyObject_HEAD
  PyObject* device;  // str
  PyObject* dtype;
  c10::DeviceType device_type;
  at::ScalarType scalar_type;
  bool enabled;
  bool cache_enabled;
  bool has_more;  // somebody gave it attributes that the stock class does not have
  bool was_entered;
  Saved last;  // as in stock: what was there at the last entry, for an exit that has no entry of its own
};

using Entered = Active<Saved>;

inline PyTypeObject* block_type = nullptr;
inline PyObject* checked_call = nullptr;  // the function of Python, for arguments that were not seen before
inline PyObject* ask_again = nullptr;  // of Python: for arguments that stock warned of, or may take otherwise
inline PyObject* stock_class = nullptr;

// Arguments that the stock constructor raised no error for. Where it warned, it disabled the block.

struct Device {
  PyObject* name;
  c10::DeviceType type;
};
inline std::vector<Device> devices;
enum class Known : uint8_t { no, quiet, asks };
inline Known accepted[c10::COMPILE_TIME_MAX_DEVICE_TYPES][static_cast<size_t>(at::ScalarType::NumOptions)][2];

inline const Device* find_device(PyObject* name) {
  for (const Device& device : devices) {
    if (device.name == name) return &device;
  }
  for (const Device& device : devices) {  // made while running, as in tensor.device.type
    if (PyUnicode_Compare(device.name, name) == 0) return &device;
  }
  return nullptr;
}

inline Known& known(c10::DeviceType device, at::ScalarType dtype, bool enabled) {
  return accepted[static_cast<size_t>(device)][static_cast<size_t>(dtype)][enabled];
}

inline bool device_type_of(PyObject* name, c10::DeviceType& type) {
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) return false;
  try {
    type = c10::Device(std::string(text)).type();
    return true;
  } catch (const c10::Error& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what_without_backtrace());
    return false;
  }
}

inline PyObject* accept(PyObject*, PyObject* args) {
  PyObject *name = nullptr, *dtype = nullptr;
  int enabled = 0, asks = 0;
  if (!PyArg_ParseTuple(args, "UO!pp", &name, &THPDtypeType, &dtype, &enabled, &asks)) return nullptr;
  c10::DeviceType type;
  if (!device_type_of(name, type)) return nullptr;
  if (find_device(name) == nullptr) devices.push_back({Py_NewRef(name), type});
  known(type, reinterpret_cast<THPDtype*>(dtype)->scalar_type, enabled != 0) = asks ? Known::asks : Known::quiet;
  Py_RETURN_NONE;
}

// autocast(device_type, dtype=None, enabled=True, cache_enabled=None)

// Blocks built before, owned. One that nobody else refers to any more is as good as a new one.
inline PyObject* spares[4];
inline size_t oldest_spare = 0;

inline bool is_free(PyObject* spare) {
  if (spare == nullptr || Py_REFCNT(spare) != 1 || reinterpret_cast<Block*>(spare)->has_more) return false;
  const Py_ssize_t weak = Py_TYPE(spare)->tp_weaklistoffset;
  return weak == 0 || *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(spare) + weak) == nullptr;
}

inline PyObject* spare_or_new() {
  for (PyObject* spare : spares) {
    if (is_free(spare)) return Py_NewRef(spare);
  }
  PyObject* made = new_block(block_type);
  if (made != nullptr) keep(spares[oldest_spare++ % std::size(spares)], made);
  return made;
}

inline PyObject* build(const Device& device, PyObject* dtype, at::ScalarType scalar_type, bool enabled, bool cache) {
  PyObject* made = spare_or_new();
  if (made == nullptr) return nullptr;
  auto* block = reinterpret_cast<Block*>(made);
  keep(block->device, device.name);
  keep(block->dtype, dtype);
  block->device_type = device.type;
  block->scalar_type = scalar_type;
  block->enabled = enabled;
  block->cache_enabled = cache;
  block->was_entered = false;
  return made;
}

// Whether to build at once, with what becomes of `enabled`. An error may be set if not. Code of Python runs, which may
// add to the devices.
inline bool settle(Device device, PyObject* dtype, bool& enabled) {
  const Known before = known(device.type, reinterpret_cast<THPDtype*>(dtype)->scalar_type, enabled);
  if (before == Known::asks) {
    PyObject* now = PyObject_CallFunctionObjArgs(ask_again, device.name, dtype, enabled ? Py_True : Py_False, nullptr);
    Py_XDECREF(now);  // a singleton
    enabled = now == Py_True;
    return now != nullptr && now != Py_None;
  }
  // A simulated device comes and goes. A block that is off needs none.
  return before == Known::quiet &&
         (!enabled || device.type != c10::DeviceType::CUDA || at::detail::getCUDAHooks().hasCUDA());
}

inline PyObject* call(PyObject*, PyObject* const* args, size_t count, PyObject* names) {
  static PyObject* const parameters[] = {
      PyUnicode_InternFromString("device_type"), PyUnicode_InternFromString("dtype"),
      PyUnicode_InternFromString("enabled"), PyUnicode_InternFromString("cache_enabled")};
  PyObject* values[4] = {};
  const Device* device = nullptr;
  if (read_arguments(args, PyVectorcall_NARGS(count), names, parameters, values) && values[0] != nullptr &&
      PyUnicode_CheckExact(values[0])) {
    device = find_device(values[0]);
  }
  PyObject* enabled = values[2] == nullptr ? Py_True : values[2];
  PyObject* cache = values[3] == nullptr ? Py_None : values[3];
  if (device != nullptr && PyBool_Check(enabled) && (cache == Py_None || PyBool_Check(cache))) {
    PyObject* dtype = values[1];
    if (dtype == nullptr || dtype == Py_None) {
      dtype = reinterpret_cast<PyObject*>(torch::getTHPDtype(at::autocast::get_autocast_dtype(device->type)));
    }
    bool is_on = enabled == Py_True;
    const Device asked = *device;
    if (THPDtype_Check(dtype) && settle(asked, dtype, is_on)) {
      const bool caches = cache == Py_None ? at::autocast::is_autocast_cache_enabled() : cache == Py_True;
      return build(asked, dtype, reinterpret_cast<THPDtype*>(dtype)->scalar_type, is_on, caches);
    }
    if (PyErr_Occurred()) return nullptr;
  }
  return PyObject_Vectorcall(checked_call, args, count, names);
}

inline PyObject* bind(PyObject*, PyObject* args) {
  PyObject *stand_in = nullptr, *type = nullptr, *checked = nullptr, *ask = nullptr, *stock = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!OOO", stand_in_type, &stand_in, &PyType_Type, &type, &checked, &ask, &stock)) {
    return nullptr;
  }
  block_type = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
  keep(checked_call, checked);
  keep(ask_again, ask);
  keep(stock_class, stock);
  serve(stand_in, call);
  Py_RETURN_NONE;
}

// Entry and exit.

inline PyObject* enter_stock(PyObject* self) {
  auto* block = reinterpret_cast<Block*>(self);
  PyObject* stock =
      PyObject_CallFunction(stock_class, "OOOO", block->device, block->dtype, block->enabled ? Py_True : Py_False,
                            block->cache_enabled ? Py_True : Py_False);
  if (stock == nullptr) return nullptr;
  PyObject* entered = PyObject_CallMethod(stock, "__enter__", nullptr);
  if (entered == nullptr) {
    Py_DECREF(stock);
    return nullptr;
  }
  Py_DECREF(entered);
  Entered::push(self, {false, false, at::ScalarType::Undefined, stock});
  return Py_NewRef(self);
}

inline PyObject* enter(PyObject* self, PyObject*) {
  auto* block = reinterpret_cast<Block*>(self);
  const c10::DeviceType device = block->device_type;
  const Saved saved{at::autocast::is_autocast_enabled(device), at::autocast::is_autocast_cache_enabled(),
                    at::autocast::get_autocast_dtype(device), nullptr};
  block->last = saved;
  block->was_entered = true;
  // torch.export records the context through a function mode; only the stock class knows how.
  if (at::impl::torch_function_mode_enabled()) return enter_stock(self);
  Entered::push(self, saved);
  if (saved.enabled != block->enabled) at::autocast::set_autocast_enabled(device, block->enabled);
  if (saved.scalar_type != block->scalar_type) at::autocast::set_autocast_dtype(device, block->scalar_type);
  if (saved.cache_enabled != block->cache_enabled) at::autocast::set_autocast_cache_enabled(block->cache_enabled);
  at::autocast::increment_nesting();
  return Py_NewRef(self);
}

inline PyObject* leave_stock(PyObject* stock, PyObject* const* args, Py_ssize_t count) {
  PyObject* method = PyObject_GetAttrString(stock, "__exit__");
  PyObject* result = method == nullptr ? nullptr : PyObject_Vectorcall(method, args, count, nullptr);
  Py_XDECREF(method);
  Py_DECREF(stock);
  return result;
}

inline void restore(c10::DeviceType device, const Saved& saved) {
  at::autocast::set_autocast_enabled(device, saved.enabled);
  at::autocast::set_autocast_dtype(device, saved.scalar_type);
  at::autocast::set_autocast_cache_enabled(saved.cache_enabled);
}

inline PyObject* leave(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count != 3) {
    PyErr_Format(PyExc_TypeError, "__exit__() takes 3 arguments (%zd given)", count);
    return nullptr;
  }
  auto* block = reinterpret_cast<Block*>(self);
  Saved saved;
  if (!Entered::take(self, saved)) {
    // The state is what it would be under stock. Its count of nested blocks, which says when the casts of
    // weights go, would be one too low from then on.
    if (!block->was_entered) return never_entered(self, "prev");
    restore(block->device_type, block->last);
    Py_RETURN_FALSE;
  }
  if (saved.stock != nullptr) return leave_stock(saved.stock, args, count);
  // As the stock class: the weight casts go when the thread's outermost autocast block ends.
  if (at::autocast::decrement_nesting() == 0) {
    // Another thread may hold the cache's lock and wait for the interpreter's, to free a tensor.
    Py_BEGIN_ALLOW_THREADS;
    at::autocast::clear_cache();
    Py_END_ALLOW_THREADS;
  }
  // Written without a look: the block may have called the raw setters.
  restore(block->device_type, saved);
  Py_RETURN_FALSE;
}

inline void destroy(PyObject* self) {
  auto* block = reinterpret_cast<Block*>(self);
  Py_CLEAR(block->device);
  Py_CLEAR(block->dtype);
  free_block(self);
}

// The attributes of the stock class, which Dynamo reads.

inline PyObject* value_or_none(PyObject* value) { return Py_NewRef(value == nullptr ? Py_None : value); }
inline PyObject* get_device(PyObject* self, void*) { return value_or_none(reinterpret_cast<Block*>(self)->device); }
inline PyObject* get_dtype(PyObject* self, void*) { return value_or_none(reinterpret_cast<Block*>(self)->dtype); }

template <bool Block::*Flag>
PyObject* get_flag(PyObject* self, void*) {
  return PyBool_FromLong(reinterpret_cast<Block*>(self)->*Flag);
}

template <bool Block::*Flag>
int set_flag(PyObject* self, PyObject* value, void*) {
  if (value == nullptr || !PyBool_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "autocast: enabled and cache_enabled must be bool");
    return -1;
  }
  reinterpret_cast<Block*>(self)->*Flag = value == Py_True;
  return 0;
}

inline int set_dtype(PyObject* self, PyObject* value, void*) {
  if (value == nullptr || !THPDtype_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "autocast: fast_dtype must be a torch.dtype");
    return -1;
  }
  auto* block = reinterpret_cast<Block*>(self);
  block->scalar_type = reinterpret_cast<THPDtype*>(value)->scalar_type;
  keep(block->dtype, value);
  return 0;
}

// Any assignment to an attribute, also of one that is named above.
inline int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  reinterpret_cast<Block*>(self)->has_more = true;
  return PyObject_GenericSetAttr(self, name, value);
}

inline PyGetSetDef attributes[] = {{"device", get_device, nullptr, nullptr, nullptr},
                                   {"fast_dtype", get_dtype, set_dtype, nullptr, nullptr},
                                   {"_enabled", get_flag<&Block::enabled>, set_flag<&Block::enabled>, nullptr, nullptr},
                                   {"_cache_enabled", get_flag<&Block::cache_enabled>,
                                    set_flag<&Block::cache_enabled>, nullptr, nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};

inline PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", fast(leave), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};

inline PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                              {Py_tp_methods, methods},
                              {Py_tp_setattro, reinterpret_cast<void*>(set_attribute)},
                              {Py_tp_getset, attributes},
                              {0, nullptr}};

inline PyType_Spec spec = {"contexts.AutocastBlock", sizeof(Block), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

inline PyMethodDef functions[] = {
    {"bind_autocast", bind, METH_VARARGS,
     "bind_autocast(stand_in, type, checked, ask_again, stock): what is called, the class of blocks, and what to call "
     "where this module cannot."},
    {"accept_autocast", accept, METH_VARARGS,
     "accept_autocast(device_type, dtype, enabled, asks): from now on, build such blocks without a check, or after "
     "asking."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace overhead::contexts::autocast
