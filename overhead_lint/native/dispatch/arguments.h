// The arguments of a call in which guards passed, to tell those of other calls by.
//
// Tensors are compared by their metadata, constants by their value, tuples, lists and dicts by what they hold, all
// others by identity. No foreign code is run.
#pragma once

#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tensor_meta.h"

namespace overhead::flat {

// What a state refers to, kept alive; but for the arguments that are compared as themselves: whoever holds the state
// lets go of it when one of them ends, and until then nothing but that one is taken for it.
class Keeper {
 public:
  // `list` is borrowed, as are the items of `themselves`, a tuple or null.
  void use(PyObject* list, PyObject* themselves) {
    list_ = list;
    for (Py_ssize_t i = 0; themselves != nullptr && i < PyTuple_GET_SIZE(themselves); i++)
      themselves_.push_back(PyTuple_GET_ITEM(themselves, i));
  }

  bool hold(PyObject* object) const {
    return object == nullptr || is_itself(object) || PyList_Append(list_, object) == 0;
  }

  bool is_itself(PyObject* object) const {
    return std::find(themselves_.begin(), themselves_.end(), object) != themselves_.end();
  }

 private:
  PyObject* list_ = nullptr;
  std::vector<PyObject*> themselves_;
};

using Tensors = c10::SmallVector<PyObject*, 16>;

// One argument, or a part of one.
class Argument {
 public:
  // False, with an exception: it cannot be remembered.
  bool take(PyObject* object, const Keeper& keeper, int depth = 0) {
    type_ = Py_TYPE(object);
    if (!keeper.hold(reinterpret_cast<PyObject*>(type_))) return false;
    if (keeper.is_itself(object)) return take_value(object, Kind::itself, keeper);
    if (THPVariable_Check(object)) {
      kind_ = Kind::tensor;
      return meta_.take(impl_of(object)) || refuse(object);
    }
    if (depth > deepest) return refuse(object);
    if (PyTuple_Check(object) || PyList_CheckExact(object)) return take_items(object, keeper, depth);
    if (PyDict_CheckExact(object)) return take_dict(object, keeper, depth);
    return take_value(object, Kind::constant, keeper);
  }

  // Whether another object is as good; adds the tensors in it to `tensors`.
  bool matches(PyObject* object, Tensors& tensors) const {
    if (Py_TYPE(object) != type_) return false;
    switch (kind_) {
      case Kind::itself:
        return object == value_;
      case Kind::constant:
        return object == value_ || same_constant(object, value_);
      case Kind::tensor:
        return tensor_matches(object, tensors);
      case Kind::items:
        return items_match(object, tensors);
      case Kind::dict:
        return dict_matches(object, tensors);
    }
    return false;
  }

 private:
  enum class Kind { constant, itself, tensor, items, dict };
  static constexpr int deepest = 8;

  PyTypeObject* type_ = nullptr;
  Kind kind_ = Kind::constant;
  PyObject* value_ = nullptr;
  TensorMeta meta_;
  std::vector<Argument> parts_;
  std::vector<PyObject*> keys_;

  static bool refuse(PyObject* object) {
    PyErr_Format(PyExc_TypeError, "an argument that cannot be remembered: %.100s", Py_TYPE(object)->tp_name);
    return false;
  }

  bool take_value(PyObject* object, Kind kind, const Keeper& keeper) {
    kind_ = kind;
    value_ = object;
    return keeper.hold(object);
  }

  bool take_items(PyObject* object, const Keeper& keeper, int depth) {
    kind_ = Kind::items;
    for (Py_ssize_t i = 0; i < Py_SIZE(object); i++) {
      parts_.emplace_back();
      if (!parts_.back().take(PySequence_Fast_GET_ITEM(object, i), keeper, depth + 1)) return false;
    }
    return true;
  }

  bool take_dict(PyObject* object, const Keeper& keeper, int depth) {
    kind_ = Kind::dict;
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(object, &at, &key, &value);) {
      if (!PyUnicode_CheckExact(key) && !PyLong_CheckExact(key)) return refuse(key);
      keys_.push_back(key);
      parts_.emplace_back();
      if (!keeper.hold(key) || !parts_.back().take(value, keeper, depth + 1)) return false;
    }
    return true;
  }

  // Both are of one type, one of those whose comparison runs no foreign code. A guard may tell 0.0 from -0.0, so
  // floats are compared by their bits.
  static bool same_constant(PyObject* one, PyObject* other) {
    if (!PyFloat_CheckExact(one)) return equal(one, other);
    double values[] = {PyFloat_AS_DOUBLE(one), PyFloat_AS_DOUBLE(other)};
    return std::memcmp(&values[0], &values[1], sizeof(double)) == 0;
  }

  static bool equal(PyObject* one, PyObject* other) {
    int answer = PyObject_RichCompareBool(one, other, Py_EQ);
    if (answer < 0) PyErr_Clear();
    return answer == 1;
  }

  bool tensor_matches(PyObject* object, Tensors& tensors) const {
    tensors.push_back(object);
    PyObject** slot = _PyObject_GetDictPtr(object);
    return meta_.equals(impl_of(object)) && (slot == nullptr || *slot == nullptr || PyDict_GET_SIZE(*slot) == 0);
  }

  bool items_match(PyObject* object, Tensors& tensors) const {
    if (Py_SIZE(object) != static_cast<Py_ssize_t>(parts_.size())) return false;
    for (size_t i = 0; i < parts_.size(); i++)
      if (!parts_[i].matches(PySequence_Fast_GET_ITEM(object, i), tensors)) return false;
    return true;
  }

  // In the same order.
  bool dict_matches(PyObject* object, Tensors& tensors) const {
    if (PyDict_GET_SIZE(object) != static_cast<Py_ssize_t>(parts_.size())) return false;
    PyObject *key = nullptr, *value = nullptr;
    size_t i = 0;
    for (Py_ssize_t at = 0; PyDict_Next(object, &at, &key, &value); i++) {
      bool same_key = key == keys_[i] || (Py_TYPE(key) == Py_TYPE(keys_[i]) && equal(key, keys_[i]));
      if (!same_key || !parts_[i].matches(value, tensors)) return false;
    }
    return true;
  }
};

// All arguments of a call.
class Arguments {
 public:
  bool take(PyObject* arguments, const Keeper& keeper) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments); i++) {
      arguments_.emplace_back();
      if (!arguments_.back().take(PyTuple_GET_ITEM(arguments, i), keeper)) return false;
    }
    return true;
  }

  // Null, or what it is that differs. `watched`: tensors, sorted, none of which may be given.
  const char* difference(PyObject* const* given, Py_ssize_t count, const std::vector<PyObject*>& watched) const {
    if (count != static_cast<Py_ssize_t>(arguments_.size())) return "arguments";
    Tensors tensors;
    for (size_t i = 0; i < arguments_.size(); i++)
      if (!arguments_[i].matches(given[i], tensors)) return "arguments";
    for (PyObject* tensor : tensors)
      if (std::binary_search(watched.begin(), watched.end(), tensor)) return "aliasing arguments";
    if (tensors.size() < 2) return nullptr;
    // Numbers and the like may come twice, tensors may not.
    std::sort(tensors.begin(), tensors.end());
    return std::adjacent_find(tensors.begin(), tensors.end()) == tensors.end() ? nullptr : "aliasing arguments";
  }

 private:
  std::vector<Argument> arguments_;
};

}  // namespace overhead::flat
