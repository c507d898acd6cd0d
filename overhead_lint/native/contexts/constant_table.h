// The tensors that are kept.
#pragma once

#include <torch/csrc/autograd/python_variable.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace overhead::contexts::constants {

constexpr size_t most_entries = 1024;  // past it all are dropped: such values are not constant

struct Entry {
  PyObject* object;     // owned
  c10::Storage storage;  // kept, so that its address stays taken
  uint32_t version;
  const void* address;  // of the numbers, which the storage may let go of

  // Whether nobody wrote to the tensor.
  bool holds() const {
    const c10::TensorImpl* tensor = THPVariable_Unpack(object).unsafeGetTensorImpl();
    return tensor->version_counter().current_version() == version && !tensor->requires_grad() &&
           tensor->unsafe_storage().unsafeGetStorageImpl() == storage.unsafeGetStorageImpl() &&
           storage.data() == address;
  }
};
struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using Table = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

inline Table*& entries() {
  static auto* table = new Table();  // never destroyed: it refers to Python objects
  return table;
}

}  // namespace overhead::contexts::constants
