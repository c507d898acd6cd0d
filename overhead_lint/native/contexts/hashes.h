// A __hash__ that is made once for each object and kept in a slot of it.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "blocks.h"

namespace overhead::contexts::hashes {

struct HashOnce {
  PyObject_HEAD
  vectorcallfunc call;
  PyObject* plain;  // the class's own method
  PyObject* owner;  // the class that has the slot
  Py_ssize_t offset;
  PyObject* attributes;
};

inline PyObject* call(PyObject* callable, PyObject* const* args, size_t flags, PyObject* names) {
  auto* self = reinterpret_cast<HashOnce*>(callable);
  if (PyVectorcall_NARGS(flags) != 1 || names != nullptr ||
      !PyObject_TypeCheck(args[0], reinterpret_cast<PyTypeObject*>(self->owner))) {
    PyErr_SetString(PyExc_TypeError, "__hash__() takes one object of its class");
    return nullptr;
  }
  auto** slot = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(args[0]) + self->offset);
  if (*slot != nullptr) return Py_NewRef(*slot);
  PyObject* made = PyObject_CallOneArg(self->plain, args[0]);
  if (made != nullptr) keep(*slot, made);
  return made;
}

inline PyObject* create(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *plain = nullptr, *member = nullptr;
  if (!PyArg_ParseTuple(args, "OO!", &plain, &PyMemberDescr_Type, &member)) return nullptr;
  auto* descriptor = reinterpret_cast<PyMemberDescrObject*>(member);
  if (descriptor->d_member->type != T_OBJECT_EX) {
    PyErr_SetString(PyExc_TypeError, "HashOnce: member must be a slot");
    return nullptr;
  }
  auto* self = reinterpret_cast<HashOnce*>(type->tp_alloc(type, 0));
  if (self == nullptr) return nullptr;
  self->call = call;
  self->plain = Py_NewRef(plain);
  self->owner = Py_NewRef(reinterpret_cast<PyObject*>(PyDescr_TYPE(descriptor)));
  self->offset = descriptor->d_member->offset;
  return reinterpret_cast<PyObject*>(self);
}

inline PyObject* bind_to(PyObject* self, PyObject* object, PyObject*) {
  return object == nullptr || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

inline int traverse(PyObject* object, visitproc visit, void* arg) {
  auto* self = reinterpret_cast<HashOnce*>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->plain);
  Py_VISIT(self->owner);
  Py_VISIT(self->attributes);
  return 0;
}

inline int clear(PyObject* object) {
  auto* self = reinterpret_cast<HashOnce*>(object);
  Py_CLEAR(self->plain);
  Py_CLEAR(self->owner);
  Py_CLEAR(self->attributes);
  return 0;
}

inline void destroy(PyObject* object) {
  PyObject_GC_UnTrack(object);
  clear(object);
  free_block(object);
}

inline PyType_Spec& spec() {
  static PyMemberDef members[] = {
      {"__dictoffset__", T_PYSSIZET, offsetof(HashOnce, attributes), READONLY, nullptr},
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(HashOnce, call), READONLY, nullptr},
      {"plain", T_OBJECT, offsetof(HashOnce, plain), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef attributes[] = {
      {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(bind_to)},
                                {Py_tp_members, members},
                                {Py_tp_getset, attributes},
                                {0, nullptr}};
  static PyType_Spec spec = {"contexts.HashOnce", sizeof(HashOnce), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                                 Py_TPFLAGS_METHOD_DESCRIPTOR,
                             slots};
  return spec;
}

}  // namespace overhead::contexts::hashes
