// Which entry will probably serve a call, by the arguments that tell entries apart.
//
// Those are found by mistakes: an entry was predicted, its guards failed, and another one passed. The arguments in which
// this call differs from the last one of the predicted entry may be why; one of them is read from then on.
// An entry that is predicted is tried first, by its own guards, like any other: a wrong prediction costs time.
#pragma once

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "binding.h"
#include "tensor_meta.h"

namespace overhead::dispatch {

class Prediction {
 public:
  using Key = uint64_t;

  // What guards most often read of arguments: sizes, strides and types of tensors, numbers, and which object it is.
  static Key key(const Bound& bound, size_t count) {
    Key key = grad_mode();
    for (size_t i = 0; i < count; i++) key = mixed(key, of_value(bound[i]));
    return key;
  }

  // What served the last call in which the arguments that tell entries apart were such, or null.
  const void* entry(const Bound& bound, size_t count) const {
    auto found = entries_.find(read_key(bound, count));
    return found == entries_.end() ? nullptr : found->second;
  }

  // `served` passed in a call of which `entry` said `predicted`.
  void learn(const Bound& bound, size_t count, const void* predicted, const void* served) {
    Parts parts;
    for (size_t i = 0; i < count; i++) parts.push_back(of_value(bound[i]));
    if (last_.size() >= most) last_.clear();
    note_changes(last_[served], parts);
    if (predicted != nullptr) read_more(last_[predicted], parts);
    last_[served] = std::move(parts);
    if (entries_.size() >= most) entries_.clear();  // arguments that never repeat
    entries_[read_key(bound, count)] = served;
  }

 private:
  using Parts = std::vector<Key>;  // of each argument
  static constexpr size_t most = 1024;
  static constexpr int deepest = 4;
  std::unordered_map<Key, const void*> entries_;
  std::vector<size_t> read_;  // arguments that tell apart the entries that were mistaken for each other
  std::vector<bool> changes_;  // arguments that are other ones from call to call of one entry
  std::unordered_map<const void*, Parts> last_;  // of each entry

  static Key grad_mode() { return at::GradMode::is_enabled() ? 1 : 2; }

  // Fewer arguments than before: the gate was armed for another function.
  Key read_key(const Bound& bound, size_t count) const {
    Key key = grad_mode();
    for (size_t i : read_)
      if (i < count) key = mixed(key, of_value(bound[i]));
    return key;
  }

  // A count of steps, say, is no longer read, unless nothing else tells the entries apart.
  void note_changes(const Parts& before, const Parts& parts) {
    if (changes_.size() < parts.size()) changes_.resize(parts.size());
    for (size_t i = 0; i < std::min(before.size(), parts.size()); i++) {
      if (changes_[i] || before[i] == parts[i]) continue;
      changes_[i] = true;
      auto place = std::find(read_.begin(), read_.end(), i);
      if (place == read_.end()) continue;
      read_.erase(place);
      entries_.clear();
    }
  }

  // One argument in which this call differs from the last one of another entry.
  void read_more(const Parts& other, const Parts& parts) {
    for (bool changing : {false, true})
      for (size_t i = 0; i < std::min(other.size(), parts.size()); i++) {
        if (changes_[i] != changing || other[i] == parts[i] || std::count(read_.begin(), read_.end(), i)) continue;
        read_.push_back(i);
        entries_.clear();
        return;
      }
  }

  static Key mixed(Key key, Key part) {
    key = (key ^ part) * 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
  }

  static Key of_value(PyObject* value, int depth = 0) {
    if (THPVariable_CheckExact(value))
      return mixed(of_tensor(flat::impl_of(value)), reinterpret_cast<Key>(Py_TYPE(value)));
    if (PyLong_CheckExact(value)) return static_cast<Key>(PyLong_AsUnsignedLongLongMask(value));
    if (PyUnicode_CheckExact(value)) return static_cast<Key>(PyObject_Hash(value));
    if (PyFloat_CheckExact(value)) return of_float(PyFloat_AS_DOUBLE(value));
    // Containers are mostly built anew for each call.
    if (PyTuple_CheckExact(value) || PyList_CheckExact(value)) return of_items(value, depth);
    if (PyDict_CheckExact(value)) return of_dict(value, depth);
    return reinterpret_cast<Key>(value);
  }

  // By its bits, so that it is told from the whole number of that value, and 0.0 from -0.0.
  static Key of_float(double value) {
    Key bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return mixed(bits, 5);
  }

  static Key of_items(PyObject* value, int depth) {
    Key key = static_cast<Key>(Py_SIZE(value)) + (PyList_CheckExact(value) ? 3 : 4);
    for (Py_ssize_t i = 0; depth < deepest && i < Py_SIZE(value); i++)
      key = mixed(key, of_value(PySequence_Fast_GET_ITEM(value, i), depth + 1));
    return key;
  }

  static Key of_dict(PyObject* value, int depth) {
    Key key = static_cast<Key>(PyDict_GET_SIZE(value)) + 6;
    PyObject *name = nullptr, *item = nullptr;
    for (Py_ssize_t at = 0; depth < deepest && PyDict_Next(value, &at, &name, &item);)
      key = mixed(mixed(key, of_value(name, depth + 1)), of_value(item, depth + 1));
    return key;
  }

  static Key of_tensor(const c10::TensorImpl* impl) {
    Key key = mixed(impl->key_set().raw_repr(), impl->requires_grad() ? 1 : 0);
    // Others may run code of Python to say their sizes, or have none.
    if (impl->layout() != c10::kStrided || impl->has_symbolic_sizes_strides() || impl->is_python_dispatch()) return key;
    key = mixed(key, static_cast<Key>(static_cast<int>(impl->dtype().toScalarType())));
    key = mixed(key, static_cast<Key>(impl->device().index() + 1));
    for (int64_t size : impl->sizes()) key = mixed(key, static_cast<Key>(size));
    for (int64_t stride : impl->strides()) key = mixed(key, static_cast<Key>(stride));
    return key;
  }
};

}  // namespace overhead::dispatch
