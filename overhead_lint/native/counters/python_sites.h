// The user's source line that a thread is executing: the innermost Python frame that belongs to none of
// torch, what torch wrote, this package and the standard library. Everything here needs the interpreter lock.
#pragma once

#include <Python.h>

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace overhead::sink {

// A place in the user's code; `code` is kept alive by the table below. Null: no user frame.
struct Site {
  PyCodeObject* code = nullptr;
  int line = 0;
  explicit operator bool() const { return code != nullptr; }
  auto operator<=>(const Site&) const = default;
};

struct Walk {
  Site site;
  bool through_engine = false; // the autograd engine was called between the site and here
};

class CodeTable {
 public:
  enum class Role : uint8_t { user, generated, internal, engine_entry };

  // Code under one of `internal` is nobody's line; so is code under one of `standard` that was not
  // installed there, as site-packages is a folder of the standard library's.
  void set_folders(std::vector<std::string> internal, std::vector<std::string> standard) {
    internal_ = std::move(internal);
    standard_ = std::move(standard);
    forget();
  }

  void forget() {
    for (auto& [code, _] : roles_) Py_DECREF(reinterpret_cast<PyObject*>(code));
    roles_.clear();
  }

  // `frame`: one that runs the code.
  Role role(PyCodeObject* code, PyFrameObject* frame) {
    auto known = roles_.find(code);
    if (known != roles_.end()) return known->second;
    Role found = judge(code, frame);
    Py_INCREF(reinterpret_cast<PyObject*>(code));
    roles_.emplace(code, found);
    return found;
  }

 private:
  Role judge(PyCodeObject* code, PyFrameObject* frame) const {
    std::string path = text(code->co_filename);
    // <frozen importlib>, <eval_with_key>.3, <string>: no file that a user could open.
    if (path.empty() || path.front() == '<') return Role::internal;
    if (under(path, internal_))
      return text(code->co_name) == "_engine_run_backward" ? Role::engine_entry : Role::internal;
    bool installed = path.find("site-packages") != path.npos || path.find("dist-packages") != path.npos;
    if (!installed && under(path, standard_)) return Role::internal;
    return is_generated(path, frame) ? Role::generated : Role::user;
  }

  // What torch wrote into a file of its own: modules of Inductor, wherever its cache lies, by the name that torch
  // gives them; and graphs of torch.fx in files that exist in name only.
  static bool is_generated(const std::string& path, PyFrameObject* frame) {
    return path.rfind("fx_generated_", 0) == 0 || module_name(frame).rfind("torch.", 0) == 0;
  }

  static std::string module_name(PyFrameObject* frame) {
    PyObject* globals = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_globals");
    PyObject* name = globals ? PyDict_GetItemString(globals, "__name__") : nullptr; // borrowed
    std::string found = name && PyUnicode_Check(name) ? text(name) : "";
    if (!globals) PyErr_Clear();
    Py_XDECREF(globals);
    return found;
  }

  static bool under(const std::string& path, const std::vector<std::string>& folders) {
    for (const auto& folder : folders)
      if (path.compare(0, folder.size(), folder) == 0) return true;
    return false;
  }

 public:
  static std::string text(PyObject* unicode) {
    const char* utf8 = PyUnicode_AsUTF8(unicode);
    if (utf8) return utf8;
    PyErr_Clear(); // a file name with lone surrogates
    return {};
  }

 private:
  std::vector<std::string> internal_, standard_;
  std::unordered_map<PyCodeObject*, Role> roles_;
};

constexpr std::array<const char*, 4> role_names{"user", "generated", "internal", "engine_entry"};

inline CodeTable& codes() {
  static auto* table = new CodeTable; // never destroyed: threads may outlive static destructors
  return *table;
}

// The rest of a function after a graph break, which Dynamo made a function of: its lines are the user's, but the
// call was counted when the function began.
inline bool is_resumed(PyCodeObject* code) {
  return CodeTable::text(code->co_name).rfind("torch_dynamo_resume_in", 0) == 0;
}

// A function of its own up to Python 3.11, part of the function around it from 3.12 on.
inline bool is_comprehension(PyCodeObject* code) {
  auto name = CodeTable::text(code->co_name);
  return name.size() > 2 && name.front() == '<' && name != "<lambda>" && name != "<module>";
}

// Walks outwards from `frame` (a reference that is taken over). `stop_at_engine` ends the walk
// where the autograd engine was called: what lies below is the caller of backward, not the code
// that runs in it.
inline Walk walk(PyFrameObject* frame, bool stop_at_engine) {
  Walk result;
  while (frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    CodeTable::Role role = codes().role(code, frame);
    Py_DECREF(reinterpret_cast<PyObject*>(code)); // the table holds it
    if (role == CodeTable::Role::user) {
      result.site = {code, PyFrame_GetLineNumber(frame)};
      break;
    }
    if (role == CodeTable::Role::engine_entry) {
      result.through_engine = true;
      if (stop_at_engine) break;
    }
    PyFrameObject* outer = PyFrame_GetBack(frame);
    Py_DECREF(reinterpret_cast<PyObject*>(frame));
    frame = outer;
  }
  Py_XDECREF(reinterpret_cast<PyObject*>(frame));
  return result;
}

inline Walk walk_this_thread(bool stop_at_engine) {
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(reinterpret_cast<PyObject*>(frame));
  return walk(frame, stop_at_engine);
}

// The line that called backward, seen from a thread of the engine: the one thread that waits in
// the engine. With several waiting there is no telling which: no site.
inline Site waiting_for_engine() {
  Site found;
#ifndef Py_GIL_DISABLED // without an interpreter lock another thread's frames must not be read
  PyThreadState* self = PyThreadState_Get();
  PyInterpreterState* interpreter = PyThreadState_GetInterpreter(self);
  for (PyThreadState* t = PyInterpreterState_ThreadHead(interpreter); t; t = PyThreadState_Next(t)) {
    if (t == self) continue;
    Walk other = walk(PyThreadState_GetFrame(t), false);
    if (!other.through_engine) continue;
    if (found) return {};
    found = other.site;
  }
#endif
  return found;
}

} // namespace overhead::sink
