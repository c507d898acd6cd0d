// Lets instances of one class be called through a gate that lies in their dict.
//
// Only the slot that the interpreter calls is set. The class keeps its `__call__`: that is what runs where
// there is no gate or the gate leaves a call alone, and what Dynamo traces. Assigning to `__call__` of the
// class takes the slot away again, as for any class.
#pragma once

#include "gate_object.h"

namespace overhead::dispatch {

struct ClassCall {
  PyTypeObject* gate_type = nullptr;
  PyObject* name = nullptr;
  ternaryfunc before = nullptr;
};

inline ClassCall& class_call() {
  static ClassCall one;
  return one;
}

inline PyObject* call_through_gate(PyObject* object, PyObject* args, PyObject* keywords) {
  PyObject** slot = _PyObject_GetDictPtr(object);
  PyObject* gate = slot == nullptr || *slot == nullptr ? nullptr : PyDict_GetItemWithError(*slot, class_call().name);
  if (gate != nullptr && Py_TYPE(gate) == class_call().gate_type) {
    Py_INCREF(gate);
    PyObject* result =
        as_gate(gate)->gate->serve({PySequence_Fast_ITEMS(args), PyTuple_GET_SIZE(args), nullptr, keywords});
    Py_DECREF(gate);
    if (result != nullptr || PyErr_Occurred()) return result;
  }
  PyErr_Clear();
  return class_call().before(object, args, keywords);
}

// For one class a process; the same one again is fine.
inline bool use_class_call(PyTypeObject* type, PyObject* name, PyTypeObject* gate_type) {
  ClassCall& one = class_call();
  if (type->tp_call == call_through_gate) return true;
  if (one.before != nullptr && one.before != type->tp_call) {
    PyErr_SetString(PyExc_RuntimeError, "another class is called through gates already");
    return false;
  }
  one.before = type->tp_call;
  one.gate_type = gate_type;
  Py_XSETREF(one.name, Py_NewRef(name));
  PyUnicode_InternInPlace(&one.name);
  type->tp_call = call_through_gate;
  return true;
}

}  // namespace overhead::dispatch
