// Numbers that CPython gives to changes.
#pragma once

#include <Python.h>

#include <cstdint>

namespace overhead::dispatch {

#if PY_VERSION_HEX < 0x030C0000
inline constexpr bool kDictsAreNumbered = true;
inline uint64_t version_of(PyObject* dict) { return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag; }
#else
inline constexpr bool kDictsAreNumbered = false;
inline uint64_t version_of(PyObject*) { return 0; }
#endif

}  // namespace overhead::dispatch
