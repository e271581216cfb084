// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/types/SignatureType.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

TEST_CASE("entries of signatures read and print back", "[compiler]") {
  for (const char *text : {"*fp32:16",
                           "*kfp16",
                           "**i8",
                           "i32:1",
                           "i32:16",
                           "u64",
                           "bf16",
                           "fp8e4nv",
                           "u1",
                           "*i1",
                           "constexpr",
                           "(*fp32:16, n=i32, 4)",
                           "((i32, u1), fp64)",
                           "()",
                           "tensordesc<fp16[64,64]>",
                           "tensordesc<fp16[128,64],swizzle=128>",
                           "tensordesc<fp16[128,64],swizzle=128,of=1568x768>",
                           "blockptr<fp32[16]>",
                           "fp32[128]",
                           "*fp32[128]",
                           "i1[64,64]"}) {
    INFO(text);
    const std::optional<SignatureType> type = parseSignatureType(text);
    REQUIRE(type);
    CHECK(toSignature(*type) == text);
    CHECK(parseSignatureType(toSignature(*type)) == type);
  }
}

TEST_CASE("other spellings print in Triton's", "[compiler]") {
  using Pair = std::pair<const char *, const char *>;
  for (const auto &[text, printed] : {Pair("i1", "u1"), Pair("*u1:16", "*i1:16"), Pair("B", "u1"),
                                      Pair(" ( *fp32 ,n = i32 ) ", "(*fp32, n=i32)")}) {
    INFO(text);
    const std::optional<SignatureType> type = parseSignatureType(text);
    REQUIRE(type);
    CHECK(toSignature(*type) == printed);
  }
}

TEST_CASE("what is not an entry of a signature is not read", "[compiler]") {
  const std::string deep = std::string(200'000, '(') + "i32" + std::string(200'000, ')');
  const std::string stars = std::string(300, '*') + "i32";
  for (const std::string &text : {std::string(),
                                  std::string("*"),
                                  std::string("float"),
                                  std::string("int32"),
                                  std::string("fp31"),
                                  std::string("i32:8"),
                                  std::string("i32:1x"),
                                  std::string("k"),
                                  std::string("(i32"),
                                  std::string("(i32,,)"),
                                  std::string("fp32[0]"),
                                  std::string("fp32[x]"),
                                  std::string("tensordesc<"),
                                  std::string("tensordesc<fp16"),
                                  std::string("tensordesc<fp16[64]"),
                                  std::string("tensordesc<fp16[64],swizzle=x>"),
                                  std::string("tensordesc<fp16[64],swizzle=48>"),
                                  std::string("tensordesc<fp16[64],swizzle=64,of=0>"),
                                  std::string("tensordesc<fp16[64],swizzle=64,of=8x8>"),
                                  std::string("tensordesc<fp16[64],of=8>"),
                                  std::string("blockptr<fp16>"),
                                  std::string("tensordesc<constexpr[4]>"),
                                  stars}) {
    INFO(text);
    CHECK_FALSE(parseSignatureType(text));
  }
  // Bounded in depth: what is nested further is a constant of its tuple, or nothing.
  (void)parseSignatureType(deep);
}

TEST_CASE("an entry tells its form, element and hint", "[compiler]") {
  const SignatureType pointer = parseSignatureType("*kfp32:16").value();
  CHECK(pointer.isPointer());
  CHECK(pointer.isDivisible());
  CHECK(pointer.scalar == ScalarType{ScalarKind::Fp32}.pointerTo(true));
  CHECK(pointer.scalar.bits() == 64);
  CHECK(parseSignatureType("i32:1")->isOne());
  CHECK(parseSignatureType("constexpr")->isConstexpr());
  const SignatureType block = parseSignatureType("*fp32[16,32]").value();
  CHECK((block.isBlock() && block.isPointer()));
  CHECK(block.shape == std::vector<int64_t>{16, 32});
  const SignatureType described = parseSignatureType("tensordesc<bf16[8,64],swizzle=64>").value();
  CHECK((described.isDescriptor() && !described.isBlock() && !described.isPointer()));
  CHECK(described.swizzleBytes == 64);
  const SignatureType tuple = parseSignatureType("(*fp32, n=i32, None)").value();
  REQUIRE(tuple.items.size() == 3);
  CHECK(tuple.items[1].field == "n");
  CHECK(tuple.items[2].literal == "None");
}
