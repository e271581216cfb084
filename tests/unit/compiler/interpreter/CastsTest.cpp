// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/interpreter/ComputeBlock.h"

#include <cmath>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

TEST_CASE("Casts round, extend and saturate", "[compiler][interpreter]") {
  CHECK(compute<int32_t>(
            "f32", "i32", "  %r = arith.fptosi %a : tensor<8xf32> to tensor<8xi32>",
            std::vector<float>{1.9f, -1.9f, 3e9f, -3e9f, NAN, 0.5f, -0.5f, 2147483520.0f}) ==
        std::vector<int32_t>{1, -1, INT32_MAX, INT32_MIN, 0, 0, 0, 2147483520});
  // A GPU converts to 16 bits, and stores the low byte.
  const std::vector<float> beyond{-320, 130, 310, 127.9f, -128.9f, 1e9f, -1e9f, NAN};
  CHECK(compute<int8_t>("f32", "i8", "  %r = arith.fptosi %a : tensor<8xf32> to tensor<8xi8>",
                        beyond) == std::vector<int8_t>{-64, -126, 54, 127, -128, -1, 0, 0});
  CHECK(compute<uint8_t>("f32", "i8", "  %r = arith.fptoui %a : tensor<8xf32> to tensor<8xi8>",
                         beyond) == std::vector<uint8_t>{0, 130, 54, 127, 0, 255, 0, 0});
  CHECK(compute<int16_t>("i8", "i16", "  %r = arith.extui %a : tensor<8xi8> to tensor<8xi16>",
                         std::vector<int8_t>{-1, 1, -128, 127, 0, 0, 0, 0}) ==
        std::vector<int16_t>{255, 1, 128, 127, 0, 0, 0, 0});
  CHECK(compute<float>("i32", "f32", "  %r = arith.uitofp %a : tensor<8xi32> to tensor<8xf32>",
                       std::vector<int32_t>{-1, 1, 16777217, 16777219, 0, 0, 0, 0}) ==
        std::vector<float>{4294967296.0f, 1, 16777216, 16777220, 0, 0, 0, 0});
  CHECK(compute<uint8_t>(
            "f32", "f8E5M2",
            "  %r = tt.fp_to_fp %a, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>",
            std::vector<float>{1, 1.125f, 1.375f, 1e9f, -1e9f, 0x1p-16f, 0x1p-17f, -2}) ==
        std::vector<uint8_t>{0x3c, 0x3c, 0x3e, 0x7b, 0xfb, 0x01, 0x00, 0xc0});
  CHECK(compute<float>("f8E4M3FN", "f32",
                       "  %r = tt.fp_to_fp %a : tensor<8xf8E4M3FN> -> tensor<8xf32>",
                       std::vector<uint8_t>{0x38, 0x7e, 0x01, 0xb8, 0x40, 0, 0x80, 0x08}) ==
        std::vector<float>{1, 448, 0x1p-9f, -1, 2, 0, -0.0f, 0x1p-6f});
  CHECK(compute<int32_t>("f32", "i32", "  %r = tt.bitcast %a : tensor<8xf32> -> tensor<8xi32>",
                         std::vector<float>{1, -2, 0, 0, 0, 0, 0, 0})[1] ==
        std::bit_cast<int32_t>(-2.0f));
  CHECK(compute<int16_t>("f16", "i16", "  %r = tt.bitcast %a : tensor<8xf16> -> tensor<8xi16>",
                         std::vector<uint16_t>{0x3c00, 0xc000, 1, 2, 3, 4, 5, 6}) ==
        std::vector<int16_t>{0x3c00, static_cast<int16_t>(0xc000), 1, 2, 3, 4, 5, 6});
}
