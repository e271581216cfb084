// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/Elementwise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::compiler::interpreter {
namespace {

template <typename T> inline bool isNan(T value) { return value != value; }

// A result of f16 or bf16 arithmetic computed in `float` and rounded once more is the correctly
// rounded result: `float` has more than twice as many bits of mantissa, and two more.
template <typename Type> struct Ops {
  using T = typename Type::Storage;
  struct Add {
    static T apply(T a, T b) { return Type::round(a + b); }
  };
  struct Sub {
    static T apply(T a, T b) { return Type::round(a - b); }
  };
  struct Mul {
    static T apply(T a, T b) { return Type::round(a * b); }
  };
  struct Div {
    static T apply(T a, T b) { return Type::round(a / b); }
  };
  struct Rem {
    static T apply(T a, T b) { return std::fmod(a, b); }
  };
  struct Neg {
    static T apply(T a) { return -a; }
  };
  struct Abs {
    static T apply(T a) { return std::fabs(a); }
  };
  // Of two numbers; -0 is below +0.
  static T greater(T a, T b) { return a > b || (a == b && !std::signbit(a)) ? a : b; }
  static T less(T a, T b) { return a < b || (a == b && std::signbit(a)) ? a : b; }
  // NaN if an operand is.
  struct Maximum {
    static T apply(T a, T b) { return isNan(a) ? a : isNan(b) ? b : greater(a, b); }
  };
  struct Minimum {
    static T apply(T a, T b) { return isNan(a) ? a : isNan(b) ? b : less(a, b); }
  };
  // The other operand if one is NaN.
  struct MaxNum {
    static T apply(T a, T b) { return isNan(a) ? b : isNan(b) ? a : greater(a, b); }
  };
  struct MinNum {
    static T apply(T a, T b) { return isNan(a) ? b : isNan(b) ? a : less(a, b); }
  };
  struct Clamp {
    static T apply(T x, T lo, T hi) { return MinNum::apply(MaxNum::apply(x, lo), hi); }
  };
  struct ClampNan {
    static T apply(T x, T lo, T hi) { return isNan(x) ? x : Clamp::apply(x, lo, hi); }
  };
  struct Fma {
    static T apply(T a, T b, T c) {
      if constexpr (sizeof(T) == 4 && !std::is_same_v<Type, TypeF32>)
        // The product is exact in `double`; rounding its sum to odd keeps the last rounding right.
        return Type::round(roundToOdd(sumToOdd(double(a) * double(b), double(c))));
      else
        return std::fma(a, b, c);
    }
    static double sumToOdd(double a, double b) {
      double sum = a + b;
      double bFound = sum - a;
      double error = (a - (sum - bFound)) + (b - bFound);
      if (error == 0 || !std::isfinite(sum) || (std::bit_cast<uint64_t>(sum) & 1))
        return sum;
      return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
    }
  };
};

template <typename T> struct Compare {
  struct False {
    static uint8_t apply(T, T) { return 0; }
  };
  struct Oeq {
    static uint8_t apply(T a, T b) { return a == b; }
  };
  struct Ogt {
    static uint8_t apply(T a, T b) { return a > b; }
  };
  struct Oge {
    static uint8_t apply(T a, T b) { return a >= b; }
  };
  struct Olt {
    static uint8_t apply(T a, T b) { return a < b; }
  };
  struct Ole {
    static uint8_t apply(T a, T b) { return a <= b; }
  };
  struct One {
    static uint8_t apply(T a, T b) { return (a < b) | (a > b); }
  };
  struct Ord {
    static uint8_t apply(T a, T b) { return (a == a) & (b == b); }
  };
  struct Ueq {
    static uint8_t apply(T a, T b) { return !((a < b) | (a > b)); }
  };
  struct Ugt {
    static uint8_t apply(T a, T b) { return !(a <= b); }
  };
  struct Uge {
    static uint8_t apply(T a, T b) { return !(a < b); }
  };
  struct Ult {
    static uint8_t apply(T a, T b) { return !(a >= b); }
  };
  struct Ule {
    static uint8_t apply(T a, T b) { return !(a > b); }
  };
  struct Une {
    static uint8_t apply(T a, T b) { return a != b; }
  };
  struct Uno {
    static uint8_t apply(T a, T b) { return (a != a) | (b != b); }
  };
  struct True {
    static uint8_t apply(T, T) { return 1; }
  };
};

template <Element E, typename Type> constexpr auto tableFor() {
  using T = typename Type::Storage;
  using O = Ops<Type>;
  using C = Compare<T>;
  return std::array{
      ElementwiseEntry{"arith.addf", E, binary<typename O::Add, T, T, T>},
      ElementwiseEntry{"arith.subf", E, binary<typename O::Sub, T, T, T>},
      ElementwiseEntry{"arith.mulf", E, binary<typename O::Mul, T, T, T>},
      ElementwiseEntry{"arith.divf", E, binary<typename O::Div, T, T, T>},
      ElementwiseEntry{"tt.precise_divf", E, binary<typename O::Div, T, T, T>},
      ElementwiseEntry{"arith.remf", E, binary<typename O::Rem, T, T, T>},
      ElementwiseEntry{"arith.negf", E, unary<typename O::Neg, T, T>},
      ElementwiseEntry{"math.absf", E, unary<typename O::Abs, T, T>},
      ElementwiseEntry{"arith.maximumf", E, binary<typename O::Maximum, T, T, T>},
      ElementwiseEntry{"arith.minimumf", E, binary<typename O::Minimum, T, T, T>},
      ElementwiseEntry{"arith.maxnumf", E, binary<typename O::MaxNum, T, T, T>},
      ElementwiseEntry{"arith.minnumf", E, binary<typename O::MinNum, T, T, T>},
      ElementwiseEntry{"tt.clampf.none", E, ternary<typename O::Clamp, T, T, T, T>},
      ElementwiseEntry{"tt.clampf.all", E, ternary<typename O::ClampNan, T, T, T, T>},
      ElementwiseEntry{"math.fma", E, ternary<typename O::Fma, T, T, T, T>},
      ElementwiseEntry{"arith.cmpf.false", E, binary<typename C::False, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.oeq", E, binary<typename C::Oeq, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ogt", E, binary<typename C::Ogt, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.oge", E, binary<typename C::Oge, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.olt", E, binary<typename C::Olt, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ole", E, binary<typename C::Ole, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.one", E, binary<typename C::One, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ord", E, binary<typename C::Ord, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ueq", E, binary<typename C::Ueq, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ugt", E, binary<typename C::Ugt, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.uge", E, binary<typename C::Uge, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ult", E, binary<typename C::Ult, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.ule", E, binary<typename C::Ule, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.une", E, binary<typename C::Une, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.uno", E, binary<typename C::Uno, uint8_t, T, T>},
      ElementwiseEntry{"arith.cmpf.true", E, binary<typename C::True, uint8_t, T, T>},
  };
}

constexpr auto kF16Table = tableFor<Element::F16, TypeF16>();
constexpr size_t kRows = kF16Table.size();

constexpr auto join() {
  std::array<ElementwiseEntry, 8 * kRows> all{};
  size_t next = 0;
  for (const auto &table :
       {kF16Table, tableFor<Element::BF16, TypeBF16>(), tableFor<Element::F32, TypeF32>(),
        tableFor<Element::F64, TypeF64>(), tableFor<Element::F8E5M2, Rounded<kF8E5M2>>(),
        tableFor<Element::F8E4M3, Rounded<kF8E4M3>>(),
        tableFor<Element::F8E5M2FNUZ, Rounded<kF8E5M2FNUZ>>(),
        tableFor<Element::F8E4M3FNUZ, Rounded<kF8E4M3FNUZ>>()})
    for (const ElementwiseEntry &entry : table)
      all[next++] = entry;
  return all;
}
constexpr auto kAll = join();

} // namespace

std::span<const ElementwiseEntry> floatFunctions() { return kAll; }

} // namespace tilescope::compiler::interpreter
