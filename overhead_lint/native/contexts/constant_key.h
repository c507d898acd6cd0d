// A number, or nested lists of numbers, as bytes.
#pragma once

#include <Python.h>

#include <cstring>
#include <string_view>

namespace overhead::contexts::constants {

constexpr size_t most_bytes = 2048;  // of a key
constexpr int most_levels = 32;      // of nested lists

// The key: bytes that tell values apart that are equal but not the same (1, True, 1.0; 0.0, -0.0).
class Key {
 public:
  template <class T>
  void add(T value) {
    std::memcpy(bytes_ + size_, &value, sizeof(T));
    size_ += sizeof(T);
  }

  // False for what is no number, no nested list of numbers, or too long. Runs no Python code.
  bool add_value(PyObject* value, int levels = most_levels) {
    if (size_ + 32 > sizeof(bytes_)) return false;
    PyTypeObject* type = Py_TYPE(value);
    if (type == &PyFloat_Type) return add_tagged('f', PyFloat_AS_DOUBLE(value));
    if (type == &PyLong_Type) return add_int(value);
    if (type == &PyBool_Type) return add_tagged('b', value == Py_True);
    if (type == &PyList_Type || type == &PyTuple_Type) return levels > 0 && add_items(value, levels - 1);
    if (type != &PyComplex_Type) return false;
    const Py_complex number = PyComplex_AsCComplex(value);
    return add_tagged('c', number.real) && add_tagged('c', number.imag);
  }

  std::string_view view() const { return {bytes_, size_}; }

 private:
  template <class T>
  bool add_tagged(char tag, T value) {
    add(tag);
    add(value);
    return true;
  }

  bool add_int(PyObject* value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && add_tagged('i', number);
  }

  bool add_items(PyObject* list, int levels) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    PyObject** items = PySequence_Fast_ITEMS(list);
    add_tagged(PyList_CheckExact(list) ? 'l' : 't', count);
    Py_ssize_t i = 0;
    if (count > 0 && PyFloat_CheckExact(items[0])) i = add_floats(items, count);
    for (; i < count; ++i) {
      if (!add_value(items[i], levels)) return false;
    }
    return true;
  }

  // The floats that a list begins with, under one tag; most lists are nothing else.
  Py_ssize_t add_floats(PyObject** items, Py_ssize_t count) {
    const auto fits = static_cast<Py_ssize_t>((sizeof(bytes_) - size_ - 32) / sizeof(double));
    char* const head = bytes_ + size_;
    add_tagged('F', Py_ssize_t{0});
    Py_ssize_t i = 0;
    for (; i < count && i < fits && PyFloat_CheckExact(items[i]); ++i) add(PyFloat_AS_DOUBLE(items[i]));
    std::memcpy(head + 1, &i, sizeof(i));
    return i;
  }

  size_t size_ = 0;
  char bytes_[most_bytes];
};

}  // namespace overhead::contexts::constants
