// What is known of single operators: which make the host wait, which copy to it, which are views, which take tensors
// of several devices, which CUDA lacks. The table itself is data, overhead_lint/analysis/effects/tables/aten.toml
// and overhead_lint/simulated/operators.toml.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>

#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace overhead::simulated {

// Numbers that an operator copies to the host, each with a wait; conditions name its arguments.
struct Reads {
  int count = 0;
  std::string if_given, unless_given, if_on_device, if_integer; // the last two: a tensor of the device, one of integers
  std::vector<std::string> if_equal; // two numbers
  bool of_empty = false; // of empty tensors, too
};

// Types that CUDA has no kernel for, and the name by which it says so.
struct AbsentTypes {
  std::string kernel;
  std::unordered_set<std::string> types;
};

// What CUDA computes in an order that varies, and the name by which it says so.
struct Varies {
  std::string kernel, if_given;
  bool if_fraction = false; // only of numbers that are no integers
};

// An operator on sparse tensors that CUDA has kernels of its own for.
struct SparseTraits {
  bool coalesces = false; // adds up elements at one place first
  int synchronisations = 0, reads = 0; // waits, and copies to the host, where there are elements
  bool if_sparse_dimension = false; // these only where the dimension that it is about is a sparse one
};

struct OperatorTraits {
  int synchronisations = 0; // of the host with the stream, in each call
  const Reads* reads = nullptr;
  int sends = 0; // lists of numbers that the host makes and copies to the device, each with a wait
  bool stages = false; // copies a list of numbers to the device through pinned memory, without a wait
  bool indexes = false; // waits when an index is a boolean mask, and copies indices that are on the host
  bool without_kernel = false; // launches none
  bool view = false; // looks at no memory: gives a view, or changes what a tensor points to
  bool mixes_devices = false; // takes CPU tensors beside device tensors
  bool takes_host_numbers = false; // takes zero-dimensional CPU tensors as numbers
  bool absent = false; // the CPU has it and CUDA has not
  const AbsentTypes* absent_types = nullptr;
  const Varies* varies = nullptr;
  bool in_double = false; // takes integers on CUDA and not on the CPU
  bool in_float = false; // takes 16-bit floating-point numbers on CUDA and not on the CPU
  bool of_lists = false; // works off a list of tensors
  bool draws_unseen = false; // draws random numbers and takes no generator
};

class OperatorTable {
 public:
  struct Names {
    std::unordered_map<std::string, int> synchronisations;
    std::unordered_map<std::string, Reads> reads; // kept as long as the table, whose traits point here
    std::unordered_map<std::string, int> sends;
    std::unordered_map<std::string, AbsentTypes> absent_types; // as the reads
    std::unordered_map<std::string, Varies> varies;
    std::unordered_map<std::string, SparseTraits> sparse;
    std::unordered_set<std::string> stages, indexing, views, mixed_devices, host_numbers, absent, in_double, in_float;
  };

  // Before the first operator of the device runs.
  void fill(Names names) { names_ = std::move(names); }

  OperatorTraits traits(const c10::OperatorHandle& op) {
    const auto* schema = &op.schema();
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = by_schema_.find(schema);
    if (known == by_schema_.end()) known = by_schema_.emplace(schema, look_up(op)).first;
    return known->second;
  }

  const SparseTraits* sparse(const c10::OperatorHandle& op) const {
    const auto& name = op.schema().name();
    auto known = names_.sparse.find(name + "." + op.schema().overload_name());
    if (known == names_.sparse.end()) known = names_.sparse.find(out_of_place(name));
    return known == names_.sparse.end() ? nullptr : &known->second;
  }

 private:
  OperatorTraits look_up(const c10::OperatorHandle& op) const {
    const auto& name = op.schema().name();
    OperatorTraits found;
    if (auto sync = names_.synchronisations.find(name); sync != names_.synchronisations.end())
      found.synchronisations = sync->second;
    auto reads = names_.reads.find(name + "." + op.schema().overload_name());
    if (reads == names_.reads.end()) reads = names_.reads.find(name);
    if (reads != names_.reads.end()) found.reads = &reads->second;
    if (auto sends = names_.sends.find(name); sends != names_.sends.end()) found.sends = sends->second;
    found.stages = names_.stages.count(name);
    found.indexes = names_.indexing.count(name);
    found.without_kernel = names_.views.count(name);
    found.view = found.without_kernel || gives_a_view(op);
    found.mixes_devices = named(names_.mixed_devices, op);
    found.takes_host_numbers = named(names_.host_numbers, op) || checks_nothing_itself(op);
    found.absent = named(names_.absent, op);
    if (auto types = names_.absent_types.find(out_of_place(name)); types != names_.absent_types.end())
      found.absent_types = &types->second;
    auto varies = names_.varies.find(name + "." + op.schema().overload_name());
    if (varies == names_.varies.end()) varies = names_.varies.find(out_of_place(name));
    if (varies != names_.varies.end()) found.varies = &varies->second;
    found.in_double = named(names_.in_double, op);
    found.in_float = named(names_.in_float, op);
    found.of_lists = name.rfind("aten::_foreach_", 0) == 0 &&
        op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd);
    found.draws_unseen = op.hasTag(at::Tag::nondeterministic_seeded);
    for (const auto& argument : op.schema().arguments())
      if (takes_generator(argument)) found.draws_unseen = false;
    return found;
  }

  // An entry stands for an operator's overloads and its in-place form, or for one overload.
  static bool named(const std::unordered_set<std::string>& names, const c10::OperatorHandle& op) {
    const auto& name = op.schema().name();
    return names.count(name) || names.count(name + "." + op.schema().overload_name()) || names.count(out_of_place(name));
  }

  static std::string out_of_place(std::string name) {
    if (name.back() == '_' && (name.size() == 1 || name[name.size() - 2] != '_')) name.pop_back();
    return name;
  }

  static bool gives_a_view(const c10::OperatorHandle& op) {
    for (const auto& result : op.schema().returns())
      if (result.alias_info() && !result.alias_info()->isWrite()) return true;
    return false;
  }

  // CUDA checks devices in the kernels that it generates. Composite kernels and those of other libraries have none of that.
  static bool checks_nothing_itself(const c10::OperatorHandle& op) {
    return op.schema().name().rfind("aten::", 0) != 0 ||
        op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd) ||
        op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
  }

 public:
  static bool takes_generator(const c10::Argument& argument) {
    auto kind = argument.type()->kind();
    return kind == c10::TypeKind::GeneratorType ||
        (kind == c10::TypeKind::OptionalType && argument.name() == "generator");
  }

 private:
  Names names_;
  std::mutex mutex_;
  std::unordered_map<const c10::FunctionSchema*, OperatorTraits> by_schema_;
};

inline OperatorTable& operator_table() {
  static auto* one = new OperatorTable;
  return *one;
}

} // namespace overhead::simulated
