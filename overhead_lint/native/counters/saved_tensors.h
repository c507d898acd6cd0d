// Counts the tensors that autograd nodes keep for backward, and their bytes, without saved-tensor
// hooks: those would replace what is kept, and torch.func refuses to run under them.
//
// A node is looked at once, through the Python attributes that show what it saved: when an operator
// returned a tensor that it made, when a later node leads to it (an autograd.Function is no operator), or at
// the latest when backward runs it, which is before it lets go of what it saved.
#pragma once

#include "operators.h"

#include <ATen/SequenceNumber.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/functions/tensor.h>
#include <torch/csrc/autograd/python_cpp_function.h>
#include <torch/csrc/autograd/python_function.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/utils/pybind.h>

#include <cstring>
#include <optional>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace overhead::sink {

// Everything but `generation_` is used with the interpreter lock held.
class SavedTensors {
  using NodePointer = decltype(torch::autograd::AutogradMeta::grad_fn_);

 public:
  static SavedTensors& one() {
    static auto* saved = new SavedTensors;
    return *saved;
  }

  // Gives whether operators are looked at.
  bool start() {
    if (users_++ == 0) {
      generation_.fetch_add(1);
      first_.clear();
      seen_.clear();
      no_count_.clear();
      no_bytes_.clear();
      out_of_reach_ = false;
      scripted_ = false;
      operators_ = at::addGlobalCallback(at::RecordFunctionCallback(&on_start, &on_end)
                                             .scopes({at::RecordScope::FUNCTION})
                                             .needsOutputs(true));
      scripts_ = at::addGlobalCallback(
          at::RecordFunctionCallback(&on_script).scopes({at::RecordScope::TORCHSCRIPT_FUNCTION}));
      nodes_ = at::addGlobalCallback(
          at::RecordFunctionCallback(&on_node).scopes({at::RecordScope::BACKWARD_FUNCTION}));
    }
    know_this_thread();
    return is_heard();
  }

  // Looks at `contexts`, the autograd.Function contexts that are alive, and stops. Gives why there is
  // no number of tensors, and why there is none of their bytes; "" where there is.
  std::pair<std::string, std::string> stop(const std::vector<py::object>& contexts) {
    for (const auto& context : contexts) visit_function(context.ptr());
    bool heard = is_heard();
    if (--users_ == 0) {
      at::removeCallback(operators_);
      at::removeCallback(nodes_);
      at::removeCallback(scripts_);
    }
    if (scripted_) no_count_ = "a TorchScript function ran, and what its graph keeps cannot be seen";
    if (!heard)
      no_count_ = "callbacks of torch's operators were cleared or switched off while it was measured";
    if (out_of_reach_) no_count_ = "operators that autograd follows ran in a thread without Python";
    return {no_count_, no_count_.empty() ? no_bytes_ : no_count_};
  }

 private:
  static bool is_heard() {
    return sink::is_heard(at::RecordScope::FUNCTION, &on_start) &&
        sink::is_heard(at::RecordScope::BACKWARD_FUNCTION, &on_node);
  }

  static std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction&) {
    one().know_this_thread();
    return nullptr;
  }

  static void on_end(const at::RecordFunction& op, at::ObserverContext*) {
    if (op.seqNr() < 0) return; // makes no node
    for (const auto& output : op.outputs()) {
      if (output.isTensor()) {
        one().visit_output(output.toTensor());
      } else if (output.isTensorList()) {
        for (const at::Tensor& tensor : output.toTensorVector()) one().visit_output(tensor);
      }
    }
  }

  static std::unique_ptr<at::ObserverContext> on_node(const at::RecordFunction&) {
    one().know_this_thread();
    if (auto node = torch::autograd::get_current_node(); node && may_use_python()) {
      InterpreterLock held;
      one().visit(node);
    }
    return nullptr;
  }

  // One node stands for all that a scripted function does, and no operator returns it.
  static std::unique_ptr<at::ObserverContext> on_script(const at::RecordFunction&) {
    if (c10::GradMode::is_enabled()) one().scripted_ = true;
    return nullptr;
  }

  // Nodes are numbered upwards in each thread: those from here on belong to the block.
  void know_this_thread() {
    thread_local uint64_t known = 0;
    if (known == generation_.load(std::memory_order_relaxed)) return;
    if (!may_use_python()) return;
    InterpreterLock held;
    known = generation_;
    first_.try_emplace(at::RecordFunction::currentThreadId(), at::sequence_number::peek());
  }

  void visit_output(const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    auto* meta = torch::autograd::impl::get_autograd_meta(tensor);
    if (!meta || !meta->grad_fn_) return;
    if (!may_use_python()) {
      out_of_reach_ = true;
      return;
    }
    InterpreterLock held;
    visit(meta->grad_fn_);
  }

  void visit_function(PyObject* context) {
    if (auto node = alive(reinterpret_cast<THPFunction*>(context)->cdata)) visit(node);
  }

  // A context holds its node weakly in some versions of torch.
  template <class Pointer>
  static NodePointer alive(const Pointer& node) {
    if constexpr (requires { node.lock(); }) {
      return node.lock();
    } else {
      return node;
    }
  }

  bool is_new(uint64_t thread, uint64_t number) {
    auto first = first_.find(thread);
    return first != first_.end() && number >= first->second && seen_[thread].insert(number).second;
  }

  void visit(const NodePointer& newest) {
    std::vector<NodePointer> waiting{newest};
    while (!waiting.empty()) {
      NodePointer node = std::move(waiting.back());
      waiting.pop_back();
      if (!node || dynamic_cast<torch::autograd::AccumulateGrad*>(node.get())) continue;
      if (!is_new(node->thread_id(), node->sequence_nr())) continue;
      for (const auto& edge : node->next_edges()) waiting.push_back(edge.function);
      // Of an operator in place on a view: the node within does the work, and keeps the tensors.
      if (auto* slices = dynamic_cast<torch::autograd::CopySlices*>(node.get())) waiting.push_back(slices->fn);
      read(node);
    }
  }

  // How the Python face of a class of nodes shows what they saved.
  struct Face {
    bool seen = true;
    std::vector<PyGetSetDef*> attributes;
  };

  void read(const NodePointer& node) {
    const Face& face = face_of(node);
    if (!face.seen) no_count_ = "what the C++ autograd function " + node->name() + " keeps cannot be seen";
    if (face.attributes.empty()) return;
    auto object = py::reinterpret_steal<py::object>(torch::autograd::functionToPyObject(node));
    Kept kept;
    for (PyGetSetDef* attribute : face.attributes) {
      auto value = py::reinterpret_steal<py::object>(attribute->get(object.ptr(), attribute->closure));
      if (!value) {
        PyErr_Clear();
        no_count_ = "what " + node->name() + " keeps cannot be read";
      } else if (PyTuple_Check(value.ptr())) {
        for (auto item : py::reinterpret_borrow<py::tuple>(value)) add(item, kept);
      } else {
        add(value, kept);
      }
    }
    if (kept.tensors == 0) return;
    note_kept(Kind::saved_tensors, kept.tensors, *node);
    note_kept(Kind::saved_bytes, kept.bytes, *node);
  }

  static void note_kept(Kind kind, int64_t amount, torch::autograd::Node& node) {
    count(kind, amount);
    if (!attribution().wants(kind)) return;
    Site site = forward_lines().find(node.thread_id(), node.sequence_nr());
    attribution().note_named(kind, site, "saved by " + node.name(), amount);
  }

  struct Kept {
    int64_t tensors = 0, bytes = 0;
  };

  void add(py::handle saved, Kept& kept) {
    if (saved.is_none()) return;
    py::detail::make_caster<torch::autograd::SavedVariable> held;
    if (held.load(saved, /*convert=*/false)) {
      if (auto data = raw_data(py::detail::cast_op<torch::autograd::SavedVariable&>(held)))
        return add_tensor(*data, kept);
    }
    auto data = py::reinterpret_steal<py::object>(PyObject_GetAttrString(saved.ptr(), "data"));
    if (!data) {
      PyErr_Clear();
      no_count_ = "this torch does not show what saved tensors hold (SavedTensor.data)";
      return;
    }
    add_data(data, kept, /*nested=*/false);
  }

  // Without a value where hooks hold the data, and in versions of torch that do not show it to C++.
  template <class Saved>
  static std::optional<at::Tensor> raw_data(const Saved& saved) {
    if constexpr (requires { saved.get_raw_data(); }) {
      return saved.get_raw_data();
    } else {
      return std::nullopt;
    }
  }

  // Where hooks packed a tensor, what they made of it is what is kept: perhaps some tensors, perhaps none.
  void add_data(py::handle data, Kept& kept, bool nested) {
    if (THPVariable_Check(data.ptr())) {
      add_tensor(THPVariable_Unpack(data.ptr()), kept);
    } else if (!nested && (PyTuple_Check(data.ptr()) || PyList_Check(data.ptr()))) {
      for (auto item : py::reinterpret_borrow<py::sequence>(data)) add_data(item, kept, true);
    }
  }

  void add_tensor(const at::Tensor& tensor, Kept& kept) {
    // A fake tensor of a compilation has the key of meta tensors, and no memory.
    if (!tensor.defined() || tensor.is_meta() || tensor.key_set().has(c10::DispatchKey::Meta)) return;
    kept.tensors++;
    try {
      kept.bytes += static_cast<int64_t>(tensor.nbytes());
    } catch (const c10::Error&) {
      no_bytes_ = "a tensor that is kept has no plain memory (sparse, or a subclass)";
    }
  }

  const Face& face_of(const NodePointer& node) {
    const auto& as_node = *node;
    auto known = faces_.find(typeid(as_node));
    if (known != faces_.end()) return known->second;
    auto object = py::reinterpret_steal<py::object>(torch::autograd::functionToPyObject(node));
    Face face;
    // What torch calls nodes of classes that it has no Python class for.
    face.seen = std::strcmp(Py_TYPE(object.ptr())->tp_name, "CppFunction") != 0;
    for (PyTypeObject* type = Py_TYPE(object.ptr()); type; type = type->tp_base)
      for (auto* entry = type->tp_getset; entry && entry->name; entry++)
        if (std::strncmp(entry->name, "_raw_saved_", 11) == 0) face.attributes.push_back(entry);
    return faces_.emplace(typeid(as_node), std::move(face)).first->second;
  }

  int users_ = 0;
  std::atomic<uint64_t> generation_{0};
  std::atomic<bool> out_of_reach_{false};
  std::atomic<bool> scripted_{false};
  std::unordered_map<uint64_t, uint64_t> first_; // by thread: the number of its first node in the block
  std::unordered_map<uint64_t, std::unordered_set<uint64_t>> seen_; // by thread: numbers of nodes
  std::unordered_map<std::type_index, Face> faces_;
  std::string no_count_, no_bytes_;
  at::CallbackHandle operators_ = at::INVALID_CALLBACK_HANDLE;
  at::CallbackHandle scripts_ = at::INVALID_CALLBACK_HANDLE;
  at::CallbackHandle nodes_ = at::INVALID_CALLBACK_HANDLE;
};

} // namespace overhead::sink
