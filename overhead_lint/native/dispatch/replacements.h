// Tells Dynamo's recursive dict tags of what they do not see by themselves: that an object was given another
// __dict__ or another __class__.
//
// A tag is the version number of a dict or, on later interpreters, a watcher that is told of its changes. Neither
// assignment is a change of a dict, so the one that the object has is changed, and changed back, just before. Both go
// through descriptors whose tables of functions all classes of Python share; their setters are replaced for good, and
// do what they did.
#pragma once

#include "versions.h"

namespace overhead::dispatch {

// Only where changes of dicts show in time, so that there are tags.
#ifdef OVERHEAD_DICTS_TELL_CHANGES

struct Replacements {
  PyTypeObject* watched = nullptr;  // whose instances, and those of subclasses, are meant
  PyObject* mark = nullptr;
  setter set_dict = nullptr, set_class = nullptr;
};

inline Replacements& replacements() {
  static Replacements one;
  return one;
}

inline void change_dict(PyObject* object) {
  const Replacements& known = replacements();
  if (!PyObject_TypeCheck(object, known.watched)) return;
  PyObject** slot = _PyObject_GetDictPtr(object);
  if (slot == nullptr || *slot == nullptr || !PyDict_Check(*slot)) return;
  PyObject* dict = Py_NewRef(*slot);
  if (PyDict_SetItem(dict, known.mark, Py_None) < 0 || PyDict_DelItem(dict, known.mark) < 0) PyErr_Clear();
  Py_DECREF(dict);
}

inline int set_dict(PyObject* object, PyObject* value, void* closure) {
  change_dict(object);
  return replacements().set_dict(object, value, closure);
}

inline int set_class(PyObject* object, PyObject* value, void* closure) {
  change_dict(object);
  return replacements().set_class(object, value, closure);
}

// False, without an exception, where the descriptor is not of the form that is known.
inline bool replace_setter(PyObject* descriptor, setter ours, setter& before) {
  if (Py_TYPE(descriptor) != &PyGetSetDescr_Type) return false;
  PyGetSetDef* table = reinterpret_cast<PyGetSetDescrObject*>(descriptor)->d_getset;
  if (table->set == ours) return true;
  if (table->set == nullptr || (before != nullptr && before != table->set)) return false;
  before = table->set;
  table->set = ours;
  return true;
}

// `dicts`: descriptors named __dict__, one of each table that CPython has; `cls`: the one of object.__class__.
inline bool notice_replacements(PyTypeObject* watched, PyObject* dicts, PyObject* cls) {
  Replacements& known = replacements();
  if (known.mark == nullptr) known.mark = PyUnicode_InternFromString("__overhead_lint_replaced__");
  Py_XSETREF(known.watched, reinterpret_cast<PyTypeObject*>(Py_NewRef(watched)));
  bool complete = known.mark != nullptr && replace_setter(cls, set_class, known.set_class);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(dicts); i++)
    complete = complete && replace_setter(PyTuple_GET_ITEM(dicts, i), set_dict, known.set_dict);
  return complete;
}

#endif

}  // namespace overhead::dispatch
