// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/Elementwise.h"

#include <array>
#include <cmath>
#include <vector>

namespace tilescope::compiler::interpreter {
namespace {

#define TILESCOPE_UNARY(NAME, EXPRESSION)                                                          \
  template <typename Type> struct NAME {                                                           \
    using T = typename Type::Storage;                                                              \
    static T apply(T x) { return Type::round(EXPRESSION); }                                        \
  };

TILESCOPE_UNARY(Exp, std::exp(x))
TILESCOPE_UNARY(Exp2, std::exp2(x))
TILESCOPE_UNARY(ExpM1, std::expm1(x))
TILESCOPE_UNARY(Log, std::log(x))
TILESCOPE_UNARY(Log2, std::log2(x))
TILESCOPE_UNARY(Log10, std::log10(x))
TILESCOPE_UNARY(Log1P, std::log1p(x))
TILESCOPE_UNARY(Sin, std::sin(x))
TILESCOPE_UNARY(Cos, std::cos(x))
TILESCOPE_UNARY(Tan, std::tan(x))
TILESCOPE_UNARY(Asin, std::asin(x))
TILESCOPE_UNARY(Acos, std::acos(x))
TILESCOPE_UNARY(Atan, std::atan(x))
TILESCOPE_UNARY(Sinh, std::sinh(x))
TILESCOPE_UNARY(Cosh, std::cosh(x))
TILESCOPE_UNARY(Tanh, std::tanh(x))
TILESCOPE_UNARY(Asinh, std::asinh(x))
TILESCOPE_UNARY(Acosh, std::acosh(x))
TILESCOPE_UNARY(Atanh, std::atanh(x))
TILESCOPE_UNARY(Erf, std::erf(x))
TILESCOPE_UNARY(Erfc, std::erfc(x))
TILESCOPE_UNARY(Sqrt, std::sqrt(x))
TILESCOPE_UNARY(Cbrt, std::cbrt(x))
TILESCOPE_UNARY(Floor, std::floor(x))
TILESCOPE_UNARY(Ceil, std::ceil(x))
TILESCOPE_UNARY(Trunc, std::trunc(x))
TILESCOPE_UNARY(Round, std::round(x))
TILESCOPE_UNARY(RoundEven, std::nearbyint(x))
#undef TILESCOPE_UNARY

template <typename Type> struct Rsqrt {
  using T = typename Type::Storage;
  static T apply(T x) {
    return Type::round(static_cast<T>(1.0 / std::sqrt(static_cast<double>(x))));
  }
};

#define TILESCOPE_BINARY(NAME, EXPRESSION)                                                         \
  template <typename Type> struct NAME {                                                           \
    using T = typename Type::Storage;                                                              \
    static T apply(T x, T y) { return Type::round(EXPRESSION); }                                   \
  };

TILESCOPE_BINARY(Pow, std::pow(x, y))
TILESCOPE_BINARY(Atan2, std::atan2(x, y))
TILESCOPE_BINARY(CopySign, std::copysign(x, y))
#undef TILESCOPE_BINARY

template <template <typename> typename Op, typename Type>
constexpr ElementwiseFunction one = unary<Op<Type>, typename Type::Storage, typename Type::Storage>;
template <template <typename> typename Op, typename Type>
constexpr ElementwiseFunction two =
    binary<Op<Type>, typename Type::Storage, typename Type::Storage, typename Type::Storage>;

template <Element E, typename Type> void addMath(std::vector<ElementwiseEntry> &table) {
  auto add = [&](std::initializer_list<std::pair<std::string_view, ElementwiseFunction>> rows) {
    for (auto [name, function] : rows)
      table.push_back({name, E, function});
  };
  add({{"math.exp", one<Exp, Type>},          {"math.exp2", one<Exp2, Type>},
       {"math.expm1", one<ExpM1, Type>},      {"math.log", one<Log, Type>},
       {"math.log2", one<Log2, Type>},        {"math.log10", one<Log10, Type>},
       {"math.log1p", one<Log1P, Type>},      {"math.sin", one<Sin, Type>},
       {"math.cos", one<Cos, Type>},          {"math.tan", one<Tan, Type>},
       {"math.asin", one<Asin, Type>},        {"math.acos", one<Acos, Type>},
       {"math.atan", one<Atan, Type>},        {"math.sinh", one<Sinh, Type>},
       {"math.cosh", one<Cosh, Type>},        {"math.tanh", one<Tanh, Type>},
       {"math.asinh", one<Asinh, Type>},      {"math.acosh", one<Acosh, Type>},
       {"math.atanh", one<Atanh, Type>},      {"math.erf", one<Erf, Type>},
       {"math.erfc", one<Erfc, Type>},        {"math.sqrt", one<Sqrt, Type>},
       {"tt.precise_sqrt", one<Sqrt, Type>},  {"math.rsqrt", one<Rsqrt, Type>},
       {"math.cbrt", one<Cbrt, Type>},        {"math.floor", one<Floor, Type>},
       {"math.ceil", one<Ceil, Type>},        {"math.trunc", one<Trunc, Type>},
       {"math.round", one<Round, Type>},      {"math.roundeven", one<RoundEven, Type>},
       {"math.powf", two<Pow, Type>},         {"math.atan2", two<Atan2, Type>},
       {"math.copysign", two<CopySign, Type>}});
}

} // namespace

std::span<const ElementwiseEntry> mathFunctions() {
  static const std::vector<ElementwiseEntry> table = [] {
    std::vector<ElementwiseEntry> all;
    addMath<Element::F16, TypeF16>(all);
    addMath<Element::BF16, TypeBF16>(all);
    addMath<Element::F32, TypeF32>(all);
    addMath<Element::F64, TypeF64>(all);
    return all;
  }();
  return table;
}

} // namespace tilescope::compiler::interpreter
