// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The device library's functions by name, against definitions and against the C library in double.
#include "compiler/interpreter/kernels/Elementwise.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

using namespace tilescope::compiler::interpreter;

template <typename T> constexpr Element kElement = Element::I32;
template <> constexpr Element kElement<int64_t> = Element::I64;
template <> constexpr Element kElement<float> = Element::F32;
template <> constexpr Element kElement<double> = Element::F64;

/// The function `__nv_` + name on single elements.
template <typename R, typename First, typename... Rest>
static R call(const std::string &name, First first, Rest... rest) {
  ElementwiseFunction function = findElementwise("__nv_" + name, kElement<First>);
  INFO(name);
  REQUIRE(function);
  R result{};
  const std::byte *in[] = {reinterpret_cast<const std::byte *>(&first),
                           reinterpret_cast<const std::byte *>(&rest)...};
  function(reinterpret_cast<std::byte *>(&result), in, 0, 1);
  return result;
}

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("Every function of the frontend's table exists", "[compiler][interpreter][library]") {
  for (const char *name : {"floor",
                           "rsqrt",
                           "ceil",
                           "trunc",
                           "exp2",
                           "sqrt",
                           "rint",
                           "nearbyint",
                           "sin",
                           "cos",
                           "sinpi",
                           "cospi",
                           "tan",
                           "log2",
                           "exp",
                           "exp10",
                           "cosh",
                           "sinh",
                           "tanh",
                           "atan",
                           "asin",
                           "acos",
                           "log",
                           "log10",
                           "log1p",
                           "acosh",
                           "asinh",
                           "atanh",
                           "expm1",
                           "cbrt",
                           "rcbrt",
                           "j0",
                           "j1",
                           "y0",
                           "y1",
                           "erf",
                           "erfinv",
                           "erfc",
                           "cyl_bessel_i0",
                           "cyl_bessel_i1",
                           "erfcx",
                           "erfcinv",
                           "normcdfinv",
                           "normcdf",
                           "lgamma",
                           "tgamma",
                           "round",
                           "logb",
                           "copysign",
                           "nextafter",
                           "atan2",
                           "hypot",
                           "rhypot",
                           "fmod",
                           "remainder",
                           "fdim",
                           "norm3d",
                           "rnorm3d",
                           "norm4d",
                           "rnorm4d",
                           "fma",
                           "pow",
                           "powi",
                           "ldexp",
                           "scalbn",
                           "fabs",
                           "llrint",
                           "llround",
                           "ilogb"}) {
    INFO(name);
    CHECK(findElementwise(std::string("__nv_") + name + "f", Element::F32));
    CHECK(findElementwise(std::string("__nv_") + name, Element::F64));
  }
  for (std::string mode : {"_rn", "_rz", "_rd", "_ru"})
    for (std::string op : {"add", "sub", "mul", "div", "rcp", "sqrt"}) {
      CHECK(findElementwise("__nv_f" + op + mode, Element::F32));
      CHECK(findElementwise("__nv_d" + op + mode, Element::F64));
    }
}

TEST_CASE("Directed rounding goes to the neighbour on the right side",
          "[compiler][interpreter][library]") {
  const float above = std::nextafter(1.0f, 2.0f), tiny = 0x1p-30f;
  CHECK(call<float>("fadd_rn", 1.0f, tiny) == 1.0f);
  CHECK(call<float>("fadd_ru", 1.0f, tiny) == above);
  CHECK(call<float>("fadd_rd", 1.0f, -tiny) == std::nextafter(1.0f, 0.0f));
  CHECK(call<float>("fadd_rz", -1.0f, -tiny) == -1.0f);
  CHECK(call<float>("fsub_rz", -1.0f, -tiny) == -std::nextafter(1.0f, 0.0f));
  CHECK(std::signbit(call<float>("fadd_rd", 1.0f, -1.0f)));
  CHECK_FALSE(std::signbit(call<float>("fadd_rn", 1.0f, -1.0f)));
  const float largest = std::numeric_limits<float>::max();
  CHECK(call<float>("fmul_rz", largest, 2.0f) == largest);
  CHECK(call<float>("fmul_rn", largest, 2.0f) == std::numeric_limits<float>::infinity());
  CHECK(call<float>("fdiv_rd", 1.0f, 3.0f) < call<float>("fdiv_ru", 1.0f, 3.0f));
  CHECK(call<double>("drcp_rd", 3.0) == std::nextafter(call<double>("drcp_ru", 3.0), 0.0));
  CHECK(call<double>("dsqrt_rd", 4.0) == 2.0);
  CHECK(call<double>("dsqrt_ru", 2.0) == std::nextafter(call<double>("dsqrt_rd", 2.0), 2.0));
  // (1 + e)^2 - 1 is 2 e + e^2.
  const double e = 0x1p-52;
  CHECK(call<double>("fma_rz", 1 + e, 1 + e, -1.0) == 2 * e);
  CHECK(call<double>("fma_ru", 1 + e, 1 + e, -1.0) == std::nextafter(2 * e, 1.0));
  CHECK(call<float>("double2float_rz", 1e300) == largest);
  CHECK(call<float>("double2float_ru", 1 + e) == above);
  CHECK(call<float>("ll2float_rz", int64_t(16777219)) == 16777218.0f);
  CHECK(call<float>("ll2float_ru", int64_t(16777217)) == 16777218.0f);
}

TEST_CASE("Floats become integers as on the device", "[compiler][interpreter][library]") {
  CHECK(call<int32_t>("float2int_rn", 2.5f) == 2);
  CHECK(call<int32_t>("float2int_rd", -2.5f) == -3);
  CHECK(call<int32_t>("float2int_ru", -2.5f) == -2);
  CHECK(call<int32_t>("float2int_rz", 3e9f) == INT32_MAX);
  CHECK(call<uint32_t>("float2uint_rz", 3e9f) == 3000000000u);
  CHECK(call<uint32_t>("float2uint_rz", -1.0f) == 0);
  CHECK(call<int32_t>("float2int_rz", static_cast<float>(kNan)) == 0);
  CHECK(call<int32_t>("double2int_rz", kNan) == INT32_MIN);
  CHECK(call<int64_t>("float2ll_rn", static_cast<float>(kNan)) == INT64_MIN);
  CHECK(call<int64_t>("llround", -2.5) == -3);
  CHECK(call<int32_t>("ilogb", 0.0) == INT32_MIN);
}

TEST_CASE("Special functions agree with their definitions", "[compiler][interpreter][library]") {
  for (double x : {-3.0, -1.5, -0.75, -0.25, 0.0, 0.1, 0.5, 1.0, 2.25, 3.5}) {
    INFO(x);
    CHECK(call<double>("sinpi", x) == Approx(std::sin(std::numbers::pi * x)).margin(1e-14));
    CHECK(call<double>("cospi", x) == Approx(std::cos(std::numbers::pi * x)).margin(1e-14));
    CHECK(call<double>("normcdf", x) == Approx(0.5 * std::erfc(-x / std::numbers::sqrt2)));
    CHECK(call<double>("erfcx", x) == Approx(std::exp(x * x) * std::erfc(x)).epsilon(1e-13));
    CHECK(call<double>("erfinv", std::erf(x)) == Approx(x).margin(1e-9));
    CHECK(call<double>("erfcinv", std::erfc(x)) == Approx(x).margin(1e-9));
    CHECK(call<double>("cyl_bessel_i0", x) ==
          Approx(std::cyl_bessel_i(0, std::fabs(x))).epsilon(1e-13));
    CHECK(call<double>("cyl_bessel_i1", x) ==
          Approx(std::copysign(std::cyl_bessel_i(1, std::fabs(x)), x)).epsilon(1e-13));
  }
  CHECK(call<double>("sinpi", 1e15) == 0);
  CHECK(call<double>("erfcx", 1000.0) == Approx(5.641893014531e-4).epsilon(1e-10));
  CHECK(call<double>("erfinv", 1.0) == kInfinity);
  CHECK(std::isnan(call<double>("erfinv", 1.5)));
  CHECK(call<double>("normcdfinv", 0.975) == Approx(1.959963984540054).epsilon(1e-14));
  // Values of small arguments keep their precision.
  CHECK(std::erfc(call<double>("erfcinv", 1e-300)) == Approx(1e-300).epsilon(1e-11));
  CHECK(call<double>("rcbrt", 8.0) == 0.5);
  CHECK(call<double>("norm4d", 1e200, 1e200, 1e200, 1e200) == 2e200);
  CHECK(call<float>("powif", 2.0f, -3) == 0.125f);
  CHECK(call<float>("ldexpf", 0.75f, 4) == 12.0f);
  CHECK(call<double>("jn", 2, 1.5) == Approx(std::cyl_bessel_j(2, 1.5)));
}

TEST_CASE("Integer functions work on bits", "[compiler][interpreter][library]") {
  CHECK(call<int32_t>("clz", 1) == 31);
  CHECK(call<int32_t>("clzll", int64_t(1)) == 63);
  CHECK(call<int32_t>("popc", -1) == 32);
  CHECK(call<int32_t>("ffs", 0) == 0);
  CHECK(call<int32_t>("ffs", 8) == 4);
  CHECK(call<int32_t>("brev", 1) == INT32_MIN);
  CHECK(call<int32_t>("mulhi", -1, 2) == -1);
  CHECK(call<int32_t>("umulhi", -1, 2) == 1);
  CHECK(call<int64_t>("mul64hi", INT64_MIN, int64_t(2)) == -1);
  CHECK(call<int32_t>("byte_perm", 0x33221100, 0x77665544, 0x7041) == 0x77004411);
  CHECK(call<int32_t>("sad", -5, 7, 100) == 112);
  CHECK(call<int32_t>("hadd", -3, 2) == -1);
  CHECK(call<int32_t>("rhadd", 3, 2) == 3);
  CHECK(call<int32_t>("mul24", 0x1800000, 2) == -0x1000000);
  CHECK(call<float>("int_as_float", 0x3f800000) == 1.0f);
  CHECK(call<double>("hiloint2double", 0x3ff00000, 0) == 1.0);
  CHECK(call<int32_t>("double2hiint", 1.0) == 0x3ff00000);
  CHECK(call<int32_t>("isinff", static_cast<float>(-kInfinity)) == 1);
  CHECK(call<int32_t>("isnand", kNan) == 1);
  CHECK(call<int32_t>("finitef", 1.0f) == 1);
}
