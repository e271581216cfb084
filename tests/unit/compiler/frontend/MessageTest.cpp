// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Message.h"

#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::frontend;

using Texts = std::vector<std::string>;
using Shapes = std::vector<std::vector<int64_t>>;

static Diagnostic written(Message message) {
  Diagnostic diagnostic;
  std::move(message).writeTo(diagnostic);
  return diagnostic;
}

TEST_CASE("a message shows its arguments, and its cause keeps what they are", "[compiler]") {
  const Type block{ScalarType{DType::Fp16}, {64, 32}};
  const Diagnostic typed = written({"`{}` of {} {{braces}} at {}", "x", block, int64_t{3}});
  CHECK(typed.message == "`x` of fp16[64, 32] {braces} at 3");
  CHECK(typed.cause.types == Texts{"fp16"});
  CHECK(typed.cause.shapes == Shapes{{64, 32}});
  CHECK_FALSE(typed.cause.namesPointer);

  const Diagnostic pointers =
      written({"{} and `{}`", ScalarType{DType::Int1}.pointerTo(), DType::Int1});
  CHECK(pointers.message == "pointer<int1> and `int1`");
  CHECK(pointers.cause.types == Texts{"i1"});
  CHECK(pointers.cause.namesPointer);

  const Diagnostic values = written(
      {"{}, {}", Value(), Value::tuple({Value::integer(4), Value(constant::Value::none())})});
  CHECK(values.message == "None, constexpr tuple = (4, None)");
  CHECK(values.cause.namesNone);
  CHECK(values.cause.namesConstexpr);
  CHECK(values.cause.types.empty());

  const Diagnostic plain = written("only words, {} as they are");
  CHECK(plain.message == "only words, {} as they are");
  CHECK(plain.cause == DiagnosticCause());
}

TEST_CASE("what is needed is said beside the words", "[compiler]") {
  const Diagnostic product =
      written(Message("got {}", DType::Int8).wants({DType::Fp16, DType::Fp32}).needs(Need::Block));
  CHECK(product.cause.types == Texts{"fp16", "fp32", "i8"});
  CHECK(product.cause.need == Need::Block);
  const Diagnostic carried = written(Message("two").about("acc").totals(64, 128).extents(8, 16));
  CHECK(carried.cause.subject == "acc");
  CHECK(carried.cause.totals == std::vector<int64_t>{64, 128});
  CHECK(carried.cause.extents == std::vector<int64_t>{8, 16});
}

TEST_CASE("errors of the language carry their causes", "[compiler]") {
  struct Row {
    const char *body;
    Need need;
    Texts types;
  };
  const Row rows[] = {
      {"tl.store(i, x)", Need::Pointer, {"i32"}},
      {"tl.sum(n, 0)", Need::Block, {"i32"}},
      {"tl.arange(0, n)", Need::Extent, {"i32"}},
      {"tl.zeros((n,), tl.float32)", Need::Extent, {"i32"}},
      {"tl.zeros((B,), n)", Need::DType, {"i32"}},
      {"tl.reshape(x, (2, 2))", Need::Rank, {}},
      {"tl.zeros((B, 1048576), tl.float32)", Need::FewerElements, {}},
      {"n[0]", Need::Sequence, {"i32"}},
      {"a, b = (B,)", Need::Sequence, {}},
      {"n(1)", Need::Function, {"i32"}},
      {"n.element_ty", Need::Pointer, {"i32"}},
      {"tl.no_such_function(x)", Need::Import, {}},
      {"tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.bfloat16))",
       Need::SameDType,
       {"fp16", "bf16"}},
      {"x.to(tl.int16, bitcast=True)", Need::Nothing, {"fp16", "i16", "fp32"}},
      {"tl.load(x_ptr + i, mask=x)", Need::Nothing, {"i1", "fp32"}},
  };
  for (const Row &row : rows) {
    const Emitted emitted = emitBody(row.body);
    INFO(row.body << "\n" << emitted.messages());
    REQUIRE(emitted.diagnostics.size() == 1);
    const DiagnosticCause &cause = emitted.diagnostics.front().cause;
    CHECK(cause.need == row.need);
    if (!row.types.empty())
      CHECK(cause.types == row.types);
  }
}

TEST_CASE("errors of two types name their variable", "[compiler]") {
  const Emitted carried =
      emitBody("s = 0\nfor j in range(n):\n    s = s + 1.5\ntl.store(x_ptr, s)");
  INFO(carried.messages());
  REQUIRE(carried.diagnostics.size() == 1);
  CHECK(carried.diagnostics.front().cause.subject == "s");
  const Emitted joined = emitBody("if n > 1:\n    t = x\nelse:\n    t = n\ntl.store(x_ptr + i, t)");
  INFO(joined.messages());
  REQUIRE(joined.diagnostics.size() == 1);
  CHECK(joined.diagnostics.front().cause.subject == "t");
}
