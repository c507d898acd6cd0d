// Where a thread's time goes, by the calls of Python functions that were running: a tree of calls, each by the
// instruction that makes it, and nanoseconds by instruction. All of it with the interpreter lock.
#pragma once

#include "python_sites.h"

#include <frameobject.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace overhead::sink {

class CallTree {
 public:
  static constexpr int outside = -1; // of the program

  struct Call {
    int parent;
    int offset; // of the instruction in the parent's code that makes the call
    PyCodeObject* code; // kept alive by the code table
    CodeTable::Role role;
  };

  // An instruction of a call's code, or of the code of `parent`.
  struct Point {
    int call;
    int offset;
    bool operator==(const Point&) const = default;
  };

  void start(int64_t now, size_t most) {
    clear();
    since_ = now;
    most_ = most;
  }

  // The call of `code` at an instruction; the call around it if there is no room.
  int enter(Point from, PyCodeObject* code, CodeTable::Role role) {
    auto& callees = callees_[from];
    for (int callee : callees)
      if (calls_[callee].code == code) return callee;
    if (calls_.size() >= most_) return from.call;
    calls_.push_back({from.call, from.offset, code, role});
    callees.push_back(static_cast<int>(calls_.size()) - 1);
    return callees.back();
  }

  // The time since the last one was spent up to this instruction.
  void reach(Point at, int64_t now) {
    taken_[at] += now - since_;
    since_ = now;
  }

  const std::vector<Call>& calls() const { return calls_; }
  int line(Point at) const {
    return at.call == outside ? 0 : PyCode_Addr2Line(calls_[at.call].code, at.offset);
  }

  // [point, nanoseconds]
  template <class Function>
  void each(Function told) const {
    for (const auto& [point, taken] : taken_) told(point, taken);
  }

  void clear() {
    calls_.clear();
    callees_.clear();
    taken_.clear();
  }

  static int offset_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
    return PyFrame_GetLasti(frame);
#else
    return frame->f_lasti * static_cast<int>(sizeof(_Py_CODEUNIT));
#endif
  }

 private:
  struct Hash {
    size_t operator()(const Point& at) const {
      auto both = static_cast<uint64_t>(static_cast<uint32_t>(at.call)) << 32 | static_cast<uint32_t>(at.offset);
      return std::hash<uint64_t>{}(both * 0x9E3779B97F4A7C15ull);
    }
  };

  std::vector<Call> calls_;
  std::unordered_map<Point, std::vector<int>, Hash> callees_; // one but for calls through tables and C
  std::unordered_map<Point, int64_t, Hash> taken_;
  int64_t since_ = 0;
  size_t most_ = 0;
};

} // namespace overhead::sink
