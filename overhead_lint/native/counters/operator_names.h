// Which operator a thread is in, as Python called it: the outermost one.
#pragma once

#include <cstring>
#include <string>

namespace overhead::sink {

// RecordFunction is also told of the engine's own steps and of autograd.Function classes.
inline bool is_operator(const char* name) {
  return std::strstr(name, "::") && std::strncmp(name, "autograd::", 10) != 0;
}

// As torch's documentation writes it: torch's own operators without their namespace.
inline const char* short_name(const char* operator_name) {
  return std::strncmp(operator_name, "aten::", 6) == 0 ? operator_name + 6 : operator_name;
}

// RecordFunction calls the end of each operator whose start it called, also where the callback is removed meanwhile
// or the operator throws, so that the depth is right whenever attribution begins.
class OutermostOperator {
 public:
  void enter(const char* name) {
    if (is_operator(name) && depth_++ == 0) name_ = short_name(name);
  }
  void leave(const char* name) {
    if (is_operator(name) && --depth_ == 0) name_.clear();
  }
  // Empty outside of operators.
  const std::string& name() const { return name_; }

 private:
  int depth_ = 0;
  std::string name_;
};

inline OutermostOperator& outermost_operator() {
  thread_local OutermostOperator one;
  return one;
}

} // namespace overhead::sink
