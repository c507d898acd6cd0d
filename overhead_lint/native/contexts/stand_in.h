// What public names of drop-ins for classes of torch's are, where calls are served here: see StandIn in Python.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>

namespace overhead::contexts {

struct Served {
  PyObject_HEAD
  vectorcallfunc call;
};

inline PyTypeObject* stand_in_type = nullptr;

// Has calls of an instance served by a function. Its class says in ``__call__`` what Dynamo traces instead; a class
// with that method has no vector call by itself, so all that serves its instances is set here.
inline void serve(PyObject* stand_in, vectorcallfunc function) {
  reinterpret_cast<Served*>(stand_in)->call = function;
  Py_TYPE(stand_in)->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
}

// Adds the class ``Served``, for classes of Python to inherit from. False when that fails.
inline bool add_stand_in(PyObject* module) {
  static PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Served, call), READONLY, nullptr},
                                  {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_members, members}, {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)}, {0, nullptr}};
  static PyType_Spec spec = {"contexts.Served", sizeof(Served), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL, slots};
  stand_in_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return stand_in_type != nullptr &&
         PyModule_AddObject(module, "Served", Py_NewRef(reinterpret_cast<PyObject*>(stand_in_type))) == 0;
}

}  // namespace overhead::contexts
