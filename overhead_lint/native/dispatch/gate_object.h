// The Python face of a gate: an object that is called, or sits in the dict of one whose class is.
#pragma once

#include <structmember.h>

#include "gate.h"

namespace overhead::dispatch {

struct GateObject {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  Gate* gate;
  PyObject* fallback;
};

inline GateObject* as_gate(PyObject* object) { return reinterpret_cast<GateObject*>(object); }

inline PyObject* gate_call(PyObject* object, PyObject* const* args, size_t flags, PyObject* keywords) {
  auto* self = as_gate(object);
  PyObject* result = self->gate->serve({args, PyVectorcall_NARGS(flags), keywords, nullptr});
  if (result != nullptr || PyErr_Occurred()) return result;
  return PyObject_Vectorcall(self->fallback, args, flags, keywords);
}

inline PyObject* gate_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* fallback = nullptr;
  int is_outermost = 1;
  if (!PyArg_ParseTuple(args, "O|p", &fallback, &is_outermost)) return nullptr;
  auto* self = as_gate(type->tp_alloc(type, 0));
  if (self == nullptr) return nullptr;
  self->vectorcall = gate_call;
  self->fallback = Py_NewRef(fallback);
  self->gate = new Gate();
  self->gate->is_outermost = is_outermost != 0;
  return reinterpret_cast<PyObject*>(self);
}

inline PyObject* gate_arm(PyObject* object, PyObject* args) {
  PyObject *facts = nullptr, *binding = nullptr, *entries = nullptr;
  long long allowance = -1;
  if (!PyArg_ParseTuple(
          args, "O!O!O!L", &PyDict_Type, &facts, &PyTuple_Type, &binding, &PyTuple_Type, &entries, &allowance))
    return nullptr;
  Gate* gate = as_gate(object)->gate;
  if (!gate->arm(args, facts, binding, entries)) return nullptr;
  gate->allowance = allowance;
  Py_RETURN_NONE;
}

inline PyObject* gate_disarm(PyObject* object, PyObject*) {
  as_gate(object)->gate->disarm();
  Py_RETURN_NONE;
}

inline PyObject* gate_freeze(PyObject* object, PyObject* args) {
  long long verify_every = 0;
  PyObject* disagree = nullptr;
  if (!PyArg_ParseTuple(args, "LO", &verify_every, &disagree)) return nullptr;
  as_gate(object)->gate->freezer.freeze(verify_every, disagree);
  Py_RETURN_NONE;
}

inline PyObject* gate_thaw(PyObject* object, PyObject*) {
  as_gate(object)->gate->freezer.thaw();
  Py_RETURN_NONE;
}

inline PyObject* gate_frozen(PyObject* object, void*) {
  return PyLong_FromUnsignedLongLong(as_gate(object)->gate->freezer.hits);
}

inline PyObject* gate_hits(PyObject* object, void*) {
  return PyLong_FromUnsignedLongLong(as_gate(object)->gate->hits);
}

inline PyObject* gate_recognised(PyObject* object, void*) {
  return PyLong_FromUnsignedLongLong(as_gate(object)->gate->recognised);
}

inline int gate_traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(as_gate(object)->fallback);
  if (as_gate(object)->gate != nullptr) {
    Py_VISIT(as_gate(object)->gate->kept());
    Py_VISIT(as_gate(object)->gate->freezer.kept());
  }
  return 0;
}

inline int gate_clear(PyObject* object) {
  if (as_gate(object)->gate != nullptr) {
    as_gate(object)->gate->disarm();
    as_gate(object)->gate->freezer.let_go();
  }
  Py_CLEAR(as_gate(object)->fallback);
  return 0;
}

inline void gate_destroy(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  gate_clear(object);
  delete as_gate(object)->gate;
  type->tp_free(object);
  Py_DECREF(type);
}

inline PyMethodDef gate_methods[] = {
    {"arm", gate_arm, METH_VARARGS, "Serve calls by these facts, this binding and these entries from now on."},
    {"disarm", gate_disarm, METH_NOARGS, "Serve no call."},
    {"freeze", gate_freeze, METH_VARARGS, "Look at nothing but the arguments, once an entry has passed for such ones."},
    {"thaw", gate_thaw, METH_NOARGS, "Look at everything again."},
    {nullptr, nullptr, 0, nullptr}};

inline PyGetSetDef gate_attributes[] = {
    {"hits", gate_hits, nullptr, "How many calls were served.", nullptr},
    {"recognised", gate_recognised, nullptr, "How many of them without evaluating a guard.", nullptr},
    {"frozen", gate_frozen, nullptr, "How many of them by their arguments alone.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

inline PyMemberDef gate_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(GateObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

inline PyType_Slot gate_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(gate_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(gate_destroy)},
    {Py_tp_traverse, reinterpret_cast<void*>(gate_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(gate_clear)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_methods, gate_methods},
    {Py_tp_getset, gate_attributes},
    {Py_tp_members, gate_members},
    {0, nullptr}};

inline PyType_Spec gate_spec = {
    "dispatch.Gate", sizeof(GateObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, gate_slots};

}  // namespace overhead::dispatch
