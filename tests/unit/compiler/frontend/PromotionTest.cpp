// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Promotion.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::frontend;
using T = DType;

TEST_CASE("run-time operands promote as Triton has it", "[compiler]") {
  struct Row {
    T left, right, plain, division;
  };
  const Row rows[] = {
      {T::Fp16, T::Fp16, T::Fp16, T::Fp32},    {T::Bf16, T::Bf16, T::Bf16, T::Fp32},
      {T::Fp16, T::Bf16, T::Fp16, T::Fp32},    {T::Bf16, T::Int64, T::Fp32, T::Fp32},
      {T::Fp16, T::Int64, T::Fp16, T::Fp32},   {T::Fp32, T::Fp16, T::Fp32, T::Fp32},
      {T::Fp64, T::Fp16, T::Fp64, T::Fp64},    {T::Fp32, T::Int64, T::Fp32, T::Fp32},
      {T::Int8, T::Int32, T::Int32, T::Int32}, {T::Uint8, T::Uint16, T::Uint16, T::Uint16},
      {T::Fp8e5, T::Fp8e5, T::Fp8e5, T::Fp32}, {T::Fp8e5, T::Fp8e4nv, T::Fp16, T::Fp32},
      {T::Bf16, T::Fp8e5, T::Fp32, T::Fp32},   {T::Int1, T::Int1, T::Int1, T::Int1},
  };
  for (const Row &row : rows) {
    INFO(nameOf(row.left) << " and " << nameOf(row.right));
    CHECK(promote(row.left, row.right, Arithmetic::Plain).type == row.plain);
    CHECK(promote(row.right, row.left, Arithmetic::Plain).type == row.plain);
    CHECK(promote(row.left, row.right, Arithmetic::DivisionOrRemainder).type == row.division);
  }
}

TEST_CASE("integers of different signs promote by width", "[compiler]") {
  CHECK(promoteIntegers(T::Int32, T::Uint32) == T::Uint32);
  CHECK(promoteIntegers(T::Uint64, T::Int32) == T::Uint64);
  CHECK(promoteIntegers(T::Int64, T::Uint32) == T::Int64);
  CHECK(promoteIntegers(T::Int1, T::Int8) == T::Int8);
  CHECK_FALSE(promote(T::Int32, T::Uint32, Arithmetic::DivisionOrRemainder).type);
  CHECK_FALSE(promote(T::Fp8e5, T::Int32, Arithmetic::Plain).type);
}

TEST_CASE("a Python number adopts the other operand's type up to its kind", "[compiler]") {
  auto withNumber = [](NumberKind kind, T literal, T other, Arithmetic arithmetic) {
    return promoteWithNumber(kind, literal, other, arithmetic).type;
  };
  auto plain = Arithmetic::Plain, division = Arithmetic::DivisionOrRemainder;
  CHECK(withNumber(NumberKind::Floating, T::Fp32, T::Fp16, plain) == T::Fp16);
  CHECK(withNumber(NumberKind::Floating, T::Fp32, T::Fp16, division) == T::Fp32);
  CHECK(withNumber(NumberKind::Integral, T::Int32, T::Int8, plain) == T::Int8);
  CHECK(withNumber(NumberKind::Integral, T::Int32, T::Uint8, division) == T::Uint8);
  CHECK(withNumber(NumberKind::Floating, T::Fp32, T::Int64, plain) == T::Fp32);
  CHECK(withNumber(NumberKind::Integral, T::Int32, T::Int1, plain) == T::Int32);
  CHECK(withNumber(NumberKind::Boolean, T::Int1, T::Int8, plain) == T::Int8);
}

TEST_CASE("types are printed in the words of the language", "[compiler]") {
  CHECK(toString(Type(tilescope::compiler::ScalarType{T::Fp16}.pointerTo(), {16, 32})) ==
        "pointer<fp16>[16, 32]");
}
