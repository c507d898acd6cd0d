// Tells what watches the dicts of objects of what is no change of a dict: that an object was given another __dict__
// or another __class__.
//
// Dynamo's recursive dict tags are the version numbers of dicts or, on later interpreters, a watcher that is told of
// their changes. For them the dict that a module has is changed, and changed back, just before. Both assignments go
// through descriptors whose tables of functions all classes of Python share; their setters are replaced for good, and
// do what they did.
#pragma once

#include <structmember.h>

#include "versions.h"

namespace overhead::dispatch {

// Only where changes of dicts show in time, so that there are tags.
#ifdef OVERHEAD_DICTS_TELL_CHANGES

struct Replacements {
  PyTypeObject* watched = nullptr;  // whose instances, and those of subclasses, are meant
  PyObject* mark = nullptr;
  setter set_dict = nullptr, set_class = nullptr;
  bool complete = false;
};

inline Replacements& replacements() {
  static Replacements one;
  return one;
}

// One assignment to an object's __dict__ or __class__, told before and after: code that runs in it may look again.
class Replacement {
 public:
  explicit Replacement(PyObject* object) {
    PyObject** slot = _PyObject_GetDictPtr(object);
    if (slot == nullptr || *slot == nullptr || !PyDict_Check(*slot)) return;
    dict_ = Py_NewRef(*slot);
    const Replacements& known = replacements();
    if (PyObject_TypeCheck(object, known.watched) &&
        (PyDict_SetItem(dict_, known.mark, Py_None) < 0 || PyDict_DelItem(dict_, known.mark) < 0))
      PyErr_Clear();
    tell_readers(dict_);
  }
  Replacement(const Replacement&) = delete;
  ~Replacement() {
    if (dict_ != nullptr) tell_readers(dict_);
    Py_XDECREF(dict_);
  }

 private:
  PyObject* dict_ = nullptr;
};

inline int set_dict(PyObject* object, PyObject* value, void* closure) {
  Replacement told(object);
  return replacements().set_dict(object, value, closure);
}

inline int set_class(PyObject* object, PyObject* value, void* closure) {
  Replacement told(object);
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
  known.complete = known.mark != nullptr && replace_setter(cls, set_class, known.set_class);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(dicts); i++)
    known.complete = known.complete && replace_setter(PyTuple_GET_ITEM(dicts, i), set_dict, known.set_dict);
  return known.complete;
}

// Whether a descriptor of __dict__ lets nobody replace it unseen.
inline bool shows_replacement(PyObject* descriptor) {
  if (Py_TYPE(descriptor) == &PyGetSetDescr_Type) {
    const setter set = reinterpret_cast<PyGetSetDescrObject*>(descriptor)->d_getset->set;
    return set == nullptr || set == set_dict;
  }
  return Py_TYPE(descriptor) == &PyMemberDescr_Type &&
      (reinterpret_cast<PyMemberDescrObject*>(descriptor)->d_member->flags & READONLY) != 0;
}

// Whether those who read the dict of an object are told when it is given another dict or class. Classes of C may have
// a way of their own.
inline bool replacements_are_told(PyObject* object) {
  if (!kReadersAreTold || !replacements().complete) return false;
  static PyObject* const name = PyUnicode_InternFromString("__dict__");
  PyObject* bases = Py_TYPE(object)->tp_mro;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
    PyObject* names = dict_of(reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(bases, i)));
    PyObject* descriptor = names == nullptr ? nullptr : PyDict_GetItemWithError(names, name);
    const bool shown = descriptor == nullptr ? !PyErr_Occurred() : shows_replacement(descriptor);
    Py_XDECREF(names);
    PyErr_Clear();
    if (!shown) return false;
  }
  return true;
}

#endif

}  // namespace overhead::dispatch
