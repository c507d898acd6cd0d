// What the types of blocks share: how they are made, and how they go.
#pragma once

#include <Python.h>

namespace overhead::contexts {

// A class of Python that inherits from one of the types here and from one of torch's.
inline PyObject* new_block(PyTypeObject* type) { return type->tp_alloc(type, 0); }

inline void free_block(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

// What an exit raises in stock whose instance was never entered; null.
inline PyObject* never_entered(PyObject* self, const char* attribute) {
  return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%s'", Py_TYPE(self)->tp_name, attribute);
}

// Replaces what a variable refers to.
inline void keep(PyObject*& variable, PyObject* value) {
  PyObject* before = variable;
  variable = Py_NewRef(value);
  Py_XDECREF(before);
}

// Functions that take their arguments in an array, for a table of methods.
inline PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}
inline PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

// Makes a type that Python classes may inherit from, and puts it into a module. False when that fails.
inline bool add_base_type(PyObject* module, PyType_Spec& spec, const char* name) {
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return false;
  if (PyModule_AddObject(module, name, type) == 0) return true;
  Py_DECREF(type);
  return false;
}

// Sorts the arguments of one call by the names of its parameters; those not given stay null. False where
// they do not fit: the function of Python says so.
template <size_t N>
bool read_arguments(PyObject* const* args, Py_ssize_t count, PyObject* names, PyObject* const (&known)[N],
                    PyObject* (&values)[N]) {
  if (count > static_cast<Py_ssize_t>(N)) return false;
  for (Py_ssize_t i = 0; i < count; ++i) values[i] = args[i];
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t i = 0; i < named; ++i) {
    size_t at = 0;
    // Names in a call are interned, so one comparison of pointers tells.
    while (at < N && known[at] != PyTuple_GET_ITEM(names, i)) ++at;
    if (at == N || values[at] != nullptr) return false;
    values[at] = args[count + i];
  }
  return true;
}

}  // namespace overhead::contexts
