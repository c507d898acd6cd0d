// Binds the arguments of a call to the local names of a function.
#pragma once

#include <c10/util/SmallVector.h>

#include <algorithm>
#include <vector>

#include "versions.h"

namespace overhead::dispatch {

// The arguments of a call, in either of the forms that CPython passes them.
struct Arguments {
  PyObject* const* positional;
  Py_ssize_t count;
  PyObject* names;           // a tuple or null; its values follow the positional ones
  PyObject* by_name;         // a dict or null
};

// Values of the local names, in order; owned, so that guards may run any code.
class Bound {
 public:
  explicit Bound(size_t count) : values_(count, nullptr) {}
  Bound(const Bound&) = delete;
  ~Bound() {
    for (PyObject* value : values_) Py_XDECREF(value);
  }
  PyObject* operator[](size_t index) const { return values_[index]; }
  PyObject* const* data() const { return values_.data(); }
  bool set(size_t index, PyObject* value) {
    if (values_[index] != nullptr) return false;
    values_[index] = Py_NewRef(value);
    return true;
  }
  // Takes over the reference; false, without an exception, for null.
  bool give(size_t index, PyObject* value) {
    values_[index] = value;
    if (value == nullptr) PyErr_Clear();
    return value != nullptr;
  }

 private:
  c10::SmallVector<PyObject*, 16> values_;
};

class Binding {
 public:
  Binding() = default;
  Binding(const Binding&) = delete;
  ~Binding() { Py_XDECREF(all_none_); }

  // Borrows from `parts`: (function, prefix, positional names, how many by position only, keyword-only names,
  // name of *args or None, name of **kwargs or None, names of free variables, their cells,
  // names that are left to Python).
  bool fill(PyObject* parts) {
    PyObject *function = nullptr, *prefix = nullptr, *positional = nullptr, *free = nullptr, *cells = nullptr,
             *rest = nullptr, *more = nullptr;
    if (!PyArg_ParseTuple(
            parts, "O!O!O!nO!OOO!O!O!", &PyFunction_Type, &function, &PyTuple_Type, &prefix, &PyTuple_Type, &positional,
            &by_position_only_, &PyTuple_Type, &keyword_names_, &rest, &more, &PyTuple_Type, &free, &PyTuple_Type,
            &cells, &PyTuple_Type, &refused_))
      return false;
    function_ = reinterpret_cast<PyFunctionObject*>(function);
    prefix_ = prefix;
    for (PyObject* names : {positional, keyword_names_})
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) names_.push_back(PyTuple_GET_ITEM(names, i));
    positional_ = PyTuple_GET_SIZE(positional);
    fixed_ = names_.size();
    takes_rest_ = rest != Py_None;
    takes_more_ = more != Py_None;
    if (takes_rest_) names_.push_back(rest);
    if (takes_more_) names_.push_back(more);
    if (PyTuple_GET_SIZE(free) != PyTuple_GET_SIZE(cells)) {
      PyErr_SetString(PyExc_ValueError, "names and cells of free variables must pair up");
      return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(free); i++)
      free_.push_back({PyTuple_GET_ITEM(free, i), PyTuple_GET_ITEM(cells, i)});
    return name_locals();
  }

  // How many values belong to the bound object, not to the caller.
  Py_ssize_t prefix() const { return PyTuple_GET_SIZE(prefix_); }
  Py_ssize_t positional() const { return positional_; }
  size_t count() const { return names_.size(); }

  // False, without an exception: Python would raise, or the slow way has to find out.
  bool bind(const Arguments& call, Bound& bound) const {
    Py_ssize_t own = prefix();
    Py_ssize_t direct = std::min(call.count, positional_ - own);
    if (direct < call.count && !takes_rest_) return false;
    for (Py_ssize_t i = 0; i < own; i++) bound.set(i, PyTuple_GET_ITEM(prefix_, i));
    for (Py_ssize_t i = 0; i < direct; i++) bound.set(own + i, call.positional[i]);
    if (takes_rest_ && !bound.give(fixed_, tuple_of(call.positional + direct, call.count - direct))) return false;
    if (takes_more_ && !bound.give(fixed_ + (takes_rest_ ? 1 : 0), PyDict_New())) return false;
    return bind_names(call, bound) && bind_defaults(bound);
  }

  // The locals as guards expect them; null where a closure cell is empty or memory is out.
  PyObject* locals(const Bound& bound) const {
    PyObject* names = PyDict_Copy(all_none_);  // which grows no table name by name
    if (names == nullptr) return drop(names);
    for (size_t i = 0; i < names_.size(); i++)
      if (PyDict_SetItem(names, names_[i], bound[i]) < 0) return drop(names);
    for (auto [name, cell] : free_)
      if (PyCell_GET(cell) == nullptr || PyDict_SetItem(names, name, PyCell_GET(cell)) < 0) return drop(names);
    return names;
  }

  PyObject* call(PyObject* run, const Bound& bound) const {
    PyObject* names = PyTuple_GET_SIZE(keyword_names_) == 0 ? nullptr : keyword_names_;
    if (!takes_rest_ && !takes_more_) return PyObject_Vectorcall(run, bound.data(), positional_, names);
    c10::SmallVector<PyObject*, 16> values(bound.data(), bound.data() + positional_);
    if (takes_rest_)
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bound[fixed_]); i++)
        values.push_back(PyTuple_GET_ITEM(bound[fixed_], i));
    const size_t by_position = values.size();
    for (size_t i = positional_; i < fixed_; i++) values.push_back(bound[i]);
    PyObject* more = takes_more_ ? bound[names_.size() - 1] : nullptr;
    if (more == nullptr || PyDict_GET_SIZE(more) == 0) return PyObject_Vectorcall(run, values.data(), by_position, names);
    names = all_names(more, values);
    PyObject* result = names == nullptr ? nullptr : PyObject_Vectorcall(run, values.data(), by_position, names);
    Py_XDECREF(names);
    return result;
  }

 private:
  struct Free {
    PyObject *name, *cell;
  };
  PyFunctionObject* function_ = nullptr;
  PyObject *prefix_ = nullptr, *keyword_names_ = nullptr, *refused_ = nullptr;
  PyObject* all_none_ = nullptr;  // the local names; owned
  std::vector<PyObject*> names_;
  std::vector<Free> free_;
  Py_ssize_t positional_ = 0, by_position_only_ = 0;
  size_t fixed_ = 0;  // positional and keyword-only names
  bool takes_rest_ = false, takes_more_ = false;

  static PyObject* tuple_of(PyObject* const* values, Py_ssize_t count) {
    PyObject* tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; tuple != nullptr && i < count; i++) PyTuple_SET_ITEM(tuple, i, Py_NewRef(values[i]));
    return tuple;
  }

  // The keyword-only names and those of **kwargs, whose values are added to `values`. Null: memory is out.
  PyObject* all_names(PyObject* more, c10::SmallVector<PyObject*, 16>& values) const {
    c10::SmallVector<PyObject*, 16> names(names_.begin() + positional_, names_.begin() + fixed_);
    PyObject *name = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(more, &at, &name, &value);) {
      names.push_back(name);
      values.push_back(value);
    }
    return tuple_of(names.data(), static_cast<Py_ssize_t>(names.size()));
  }

  bool name_locals() {
    all_none_ = PyDict_New();
    if (all_none_ == nullptr) return false;
    for (PyObject* name : names_)
      if (PyDict_SetItem(all_none_, name, Py_None) < 0) return false;
    for (const Free& one : free_)
      if (PyDict_SetItem(all_none_, one.name, Py_None) < 0) return false;
    return true;
  }

  static PyObject* drop(PyObject* names) {
    Py_XDECREF(names);
    PyErr_Clear();
    return nullptr;
  }

  bool bind_names(const Arguments& call, Bound& bound) const {
    if (call.names != nullptr)
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(call.names); i++)
        if (!bind_name(PyTuple_GET_ITEM(call.names, i), call.positional[call.count + i], bound)) return false;
    if (call.by_name != nullptr) {
      PyObject *name = nullptr, *value = nullptr;
      for (Py_ssize_t at = 0; PyDict_Next(call.by_name, &at, &name, &value);)
        if (!bind_name(name, value, bound)) return false;
    }
    return true;
  }

  bool is_refused(PyObject* name) const {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(refused_); i++)
      if (PyUnicode_Compare(PyTuple_GET_ITEM(refused_, i), name) == 0) return true;
    return false;
  }

  // By identity: names in code are interned, and where the caller's is not the slow way compares them.
  bool bind_name(PyObject* name, PyObject* value, Bound& bound) const {
    for (size_t i = by_position_only_; i < fixed_; i++)
      if (names_[i] == name) return bound.set(i, value);
    if (!takes_more_ || is_refused(name)) return false;
    for (size_t i = by_position_only_; i < fixed_; i++)
      if (PyUnicode_Compare(names_[i], name) == 0) return false;
    return PyDict_SetItem(bound[names_.size() - 1], name, value) == 0;
  }

  bool bind_defaults(Bound& bound) const {
    PyObject* defaults = function_->func_defaults;
    Py_ssize_t first = positional_ - (defaults == nullptr ? 0 : PyTuple_GET_SIZE(defaults));
    for (Py_ssize_t i = prefix(); i < positional_; i++)
      if (bound[i] == nullptr && (i < first || !bound.set(i, PyTuple_GET_ITEM(defaults, i - first)))) return false;
    PyObject* by_name = function_->func_kwdefaults;
    for (size_t i = positional_; i < fixed_; i++) {
      if (bound[i] != nullptr) continue;
      PyObject* value = by_name == nullptr ? nullptr : PyDict_GetItemWithError(by_name, names_[i]);
      if (value == nullptr) {
        PyErr_Clear();
        return false;
      }
      bound.set(i, value);
    }
    return true;
  }
};

}  // namespace overhead::dispatch
