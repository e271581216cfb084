// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of the device's library that take or return integers.
#include "compiler/interpreter/kernels/FloatFormats.h"
#include "compiler/interpreter/kernels/LibraryTable.h"
#include "compiler/interpreter/kernels/ToInteger.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::compiler::interpreter {
namespace {

template <typename T> T reverseBits(T value) {
  T result = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i)
    result |= (value >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return result;
}

int32_t permuteBytes(uint32_t low, uint32_t high, uint32_t selector) {
  uint64_t bytes = low | uint64_t(high) << 32;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<uint32_t>(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xff) << (8 * i);
  return static_cast<int32_t>(result);
}

/// The low 24 bits, sign-extended.
int32_t low24(int32_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value) << 8) >> 8;
}

template <typename T> void addBits(LibraryTable &table, const std::string &suffix) {
  table.add<[](T x) { return static_cast<int32_t>(std::countl_zero(x)); }>("clz" + suffix);
  table.add<[](T x) { return static_cast<int32_t>(std::popcount(x)); }>("popc" + suffix);
  table.add<[](T x) { return x == 0 ? 0 : static_cast<int32_t>(std::countr_zero(x)) + 1; }>("ffs" +
                                                                                            suffix);
  table.add<[](T x) { return reverseBits(x); }>("brev" + suffix);
}

template <typename T> void addOrder(LibraryTable &table, const std::string &prefix) {
  table.add<[](T x, T y) { return std::max(x, y); }>(prefix + "max");
  table.add<[](T x, T y) { return std::min(x, y); }>(prefix + "min");
}

void addArithmetic(LibraryTable &table) {
  table.add<[](int32_t x) { return x < 0 ? static_cast<int32_t>(0u - uint32_t(x)) : x; }>("abs");
  table.add<[](int64_t x) { return x < 0 ? static_cast<int64_t>(uint64_t(0) - uint64_t(x)) : x; }>(
      "llabs");
  table.add<[](int32_t x, int32_t y) { return static_cast<int32_t>(int64_t(x) * y >> 32); }>(
      "mulhi");
  table.add<[](uint32_t x, uint32_t y) { return static_cast<uint32_t>(uint64_t(x) * y >> 32); }>(
      "umulhi");
  table.add<[](int64_t x, int64_t y) { return static_cast<int64_t>(__int128(x) * y >> 64); }>(
      "mul64hi");
  table.add<[](uint64_t x, uint64_t y) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(x) * y >> 64);
  }>("umul64hi");
  table
      .add<[](int32_t x, int32_t y) { return static_cast<int32_t>(int64_t(low24(x)) * low24(y)); }>(
          "mul24");
  table.add<[](uint32_t x, uint32_t y) { return (x & 0xffffff) * (y & 0xffffff); }>("umul24");
  table.add<[](int32_t x, int32_t y, uint32_t z) {
    return static_cast<int32_t>(static_cast<uint32_t>(std::abs(int64_t(x) - y)) + z);
  }>("sad");
  table.add<[](uint32_t x, uint32_t y, uint32_t z) { return (x > y ? x - y : y - x) + z; }>("usad");
  table.add<[](int32_t x, int32_t y) { return static_cast<int32_t>((int64_t(x) + y) >> 1); }>(
      "hadd");
  table.add<[](uint32_t x, uint32_t y) { return static_cast<uint32_t>((uint64_t(x) + y) >> 1); }>(
      "uhadd");
  table.add<[](int32_t x, int32_t y) { return static_cast<int32_t>((int64_t(x) + y + 1) >> 1); }>(
      "rhadd");
  table.add<[](uint32_t x, uint32_t y) {
    return static_cast<uint32_t>((uint64_t(x) + y + 1) >> 1);
  }>("urhadd");
  table.add<[](uint32_t x, uint32_t y, uint32_t s) { return permuteBytes(x, y, s); }>("byte_perm");
}

template <typename T> void addFromFloat(LibraryTable &table, bool isFloat) {
  const std::string f = isFloat ? "f" : "", kind = isFloat ? "f" : "d";
  table.add<[](T x) { return ToInteger<int64_t, int64_t>::apply(std::nearbyint(x)); }>("llrint" +
                                                                                       f);
  table.add<[](T x) { return ToInteger<int64_t, int64_t>::apply(std::round(x)); }>("llround" + f);
  table.add<[](T x) {
    return x == 0 || std::isnan(x) ? INT32_MIN
           : std::isinf(x)         ? INT32_MAX
                                   : static_cast<int32_t>(std::ilogb(x));
  }>("ilogb" + f);
  table.add<[](T x) { return static_cast<int32_t>(std::signbit(x)); }>("signbit" + kind);
  table.add<[](T x) { return static_cast<int32_t>(std::isnan(x)); }>("isnan" + kind);
  table.add<[](T x) { return static_cast<int32_t>(std::isinf(x)); }>("isinf" + kind);
  table.add<[](T x) { return static_cast<int32_t>(std::isfinite(x)); }>(isFloat ? "finitef"
                                                                                : "isfinited");
}

void addBitcasts(LibraryTable &table) {
  table.add<[](int32_t x) { return std::bit_cast<float>(x); }>("int_as_float");
  table.add<[](int32_t x) { return std::bit_cast<float>(x); }>("uint_as_float");
  table.add<[](float x) { return std::bit_cast<int32_t>(x); }>("float_as_int");
  table.add<[](float x) { return std::bit_cast<int32_t>(x); }>("float_as_uint");
  table.add<[](int64_t x) { return std::bit_cast<double>(x); }>("longlong_as_double");
  table.add<[](double x) { return std::bit_cast<int64_t>(x); }>("double_as_longlong");
  table.add<[](double x) { return static_cast<int32_t>(std::bit_cast<int64_t>(x)); }>(
      "double2loint");
  table.add<[](double x) { return static_cast<int32_t>(std::bit_cast<int64_t>(x) >> 32); }>(
      "double2hiint");
  table.add<[](uint32_t high, uint32_t low) {
    return std::bit_cast<double>(uint64_t(high) << 32 | low);
  }>("hiloint2double");
  // Only the high word of the reciprocal is computed on the device.
  table.add<[](double x) {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(1 / x) & 0xffffffff00000000u);
  }>("rcp64h");
  table.add<[](float x) { return static_cast<int16_t>(encodeF16(roundTo<kF16>(x))); }>(
      "float2half_rn");
  table.add<[](int16_t x) { return decodeF16(static_cast<uint16_t>(x)); }>("half2float");
}

} // namespace

void addLibraryIntegers(LibraryTable &table) {
  addBits<uint32_t>(table, "");
  addBits<uint64_t>(table, "ll");
  addOrder<int32_t>(table, "");
  addOrder<uint32_t>(table, "u");
  addOrder<int64_t>(table, "ll");
  addOrder<uint64_t>(table, "ull");
  addArithmetic(table);
  addFromFloat<float>(table, true);
  addFromFloat<double>(table, false);
  addBitcasts(table);
}

} // namespace tilescope::compiler::interpreter
