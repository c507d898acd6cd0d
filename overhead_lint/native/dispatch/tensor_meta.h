// What guards can read of a tensor, apart from its values.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/variable.h>

#include <cstring>
#include <typeinfo>

namespace overhead::flat {

// As `impl->autograd_meta()`, which is a call into another library: a template may be given what is private.
c10::AutogradMetaInterface* autograd_of(const c10::TensorImpl* impl);
template <auto member>
struct Opened {
  friend inline c10::AutogradMetaInterface* autograd_of(const c10::TensorImpl* impl) { return (impl->*member).get(); }
};
template struct Opened<&c10::TensorImpl::autograd_meta_>;

// Null where no gradient was ever asked for.
inline const bool* place_of_requires_grad(const c10::TensorImpl* impl) {
  c10::AutogradMetaInterface* meta = autograd_of(impl);
  return meta == nullptr ? nullptr : &static_cast<torch::autograd::AutogradMeta*>(meta)->requires_grad_;
}

// As `impl->requires_grad()`; of a parameter without a virtual call.
inline bool requires_grad_of(const c10::TensorImpl* impl) {
  c10::AutogradMetaInterface* meta = autograd_of(impl);
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

// The bytes in which an ordinary tensor keeps all that its accessors tell, but for gradients: where they are the same,
// so is that. Where they differ, it may still be, since there are flags among them that no accessor tells.
class Bytes {
 public:
  void take(const c10::TensorImpl* impl) {
    are_known_ = typeid(*impl) == typeid(c10::TensorImpl) && impl->dim() <= C10_SIZES_AND_STRIDES_MAX_INLINE_SIZE;
    if (are_known_) std::memcpy(bytes_, begin(impl), size(impl));
  }

  bool are_known() const { return are_known_; }

  bool are_those_of(const c10::TensorImpl* impl) const {
    if (!are_known_) return false;
    const char* const now = begin(impl);
    const size_t last = size(impl) - sizeof(Pair);
    Pair difference = pair(now + last) ^ pair(bytes_ + last);
#pragma GCC unroll 16
    for (size_t i = 0; i < last; i += sizeof(Pair)) difference |= pair(now + i) ^ pair(bytes_ + i);
    return (difference[0] | difference[1]) == 0;
  }

 private:
  struct Layout : c10::TensorImpl {  // which may name what is protected
    static constexpr auto extents = &Layout::sizes_and_strides_;
  };

  using Pair [[gnu::vector_size(16)]] = uint64_t;

  bool are_known_ = false;
  char bytes_[sizeof(c10::TensorImpl)] = {};

  static Pair pair(const char* place) {
    Pair both;
    std::memcpy(&both, place, sizeof(both));
    return both;
  }

  // Behind the sizes and strides lie the offset, the type, the device, flags and the dispatch keys.
  static const char* begin(const c10::TensorImpl* impl) {
    return reinterpret_cast<const char*>(&(impl->*Layout::extents));
  }
  static size_t size(const c10::TensorImpl* impl) { return reinterpret_cast<const char*>(impl + 1) - begin(impl); }
};

struct TensorMeta {
  Bytes bytes;
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
    bytes.take(impl);
    requires_grad = requires_grad_of(impl);
    offset = impl->storage_offset();
    sizes.assign(impl->sizes().begin(), impl->sizes().end());
    strides.assign(impl->strides().begin(), impl->strides().end());
    return true;
  }

  // Whether it may be remembered as this, so that the quick comparison will do.
  bool stands_for(const c10::TensorImpl* impl) const {
    return equals(impl) && (!bytes.are_known() || bytes.are_those_of(impl));
  }

  bool equals(const c10::TensorImpl* impl) const {
    return requires_grad_of(impl) == requires_grad && (bytes.are_those_of(impl) || tells_the_same(impl));
  }

 private:
  // The key set comes first: it tells a sparse or symbolic tensor apart before its sizes are asked for.
  bool tells_the_same(const c10::TensorImpl* impl) const {
    return impl->key_set().raw_repr() == key_set && impl->layout() == c10::kStrided &&
        !impl->has_symbolic_sizes_strides() && impl->dtype() == dtype && impl->device() == device &&
        impl->storage_offset() == offset && are_same(impl->sizes(), sizes) && are_same(impl->strides(), strides);
  }
};

inline const c10::TensorImpl* impl_of(PyObject* tensor) {
  return THPVariable_Unpack(tensor).unsafeGetTensorImpl();
}

}  // namespace overhead::flat
