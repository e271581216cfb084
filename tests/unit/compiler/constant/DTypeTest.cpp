// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/DType.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::constant;
using tilescope::compiler::ScalarKind;

TEST_CASE("types are read by either name", "[compiler]") {
  CHECK(dtypeNamed("u1")->isBool());
  CHECK(dtypeNamed("i1") == dtypeNamed("int1"));
  CHECK(dtypeNamed("fp16") == dtypeNamed("float16"));
  CHECK(dtypeNamed("*kfp16")->isConst);
  for (const char *text : {"", "*", "fp31", "fp32:16", "*float16"})
    CHECK_FALSE(dtypeNamed(text));
}

TEST_CASE("types of signatures are dtypes, and dtypes but blocks are such types", "[compiler]") {
  const DType pointer = *dtypeNamed("**fp32");
  CHECK(pointer.name() == "pointer<pointer<fp32>>");
  REQUIRE(pointer.toScalar());
  CHECK(DType::of(*pointer.toScalar()) == pointer);
  CHECK_FALSE(DType::block(DType::of(ScalarKind::Fp32), {16}).toScalar());
}

TEST_CASE("language names agree with the types they name", "[compiler]") {
  CHECK(dtypeFromLanguageName("float16")->name() == "fp16");
  CHECK(dtypeFromLanguageName("int1")->isUnsigned());
  CHECK(dtypeFromLanguageName("float8e4b15")->isFp8());
  CHECK_FALSE(dtypeFromLanguageName("float17"));
  for (std::string_view name : dtypeLanguageNames())
    CHECK(dtypeFromLanguageName(name)->languageName() == name);
}

TEST_CASE("pointers and blocks keep their element", "[compiler]") {
  DType pointer = DType::pointerTo(DType::of(ScalarKind::Bf16));
  CHECK(pointer.isPointer());
  CHECK(pointer.bitWidth() == 64);
  CHECK_FALSE(pointer.isFloating());
  CHECK(pointer.name() == "pointer<bf16>");
  CHECK_FALSE(pointer == DType::of(ScalarKind::Bf16));
  DType block = DType::block(DType::of(ScalarKind::Fp32), {16, 32});
  CHECK(block.name() == "<['16', '32'], fp32>");
  CHECK(block.isFloating());
}
