// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/TargetSpec.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

TEST_CASE("targets are read by name", "[compiler]") {
  for (const char *name :
       {"cuda:80", "cuda:86", "cuda:89", "cuda:90", "cuda:100", "cuda:120", "cpu:native",
        "cpu:x86-64-v3", "cpu:x86-64-v4", "cpu:sapphirerapids", "cpu:neoverse-v1"}) {
    const Result<TargetSpec> target = parseTarget(name);
    REQUIRE(target);
    CHECK(target->name() == name);
  }
  CHECK(parseTarget("cpu")->name() == "cpu:native");
  CHECK(parseTarget("cuda:89")->processor() == "sm_89");
  CHECK(parseTarget("cuda:90")->processor() == "sm_90a");
  CHECK(parseTarget("cuda:120")->processor() == "sm_120a");
}

TEST_CASE("an unknown target is refused with the list of known ones", "[compiler]") {
  for (const char *name : {"cuda:75", "cpu:z80", "cuda", "hip:90", "cuda:90a", ""}) {
    const Result<TargetSpec> target = parseTarget(name);
    REQUIRE_FALSE(target);
    CHECK(target.error().hint.find("`cuda:90`") != std::string::npos);
  }
}

TEST_CASE("each target has its limit of shared memory", "[compiler]") {
  CHECK(TargetSpec{80}.maxSharedBytes() == 166912);
  CHECK(TargetSpec{89}.maxSharedBytes() == 101376);
  CHECK(TargetSpec{90}.maxSharedBytes() == 232448);
}

TEST_CASE("the PTX version follows the assembler", "[compiler]") {
  CHECK(choosePtxVersion({80}, 12, 4) == 84);
  CHECK(choosePtxVersion({90}, 12, 8) == 87);
  CHECK(choosePtxVersion({90}, 13, 0) == 90);
  CHECK(choosePtxVersion({90}, 13, 2) == 90);
  CHECK(choosePtxVersion({80}, 0, 0) == 70);
  CHECK(choosePtxVersion({89}, 0, 0) == 84);
  CHECK(choosePtxVersion({90}, 0, 0) == 81);
  CHECK(choosePtxVersion({120}, 0, 0) == 87);
  CHECK(choosePtxVersion({120}, 12, 0) == 87);
}
