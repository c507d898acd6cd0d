// The places that guards read, with what was found in them.
#pragma once

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <structmember.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "arguments.h"
#include "replacements.h"
#include "versions.h"

namespace overhead::flat {

using dispatch::Dicts;
using dispatch::version_of;

struct Object {  // an instance with a dict of its own, which may be given another without a word
  PyObject* object;
  PyTypeObject* type;
  PyObject** slot;
  PyObject* dict;
};
struct Type {
  PyTypeObject* type;
  unsigned int version;
};
struct Instance {  // an object of which only the class is compared
  PyObject* object;
  PyTypeObject* type;
};
struct List {
  PyObject* list;
  PyObject* items;  // a tuple
};
struct Key {  // one entry of a dict that changes often elsewhere: a module's globals
  PyObject* dict;
  PyObject* key;
  PyObject* value;  // null: absent
};
struct Cell {
  PyObject* cell;
  PyObject* value;
};
struct Function {
  PyFunctionObject* function;
  PyObject *code, *defaults, *keyword_defaults, *closure, *dict;
};
struct Tensor {
  PyObject* object;
  PyTypeObject* type;
  const c10::TensorImpl* impl;
  PyObject** slot;
  PyObject* dict;  // null where it has no attributes
  const TensorMeta* meta;
  const void* autograd;  // never read: to have the cache fetch what lies there
};
struct Iterable {  // a set, or a dict of which the order counts
  PyObject* object;
  PyObject* items;  // a tuple, in its order
};
struct Slot {  // an attribute that lies in the object itself, of a class with __slots__
  PyObject* object;
  PyTypeObject* type;
  PyObject** place;
  PyObject* value;  // null: not set
};

class Watched {
 public:
  const char* changed = "";

  // `themselves`: arguments that are compared by identity, or null.
  bool fill(PyObject* places, PyObject* arguments, PyObject* themselves, PyObject* keep) {
    keeper_.use(keep, themselves);
    return each(places, "objects", [this](PyObject* o) { return add_object(o); }) &&
        each(places, "dicts", [this](PyObject* o) { return add_dict(o); }) &&
        each(places, "types", [this](PyObject* o) { return add_type(o); }) &&
        each(places, "instances", [this](PyObject* o) { return add_instance(o); }) &&
        each(places, "lists", [this](PyObject* o) { return add_list(o); }) &&
        each(places, "iterables", [this](PyObject* o) { return add_iterable(o); }) &&
        each(places, "slots", [this](PyObject* o) { return add_slot(o); }) &&
        each(places, "keys", [this](PyObject* o) { return add_key(o); }) &&
        each(places, "cells", [this](PyObject* o) { return add_cell(o); }) &&
        each(places, "functions", [this](PyObject* o) { return add_function(o); }) &&
        each(places, "tensors", [this](PyObject* o) { return add_tensor(o); }) && add_arguments(arguments);
  }

  uint64_t hits = 0;  // counted by those who skip guards because the state holds

  bool holds(PyObject* const* arguments, Py_ssize_t count) {
    return arguments_hold(arguments, count) && local_state_holds() && objects_hold() && small_things_hold() &&
        tensors_hold();
  }

 private:
  std::vector<Object> objects_;
  Dicts dicts_;
  std::vector<Type> types_;
  std::vector<Instance> instances_;
  std::vector<List> lists_;
  std::vector<Key> keys_;
  std::vector<Cell> cells_;
  std::vector<Function> functions_;
  std::vector<Tensor> tensors_;
  std::deque<TensorMeta> metas_;  // each once: most weights of a model are of few kinds
  std::vector<PyObject*> tensor_objects_;  // sorted, to tell an argument that is also a watched tensor
  std::vector<Iterable> iterables_;
  std::vector<Slot> slots_;
  Arguments arguments_;
  Keeper keeper_;
  c10::impl::LocalDispatchKeySet local_ = c10::impl::tls_local_dispatch_key_set();

  bool no(const char* what) {
    changed = what;
    return false;
  }

  bool hold(PyObject* object) { return keeper_.hold(object); }

  template <class Add>
  bool each(PyObject* places, const char* name, Add add) {
    PyObject* list = PyDict_GetItemString(places, name);
    if (list == nullptr || !PyList_CheckExact(list)) {
      PyErr_Format(PyExc_TypeError, "places[%s] must be a list", name);
      return false;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
      if (!add(PyList_GET_ITEM(list, i))) return false;
    return true;
  }

  bool refuse(const char* what, PyObject* object) {
    PyErr_Format(PyExc_TypeError, "%s: %.100s", what, Py_TYPE(object)->tp_name);
    return false;
  }

  bool add_object(PyObject* object) {
    PyObject** slot = _PyObject_GetDictPtr(object);
    if (slot == nullptr || *slot == nullptr || !PyDict_CheckExact(*slot)) return refuse("no instance dict", object);
    if (!dispatch::replacements_are_told(object)) objects_.push_back({object, Py_TYPE(object), slot, *slot});
    return dicts_.add(*slot) && hold(object) && hold(*slot) && hold(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  }

  bool add_dict(PyObject* dict) {
    if (!PyDict_Check(dict)) return refuse("no dict", dict);
    return dicts_.add(dict) && hold(dict);
  }

  bool add_type(PyObject* object) {
    if (!PyType_Check(object)) return refuse("no class", object);
    auto* type = reinterpret_cast<PyTypeObject*>(object);
    // A lookup gives the class its version number.
    PyObject* name = PyUnicode_InternFromString("__init__");
    if (name == nullptr) return false;
    _PyType_Lookup(type, name);
    Py_DECREF(name);
    if (version_of(type) == 0) return refuse("a class without a version", object);
    types_.push_back({type, version_of(type)});
    return hold(object);
  }

  bool add_instance(PyObject* object) {
    instances_.push_back({object, Py_TYPE(object)});
    return hold(object) && hold(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  }

  bool add_list(PyObject* list) {
    if (!PyList_CheckExact(list)) return refuse("no list", list);
    PyObject* items = PyList_AsTuple(list);
    if (items == nullptr) return false;
    lists_.push_back({list, items});
    bool held = hold(list) && hold(items);
    Py_DECREF(items);
    return held;
  }

  bool add_key(PyObject* pair) {
    PyObject *dict = nullptr, *key = nullptr;
    if (!PyArg_ParseTuple(pair, "O!U", &PyDict_Type, &dict, &key)) return false;
    PyObject* value = PyDict_GetItemWithError(dict, key);
    if (value == nullptr && PyErr_Occurred()) return false;
    keys_.push_back({dict, key, value});
    return hold(dict) && hold(key) && hold(value);
  }

  bool add_cell(PyObject* cell) {
    if (!PyCell_Check(cell)) return refuse("no cell", cell);
    cells_.push_back({cell, PyCell_GET(cell)});
    return hold(cell) && hold(PyCell_GET(cell));
  }

  bool add_function(PyObject* object) {
    if (!PyFunction_Check(object)) return refuse("no function", object);
    auto* function = reinterpret_cast<PyFunctionObject*>(object);
    functions_.push_back(
        {function, function->func_code, function->func_defaults, function->func_kwdefaults, function->func_closure,
         function->func_dict});
    return hold(function->func_dict) && hold(object) && hold(function->func_code) && hold(function->func_defaults) &&
        hold(function->func_kwdefaults) && hold(function->func_closure);
  }

  bool add_tensor(PyObject* object) {
    if (!THPVariable_Check(object)) return refuse("no tensor", object);
    const c10::TensorImpl* impl = impl_of(object);
    const TensorMeta* meta = meta_of(impl);
    if (meta == nullptr) return refuse("a tensor whose metadata cannot be remembered", object);
    PyObject** slot = _PyObject_GetDictPtr(object);
    PyObject* dict = slot == nullptr ? nullptr : *slot;
    if (dict != nullptr && !(dicts_.add(dict) && hold(dict))) return false;
    tensors_.push_back({object, Py_TYPE(object), impl, slot, dict, meta, place_of_requires_grad(impl)});
    tensor_objects_.insert(
        std::upper_bound(tensor_objects_.begin(), tensor_objects_.end(), object), object);
    return hold(object);
  }

  // Null: it cannot be remembered.
  const TensorMeta* meta_of(const c10::TensorImpl* impl) {
    auto known = std::find_if(metas_.rbegin(), metas_.rend(), [impl](const TensorMeta& one) { return one.stands_for(impl); });
    if (known != metas_.rend()) return &*known;
    metas_.emplace_back();
    return metas_.back().take(impl) ? &metas_.back() : nullptr;
  }

  bool add_iterable(PyObject* object) {
    if (!PySet_CheckExact(object) && !PyODict_CheckExact(object)) return refuse("neither a set nor an ordered dict", object);
    PyObject* items = PySequence_Tuple(object);
    if (items == nullptr) return false;
    iterables_.push_back({object, items});
    bool held = hold(object) && hold(items);
    Py_DECREF(items);
    return held;
  }

  bool add_slot(PyObject* pair) {
    PyObject *object = nullptr, *descriptor = nullptr;
    if (!PyArg_ParseTuple(pair, "OO!", &object, &PyMemberDescr_Type, &descriptor)) return false;
    const PyMemberDef* member = reinterpret_cast<PyMemberDescrObject*>(descriptor)->d_member;
    if ((member->type != T_OBJECT_EX && member->type != T_OBJECT) || !PyObject_TypeCheck(object, PyDescr_TYPE(descriptor)))
      return refuse("no slot of an object", object);
    auto** place = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + member->offset);
    slots_.push_back({object, Py_TYPE(object), place, *place});
    return hold(object) && hold(reinterpret_cast<PyObject*>(Py_TYPE(object))) && hold(*place);
  }

  bool add_arguments(PyObject* arguments) {
    // They themselves must match, or they alias each other or a watched tensor.
    return arguments_.take(arguments, keeper_) &&
        (arguments_hold(PySequence_Fast_ITEMS(arguments), PyTuple_GET_SIZE(arguments)) ||
         refuse("arguments that alias", arguments));
  }

  bool arguments_hold(PyObject* const* arguments, Py_ssize_t count) {
    const char* difference = arguments_.difference(arguments, count, tensor_objects_);
    return difference == nullptr || no(difference);
  }

  bool local_state_holds() {
    auto now = c10::impl::tls_local_dispatch_key_set();
    return (now.included_ == local_.included_ && now.excluded_ == local_.excluded_) || no("dispatch keys");
  }

  bool objects_hold() {
    if (!dicts_.are_current()) return no("attributes, or a dict");
    for (const Object& one : objects_)
      if (Py_TYPE(one.object) != one.type || *one.slot != one.dict) return no("an object's attributes");
    for (const Type& one : types_)
      if (version_of(one.type) != one.version) return no("a class");
    for (const Instance& one : instances_)
      if (Py_TYPE(one.object) != one.type) return no("a class");
    return true;
  }

  // The same objects in the same order; a set that was made anew of them may have another.
  static bool iterable_holds(const Iterable& one) {
    Py_ssize_t size = PyTuple_GET_SIZE(one.items), i = 0;
    if (PyObject_Size(one.object) != size) return false;
    PyObject* items = PyObject_GetIter(one.object);
    bool same = items != nullptr;
    for (; same && i < size; i++) {
      PyObject* item = PyIter_Next(items);
      same = item == PyTuple_GET_ITEM(one.items, i);
      Py_XDECREF(item);
    }
    Py_XDECREF(items);
    if (!same) PyErr_Clear();
    return same;
  }

  bool small_things_hold() {
    for (const List& one : lists_) {
      Py_ssize_t size = PyTuple_GET_SIZE(one.items);
      if (PyList_GET_SIZE(one.list) != size) return no("a list");
      for (Py_ssize_t i = 0; i < size; i++)
        if (PyList_GET_ITEM(one.list, i) != PyTuple_GET_ITEM(one.items, i)) return no("a list");
    }
    for (const Iterable& one : iterables_)
      if (!iterable_holds(one)) return no("a set, or an order");
    for (const Slot& one : slots_)
      if (Py_TYPE(one.object) != one.type || *one.place != one.value) return no("an object's attributes");
    for (const Key& one : keys_) {
      PyObject* value = PyDict_GetItemWithError(one.dict, one.key);
      if (value == nullptr) PyErr_Clear();
      if (value != one.value) return no("a global variable");
    }
    for (const Cell& one : cells_)
      if (PyCell_GET(one.cell) != one.value) return no("a closure cell");
    for (const Function& one : functions_)
      if (one.function->func_code != one.code || one.function->func_defaults != one.defaults ||
          one.function->func_kwdefaults != one.keyword_defaults || one.function->func_closure != one.closure ||
          one.function->func_dict != one.dict)
        return no("a function");
    return true;
  }

  // Tensors lie all over memory, so they are fetched before their turn.
  static constexpr int kAhead = 6;
  static void fetch(const Tensor& one) {
    __builtin_prefetch(one.object);
    __builtin_prefetch(one.slot);
    constexpr size_t last = sizeof(c10::TensorImpl) - 1;  // it begins anywhere in a line of the cache
    for (size_t at = 0; at < last; at += 64) __builtin_prefetch(reinterpret_cast<const char*>(one.impl) + at);
    __builtin_prefetch(reinterpret_cast<const char*>(one.impl) + last);
    __builtin_prefetch(one.autograd);
  }

  // Flat, since this is most of what a large model costs: the compiler leaves calls of what torch's headers define.
  [[gnu::flatten]] bool tensors_hold() {
    const Tensor* const end = tensors_.data() + tensors_.size();
    for (const Tensor& one : tensors_) {
      if (&one + kAhead < end) fetch((&one)[kAhead]);
      if (Py_TYPE(one.object) != one.type) return no("a tensor");
      const auto* impl = impl_of(one.object);
      if (impl != one.impl || !one.meta->equals(impl)) return no("a tensor");
      if ((one.slot == nullptr ? nullptr : *one.slot) != one.dict) return no("a tensor's attributes");
    }
    return true;
  }
};

}  // namespace overhead::flat
