// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/Elementwise.h"

#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tilescope::compiler::interpreter {
namespace {

template <typename R> struct SignExtend {
  template <typename A> static R apply(A a) { return static_cast<R>(a); }
};
/// From truth values: true is -1 when extended with its sign.
template <typename R> struct SignExtend1 {
  static R apply(uint8_t a) { return static_cast<R>(-static_cast<int>(a)); }
};
template <typename R> struct ZeroExtend {
  template <typename A> static R apply(A a) {
    return static_cast<R>(static_cast<std::make_unsigned_t<A>>(a));
  }
};
template <typename R> struct Truncate {
  template <typename A> static R apply(A a) {
    if constexpr (std::is_same_v<R, uint8_t>)
      return static_cast<uint8_t>(a & 1);
    else
      return static_cast<R>(a);
  }
};

/// Rounds an integer once, also where it goes through a wider float.
template <typename Type, typename I> typename Type::Storage fromInteger(I value) {
  if constexpr (std::is_same_v<Type, TypeF32> || std::is_same_v<Type, TypeF64>) {
    return static_cast<typename Type::Storage>(value);
  } else if constexpr (sizeof(I) <= 4) {
    return Type::round(roundToOdd(static_cast<double>(value)));
  } else {
    // Beyond 2^53 all small floats have the same neighbours with the low bits merged into one
    // sticky bit.
    I high = value, sticky = 0;
    if (value > (I(1) << 52) || (std::is_signed_v<I> && value < -(I(1) << 52))) {
      sticky = (value & 0xfff) != 0;
      high = (value & ~I(0xfff)) | (sticky << 12);
    }
    return Type::round(roundToOdd(static_cast<double>(high)));
  }
}
template <typename Type> struct SignedToFloat {
  template <typename A> static typename Type::Storage apply(A a) { return fromInteger<Type>(a); }
};
template <typename Type> struct UnsignedToFloat {
  template <typename A> static typename Type::Storage apply(A a) {
    return fromInteger<Type>(static_cast<std::make_unsigned_t<A>>(a));
  }
};
template <typename Type> struct BoolToFloat {
  static typename Type::Storage apply(uint8_t a) { return a; }
};
template <typename Type> struct SignedBoolToFloat {
  static typename Type::Storage apply(uint8_t a) { return -static_cast<typename Type::Storage>(a); }
};

/// Truncates; what does not fit saturates as on the device, NaN gives zero.
template <typename R, typename I> struct ToInteger {
  template <typename T> static R apply(T value) {
    constexpr T kLow = static_cast<T>(std::numeric_limits<I>::min());
    // One above the largest value: a power of two, so exact.
    constexpr T kHigh = static_cast<T>(std::numeric_limits<I>::max() / 2 + 1) * 2;
    if (!(value >= kLow))
      return value != value ? R(0) : static_cast<R>(std::numeric_limits<I>::min());
    return static_cast<R>(value >= kHigh ? std::numeric_limits<I>::max() : static_cast<I>(value));
  }
};
struct ToBool {
  template <typename T> static uint8_t apply(T value) { return value != 0; }
};

template <typename Type, bool TowardZero = false> struct ToFloat {
  using R = typename Type::Storage;
  template <typename T> static R apply(T value) {
    if constexpr (std::is_same_v<T, double> && !std::is_same_v<R, double>) {
      if constexpr (TowardZero && std::is_same_v<Type, TypeF32>) {
        float nearest = static_cast<float>(value);
        return std::fabs(double(nearest)) > std::fabs(value) ? std::nextafter(nearest, 0.0f)
                                                             : nearest;
      } else if constexpr (std::is_same_v<Type, TypeF32>) {
        return static_cast<float>(value);
      } else {
        return Type::round(roundToOdd(value));
      }
    } else {
      return Type::round(static_cast<R>(value));
    }
  }
};
template <Format F> struct Truncated {
  using Storage = float;
  static float round(float value) { return truncateTo<F>(value); }
};

struct CopyBits {
  template <typename T> static T apply(T value) { return value; }
};
template <typename R> struct Bits {
  template <typename A> static R apply(A a) { return std::bit_cast<R>(a); }
};
struct F16ToBits {
  static int16_t apply(float a) { return static_cast<int16_t>(encodeF16(a)); }
};
struct BitsToF16 {
  static float apply(int16_t a) { return decodeF16(static_cast<uint16_t>(a)); }
};
struct BF16ToBits {
  static int16_t apply(float a) { return static_cast<int16_t>(encodeBF16(a)); }
};
struct BitsToBF16 {
  static float apply(int16_t a) { return decodeBF16(static_cast<uint16_t>(a)); }
};
struct F16ToBF16Bits {
  static float apply(float a) { return decodeBF16(encodeF16(a)); }
};
struct BF16ToF16Bits {
  static float apply(float a) { return decodeF16(encodeBF16(a)); }
};
struct E5M2ToBits {
  static int8_t apply(float a) { return static_cast<int8_t>(encodeF8E5M2(a)); }
};
struct BitsToE5M2 {
  static float apply(int8_t a) { return decodeF8E5M2(static_cast<uint8_t>(a)); }
};
struct E4M3ToBits {
  static int8_t apply(float a) { return static_cast<int8_t>(encodeF8E4M3(a)); }
};
struct BitsToE4M3 {
  static float apply(int8_t a) { return decodeF8E4M3(static_cast<uint8_t>(a)); }
};

class Table {
public:
  Table() {
    addIntegers();
    addFloats();
    addBitcasts();
  }
  std::vector<ElementwiseEntry> entries;

private:
  void add(std::string_view op, Element from, Element to, ElementwiseFunction function) {
    m_names.push_back(std::string(op) + "." + std::string(elementName(to)));
    entries.push_back({m_names.back(), from, function});
  }

  template <typename A, typename R> void addIntegerPair(Element from, Element to) {
    if constexpr (sizeof(A) < sizeof(R)) {
      add("arith.extsi", from, to, unary<SignExtend<R>, R, A>);
      add("arith.extui", from, to, unary<ZeroExtend<R>, R, A>);
    } else if constexpr (sizeof(A) > sizeof(R)) {
      add("arith.trunci", from, to, unary<Truncate<R>, R, A>);
    }
  }
  template <typename A> void addIntegersFrom(Element from) {
    addIntegerPair<A, int8_t>(from, Element::I8);
    addIntegerPair<A, int16_t>(from, Element::I16);
    addIntegerPair<A, int32_t>(from, Element::I32);
    addIntegerPair<A, int64_t>(from, Element::I64);
    add("arith.trunci", from, Element::I1, unary<Truncate<uint8_t>, uint8_t, A>);
    addToFloat<A, TypeF16>(from, Element::F16);
    addToFloat<A, TypeBF16>(from, Element::BF16);
    addToFloat<A, TypeF32>(from, Element::F32);
    addToFloat<A, TypeF64>(from, Element::F64);
  }
  template <typename A, typename Type> void addToFloat(Element from, Element to) {
    using R = typename Type::Storage;
    add("arith.sitofp", from, to, unary<SignedToFloat<Type>, R, A>);
    add("arith.uitofp", from, to, unary<UnsignedToFloat<Type>, R, A>);
  }
  template <typename R> void addFromBool(Element to) {
    add("arith.extsi", Element::I1, to, unary<SignExtend1<R>, R, uint8_t>);
    add("arith.extui", Element::I1, to, unary<ZeroExtend<R>, R, uint8_t>);
  }
  template <typename Type> void addBoolToFloat(Element to) {
    using R = typename Type::Storage;
    add("arith.sitofp", Element::I1, to, unary<SignedBoolToFloat<Type>, R, uint8_t>);
    add("arith.uitofp", Element::I1, to, unary<BoolToFloat<Type>, R, uint8_t>);
  }
  void addIntegers() {
    addIntegersFrom<int8_t>(Element::I8);
    addIntegersFrom<int16_t>(Element::I16);
    addIntegersFrom<int32_t>(Element::I32);
    addIntegersFrom<int64_t>(Element::I64);
    addFromBool<int8_t>(Element::I8);
    addFromBool<int16_t>(Element::I16);
    addFromBool<int32_t>(Element::I32);
    addFromBool<int64_t>(Element::I64);
    addBoolToFloat<TypeF16>(Element::F16);
    addBoolToFloat<TypeBF16>(Element::BF16);
    addBoolToFloat<TypeF32>(Element::F32);
    addBoolToFloat<TypeF64>(Element::F64);
  }

  template <typename A> void addFloatsFrom(Element from) {
    for (std::string_view op : {"arith.truncf", "arith.extf", "tt.fp_to_fp"}) {
      add(op, from, Element::F8E5M2, unary<ToFloat<Rounded<kF8E5M2>>, float, A>);
      add(op, from, Element::F8E4M3, unary<ToFloat<Rounded<kF8E4M3>>, float, A>);
      add(op, from, Element::F16, unary<ToFloat<TypeF16>, float, A>);
      add(op, from, Element::BF16, unary<ToFloat<TypeBF16>, float, A>);
      add(op, from, Element::F32, unary<ToFloat<TypeF32>, float, A>);
      add(op, from, Element::F64, unary<ToFloat<TypeF64>, double, A>);
    }
    add("tt.fp_to_fp.rtz", from, Element::F8E5M2, unary<ToFloat<Truncated<kF8E5M2>>, float, A>);
    add("tt.fp_to_fp.rtz", from, Element::F8E4M3, unary<ToFloat<Truncated<kF8E4M3>>, float, A>);
    add("tt.fp_to_fp.rtz", from, Element::F16, unary<ToFloat<Truncated<kF16>>, float, A>);
    add("tt.fp_to_fp.rtz", from, Element::BF16, unary<ToFloat<Truncated<kBF16>>, float, A>);
    add("tt.fp_to_fp.rtz", from, Element::F32, unary<ToFloat<TypeF32, true>, float, A>);
    addToInteger<A, int8_t>(from, Element::I8);
    addToInteger<A, int16_t>(from, Element::I16);
    addToInteger<A, int32_t>(from, Element::I32);
    addToInteger<A, int64_t>(from, Element::I64);
    add("arith.fptosi", from, Element::I1, unary<ToBool, uint8_t, A>);
    add("arith.fptoui", from, Element::I1, unary<ToBool, uint8_t, A>);
  }
  template <typename A, typename R> void addToInteger(Element from, Element to) {
    add("arith.fptosi", from, to, unary<ToInteger<R, R>, R, A>);
    add("arith.fptoui", from, to, unary<ToInteger<R, std::make_unsigned_t<R>>, R, A>);
  }
  void addFloats() {
    for (Element from :
         {Element::F8E5M2, Element::F8E4M3, Element::F16, Element::BF16, Element::F32})
      addFloatsFrom<float>(from);
    addFloatsFrom<double>(Element::F64);
  }

  void addBitcasts() {
    constexpr std::string_view op = "bitcast";
    add(op, Element::I1, Element::I1, unary<CopyBits, uint8_t, uint8_t>);
    add(op, Element::I8, Element::I8, unary<CopyBits, int8_t, int8_t>);
    add(op, Element::I16, Element::I16, unary<CopyBits, int16_t, int16_t>);
    for (Element wide : {Element::I64, Element::Pointer, Element::F64})
      for (Element other : {Element::I64, Element::Pointer, Element::F64})
        add(op, wide, other, unary<CopyBits, int64_t, int64_t>);
    for (Element word : {Element::I32, Element::F32})
      for (Element other : {Element::I32, Element::F32})
        add(op, word, other, unary<CopyBits, int32_t, int32_t>);
    for (Element same : {Element::F16, Element::BF16, Element::F8E5M2, Element::F8E4M3})
      add(op, same, same, unary<CopyBits, float, float>);
    add(op, Element::F16, Element::I16, unary<F16ToBits, int16_t, float>);
    add(op, Element::I16, Element::F16, unary<BitsToF16, float, int16_t>);
    add(op, Element::BF16, Element::I16, unary<BF16ToBits, int16_t, float>);
    add(op, Element::I16, Element::BF16, unary<BitsToBF16, float, int16_t>);
    add(op, Element::F16, Element::BF16, unary<F16ToBF16Bits, float, float>);
    add(op, Element::BF16, Element::F16, unary<BF16ToF16Bits, float, float>);
    add(op, Element::F8E5M2, Element::I8, unary<E5M2ToBits, int8_t, float>);
    add(op, Element::I8, Element::F8E5M2, unary<BitsToE5M2, float, int8_t>);
    add(op, Element::F8E4M3, Element::I8, unary<E4M3ToBits, int8_t, float>);
    add(op, Element::I8, Element::F8E4M3, unary<BitsToE4M3, float, int8_t>);
  }

  // Names must stay where they are while the entries refer to them.
  std::deque<std::string> m_names;
};

} // namespace

std::span<const ElementwiseEntry> castFunctions() {
  static const Table table;
  return table.entries;
}

} // namespace tilescope::compiler::interpreter
