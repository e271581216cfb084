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
TILESCOPE_UNARY(Lgamma, std::lgamma(x))
TILESCOPE_UNARY(Sqrt, std::sqrt(x))
TILESCOPE_UNARY(Cbrt, std::cbrt(x))
TILESCOPE_UNARY(Floor, std::floor(x))
TILESCOPE_UNARY(Ceil, std::ceil(x))
TILESCOPE_UNARY(Trunc, std::trunc(x))
TILESCOPE_UNARY(Round, std::round(x))
TILESCOPE_UNARY(RoundEven, std::nearbyint(x))
TILESCOPE_UNARY(Reciprocal, T(1) / x)
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
TILESCOPE_BINARY(Hypot, std::hypot(x, y))
TILESCOPE_BINARY(Fmod, std::fmod(x, y))
TILESCOPE_BINARY(Remainder, std::remainder(x, y))
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

// What kernels call by the names of the device's library.
template <Element E, typename Type> void addLibrary(std::vector<ElementwiseEntry> &table) {
  constexpr bool kIsFloat = E == Element::F32;
  auto add = [&](std::string_view forFloat, std::string_view forDouble,
                 ElementwiseFunction function) {
    table.push_back({kIsFloat ? forFloat : forDouble, E, function});
  };
  add("__nv_expf", "__nv_exp", one<Exp, Type>);
  add("__nv_fast_expf", "__nv_exp", one<Exp, Type>);
  add("__nv_exp2f", "__nv_exp2", one<Exp2, Type>);
  add("__nv_expm1f", "__nv_expm1", one<ExpM1, Type>);
  add("__nv_logf", "__nv_log", one<Log, Type>);
  add("__nv_fast_logf", "__nv_log", one<Log, Type>);
  add("__nv_log2f", "__nv_log2", one<Log2, Type>);
  add("__nv_log10f", "__nv_log10", one<Log10, Type>);
  add("__nv_log1pf", "__nv_log1p", one<Log1P, Type>);
  add("__nv_sinf", "__nv_sin", one<Sin, Type>);
  add("__nv_cosf", "__nv_cos", one<Cos, Type>);
  add("__nv_tanf", "__nv_tan", one<Tan, Type>);
  add("__nv_asinf", "__nv_asin", one<Asin, Type>);
  add("__nv_acosf", "__nv_acos", one<Acos, Type>);
  add("__nv_atanf", "__nv_atan", one<Atan, Type>);
  add("__nv_sinhf", "__nv_sinh", one<Sinh, Type>);
  add("__nv_coshf", "__nv_cosh", one<Cosh, Type>);
  add("__nv_tanhf", "__nv_tanh", one<Tanh, Type>);
  add("__nv_asinhf", "__nv_asinh", one<Asinh, Type>);
  add("__nv_acoshf", "__nv_acosh", one<Acosh, Type>);
  add("__nv_atanhf", "__nv_atanh", one<Atanh, Type>);
  add("__nv_erff", "__nv_erf", one<Erf, Type>);
  add("__nv_erfcf", "__nv_erfc", one<Erfc, Type>);
  add("__nv_lgammaf", "__nv_lgamma", one<Lgamma, Type>);
  add("__nv_sqrtf", "__nv_sqrt", one<Sqrt, Type>);
  add("__nv_fsqrt_rn", "__nv_dsqrt_rn", one<Sqrt, Type>);
  add("__nv_rsqrtf", "__nv_rsqrt", one<Rsqrt, Type>);
  add("__nv_cbrtf", "__nv_cbrt", one<Cbrt, Type>);
  add("__nv_floorf", "__nv_floor", one<Floor, Type>);
  add("__nv_ceilf", "__nv_ceil", one<Ceil, Type>);
  add("__nv_truncf", "__nv_trunc", one<Trunc, Type>);
  add("__nv_roundf", "__nv_round", one<Round, Type>);
  add("__nv_rintf", "__nv_rint", one<RoundEven, Type>);
  add("__nv_nearbyintf", "__nv_nearbyint", one<RoundEven, Type>);
  add("__nv_frcp_rn", "__nv_drcp_rn", one<Reciprocal, Type>);
  add("__nv_powf", "__nv_pow", two<Pow, Type>);
  add("__nv_fast_powf", "__nv_pow", two<Pow, Type>);
  add("__nv_atan2f", "__nv_atan2", two<Atan2, Type>);
  add("__nv_copysignf", "__nv_copysign", two<CopySign, Type>);
  add("__nv_hypotf", "__nv_hypot", two<Hypot, Type>);
  add("__nv_fmodf", "__nv_fmod", two<Fmod, Type>);
  add("__nv_remainderf", "__nv_remainder", two<Remainder, Type>);
}

} // namespace

std::span<const ElementwiseEntry> mathFunctions() {
  static const std::vector<ElementwiseEntry> table = [] {
    std::vector<ElementwiseEntry> all;
    addMath<Element::F16, TypeF16>(all);
    addMath<Element::BF16, TypeBF16>(all);
    addMath<Element::F32, TypeF32>(all);
    addMath<Element::F64, TypeF64>(all);
    addLibrary<Element::F32, TypeF32>(all);
    addLibrary<Element::F64, TypeF64>(all);
    return all;
  }();
  return table;
}

} // namespace tilescope::compiler::interpreter
