// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassControl.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::machine;

TEST_CASE("the control fields of an instruction are read from its bits", "[compiler]") {
  // sm_90: /*0030*/ S2R R4, SR_CTAID.X ; holds barrier 1 until R4 is there.
  const SassControl load = decodeControl({0x0000000000047919, 0x000e6c0000002500});
  CHECK(load.stall == 6);
  CHECK_FALSE(load.yields);
  CHECK(load.writeBarrier == 1);
  CHECK(load.readBarrier == SassControl::kNone);
  CHECK(load.waitMask == 0);
  // /*0060*/ IMAD R3, R3, UR4, RZ ; waits for barrier 2.
  const SassControl product = decodeControl({0x0000000403037c24, 0x004fd8000f8e02ff});
  CHECK(product.waitMask == 4);
  CHECK(product.stall == 12);
  CHECK(product.writeBarrier == SassControl::kNone);
  // /*0070*/ @!P0 EXIT ;
  const InstructionWord exit{0x000000000000894d, 0x002fea0003800000};
  CHECK(decodeGuard(exit) == SassGuard{0, true});
  CHECK(decodeControl(exit).stall == 5);
  CHECK(decodeControl(exit).waitMask == 2);
}

TEST_CASE("control fields in columns are written and read without loss", "[compiler]") {
  CHECK(controlColumns({4, true, 0, SassControl::kNone, 0b1001, 0b0101}) ==
        "0--3-- r- w0 Y 04 a-c-");
  // Every field takes all of its values beside others that vary as well.
  for (unsigned i = 0; i < 1u << 12; ++i) {
    const SassControl control{static_cast<uint8_t>(i & 15),
                              (i >> 4 & 1) != 0,
                              static_cast<uint8_t>(i * 5 % 7 == 6 ? 7 : i * 5 % 7),
                              static_cast<uint8_t>(i * 3 % 7 == 6 ? 7 : i * 3 % 7),
                              static_cast<uint8_t>(i >> 4 & 63),
                              static_cast<uint8_t>(i >> 8 & 15)};
    const std::string columns = controlColumns(control);
    CAPTURE(columns);
    REQUIRE(columns.size() == kControlColumnsLength);
    REQUIRE(parseControlColumns(columns) == control);
    const InstructionWord word{uint64_t{0x0123456789abcdef} * i, uint64_t{0xfedcba9876543210} * i};
    REQUIRE(decodeControl(withControl(word, control)) == control);
    // No other bit changes.
    const uint64_t mask = uint64_t{0x1fffff} << 41;
    REQUIRE((withControl(word, control).high & ~mask) == (word.high & ~mask));
    REQUIRE(withControl(word, control).low == word.low);
  }
  CHECK_FALSE(parseControlColumns("0--3-- r- w0 Y 04 a-c"));
  CHECK_FALSE(parseControlColumns("1----- r- w0 Y 04 ----"));
  CHECK_FALSE(parseControlColumns("------ r- w9 Y 04 ----"));
}
