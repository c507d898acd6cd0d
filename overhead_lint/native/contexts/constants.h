// Small constants as tensors, made and copied to the device once.
#pragma once

#include <ATen/PythonTorchFunctionTLS.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>

#include <string>
#include <utility>

#include "blocks.h"
#include "constant_key.h"
#include "constant_memo.h"
#include "constant_place.h"
#include "constant_table.h"

namespace overhead::contexts::constants {

inline PyObject* slow = nullptr;       // the function of Python, for what is not dealt with here
inline PyObject* make = nullptr;       // makes a tensor that lasts, or None

inline PyObject* bind(PyObject*, PyObject* args) {
  PyObject *slow_call = nullptr, *maker = nullptr, *cuda = nullptr, *graphs = nullptr, *capturing = nullptr;
  if (!PyArg_ParseTuple(args, "OOO!O!O", &slow_call, &maker, &PyDict_Type, &cuda, &PyDict_Type, &graphs, &capturing)) {
    return nullptr;
  }
  keep(slow, slow_call);
  keep(make, maker);
  keep(cuda_names, cuda);
  keep(graph_names, graphs);
  keep(stock_capturing, capturing);
  Py_RETURN_NONE;
}

inline void clear_entries() {
  forget_memos();
  Table* gone = std::exchange(entries(), new Table());
  for (auto& [key, entry] : *gone) Py_DECREF(entry.object);
  delete gone;
}

inline PyObject* clear(PyObject*, PyObject*) {
  clear_entries();
  Py_RETURN_NONE;
}

// After a fork: the tensors of a device cannot be used, nor freed.
inline PyObject* abandon(PyObject*, PyObject*) {
  forget_memos();
  entries() = new Table();
  Py_RETURN_NONE;
}

inline PyObject* count(PyObject*, PyObject*) { return PyLong_FromSize_t(entries()->size()); }

inline bool modes_active() {
  // Modes that are disabled now count, too: the slow way knows. torch.jit.trace notes what makes a tensor.
  return at::impl::PythonTorchFunctionTLS::stack_len() != 0 || c10::impl::TorchDispatchModeTLS::stack_len() != 0 ||
         c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::Tracer);
}

// const_tensor(value, dtype=None, device=None)

inline bool add_place(Key& key, PyObject* dtype, PyObject* given, Place& place) {
  if (!find_device(given, place)) return false;
  key.add(static_cast<int8_t>(place.found.type()));
  key.add(place.found.index());
  const bool own = dtype != nullptr && dtype != Py_None;
  if (own && !THPDtype_Check(dtype)) return false;
  key.add(own ? reinterpret_cast<THPDtype*>(dtype)->scalar_type : c10::typeMetaToScalarType(c10::get_default_dtype()));
  key.add(own);
  return true;
}

inline Entry* remember(const Key& key, PyObject* made) {
  if (entries()->size() >= most_entries) clear_entries();
  const at::Tensor& tensor = THPVariable_Unpack(made);
  const uint32_t version = tensor.unsafeGetTensorImpl()->version_counter().current_version();
  const Entry entry{Py_NewRef(made), tensor.storage(), version, tensor.storage().data()};
  const auto [at, is_new] = entries()->try_emplace(std::string(key.view()), entry);
  if (!is_new) Py_DECREF(std::exchange(at->second, entry).object);
  return &at->second;
}

inline PyObject* find_or_make(const Call& call, PyObject* const (&values)[most_arguments]) {
  Key key;
  Place place;
  if (!add_place(key, values[1], values[2], place) || !key.add_value(values[0])) return nullptr;
  const auto known = entries()->find(key.view());
  if (known != entries()->end() && known->second.holds()) {
    memorize(call, values[0], values[1], place, &known->second);
    return Py_NewRef(known->second.object);
  }
  PyObject* made = PyObject_CallFunctionObjArgs(make, values[0], values[1] ? values[1] : Py_None,
                                                values[2] ? values[2] : Py_None, nullptr);
  if (made == nullptr) return nullptr;
  if (THPVariable_CheckExact(made)) {
    memorize(call, values[0], values[1], place, remember(key, made));
    return made;
  }
  Py_DECREF(made);
  return nullptr;
}

inline PyObject* answer(const Call& call) {
  if (call.size() == 0 || call.size() > most_arguments || modes_active()) return nullptr;
  const Memo& memo = memo_of(call);
  if (memo.answers(call)) return Py_NewRef(memo.entry->object);
  static PyObject* const known[] = {PyUnicode_InternFromString("value"), PyUnicode_InternFromString("dtype"),
                                    PyUnicode_InternFromString("device")};
  PyObject* values[most_arguments] = {};
  if (!read_arguments(call.args, call.given, call.names, known, values) || values[0] == nullptr) return nullptr;
  return find_or_make(call, values);
}

inline PyObject* const_tensor(PyObject*, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  try {
    PyObject* found = answer({args, given, names});
    if (found != nullptr || PyErr_Occurred()) return found;
  } catch (const std::exception&) {
    // A device that does not parse, a driver that fails: Python says so as stock does.
  }
  return PyObject_Vectorcall(slow, args, given, names);
}

inline PyMethodDef* functions() {
  static PyMethodDef all[] = {
      {"bind_constants", bind, METH_VARARGS,
       "bind_constants(const_tensor, make, cuda, graphs, capturing): what to call where this module cannot answer, and "
       "the contents of torch's modules."},
      {"const_tensor", fast(const_tensor), METH_FASTCALL | METH_KEYWORDS,
       "const_tensor(value, dtype=None, device=None)\n--\n\n"
       "Give torch.tensor(value, dtype=dtype, device=device), the same tensor for the same constant."},
      {"clear_constants", clear, METH_NOARGS, "Drop all tensors that are kept."},
      {"abandon_constants", abandon, METH_NOARGS, "Keep all tensors alive, and give none of them again."},
      {"count_constants", count, METH_NOARGS, "How many tensors are kept."},
      {nullptr, nullptr, 0, nullptr}};
  return all;
}

}  // namespace overhead::contexts::constants
