// What guards can read of a tensor, apart from its values.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/variable.h>

#include <cstring>

namespace overhead::flat {

// Null where no gradient was ever asked for.
inline const bool* place_of_requires_grad(const c10::TensorImpl* impl) {
  c10::AutogradMetaInterface* meta = impl->autograd_meta();
  return meta == nullptr ? nullptr : &static_cast<torch::autograd::AutogradMeta*>(meta)->requires_grad_;
}

// As `impl->requires_grad()`; of a parameter without a virtual call.
inline bool requires_grad_of(const c10::TensorImpl* impl) {
  c10::AutogradMetaInterface* meta = impl->autograd_meta();
  return meta != nullptr && (static_cast<torch::autograd::AutogradMeta*>(meta)->requires_grad_ || meta->requires_grad());
}

using Extents = c10::SmallVector<int64_t, 5>;

// A loop of its own: most tensors have two or three, which a call of memcmp costs more than.
inline bool are_same(c10::IntArrayRef one, const Extents& other) {
  if (one.size() != other.size()) return false;
  for (size_t i = 0; i < other.size(); i++)
    if (one[i] != other[i]) return false;
  return true;
}

struct TensorMeta {
  uint64_t key_set = 0;
  caffe2::TypeMeta dtype;
  c10::Device device = c10::kCPU;
  bool requires_grad = false;
  int64_t offset = 0;
  Extents sizes, strides;

  // False: a tensor whose metadata cannot be remembered (symbolic sizes, sparse, subclass with dispatch).
  bool take(const c10::TensorImpl* impl) {
    if (impl->layout() != c10::kStrided || impl->has_symbolic_sizes_strides() || impl->is_python_dispatch())
      return false;
    key_set = impl->key_set().raw_repr();
    dtype = impl->dtype();
    device = impl->device();
    requires_grad = requires_grad_of(impl);
    offset = impl->storage_offset();
    sizes.assign(impl->sizes().begin(), impl->sizes().end());
    strides.assign(impl->strides().begin(), impl->strides().end());
    return true;
  }

  // The key set comes first: it tells a sparse or symbolic tensor apart before its sizes are asked for.
  bool equals(const c10::TensorImpl* impl) const {
    return impl->key_set().raw_repr() == key_set && impl->layout() == c10::kStrided &&
        !impl->has_symbolic_sizes_strides() && impl->dtype() == dtype && impl->device() == device &&
        requires_grad_of(impl) == requires_grad && impl->storage_offset() == offset &&
        are_same(impl->sizes(), sizes) && are_same(impl->strides(), strides);
  }
};

inline const c10::TensorImpl* impl_of(PyObject* tensor) {
  return THPVariable_Unpack(tensor).unsafeGetTensorImpl();
}

}  // namespace overhead::flat
