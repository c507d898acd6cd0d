// Every operator without a kernel of its own: its arguments become CPU views, the CPU kernel runs,
// its results become device tensors. Before that, what CUDA would refuse is refused.
#pragma once

#include "alias.h"
#include "device_check.h"
#include "operator_table.h"
#include "random.h"
#include "synchronisation.h"

#include <ATen/ops/_local_scalar_dense_ops.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/nonzero.h>
#include <ATen/record_function.h>

#include <optional>
#include <utility>
#include <vector>

namespace overhead::simulated {

// A number or a list of them that the host made goes to the device, which the host waits for.
inline void send_number(c10::Device device) {
  at::empty({1}, c10::TensorOptions(c10::kCPU)).to(device);
}

// The same through pinned memory, which nobody waits for.
inline void stage_number(c10::Device device) {
  at::empty({1}, c10::TensorOptions(c10::kCPU).pinned_memory(true)).to(device, /*non_blocking=*/true);
}

class BoxedCall {
 public:
  BoxedCall(const c10::OperatorHandle& op, torch::jit::Stack& stack, c10::DispatchKey on_cpu = c10::DispatchKey::CPU)
      : op_(op),
        on_cpu_(on_cpu),
        schema_(op.schema()),
        traits_(operator_table().traits(op)),
        stack_(stack),
        base_(stack.size() - schema_.arguments().size()),
        aliases_(schema_.name().c_str()),
        devices_(traits_.takes_host_numbers) {}

  void run() {
    check_usable();
    if (traits_.of_lists && mixes_a_list()) { // as on CUDA, a tensor at a time, each on its device
      op_.callBoxedForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd, stack_);
      return;
    }
    const int reads = numbers_read(); // arguments are looked at before they become views
    for (size_t i = 0; i < schema_.arguments().size(); i++) take(stack_[base_ + i], schema_.arguments()[i]);
    if (!traits_.mixes_devices) devices_.refuse_mixture(schema_.name());
    if (traits_.absent_types) refuse_types(*traits_.absent_types);
    if (traits_.varies && varies(*traits_.varies)) at::globalContext().alertNotDeterministic(traits_.varies->kernel);
    TORCH_CHECK_NOT_IMPLEMENTED(
        !traits_.absent,
        "Could not run '", op_.operator_name(), "' with arguments from the 'CUDA' backend (simulated cuda: CUDA has no such kernel)");
    TORCH_CHECK_NOT_IMPLEMENTED(
        op_.hasComputedKernelForDispatchKey(on_cpu_),
        "simulated cuda: '", op_.operator_name(), "' has no CPU kernel and is not simulated; it needs a real GPU");
    for (size_t i = 0; i < schema_.arguments().size(); i++) take_generator(stack_[base_ + i], schema_.arguments()[i]);
    if (!traits_.without_kernel) {
      device_clock().work(stream_of(aliases_.device));
      count(Activity::kernel);
    }
    execute();
    for (auto& [original, alias] : written_) aliases_.write_back(original, alias);
    give_results();
    if (traits_.indexes) copy_host_arguments();
    for (int i = 0; i < synchronisations(); i++) operator_synchronises(schema_.name().c_str(), aliases_.device);
    for (int i = 0; i < reads; i++) read_number();
    for (int i = 0; i < traits_.sends; i++) send_number(device_at(aliases_.device));
    if (traits_.stages) stage_number(device_at(aliases_.device));
  }

 private:
  bool mixes_a_list() const {
    const auto& first = stack_[base_];
    if (!first.isTensorList()) return false;
    const auto tensors = first.toTensorVector();
    for (const auto& t : tensors)
      if (t.device() != tensors.front().device()) return true;
    return false;
  }

  void take(c10::IValue& value, const c10::Argument& argument) {
    if (argument.name() == "accumulate" && value.isBool()) accumulates_ = value.toBool();
    if (value.isTensor()) {
      value = take_tensor(value.toTensor(), argument);
    } else if (value.isTensorList()) {
      c10::List<Tensor> aliased;
      for (const Tensor& t : value.toTensorVector()) aliased.push_back(take_tensor(t, argument));
      value = c10::IValue(std::move(aliased));
    } else if (is_of_optional_tensors(value)) {
      value = take_indices(value);
    } else if (value.isList() && !value.toListRef().empty() && value.toListRef()[0].isTensorList()) {
      c10::List<c10::List<Tensor>> lists; // the operators of torch.distributed
      for (const auto& inner : value.toListRef()) {
        c10::List<Tensor> aliased;
        for (const Tensor& t : inner.toTensorVector()) aliased.push_back(take_tensor(t, argument));
        lists.push_back(std::move(aliased));
      }
      value = c10::IValue(std::move(lists));
    } else if (value.isDevice() && value.toDevice().type() == device_type) {
      device_named_ = true;
      aliases_.device = index_of(value.toDevice());
      value = c10::IValue(c10::Device(c10::kCPU));
    }
  }

  Tensor take_tensor(const Tensor& t, const c10::Argument& argument) {
    devices_.see(t, argument);
    if (argument.name() == "values" && t.defined() && t.device().is_cpu()) host_value_ = t;
    if (!traits_.view) check_memory(t);
    Tensor alias = aliases_.to_cpu(t);
    const auto* info = argument.alias_info();
    if (info && info->isWrite() && t.defined()) {
      written_.emplace_back(t, alias);
      for (const auto& set : info->beforeSets()) written_by_set_.emplace(set, t);
    }
    return alias;
  }

  // IValue::isOptionalTensorList compares addresses of types, and so knows no list that TorchScript made.
  static bool is_of_optional_tensors(const c10::IValue& value) {
    if (!value.isList()) return false;
    const auto type = value.toList().elementType();
    const auto* optional = type->castRaw<c10::OptionalType>();
    return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
  }

  // Indices may be on the CPU, whatever the tensor that they index is on.
  c10::IValue take_indices(const c10::IValue& indices) {
    c10::List<std::optional<Tensor>> aliased;
    for (const c10::IValue& given : indices.toListRef()) {
      if (!given.isTensor() || !given.toTensor().defined()) {
        aliased.push_back(std::nullopt);
        continue;
      }
      const Tensor& index = given.toTensor();
      const auto type = index.scalar_type();
      const bool mask = type == at::kBool || type == at::kByte;
      const bool on_host = index.device().is_cpu();
      if (on_host) host_indices_.push_back(index);
      (mask && !on_host ? masks_ : other_indices_)++;
      devices_.refuse_index(index);
      check_memory(index);
      aliased.push_back(aliases_.to_cpu(index));
    }
    return c10::IValue(std::move(aliased));
  }

  // x[mask] = 3 fills where the mask says so; any other use of a mask has to count its elements.
  bool fills_mask() const {
    return masks_ == 1 && other_indices_ == 0 && !accumulates_ && host_value_.defined() && host_value_.numel() == 1;
  }

  int synchronisations() const {
    return traits_.synchronisations + (traits_.indexes && !fills_mask() ? masks_ : 0); // each mask becomes indices
  }

  // CUDA moves indices to the device, the places in a mask without waiting, and a number that is not filled in.
  void copy_host_arguments() const {
    if (!devices_.any()) return;
    const auto device = device_at(aliases_.device);
    for (const auto& index : host_indices_) {
      const bool mask = index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
      if (mask) {
        auto places = at::empty({0}, c10::TensorOptions(c10::kCPU).dtype(at::kLong).pinned_memory(true));
        at::nonzero_out(places, index).to(device, /*non_blocking=*/true);
      } else {
        index.to(device);
      }
    }
    if (host_value_.defined() && host_value_.dim() == 0 && !fills_mask()) host_value_.to(device);
  }

  void read_number() const {
    if (read_.defined()) {
      at::_ops::_local_scalar_dense::call(read_);
    } else { // of what the operator computed of an empty tensor
      at::_ops::_local_scalar_dense::call(at::empty({}, c10::TensorOptions(device_at(aliases_.device))));
    }
  }

  // How often the operator copies a number of a device tensor to the host; of an empty tensor there mostly is none.
  int numbers_read() {
    const Reads* reads = traits_.reads;
    if (!reads) return 0;
    const c10::IValue *first = nullptr, *second = nullptr;
    for (size_t i = 0; i < schema_.arguments().size(); i++) {
      const auto& value = stack_[base_ + i];
      const auto& name = schema_.arguments()[i].name();
      const bool device_tensor = value.isTensor() && value.toTensor().defined() &&
          value.toTensor().device().type() == device_type && value.toTensor().numel() > 0;
      if (device_tensor && !read_.defined()) read_ = value.toTensor();
      const bool given = value.isBool() ? value.toBool() : !value.isNone();
      if (name == reads->unless_given && given) return 0;
      if (name == reads->if_given && !given) return 0;
      if (name == reads->if_on_device && !device_tensor) return 0;
      if (name == reads->if_integer && !c10::isIntegralType(value.toTensor().scalar_type(), /*includeBool=*/false)) return 0;
      if (!reads->if_equal.empty() && name == reads->if_equal[0]) first = &value;
      if (!reads->if_equal.empty() && name == reads->if_equal[1]) second = &value;
    }
    if (first && second && first->toScalar().toDouble() != second->toScalar().toDouble()) return 0;
    return read_.defined() || reads->of_empty ? reads->count : 0;
  }

  void take_generator(c10::IValue& value, const c10::Argument& argument) {
    if (!OperatorTable::takes_generator(argument)) return;
    if (value.isNone()) {
      value = c10::IValue(for_one_operator(default_generator(aliases_.device)));
    } else if (value.isGenerator()) {
      auto generator = value.toGenerator();
      TORCH_CHECK(
          generator.device().type() == device_type,
          "Expected a 'cuda' device type for generator but found '", generator.device().type(), "'");
      TORCH_CHECK(
          devices_.any() || device_named_, "Expected a 'cpu' device type for generator but found 'cuda'");
      value = c10::IValue(for_one_operator(generator));
    }
  }

  void execute() {
    // A profiler must see the device's operator once, and not the CPU kernel inside it as well.
    at::DisableRecordFunctionGuard unrecorded;
    std::optional<LentState> lent;
    if (traits_.draws_unseen) lent.emplace(default_generator(aliases_.device));
    const auto wide = written_.empty() ? wider_type() : at::ScalarType::Undefined;
    const auto narrow = wide == at::ScalarType::Undefined ? wide : stack_[base_].toTensor().scalar_type();
    if (wide != narrow) convert(base_, narrow, wide);
    try {
      op_.redispatchBoxed(c10::DispatchKeySet(on_cpu_), &stack_);
    } catch (c10::NotImplementedError& error) {
      error.add_context("simulated cuda: the kernel of the CPU says so, which stands in for CUDA's");
      throw;
    }
    if (wide == narrow) return;
    const auto first = stack_.size() - schema_.returns().size();
    convert(first, wide, narrow);
    if (narrow == at::kHalf) convert(first, at::kComplexFloat, at::kComplexHalf); // Fourier transforms
    if (narrow == at::kComplexHalf) convert(first, at::kFloat, at::kHalf);
  }

  // What to compute in where the CPU kernel does not take the first tensor's type.
  at::ScalarType wider_type() const {
    if (!(traits_.in_double || traits_.in_float) || !stack_[base_].isTensor()) return at::ScalarType::Undefined;
    const auto type = stack_[base_].toTensor().scalar_type();
    if (traits_.in_double && c10::isIntegralType(type, /*includeBool=*/false)) return at::kDouble;
    if (traits_.in_float && c10::isReducedFloatingType(type)) return at::kFloat;
    if (traits_.in_float && type == at::kComplexHalf) return at::kComplexFloat;
    return at::ScalarType::Undefined;
  }

  void convert(size_t first, at::ScalarType from, at::ScalarType to) {
    for (size_t i = first; i < stack_.size(); i++)
      if (stack_[i].isTensor() && stack_[i].toTensor().defined() && stack_[i].toTensor().scalar_type() == from)
        stack_[i] = stack_[i].toTensor().to(to);
  }

  // Whether CUDA computes this call in an order that varies.
  bool varies(const Varies& when) const {
    for (size_t i = 0; i < schema_.arguments().size(); i++) {
      const auto& value = stack_[base_ + i];
      if (schema_.arguments()[i].name() != when.if_given) continue;
      if (value.isNone() || (value.isInt() && value.toInt() == 0)) return false;
    }
    const auto& first = stack_[base_];
    return !when.if_fraction || !first.isTensor() ||
        !c10::isIntegralType(first.toTensor().scalar_type(), /*includeBool=*/true);
  }

  // Refuses the first tensor's type where CUDA has no kernel for it.
  // Of an empty tensor nothing is computed, so no kernel is looked for.
  void refuse_types(const AbsentTypes& absent) const {
    const auto& value = stack_[base_];
    if (!value.isTensor() || !value.toTensor().defined()) return;
    for (size_t i = 0; i < schema_.arguments().size(); i++) {
      const auto& argument = stack_[base_ + i];
      if (argument.isTensor() && argument.toTensor().defined() && argument.toTensor().numel() == 0) return;
    }
    const std::string type = at::toString(value.toTensor().scalar_type());
    TORCH_CHECK_NOT_IMPLEMENTED(
        !absent.types.count(type),
        '"', absent.kernel, "\" not implemented for '", type, "' (simulated cuda: CUDA has no such kernel)");
  }

  void give_results() {
    const auto& returns = schema_.returns();
    const size_t first = stack_.size() - returns.size();
    for (size_t i = 0; i < returns.size(); i++) {
      auto& value = stack_[first + i];
      if (value.isTensor()) {
        value = give_tensor(value.toTensor(), returns[i]);
      } else if (value.isTensorList()) {
        c10::List<Tensor> given;
        for (const Tensor& t : value.toTensorVector()) given.push_back(aliases_.to_device(t));
        value = c10::IValue(std::move(given));
      }
    }
  }

  // An operator that writes its argument returns that argument, not a view of it.
  Tensor give_tensor(const Tensor& t, const c10::Argument& result) {
    const auto* info = result.alias_info();
    if (!info || !info->isWrite()) return aliases_.to_device(t);
    for (const auto& set : info->beforeSets())
      if (auto known = written_by_set_.find(set); known != written_by_set_.end()) return known->second;
    return t;
  }

  const c10::OperatorHandle& op_;
  c10::DispatchKey on_cpu_; // whose kernel runs
  const c10::FunctionSchema& schema_;
  OperatorTraits traits_;
  torch::jit::Stack& stack_;
  size_t base_;
  Aliases aliases_;
  DeviceCheck devices_;
  std::vector<std::pair<Tensor, Tensor>> written_; // an argument and its view
  std::unordered_map<c10::Symbol, Tensor> written_by_set_;
  bool device_named_ = false;
  int masks_ = 0, other_indices_ = 0; // boolean tensors on the device among the indices, and the rest
  bool accumulates_ = false;
  std::vector<Tensor> host_indices_;
  Tensor host_value_; // assigned to what is indexed
  Tensor read_; // a tensor of the device that the operator reads numbers of
};

inline void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  BoxedCall(op, *stack).run();
}

} // namespace overhead::simulated
