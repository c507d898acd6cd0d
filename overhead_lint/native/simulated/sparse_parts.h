// Sparse tensors are made of dense ones: indices and values. Over other memory their parts are other tensors.
#pragma once

#include "device.h"

#include <ATen/SparseCsrTensorUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/SparseTensorUtils.h>
#include <ATen/record_function.h>

namespace overhead::simulated {

using at::Tensor;

inline bool is_sparse(const Tensor& t) {
  return t.is_sparse() || at::sparse_csr::is_sparse_compressed(t);
}

// Gives one sparse tensor the shape of another, and its parts, each of them converted.
template <typename Convert>
void put_parts(const Tensor& t, const Tensor& like, Convert&& convert) {
  if (like.is_sparse()) {
    auto* to = at::sparse::get_sparse_impl(t);
    auto* from = at::sparse::get_sparse_impl(like);
    to->raw_resize_(from->sparse_dim(), from->dense_dim(), from->sizes());
    to->set_indices_and_values_unsafe(convert(from->indices()), convert(from->values()));
    to->set_coalesced(from->coalesced());
  } else {
    auto* from = at::sparse_csr::get_sparse_csr_impl(like);
    at::sparse_csr::get_sparse_csr_impl(t)->set_member_tensors(
        convert(from->compressed_indices()), convert(from->plain_indices()), convert(from->values()), from->sizes());
  }
}

// A sparse tensor like another one, of its parts converted to another device.
template <typename Convert>
Tensor over_parts(const Tensor& like, c10::Device device, Convert&& convert) {
  using c10::DispatchKey;
  at::DisableRecordFunctionGuard unrecorded; // of the empty parts that it has first
  at::AutoDispatchBelowADInplaceOrView below_autograd;
  const auto backend = device.is_cpu() ? c10::BackendComponent::CPUBit : c10::toBackendComponent(dispatch_key);
  const auto functionality = like.is_sparse() ? DispatchKey::Sparse : DispatchKey::SparseCsr;
  const c10::DispatchKeySet keys(c10::toRuntimePerBackendFunctionalityKey(functionality, backend));
  Tensor t = like.is_sparse()
      ? at::detail::make_tensor<at::SparseTensorImpl>(keys, like.dtype())
      : at::detail::make_tensor<at::SparseCsrTensorImpl>(keys, device, like.layout(), like.dtype());
  put_parts(t, like, convert);
  return t;
}

// Whether two sparse tensors have the same parts in memory.
inline bool has_same_parts(const Tensor& a, const Tensor& b) {
  const auto same = [](const Tensor& x, const Tensor& y) {
    return x.data_ptr() == y.data_ptr() && x.sizes() == y.sizes() && x.strides() == y.strides();
  };
  if (a.sizes() != b.sizes()) return false;
  if (a.is_sparse()) {
    const auto *x = at::sparse::get_sparse_impl(a), *y = at::sparse::get_sparse_impl(b);
    return x->coalesced() == y->coalesced() && x->sparse_dim() == y->sparse_dim() && same(x->indices(), y->indices()) &&
        same(x->values(), y->values());
  }
  const auto *x = at::sparse_csr::get_sparse_csr_impl(a), *y = at::sparse_csr::get_sparse_csr_impl(b);
  return same(x->compressed_indices(), y->compressed_indices()) && same(x->plain_indices(), y->plain_indices()) &&
      same(x->values(), y->values());
}

} // namespace overhead::simulated
