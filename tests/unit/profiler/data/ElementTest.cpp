// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Element.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace tilescope::profiler;

static uint64_t encoded(Dtype dtype, double value) {
  std::byte bytes[8] = {};
  writeElement(dtype, value, bytes);
  return elementBits(dtype, bytes);
}

static double decoded(Dtype dtype, uint64_t bits) {
  std::byte bytes[8];
  std::memcpy(bytes, &bits, 8);
  return readElement(dtype, bytes);
}

static constexpr double kInf = std::numeric_limits<double>::infinity();

TEST_CASE("known values have the bits that the formats prescribe", "[profiler]") {
  CHECK(encoded(Dtype::Fp16, 1.0) == 0x3c00);
  CHECK(encoded(Dtype::Fp16, -2.5) == 0xc100);
  CHECK(encoded(Dtype::Fp16, 65504) == 0x7bff);
  CHECK(encoded(Dtype::Fp16, 0x1p-24) == 0x0001);
  CHECK(encoded(Dtype::Bf16, 1.0) == 0x3f80);
  CHECK(encoded(Dtype::Bf16, 3.140625) == 0x4049);
  CHECK(encoded(Dtype::Fp8e4nv, 448) == 0x7e);
  CHECK(encoded(Dtype::Fp8e4nv, 1.0) == 0x38);
  CHECK(encoded(Dtype::Fp8e5, 57344) == 0x7b);
  CHECK(encoded(Dtype::Fp8e5, 1.0) == 0x3c);
  CHECK(encoded(Dtype::Fp8e4b8, 240) == 0x7f);
  CHECK(encoded(Dtype::Fp8e5b16, 57344) == 0x7f);
  CHECK(encoded(Dtype::Fp8e4b15, 1.0) == 0x78);
}

TEST_CASE("rounding is to nearest, ties to even, in one step", "[profiler]") {
  CHECK(encoded(Dtype::Fp16, 1 + 0x1p-11) == 0x3c00);
  CHECK(encoded(Dtype::Fp16, 1 + 3 * 0x1p-11) == 0x3c02);
  // Through fp32 this would round to the tie first and then down.
  CHECK(encoded(Dtype::Fp16, 1 + 0x1p-11 + 0x1p-40) == 0x3c01);
  CHECK(encoded(Dtype::Bf16, 1 + 0x1p-8) == 0x3f80);
  CHECK(encoded(Dtype::Bf16, 1 + 3 * 0x1p-8) == 0x3f82);
}

TEST_CASE("values beyond the range become infinity or the largest number", "[profiler]") {
  CHECK(decoded(Dtype::Fp16, encoded(Dtype::Fp16, 65520)) == kInf);
  CHECK(decoded(Dtype::Fp16, encoded(Dtype::Fp16, 65519)) == 65504);
  CHECK(decoded(Dtype::Fp8e5, encoded(Dtype::Fp8e5, -1e9)) == -kInf);
  CHECK(decoded(Dtype::Fp8e4nv, encoded(Dtype::Fp8e4nv, 1e9)) == 448);
  CHECK(decoded(Dtype::Fp8e4b15, encoded(Dtype::Fp8e4b15, -kInf)) == -1.875);
  CHECK(encoded(Dtype::Int8, 1000) == 0x7f);
  CHECK(encoded(Dtype::Uint8, -3) == 0);
  CHECK(encoded(Dtype::Int64, 1e30) == uint64_t(std::numeric_limits<int64_t>::max()));
  CHECK(encoded(Dtype::Int32, std::nan("")) == 0);
}

TEST_CASE("every bit pattern of the small floats survives decoding and encoding", "[profiler]") {
  for (Dtype dtype : {Dtype::Fp8e4nv, Dtype::Fp8e5, Dtype::Fp8e4b8, Dtype::Fp8e5b16,
                      Dtype::Fp8e4b15, Dtype::Fp16, Dtype::Bf16}) {
    uint64_t patterns = uint64_t(1) << (8 * dtypeSize(dtype));
    uint64_t wrong = 0;
    for (uint64_t bits = 0; bits < patterns; ++bits) {
      double value = decoded(dtype, bits);
      if (std::isnan(value))
        wrong += !std::isnan(decoded(dtype, encoded(dtype, value)));
      else
        wrong += encoded(dtype, value) != bits;
    }
    INFO(dtypeName(dtype));
    CHECK(wrong == 0);
  }
}

TEST_CASE("poison is NaN in every type that has one", "[profiler]") {
  for (const auto &info : allDtypes()) {
    const Dtype dtype = info.kind;
    if (isFloat(dtype) && dtype != Dtype::Fp8e4b15) {
      INFO(dtypeName(dtype));
      CHECK(std::isnan(decoded(dtype, poisonBits(dtype))));
    }
  }
  CHECK(poisonBits(Dtype::Int32) == 0xa5a5a5a5);
}

TEST_CASE("integers read with their sign", "[profiler]") {
  std::byte bytes[8];
  writeInteger(Dtype::Int16, -5, bytes);
  CHECK(readInteger(Dtype::Int16, bytes) == -5);
  CHECK(readInteger(Dtype::Uint16, bytes) == 65531);
  CHECK(readElement(Dtype::Int16, bytes) == -5);
}

TEST_CASE("type names are Triton's", "[profiler]") {
  for (const auto &info : allDtypes())
    CHECK(parseDtype(dtypeName(info.kind)) == info.kind);
  CHECK_FALSE(parseDtype("void"));
  CHECK(parseDtype("u1") == Dtype::Int1);
  // As kernels write them, too.
  CHECK(parseDtype("float32") == Dtype::Fp32);
  CHECK(parseDtype("int8") == Dtype::Int8);
  CHECK(!parseDtype("float31"));
}

/// Every pattern of narrow types, and of wide ones numbers all over the range, powers of two among
/// them.
static std::vector<uint64_t> patterns(Dtype dtype) {
  const size_t size = dtypeSize(dtype);
  std::vector<uint64_t> all(size == 1 ? 256 : 65536);
  for (uint64_t i = 0; i < all.size(); ++i)
    all[i] = size <= 2 ? i : size == 4 ? i << 16 | (i & 1) : i << 48 | (i & 1);
  return all;
}

TEST_CASE("elements in a row are read as single ones are", "[profiler]") {
  for (const auto &info : allDtypes()) {
    CAPTURE(std::string(info.signatureName));
    const size_t size = dtypeSize(info.kind);
    const std::vector<uint64_t> all = patterns(info.kind);
    std::vector<std::byte> bytes(all.size() * size);
    for (size_t i = 0; i < all.size(); ++i)
      std::memcpy(bytes.data() + i * size, &all[i], size);
    std::vector<double> numbers(all.size());
    readElements(info.kind, bytes.data(), int64_t(all.size()), numbers.data());
    size_t different = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      const double single = readElement(info.kind, bytes.data() + i * size);
      const bool areBothNan = std::isnan(single) && std::isnan(numbers[i]);
      different +=
          !areBothNan && std::bit_cast<uint64_t>(single) != std::bit_cast<uint64_t>(numbers[i]);
    }
    CHECK(different == 0);
  }
}
