// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/Elementwise.h"

#include <array>
#include <limits>
#include <type_traits>

namespace tilescope::compiler::interpreter {
namespace {

// Integers are held signed; truth values as 0 and 1 in a byte. Arithmetic is done unsigned, which
// wraps.
template <typename T> using U = std::make_unsigned_t<T>;
// Wide enough that promotion does not turn small unsigned numbers into signed overflow.
template <typename T> using W = std::conditional_t<(sizeof(T) < 4), uint32_t, U<T>>;

struct Add {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(W<T>(a) + W<T>(b)); }
};
struct Sub {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(W<T>(a) - W<T>(b)); }
};
struct Mul {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(W<T>(a) * W<T>(b)); }
};
// Division by zero and overflow are undefined in the kernel; here they have a value instead of a
// trap.
struct DivS {
  template <typename T> static T apply(T a, T b) {
    if (b == 0)
      return -1;
    return b == -1 ? static_cast<T>(W<T>(0) - W<T>(a)) : static_cast<T>(a / b);
  }
};
struct DivU {
  template <typename T> static T apply(T a, T b) {
    return b == 0 ? T(-1) : static_cast<T>(U<T>(a) / U<T>(b));
  }
};
struct RemS {
  template <typename T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    return b == -1 ? T(0) : static_cast<T>(a % b);
  }
};
struct RemU {
  template <typename T> static T apply(T a, T b) {
    return b == 0 ? a : static_cast<T>(U<T>(a) % U<T>(b));
  }
};
struct CeilDivS {
  template <typename T> static T apply(T a, T b) {
    T q = DivS::apply(a, b);
    return b != 0 && b != -1 && a % b != 0 && ((a < 0) == (b < 0)) ? T(q + 1) : q;
  }
};
struct FloorDivS {
  template <typename T> static T apply(T a, T b) {
    T q = DivS::apply(a, b);
    return b != 0 && b != -1 && a % b != 0 && ((a < 0) != (b < 0)) ? T(q - 1) : q;
  }
};
struct CeilDivU {
  template <typename T> static T apply(T a, T b) {
    return b == 0 ? T(-1) : static_cast<T>(U<T>(a) / U<T>(b) + (U<T>(a) % U<T>(b) != 0));
  }
};
struct And {
  template <typename T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <typename T> static T apply(T a, T b) { return a ^ b; }
};
// A shift by the width or more returns what the device returns: all bits shifted out.
template <typename T> constexpr U<T> kWidth = sizeof(T) * 8;
struct Shl {
  template <typename T> static T apply(T a, T b) {
    return U<T>(b) >= kWidth<T> ? T(0) : static_cast<T>(W<T>(a) << (b & (kWidth<T> - 1)));
  }
};
struct ShrU {
  template <typename T> static T apply(T a, T b) {
    return U<T>(b) >= kWidth<T> ? T(0) : static_cast<T>(U<T>(a) >> (b & (kWidth<T> - 1)));
  }
};
struct ShrS {
  template <typename T> static T apply(T a, T b) {
    return static_cast<T>(a >> (U<T>(b) >= kWidth<T> ? T(kWidth<T> - 1) : b));
  }
};
struct MaxS {
  template <typename T> static T apply(T a, T b) { return a > b ? a : b; }
};
struct MinS {
  template <typename T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct MaxU {
  template <typename T> static T apply(T a, T b) { return U<T>(a) > U<T>(b) ? a : b; }
};
struct MinU {
  template <typename T> static T apply(T a, T b) { return U<T>(a) < U<T>(b) ? a : b; }
};
struct MulHiU {
  template <typename T> static T apply(T a, T b) {
    if constexpr (sizeof(T) == 8)
      return static_cast<T>((static_cast<unsigned __int128>(U<T>(a)) * U<T>(b)) >> 64);
    else
      return static_cast<T>((uint64_t(U<T>(a)) * uint64_t(U<T>(b))) >> kWidth<T>);
  }
};
struct AbsI {
  template <typename T> static T apply(T a) {
    return a < 0 ? static_cast<T>(W<T>(0) - W<T>(a)) : a;
  }
};
struct CountLeading {
  template <typename T> static T apply(T a) { return static_cast<T>(std::countl_zero(U<T>(a))); }
};
struct CountTrailing {
  template <typename T> static T apply(T a) { return static_cast<T>(std::countr_zero(U<T>(a))); }
};
struct PopCount {
  template <typename T> static T apply(T a) { return static_cast<T>(std::popcount(U<T>(a))); }
};
struct Eq {
  template <typename T> static uint8_t apply(T a, T b) { return a == b; }
};
struct Ne {
  template <typename T> static uint8_t apply(T a, T b) { return a != b; }
};
struct Slt {
  template <typename T> static uint8_t apply(T a, T b) { return a < b; }
};
struct Sle {
  template <typename T> static uint8_t apply(T a, T b) { return a <= b; }
};
struct Sgt {
  template <typename T> static uint8_t apply(T a, T b) { return a > b; }
};
struct Sge {
  template <typename T> static uint8_t apply(T a, T b) { return a >= b; }
};
struct Ult {
  template <typename T> static uint8_t apply(T a, T b) { return U<T>(a) < U<T>(b); }
};
struct Ule {
  template <typename T> static uint8_t apply(T a, T b) { return U<T>(a) <= U<T>(b); }
};
struct Ugt {
  template <typename T> static uint8_t apply(T a, T b) { return U<T>(a) > U<T>(b); }
};
struct Uge {
  template <typename T> static uint8_t apply(T a, T b) { return U<T>(a) >= U<T>(b); }
};
struct Select {
  template <typename T> static T apply(uint8_t c, T a, T b) { return c ? a : b; }
};

// Truth values: a one-bit integer whose signed value for true is -1.
struct Add1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a ^ b; }
};
struct And1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a & b; }
};
struct Or1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a | b; }
};
struct Less1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a < b; }
};
struct LessEqual1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a <= b; }
};
struct Greater1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a > b; }
};
struct GreaterEqual1 {
  static uint8_t apply(uint8_t a, uint8_t b) { return a >= b; }
};
struct First1 {
  static uint8_t apply(uint8_t a, uint8_t) { return a; }
};
struct Zero1 {
  static uint8_t apply(uint8_t, uint8_t) { return 0; }
};

template <typename Op, typename T> constexpr ElementwiseFunction two = binary<Op, T, T, T>;
template <typename Op, typename T>
constexpr ElementwiseFunction compare = binary<Op, uint8_t, T, T>;
template <typename Op, typename T> constexpr ElementwiseFunction one = unary<Op, T, T>;
template <typename Op> constexpr ElementwiseFunction bits = binary<Op, uint8_t, uint8_t, uint8_t>;

template <Element E, typename T> constexpr auto tableFor() {
  return std::array{
      ElementwiseEntry{"arith.addi", E, two<Add, T>},
      ElementwiseEntry{"arith.subi", E, two<Sub, T>},
      ElementwiseEntry{"arith.muli", E, two<Mul, T>},
      ElementwiseEntry{"arith.divsi", E, two<DivS, T>},
      ElementwiseEntry{"arith.divui", E, two<DivU, T>},
      ElementwiseEntry{"arith.remsi", E, two<RemS, T>},
      ElementwiseEntry{"arith.remui", E, two<RemU, T>},
      ElementwiseEntry{"arith.ceildivsi", E, two<CeilDivS, T>},
      ElementwiseEntry{"arith.floordivsi", E, two<FloorDivS, T>},
      ElementwiseEntry{"arith.ceildivui", E, two<CeilDivU, T>},
      ElementwiseEntry{"arith.andi", E, two<And, T>},
      ElementwiseEntry{"arith.ori", E, two<Or, T>},
      ElementwiseEntry{"arith.xori", E, two<Xor, T>},
      ElementwiseEntry{"arith.shli", E, two<Shl, T>},
      ElementwiseEntry{"arith.shrui", E, two<ShrU, T>},
      ElementwiseEntry{"arith.shrsi", E, two<ShrS, T>},
      ElementwiseEntry{"arith.maxsi", E, two<MaxS, T>},
      ElementwiseEntry{"arith.minsi", E, two<MinS, T>},
      ElementwiseEntry{"arith.maxui", E, two<MaxU, T>},
      ElementwiseEntry{"arith.minui", E, two<MinU, T>},
      ElementwiseEntry{"tt.mulhiui", E, two<MulHiU, T>},
      ElementwiseEntry{"math.absi", E, one<AbsI, T>},
      ElementwiseEntry{"math.ctlz", E, one<CountLeading, T>},
      ElementwiseEntry{"math.cttz", E, one<CountTrailing, T>},
      ElementwiseEntry{"math.ctpop", E, one<PopCount, T>},
      ElementwiseEntry{"arith.cmpi.eq", E, compare<Eq, T>},
      ElementwiseEntry{"arith.cmpi.ne", E, compare<Ne, T>},
      ElementwiseEntry{"arith.cmpi.slt", E, compare<Slt, T>},
      ElementwiseEntry{"arith.cmpi.sle", E, compare<Sle, T>},
      ElementwiseEntry{"arith.cmpi.sgt", E, compare<Sgt, T>},
      ElementwiseEntry{"arith.cmpi.sge", E, compare<Sge, T>},
      ElementwiseEntry{"arith.cmpi.ult", E, compare<Ult, T>},
      ElementwiseEntry{"arith.cmpi.ule", E, compare<Ule, T>},
      ElementwiseEntry{"arith.cmpi.ugt", E, compare<Ugt, T>},
      ElementwiseEntry{"arith.cmpi.uge", E, compare<Uge, T>},
  };
}

// Selects go by the type that they choose from.
constexpr std::array kOther{
    ElementwiseEntry{"arith.select", Element::I1,
                     ternary<Select, uint8_t, uint8_t, uint8_t, uint8_t>},
    ElementwiseEntry{"arith.select", Element::I8, ternary<Select, int8_t, uint8_t, int8_t, int8_t>},
    ElementwiseEntry{"arith.select", Element::I16,
                     ternary<Select, int16_t, uint8_t, int16_t, int16_t>},
    ElementwiseEntry{"arith.select", Element::I32,
                     ternary<Select, int32_t, uint8_t, int32_t, int32_t>},
    ElementwiseEntry{"arith.select", Element::I64,
                     ternary<Select, int64_t, uint8_t, int64_t, int64_t>},
    ElementwiseEntry{"arith.select", Element::Pointer,
                     ternary<Select, int64_t, uint8_t, int64_t, int64_t>},
    ElementwiseEntry{"arith.select", Element::F8E5M2,
                     ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::F8E4M3,
                     ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::F8E5M2FNUZ,
                     ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::F8E4M3FNUZ,
                     ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::F16, ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::BF16, ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::F32, ternary<Select, float, uint8_t, float, float>},
    ElementwiseEntry{"arith.select", Element::F64,
                     ternary<Select, double, uint8_t, double, double>},
    ElementwiseEntry{"arith.cmpi.eq", Element::Pointer, compare<Eq, int64_t>},
    ElementwiseEntry{"arith.cmpi.ne", Element::Pointer, compare<Ne, int64_t>},
    ElementwiseEntry{"arith.addi", Element::I1, bits<Add1>},
    ElementwiseEntry{"arith.subi", Element::I1, bits<Add1>},
    ElementwiseEntry{"arith.muli", Element::I1, bits<And1>},
    ElementwiseEntry{"arith.andi", Element::I1, bits<And1>},
    ElementwiseEntry{"arith.ori", Element::I1, bits<Or1>},
    ElementwiseEntry{"arith.xori", Element::I1, bits<Add1>},
    ElementwiseEntry{"arith.divsi", Element::I1, bits<First1>},
    ElementwiseEntry{"arith.divui", Element::I1, bits<First1>},
    ElementwiseEntry{"arith.remsi", Element::I1, bits<Zero1>},
    ElementwiseEntry{"arith.remui", Element::I1, bits<Zero1>},
    ElementwiseEntry{"arith.shli", Element::I1, bits<Greater1>},
    ElementwiseEntry{"arith.shrui", Element::I1, bits<Greater1>},
    ElementwiseEntry{"arith.shrsi", Element::I1, bits<First1>},
    ElementwiseEntry{"arith.maxui", Element::I1, bits<Or1>},
    ElementwiseEntry{"arith.minui", Element::I1, bits<And1>},
    ElementwiseEntry{"arith.maxsi", Element::I1, bits<And1>},
    ElementwiseEntry{"arith.minsi", Element::I1, bits<Or1>},
    ElementwiseEntry{"arith.cmpi.eq", Element::I1, bits<Eq>},
    ElementwiseEntry{"arith.cmpi.ne", Element::I1, bits<Add1>},
    ElementwiseEntry{"arith.cmpi.ult", Element::I1, bits<Less1>},
    ElementwiseEntry{"arith.cmpi.ule", Element::I1, bits<LessEqual1>},
    ElementwiseEntry{"arith.cmpi.ugt", Element::I1, bits<Greater1>},
    ElementwiseEntry{"arith.cmpi.uge", Element::I1, bits<GreaterEqual1>},
    ElementwiseEntry{"arith.cmpi.slt", Element::I1, bits<Greater1>},
    ElementwiseEntry{"arith.cmpi.sle", Element::I1, bits<GreaterEqual1>},
    ElementwiseEntry{"arith.cmpi.sgt", Element::I1, bits<Less1>},
    ElementwiseEntry{"arith.cmpi.sge", Element::I1, bits<LessEqual1>},
};

template <size_t... Ns>
constexpr auto concatenate(const std::array<ElementwiseEntry, Ns> &...tables) {
  std::array<ElementwiseEntry, (Ns + ...)> all{};
  size_t next = 0;
  auto append = [&](const auto &table) {
    for (const ElementwiseEntry &entry : table)
      all[next++] = entry;
  };
  (append(tables), ...);
  return all;
}

constexpr auto kAll =
    concatenate(tableFor<Element::I8, int8_t>(), tableFor<Element::I16, int16_t>(),
                tableFor<Element::I32, int32_t>(), tableFor<Element::I64, int64_t>(), kOther);

} // namespace

std::span<const ElementwiseEntry> integerFunctions() { return kAll; }

} // namespace tilescope::compiler::interpreter
