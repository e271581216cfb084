// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of the device's library whose names end with a rounding mode: `__nv_fadd_rz`,
// `__nv_double2int_ru`.
#include "compiler/interpreter/kernels/DirectedRounding.h"
#include "compiler/interpreter/kernels/LibraryTable.h"
#include "compiler/interpreter/kernels/ToInteger.h"

namespace tilescope::compiler::interpreter {
namespace {

template <Rounding Mode, typename T>
void addArithmetic(LibraryTable &table, const std::string &mode) {
  const std::string prefix = std::is_same_v<T, float> ? "f" : "d";
  table.add<[](T a, T b) { return addRounded<Mode>(a, b); }>(prefix + "add" + mode);
  table.add<[](T a, T b) { return addRounded<Mode>(a, -b); }>(prefix + "sub" + mode);
  table.add<[](T a, T b) { return mulRounded<Mode>(a, b); }>(prefix + "mul" + mode);
  table.add<[](T a, T b) { return divRounded<Mode>(a, b); }>(prefix + "div" + mode);
  table.add<[](T a) { return divRounded<Mode>(T(1), a); }>(prefix + "rcp" + mode);
  table.add<[](T a) { return sqrtRounded<Mode>(a); }>(prefix + "sqrt" + mode);
  constexpr auto fma = [](T a, T b, T c) { return fmaRounded<Mode>(a, b, c); };
  table.add<fma>((std::is_same_v<T, float> ? "fmaf" : "fma") + mode);
  if (std::is_same_v<T, float>)
    table.add<fma>("fmaf_ieee" + mode);
}

template <Rounding Mode, typename T>
void addConversions(LibraryTable &table, const std::string &name, const std::string &mode) {
  table.add<[](T x) { return ToInteger<int32_t, int32_t>::apply(toIntegral<Mode>(x)); }>(
      name + "2int" + mode);
  table.add<[](T x) { return ToInteger<int32_t, uint32_t>::apply(toIntegral<Mode>(x)); }>(
      name + "2uint" + mode);
  table.add<[](T x) { return ToInteger<int64_t, int64_t>::apply(toIntegral<Mode>(x)); }>(
      name + "2ll" + mode);
  table.add<[](T x) { return ToInteger<int64_t, uint64_t>::apply(toIntegral<Mode>(x)); }>(
      name + "2ull" + mode);
  table.add<[](int32_t x) { return convertRounded<Mode, T>(x); }>("int2" + name + mode);
  table.add<[](uint32_t x) { return convertRounded<Mode, T>(x); }>("uint2" + name + mode);
  table.add<[](int64_t x) { return convertRounded<Mode, T>(x); }>("ll2" + name + mode);
  table.add<[](uint64_t x) { return convertRounded<Mode, T>(x); }>("ull2" + name + mode);
}

template <Rounding Mode> void addMode(LibraryTable &table, const std::string &mode) {
  addArithmetic<Mode, float>(table, mode);
  addArithmetic<Mode, double>(table, mode);
  addConversions<Mode, float>(table, "float", mode);
  addConversions<Mode, double>(table, "double", mode);
  table.add<[](double x) {
    // Beyond the largest float the next one is infinity, from which the way back is one step.
    bool overflows = std::isfinite(x) && std::isinf(static_cast<float>(x));
    return overflows
               ? direct<Mode>(static_cast<float>(x), std::copysign(1.0f, static_cast<float>(-x)))
               : convertRounded<Mode, float>(x);
  }>("double2float" + mode);
}

} // namespace

void addLibraryRounded(LibraryTable &table) {
  addMode<Rounding::Nearest>(table, "_rn");
  addMode<Rounding::Zero>(table, "_rz");
  addMode<Rounding::Down>(table, "_rd");
  addMode<Rounding::Up>(table, "_ru");
  table.add<[](float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }>(
      "frsqrt_rn");
}

} // namespace tilescope::compiler::interpreter
