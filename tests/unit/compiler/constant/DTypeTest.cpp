// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/DType.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::constant;
using tilescope::compiler::ScalarKind;

TEST_CASE("signature types read and print back", "[compiler]") {
  for (const char *text : {"*fp32", "*kfp16", "**i8", "i32", "u64", "bf16", "fp8e4nv", "fp64"}) {
    INFO(text);
    auto type = dtypeFromSignature(text);
    REQUIRE(type);
    CHECK(type->signatureName() == text);
  }
  CHECK(dtypeFromSignature("u1")->isBool());
  CHECK(dtypeFromSignature("i1") == dtypeFromSignature("u1"));
  for (const char *text : {"", "*", "int32", "fp31", "fp32:16", "k"})
    CHECK_FALSE(dtypeFromSignature(text));
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
