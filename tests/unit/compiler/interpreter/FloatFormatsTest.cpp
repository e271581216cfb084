// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/FloatFormats.h"

#include "llvm/ADT/APFloat.h"

#include <catch2/catch.hpp>
#include <random>

using namespace tilescope::compiler::interpreter;
using llvm::APFloat;

static float reference(float value, const llvm::fltSemantics &semantics,
                       APFloat::roundingMode mode) {
  APFloat exact(value);
  bool losesInfo = false;
  exact.convert(semantics, mode, &losesInfo);
  exact.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  return exact.convertToFloat();
}

/// Values near every boundary of the formats, and anything else.
static std::vector<float> makeValues() {
  std::vector<float> values{0.0f, -0.0f, INFINITY, -INFINITY};
  for (int exponent = -130; exponent < 128; ++exponent)
    for (int step = 0; step < 64; ++step)
      for (int nudge : {-1, 0, 1})
        values.push_back(std::bit_cast<float>(
            std::bit_cast<uint32_t>(std::ldexp(1.0f + static_cast<float>(step) / 64, exponent)) +
            static_cast<uint32_t>(nudge)));
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i)
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  return values;
}

template <Format F> static void checkRounding(const llvm::fltSemantics &semantics) {
  for (float value : makeValues()) {
    if (std::isnan(value)) {
      REQUIRE(std::isnan(roundTo<F>(value)));
      REQUIRE(std::isnan(truncateTo<F>(value)));
      continue;
    }
    float nearest = reference(value, semantics, APFloat::rmNearestTiesToEven);
    float truncated = reference(value, semantics, APFloat::rmTowardZero);
    if (F.saturates) {
      nearest = std::isfinite(nearest) ? nearest : std::copysign(F.largest, value);
      truncated = std::isfinite(truncated) ? truncated : std::copysign(F.largest, value);
    }
    INFO(value);
    REQUIRE(std::bit_cast<uint32_t>(roundTo<F>(value)) == std::bit_cast<uint32_t>(nearest));
    REQUIRE(std::bit_cast<uint32_t>(truncateTo<F>(value)) == std::bit_cast<uint32_t>(truncated));
  }
}

TEST_CASE("Rounding to the small floats is correct", "[compiler][interpreter]") {
  checkRounding<kF16>(APFloat::IEEEhalf());
  checkRounding<kBF16>(APFloat::BFloat());
  checkRounding<kF8E5M2>(APFloat::Float8E5M2());
  checkRounding<kF8E4M3>(APFloat::Float8E4M3FN());
}

template <typename Code, typename Decode, typename Encode>
static void checkCodes(const llvm::fltSemantics &semantics, Decode decode, Encode encode) {
  unsigned width = sizeof(Code) * 8;
  for (uint32_t code = 0; code < (1u << width); ++code) {
    APFloat exact(semantics, llvm::APInt(width, code));
    bool losesInfo = false;
    exact.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
    float value = decode(static_cast<Code>(code));
    INFO(code);
    if (exact.isNaN()) {
      REQUIRE(std::isnan(value));
      continue;
    }
    REQUIRE(std::bit_cast<uint32_t>(value) == std::bit_cast<uint32_t>(exact.convertToFloat()));
    REQUIRE(encode(value) == code);
  }
}

TEST_CASE("Every code of the small floats is read and written", "[compiler][interpreter]") {
  checkCodes<uint16_t>(APFloat::IEEEhalf(), decodeF16, encodeF16);
  checkCodes<uint16_t>(APFloat::BFloat(), decodeBF16, encodeBF16);
  checkCodes<uint8_t>(APFloat::Float8E5M2(), decodeF8E5M2, encodeF8E5M2);
  checkCodes<uint8_t>(APFloat::Float8E4M3FN(), decodeF8E4M3, encodeF8E4M3);
}

TEST_CASE("A double is rounded once on its way to a small float", "[compiler][interpreter]") {
  // Just above the middle of two f16 values: through a nearest float it would become the middle.
  double value = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(roundTo<kF16>(static_cast<float>(value)) == 1.0f);
  CHECK(roundTo<kF16>(roundToOdd(value)) == 1.0f + 0x1p-10f);
  CHECK(roundToOdd(-value) == -roundToOdd(value));
  CHECK(roundTo<kF16>(roundToOdd(1e300)) == INFINITY);
}
