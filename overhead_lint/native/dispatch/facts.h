// What has to be as it was for the Python code around compiled code to have no effect of its own.
//
// Which facts these are is said in Python (`routes.py`, `ambient.py`); here they are only compared.
#pragma once

#include <algorithm>
#include <vector>

#include "versions.h"

namespace overhead::dispatch {

class Facts {
 public:
  // Takes lists of tuples, by kind. All that is kept is borrowed from them: the caller holds the dict.
  bool fill(PyObject* facts) {
    return each(facts, "types", [this](PyObject* o) { return add_type(o); }) &&
        each(facts, "attributes", [this](PyObject* o) { return add_attribute(o); }) &&
        each(facts, "namespaces", [this](PyObject* o) { return add_namespace(o); }) &&
        each(facts, "keys", [this](PyObject* o) { return add_key(o); }) &&
        each(facts, "empty", [this](PyObject* o) { return add_empty(o); }) &&
        each(facts, "codes", [this](PyObject* o) { return add_code(o); }) &&
        each(facts, "off_in_thread", [this](PyObject* o) { return add_thread_switch(o); });
  }

  bool hold() {
    for (const TypeOf& one : types_)
      if (Py_TYPE(one.object) != one.type) return false;
    for (const Attribute& one : attributes_)
      if (_PyType_Lookup(one.type, one.name) != one.value) return false;
    for (const Namespace& one : namespaces_)
      if (*one.slot != one.dict) return false;
    for (Table& table : tables_)
      if (!table.seen.is_current() && !table_holds(table)) return false;
    for (PyObject* dict : empty_)
      if (PyDict_GET_SIZE(dict) != 0) return false;
    for (const Code& one : codes_)
      if (one.function->func_code != one.code) return false;
    for (ThreadSwitch& one : thread_switches_)
      if (!is_off(one)) return false;
    return true;
  }

 private:
  struct TypeOf {
    PyObject* object;
    PyTypeObject* type;
  };
  struct Attribute {
    PyTypeObject* type;
    PyObject *name, *value;
  };
  struct Namespace {  // which dict an object's attributes lie in
    PyObject** slot;
    PyObject* dict;
  };
  struct Key {
    PyObject *name, *value;  // value null: absent
  };
  struct Table {
    PyObject* dict;
    std::vector<Key> keys;
    Look seen;  // when the keys held last
  };
  struct Code {
    PyFunctionObject* function;
    PyObject* code;
  };

  struct ThreadSwitch {
    PyObject *local, *name;  // of a threading.local, whose dict is another one in each thread
    uint64_t thread;         // the one that asked last, where it has the dict
    PyObject* dict;          // borrowed: it lives as long as both do
  };

  std::vector<TypeOf> types_;
  std::vector<Attribute> attributes_;
  std::vector<Namespace> namespaces_;
  std::vector<Table> tables_;
  std::vector<PyObject*> empty_;
  std::vector<Code> codes_;
  std::vector<ThreadSwitch> thread_switches_;

  static bool table_holds(Table& table) {
    for (const Key& key : table.keys) {
      PyObject* value = PyDict_GetItemWithError(table.dict, key.name);
      if (value == nullptr && PyErr_Occurred()) PyErr_Clear();
      if (value != key.value) return false;
    }
    table.seen.take(table.dict);
    return true;
  }

  // Absent in a thread that never set it. What cannot be told is taken to be on.
  static bool is_off(ThreadSwitch& one) {
    PyObject* dict = dict_in_thread(one);
    bool off = dict != nullptr;
    if (off) {
      PyObject* value = PyDict_GetItemWithError(dict, one.name);
      off = value == nullptr ? !PyErr_Occurred() : PyObject_IsTrue(value) == 0;
    }
    if (!off) PyErr_Clear();
    return off;
  }

  // Borrowed; null, with an exception perhaps, where there is none. The number of a thread never comes again.
  static PyObject* dict_in_thread(ThreadSwitch& one) {
    const uint64_t thread = PyThreadState_GetID(PyThreadState_Get());
#ifndef Py_GIL_DISABLED  // where others may write here meanwhile, it is asked for each time
    if (one.dict != nullptr && one.thread == thread) return one.dict;
#endif
    static PyObject* const namespace_name = PyUnicode_InternFromString("__dict__");
    PyObject* dict = PyObject_GetAttr(one.local, namespace_name);
    if (dict == nullptr) return nullptr;
    Py_DECREF(dict);  // the thread has it
    if (!PyDict_Check(dict)) return nullptr;
#ifndef Py_GIL_DISABLED
    one.thread = thread;
    one.dict = dict;
#endif
    return dict;
  }

  template <class Add>
  static bool each(PyObject* facts, const char* kind, Add add) {
    PyObject* list = PyDict_GetItemString(facts, kind);
    if (list == nullptr || !PyList_CheckExact(list)) {
      PyErr_Format(PyExc_TypeError, "facts[%s] must be a list", kind);
      return false;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
      if (!add(PyList_GET_ITEM(list, i))) return false;
    return true;
  }

  bool add_type(PyObject* pair) {
    PyObject *object = nullptr, *type = nullptr;
    if (!PyArg_ParseTuple(pair, "OO!", &object, &PyType_Type, &type)) return false;
    types_.push_back({object, reinterpret_cast<PyTypeObject*>(type)});
    return true;
  }

  bool add_attribute(PyObject* triple) {
    PyObject *type = nullptr, *name = nullptr, *value = nullptr;
    if (!PyArg_ParseTuple(triple, "O!UO", &PyType_Type, &type, &name, &value)) return false;
    attributes_.push_back({reinterpret_cast<PyTypeObject*>(type), name, value});
    return true;
  }

  bool add_namespace(PyObject* pair) {
    PyObject *object = nullptr, *dict = nullptr;
    if (!PyArg_ParseTuple(pair, "OO!", &object, &PyDict_Type, &dict)) return false;
    PyObject** slot = _PyObject_GetDictPtr(object);
    if (slot == nullptr || *slot != dict) {
      PyErr_Format(PyExc_TypeError, "no instance dict: %.100s", Py_TYPE(object)->tp_name);
      return false;
    }
    namespaces_.push_back({slot, dict});
    return true;
  }

  bool add_key(PyObject* parts) {  // (dict, name) for an absent key, (dict, name, value) for another
    PyObject *dict = nullptr, *name = nullptr, *value = nullptr;
    if (!PyArg_ParseTuple(parts, "O!U|O", &PyDict_Type, &dict, &name, &value)) return false;
    auto table = std::find_if(tables_.begin(), tables_.end(), [&](Table& one) { return one.dict == dict; });
    if (table == tables_.end()) table = tables_.insert(table, Table{dict, {}, {}});
    table->keys.push_back({name, value});
    return true;
  }

  bool add_empty(PyObject* dict) {
    if (!PyDict_Check(dict)) {
      PyErr_SetString(PyExc_TypeError, "facts[empty] must hold dicts");
      return false;
    }
    empty_.push_back(dict);
    return true;
  }

  bool add_code(PyObject* pair) {
    PyObject *function = nullptr, *code = nullptr;
    if (!PyArg_ParseTuple(pair, "O!O!", &PyFunction_Type, &function, &PyCode_Type, &code)) return false;
    codes_.push_back({reinterpret_cast<PyFunctionObject*>(function), code});
    return true;
  }

  bool add_thread_switch(PyObject* pair) {
    PyObject *local = nullptr, *name = nullptr;
    if (!PyArg_ParseTuple(pair, "OU", &local, &name)) return false;
    thread_switches_.push_back({local, name, 0, nullptr});
    return true;
  }
};

}  // namespace overhead::dispatch
