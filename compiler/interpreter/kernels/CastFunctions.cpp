// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/Elementwise.h"
#include "compiler/interpreter/kernels/ToInteger.h"

#include <array>
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
    // Beyond 2^53 all small floats have the same neighbors with the low bits merged into one
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
  static typename Type::Storage apply(uint8_t a) { return a ? -1 : 0; }
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
/// How the types of one width are held, and their bits.
template <typename B> struct IntegerBits {
  using Code = B;
  using Storage = std::make_signed_t<B>;
  static B encode(Storage value) { return static_cast<B>(value); }
  static Storage decode(B bits) { return static_cast<Storage>(bits); }
};
template <typename B, float (*Decode)(B), B (*Encode)(float)> struct FloatBits {
  using Code = B;
  using Storage = float;
  static B encode(float value) { return Encode(value); }
  static float decode(B bits) { return Decode(bits); }
};
using BitsI8 = IntegerBits<uint8_t>;
using BitsE5M2 = FloatBits<uint8_t, decodeF8E5M2, encodeF8E5M2>;
using BitsE4M3 = FloatBits<uint8_t, decodeF8E4M3, encodeF8E4M3>;
using BitsE5M2Fnuz = FloatBits<uint8_t, decodeFnuz<kF8E5M2FNUZ>, encodeFnuz<kF8E5M2FNUZ>>;
using BitsE4M3Fnuz = FloatBits<uint8_t, decodeFnuz<kF8E4M3FNUZ>, encodeFnuz<kF8E4M3FNUZ>>;
using BitsI16 = IntegerBits<uint16_t>;
using BitsF16 = FloatBits<uint16_t, decodeF16, encodeF16>;
using BitsBF16 = FloatBits<uint16_t, decodeBF16, encodeBF16>;
template <typename From, typename To> struct Recode {
  static typename To::Storage apply(typename From::Storage value) {
    return To::decode(From::encode(value));
  }
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
      add(op, from, Element::F8E5M2FNUZ, unary<ToFloat<Rounded<kF8E5M2FNUZ>>, float, A>);
      add(op, from, Element::F8E4M3FNUZ, unary<ToFloat<Rounded<kF8E4M3FNUZ>>, float, A>);
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
    for (Element from : {Element::F8E5M2, Element::F8E4M3, Element::F8E5M2FNUZ, Element::F8E4M3FNUZ,
                         Element::F16, Element::BF16, Element::F32})
      addFloatsFrom<float>(from);
    addFloatsFrom<double>(Element::F64);
  }

  void addBitcasts() {
    constexpr std::string_view op = "bitcast";
    add(op, Element::I1, Element::I1, unary<CopyBits, uint8_t, uint8_t>);
    for (Element wide : {Element::I64, Element::Pointer, Element::F64})
      for (Element other : {Element::I64, Element::Pointer, Element::F64})
        add(op, wide, other, unary<CopyBits, int64_t, int64_t>);
    for (Element word : {Element::I32, Element::F32})
      for (Element other : {Element::I32, Element::F32})
        add(op, word, other, unary<CopyBits, int32_t, int32_t>);
    addRecodings<BitsI8, BitsE5M2, BitsE4M3, BitsE5M2Fnuz, BitsE4M3Fnuz>(
        {Element::I8, Element::F8E5M2, Element::F8E4M3, Element::F8E5M2FNUZ, Element::F8E4M3FNUZ});
    addRecodings<BitsI16, BitsF16, BitsBF16>({Element::I16, Element::F16, Element::BF16});
  }

  /// Bitcasts between all types of one width.
  template <typename... Types>
  void addRecodings(const std::array<Element, sizeof...(Types)> &elements) {
    size_t from = 0;
    (addRecodingsFrom<Types, Types...>(elements[from++], elements), ...);
  }
  template <typename From, typename... Types>
  void addRecodingsFrom(Element from, const std::array<Element, sizeof...(Types)> &elements) {
    size_t to = 0;
    (add("bitcast", from, elements[to++],
         unary<Recode<From, Types>, typename Types::Storage, typename From::Storage>),
     ...);
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
