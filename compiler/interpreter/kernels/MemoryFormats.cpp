// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include "compiler/interpreter/kernels/FloatFormats.h"

#include <cstring>

namespace tilescope::compiler::interpreter {
namespace {

// How one element is read and written; memory need not be aligned.
template <typename T> struct Plain {
  using Storage = T;
  using Memory = T;
  static constexpr bool kIsSame = true;
  static T decode(T value) { return value; }
  static T encode(T value) { return value; }
};
struct Bool {
  using Storage = uint8_t;
  using Memory = uint8_t;
  static constexpr bool kIsSame = false;
  static uint8_t decode(uint8_t value) { return value != 0; }
  static uint8_t encode(uint8_t value) { return value; }
};
template <typename M, float (*Decode)(M), M (*Encode)(float)> struct Coded {
  using Storage = float;
  using Memory = M;
  static constexpr bool kIsSame = false;
  static float decode(M value) { return Decode(value); }
  static M encode(float value) { return Encode(value); }
};
using CodedF16 = Coded<uint16_t, decodeF16, encodeF16>;
using CodedBF16 = Coded<uint16_t, decodeBF16, encodeBF16>;
using CodedE5M2 = Coded<uint8_t, decodeF8E5M2, encodeF8E5M2>;
using CodedE4M3 = Coded<uint8_t, decodeF8E4M3, encodeF8E4M3>;
using CodedE5M2Fnuz = Coded<uint8_t, decodeFnuz<kF8E5M2FNUZ>, encodeFnuz<kF8E5M2FNUZ>>;
using CodedE4M3Fnuz = Coded<uint8_t, decodeFnuz<kF8E4M3FNUZ>, encodeFnuz<kF8E4M3FNUZ>>;

template <typename C>
void read(std::byte *out, const std::byte *memory, int64_t stride, size_t count) {
  using M = typename C::Memory;
  auto *__restrict o = reinterpret_cast<typename C::Storage *>(out);
  const std::byte *__restrict m = memory;
  if (stride == sizeof(M)) {
    if constexpr (C::kIsSame) {
      std::memcpy(o, m, count * sizeof(M));
    } else {
      for (size_t i = 0; i < count; ++i) {
        M value;
        std::memcpy(&value, m + i * sizeof(M), sizeof(M));
        o[i] = C::decode(value);
      }
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    M value;
    std::memcpy(&value, m + static_cast<int64_t>(i) * stride, sizeof(M));
    o[i] = C::decode(value);
  }
}

template <typename C>
void write(std::byte *memory, int64_t stride, const std::byte *in, bool isDense, size_t count) {
  using M = typename C::Memory;
  const auto *__restrict a = reinterpret_cast<const typename C::Storage *>(in);
  std::byte *__restrict m = memory;
  if (stride == sizeof(M) && isDense) {
    if constexpr (C::kIsSame) {
      std::memcpy(m, a, count * sizeof(M));
    } else {
      for (size_t i = 0; i < count; ++i) {
        M value = C::encode(a[i]);
        std::memcpy(m + i * sizeof(M), &value, sizeof(M));
      }
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    M value = C::encode(a[isDense ? i : 0]);
    std::memcpy(m + static_cast<int64_t>(i) * stride, &value, sizeof(M));
  }
}

template <typename F> auto dispatch(Element element, F function) {
  switch (element) {
  case Element::I1:
    return function(Bool());
  case Element::I8:
    return function(Plain<uint8_t>());
  case Element::I16:
    return function(Plain<uint16_t>());
  case Element::F8E5M2:
    return function(CodedE5M2());
  case Element::F8E4M3:
    return function(CodedE4M3());
  case Element::F8E5M2FNUZ:
    return function(CodedE5M2Fnuz());
  case Element::F8E4M3FNUZ:
    return function(CodedE4M3Fnuz());
  case Element::F16:
    return function(CodedF16());
  case Element::BF16:
    return function(CodedBF16());
  case Element::I32:
  case Element::F32:
    return function(Plain<uint32_t>());
  default:
    return function(Plain<uint64_t>());
  }
}

} // namespace

ReadFunction findRead(Element element) {
  return dispatch(element, []<typename C>(C) -> ReadFunction { return read<C>; });
}

WriteFunction findWrite(Element element) {
  return dispatch(element, []<typename C>(C) -> WriteFunction { return write<C>; });
}

} // namespace tilescope::compiler::interpreter
