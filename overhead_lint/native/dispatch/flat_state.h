// Answers one question quickly: is everything that a set of guards reads still as it was?
//
// CPython numbers the changes of classes, and numbers or tells those of dicts, so a whole module tree is compared
// by such numbers. Lists, closure cells, functions and tensors have none and are compared by what they hold.
#pragma once

#include "state.h"

namespace overhead::flat {

struct FlatState {
  PyObject_HEAD
  Watched* watched;
  PyObject* keep;  // everything that `watched` points to
};

inline PyObject* create(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *places = nullptr, *arguments = nullptr, *themselves = nullptr;
  if (!PyArg_ParseTuple(
          args, "O!O!|O!", &PyDict_Type, &places, &PyTuple_Type, &arguments, &PyTuple_Type, &themselves))
    return nullptr;
  auto* self = reinterpret_cast<FlatState*>(type->tp_alloc(type, 0));
  if (self == nullptr) return nullptr;
  self->keep = PyList_New(0);
  self->watched = new Watched();
  if (self->keep == nullptr || !self->watched->fill(places, arguments, themselves, self->keep)) {
    Py_DECREF(self);
    return nullptr;
  }
  return reinterpret_cast<PyObject*>(self);
}

inline PyObject* holds(PyObject* object, PyObject* arguments) {
  auto* self = reinterpret_cast<FlatState*>(object);
  if (!PyTuple_CheckExact(arguments)) {
    PyErr_SetString(PyExc_TypeError, "holds() takes the tuple of arguments");
    return nullptr;
  }
  return PyBool_FromLong(self->watched != nullptr && self->watched->holds(PySequence_Fast_ITEMS(arguments), PyTuple_GET_SIZE(arguments)));
}

inline PyObject* changed(PyObject* object, PyObject*) {
  auto* self = reinterpret_cast<FlatState*>(object);
  return PyUnicode_FromString(self->watched == nullptr ? "" : self->watched->changed);
}

inline int traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(reinterpret_cast<FlatState*>(object)->keep);
  return 0;
}

inline int clear(PyObject* object) {
  auto* self = reinterpret_cast<FlatState*>(object);
  delete self->watched;  // first: it borrows from `keep`
  self->watched = nullptr;
  Py_CLEAR(self->keep);
  return 0;
}

inline void destroy(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  type->tp_free(object);
  Py_DECREF(type);
}

inline PyObject* hits(PyObject* object, void*) {
  auto* self = reinterpret_cast<FlatState*>(object);
  return PyLong_FromUnsignedLongLong(self->watched == nullptr ? 0 : self->watched->hits);
}

inline PyMethodDef methods[] = {
    {"holds", holds, METH_O, "Whether nothing watched has changed and the arguments match those remembered."},
    {"changed", changed, METH_NOARGS, "What kind of thing the last failing holds() stopped at."},
    {nullptr, nullptr, 0, nullptr}};

inline PyGetSetDef attributes[] = {
    {"hits", hits, nullptr, "How many calls a gate has served because the state held.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

inline PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},        {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_methods, methods},                            {Py_tp_getset, attributes},
    {0, nullptr}};

inline PyType_Spec spec = {"dispatch.FlatState", sizeof(FlatState), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace overhead::flat
