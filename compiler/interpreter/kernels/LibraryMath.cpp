// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels call by the names of the device's library: functions of floats.
#include "compiler/interpreter/kernels/LibraryTable.h"
#include "compiler/interpreter/kernels/SpecialFunctions.h"

#include <cmath>

namespace tilescope::compiler::interpreter {
namespace {

/// `__nv_sinf` and `__nv_sin`.
template <typename T> std::string typed(const char *name) {
  return std::is_same_v<T, float> ? std::string(name) + "f" : name;
}

template <typename T> void addExponentials(LibraryTable &table) {
  table.add<[](T x) { return std::exp(x); }>(typed<T>("exp"));
  table.add<[](T x) { return std::exp2(x); }>(typed<T>("exp2"));
  table.add<[](T x) { return static_cast<T>(std::pow(10.0, static_cast<double>(x))); }>(
      typed<T>("exp10"));
  table.add<[](T x) { return std::expm1(x); }>(typed<T>("expm1"));
  table.add<[](T x) { return std::log(x); }>(typed<T>("log"));
  table.add<[](T x) { return std::log2(x); }>(typed<T>("log2"));
  table.add<[](T x) { return std::log10(x); }>(typed<T>("log10"));
  table.add<[](T x) { return std::log1p(x); }>(typed<T>("log1p"));
  table.add<[](T x) { return std::logb(x); }>(typed<T>("logb"));
  table.add<[](T x, T y) { return std::pow(x, y); }>(typed<T>("pow"));
  table.add<[](T x, int32_t n) { return static_cast<T>(std::pow(static_cast<double>(x), n)); }>(
      typed<T>("powi"));
  table.add<[](T x, int32_t n) { return std::ldexp(x, n); }>(typed<T>("ldexp"));
  table.add<[](T x, int32_t n) { return std::scalbn(x, n); }>(typed<T>("scalbn"));
}

template <typename T> void addTrigonometry(LibraryTable &table) {
  table.add<[](T x) { return std::sin(x); }>(typed<T>("sin"));
  table.add<[](T x) { return std::cos(x); }>(typed<T>("cos"));
  table.add<[](T x) { return std::tan(x); }>(typed<T>("tan"));
  table.add<[](T x) { return static_cast<T>(sinPi(x)); }>(typed<T>("sinpi"));
  table.add<[](T x) { return static_cast<T>(cosPi(x)); }>(typed<T>("cospi"));
  table.add<[](T x) { return std::asin(x); }>(typed<T>("asin"));
  table.add<[](T x) { return std::acos(x); }>(typed<T>("acos"));
  table.add<[](T x) { return std::atan(x); }>(typed<T>("atan"));
  table.add<[](T y, T x) { return std::atan2(y, x); }>(typed<T>("atan2"));
  table.add<[](T x) { return std::sinh(x); }>(typed<T>("sinh"));
  table.add<[](T x) { return std::cosh(x); }>(typed<T>("cosh"));
  table.add<[](T x) { return std::tanh(x); }>(typed<T>("tanh"));
  table.add<[](T x) { return std::asinh(x); }>(typed<T>("asinh"));
  table.add<[](T x) { return std::acosh(x); }>(typed<T>("acosh"));
  table.add<[](T x) { return std::atanh(x); }>(typed<T>("atanh"));
}

template <typename T> void addSpecial(LibraryTable &table) {
  table.add<[](T x) { return std::erf(x); }>(typed<T>("erf"));
  table.add<[](T x) { return std::erfc(x); }>(typed<T>("erfc"));
  table.add<[](T x) { return static_cast<T>(erfInverse(x)); }>(typed<T>("erfinv"));
  table.add<[](T x) { return static_cast<T>(erfcInverse(x)); }>(typed<T>("erfcinv"));
  table.add<[](T x) { return static_cast<T>(erfcScaled(x)); }>(typed<T>("erfcx"));
  table.add<[](T x) { return static_cast<T>(normalCdf(x)); }>(typed<T>("normcdf"));
  table.add<[](T x) { return static_cast<T>(normalCdfInverse(x)); }>(typed<T>("normcdfinv"));
  // lgamma and the Bessel functions of the C library write to globals or exist for double only.
  table.add<[](T x) {
    int sign = 0;
    return static_cast<T>(lgamma_r(static_cast<double>(x), &sign));
  }>(typed<T>("lgamma"));
  table.add<[](T x) { return std::tgamma(x); }>(typed<T>("tgamma"));
  table.add<[](T x) { return static_cast<T>(::j0(x)); }>(typed<T>("j0"));
  table.add<[](T x) { return static_cast<T>(::j1(x)); }>(typed<T>("j1"));
  table.add<[](T x) { return static_cast<T>(::y0(x)); }>(typed<T>("y0"));
  table.add<[](T x) { return static_cast<T>(::y1(x)); }>(typed<T>("y1"));
  table.add<[](int32_t n, T x) { return static_cast<T>(::jn(n, x)); }>(typed<T>("jn"));
  table.add<[](int32_t n, T x) { return static_cast<T>(::yn(n, x)); }>(typed<T>("yn"));
  table.add<[](T x) { return static_cast<T>(besselI0(x)); }>(typed<T>("cyl_bessel_i0"));
  table.add<[](T x) { return static_cast<T>(besselI1(x)); }>(typed<T>("cyl_bessel_i1"));
}

template <typename T> T norm(T a, T b, T c, T d) {
  // No overflow and no underflow on the way.
  long double sum = 0;
  for (long double part : {a, b, c, d}) {
    if (std::isinf(part))
      return std::numeric_limits<T>::infinity();
    sum += part * part;
  }
  return static_cast<T>(std::sqrt(sum));
}

template <typename T> void addRoots(LibraryTable &table) {
  table.add<[](T x) { return std::sqrt(x); }>(typed<T>("sqrt"));
  table.add<[](T x) { return static_cast<T>(1 / std::sqrt(static_cast<long double>(x))); }>(
      typed<T>("rsqrt"));
  table.add<[](T x) { return std::cbrt(x); }>(typed<T>("cbrt"));
  table.add<[](T x) { return static_cast<T>(1 / std::cbrt(static_cast<long double>(x))); }>(
      typed<T>("rcbrt"));
  table.add<[](T x, T y) { return std::hypot(x, y); }>(typed<T>("hypot"));
  table.add<[](T x, T y) { return 1 / std::hypot(x, y); }>(typed<T>("rhypot"));
  table.add<[](T x, T y, T z) { return norm<T>(x, y, z, 0); }>(typed<T>("norm3d"));
  table.add<[](T x, T y, T z) { return 1 / norm<T>(x, y, z, 0); }>(typed<T>("rnorm3d"));
  table.add<[](T x, T y, T z, T w) { return norm<T>(x, y, z, w); }>(typed<T>("norm4d"));
  table.add<[](T x, T y, T z, T w) { return 1 / norm<T>(x, y, z, w); }>(typed<T>("rnorm4d"));
}

template <typename T> void addSteps(LibraryTable &table) {
  table.add<[](T x) { return std::floor(x); }>(typed<T>("floor"));
  table.add<[](T x) { return std::ceil(x); }>(typed<T>("ceil"));
  table.add<[](T x) { return std::trunc(x); }>(typed<T>("trunc"));
  table.add<[](T x) { return std::round(x); }>(typed<T>("round"));
  table.add<[](T x) { return std::nearbyint(x); }>(typed<T>("rint"));
  table.add<[](T x) { return std::nearbyint(x); }>(typed<T>("nearbyint"));
  table.add<[](T x) { return std::fabs(x); }>(typed<T>("fabs"));
  table.add<[](T x, T y) { return std::copysign(x, y); }>(typed<T>("copysign"));
  table.add<[](T x, T y) { return std::nextafter(x, y); }>(typed<T>("nextafter"));
  table.add<[](T x, T y) { return std::fmod(x, y); }>(typed<T>("fmod"));
  table.add<[](T x, T y) { return std::remainder(x, y); }>(typed<T>("remainder"));
  table.add<[](T x, T y) { return std::fdim(x, y); }>(typed<T>("fdim"));
  table.add<[](T x, T y) { return std::fmax(x, y); }>(typed<T>("fmax"));
  table.add<[](T x, T y) { return std::fmin(x, y); }>(typed<T>("fmin"));
  table.add<[](T x, T y, T z) { return std::fma(x, y, z); }>(typed<T>("fma"));
}

/// Approximations on the device; here the functions that they approximate.
void addFast(LibraryTable &table) {
  table.add<[](float x) { return std::sin(x); }>("fast_sinf");
  table.add<[](float x) { return std::cos(x); }>("fast_cosf");
  table.add<[](float x) { return std::tan(x); }>("fast_tanf");
  table.add<[](float x) { return std::tanh(x); }>("fast_tanhf");
  table.add<[](float x) { return std::exp(x); }>("fast_expf");
  table.add<[](float x) { return static_cast<float>(std::pow(10.0, double(x))); }>("fast_exp10f");
  table.add<[](float x) { return std::log(x); }>("fast_logf");
  table.add<[](float x) { return std::log2(x); }>("fast_log2f");
  table.add<[](float x) { return std::log10(x); }>("fast_log10f");
  table.add<[](float x, float y) { return std::pow(x, y); }>("fast_powf");
  table.add<[](float x, float y) { return x / y; }>("fast_fdividef");
  table.add<[](float x) { return std::isnan(x) ? 0.0f : std::fmin(std::fmax(x, 0.0f), 1.0f); }>(
      "saturatef");
}

template <typename T> void addAll(LibraryTable &table) {
  addExponentials<T>(table);
  addTrigonometry<T>(table);
  addSpecial<T>(table);
  addRoots<T>(table);
  addSteps<T>(table);
}

} // namespace

void addLibraryMath(LibraryTable &table) {
  addAll<float>(table);
  addAll<double>(table);
  addFast(table);
}

std::span<const ElementwiseEntry> libraryFunctions() {
  static const LibraryTable table = [] {
    LibraryTable all;
    addLibraryMath(all);
    addLibraryRounded(all);
    addLibraryIntegers(all);
    return all;
  }();
  return table.entries();
}

} // namespace tilescope::compiler::interpreter
