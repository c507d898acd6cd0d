// What spans are called: each name once, with a number.
#pragma once

#include "python_sites.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace overhead::sink {

// Not safe to use from several threads at a time.
class SpanNames {
 public:
  int number_of(const std::string& name) {
    auto [known, is_new] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
    if (is_new) names_.push_back(name);
    return known->second;
  }
  // An operator's name stays where it is; a node's may not, so what is there is compared.
  int number_of(const char* name) {
    auto known = by_pointer_.find(name);
    if (known == by_pointer_.end() || names_[known->second] != name)
      known = by_pointer_.insert_or_assign(name, number_of(std::string(name))).first;
    return known->second;
  }
  int number_of(PyCodeObject* code) {
    auto known = by_code_.find(code);
#if PY_VERSION_HEX >= 0x030B0000
    if (known == by_code_.end()) known = by_code_.emplace(code, number_of(CodeTable::text(code->co_qualname))).first;
#else
    if (known == by_code_.end()) known = by_code_.emplace(code, number_of(CodeTable::text(code->co_name))).first;
#endif
    return known->second;
  }

  const std::string& name(int number) const { return names_[number]; }

  void clear() {
    names_.clear();
    numbers_.clear();
    by_pointer_.clear();
    by_code_.clear();
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> numbers_;
  std::unordered_map<const char*, int> by_pointer_;
  std::unordered_map<PyCodeObject*, int> by_code_; // held by the code table
};

// A function in C with what it belongs to: Tensor.add, torch._C.f, len.
inline std::string builtin_name(PyObject* function) {
  if (!PyCFunction_Check(function)) return Py_TYPE(function)->tp_name;
  auto* builtin = reinterpret_cast<PyCFunctionObject*>(function);
  std::string name = builtin->m_ml->ml_name;
  PyObject* self = PyCFunction_GET_SELF(function);
  if (!self) return name;
  std::string holder;
  if (PyModule_Check(self)) {
    const char* module = PyModule_GetName(self);
    if (!module) PyErr_Clear();
    holder = module ? module : "";
  } else {
    holder = PyType_Check(self) ? reinterpret_cast<PyTypeObject*>(self)->tp_name : Py_TYPE(self)->tp_name;
  }
  if (holder.empty() || holder == "builtins") return name;
  return holder + "." + name;
}

} // namespace overhead::sink
