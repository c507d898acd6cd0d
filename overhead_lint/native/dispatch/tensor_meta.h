// What guards can read of a tensor, apart from its values.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cstring>

namespace overhead::flat {

struct TensorMeta {
  uint64_t key_set = 0;
  caffe2::TypeMeta dtype;
  c10::Device device = c10::kCPU;
  bool requires_grad = false;
  int64_t offset = 0;
  c10::SmallVector<int64_t, 5> sizes, strides;

  // False: a tensor whose metadata cannot be remembered (symbolic sizes, sparse, subclass with dispatch).
  bool take(const c10::TensorImpl* impl) {
    if (impl->layout() != c10::kStrided || impl->has_symbolic_sizes_strides() || impl->is_python_dispatch())
      return false;
    key_set = impl->key_set().raw_repr();
    dtype = impl->dtype();
    device = impl->device();
    requires_grad = impl->requires_grad();
    offset = impl->storage_offset();
    sizes.assign(impl->sizes().begin(), impl->sizes().end());
    strides.assign(impl->strides().begin(), impl->strides().end());
    return true;
  }

  // The key set comes first: it tells a sparse or symbolic tensor apart before its sizes are asked for.
  bool equals(const c10::TensorImpl* impl) const {
    return impl->key_set().raw_repr() == key_set && impl->layout() == c10::kStrided &&
        !impl->has_symbolic_sizes_strides() && impl->dtype() == dtype && impl->device() == device &&
        impl->requires_grad() == requires_grad && impl->storage_offset() == offset &&
        impl->sizes() == c10::IntArrayRef(sizes) && impl->strides() == c10::IntArrayRef(strides);
  }
};

inline const c10::TensorImpl* impl_of(PyObject* tensor) {
  return THPVariable_Unpack(tensor).unsafeGetTensorImpl();
}

}  // namespace overhead::flat
