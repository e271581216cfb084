// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

struct Assembly {
  std::string text;
  std::string constraints;
  int pack = 1;
};

/// Runs assembly with one argument and one result on blocks of 8.
template <typename R, typename A>
static Interpretation runAssembly(const Assembly &assembly, const std::string &from,
                                  const std::string &to, std::vector<A> &in, std::vector<R> &out) {
  auto block = [](const std::string &name, const std::string &type) {
    return "  %s" + name + " = tt.splat %" + name + " : !tt.ptr<" + type +
           "> -> tensor<8x!tt.ptr<" + type + ">>\n  %p" + name + " = tt.addptr %s" + name +
           ", %i : tensor<8x!tt.ptr<" + type + ">>, tensor<8xi32>\n";
  };
  std::string text =
      "tt.func public @k(%in: !tt.ptr<" + from + ">, %out: !tt.ptr<" + to +
      ">) {\n  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : "
      "tensor<8xi32>\n" +
      block("in", from) + block("out", to) + "  %x = tt.load %pin : tensor<8x!tt.ptr<" + from +
      ">>\n" + "  %y = tt.elementwise_inline_asm \"" + assembly.text + "\" {constraints = \"" +
      assembly.constraints + "\", packed_element = " + std::to_string(assembly.pack) +
      " : i32, pure = true} %x : tensor<8x" + from + "> -> tensor<8x" + to +
      ">\n  tt.store %pout, %y : tensor<8x!tt.ptr<" + to + ">>\n  tt.return\n}\n";
  return runTtir(text, {{1, 1, 1}, {memory("in", in), memory("out", out)}});
}

TEST_CASE("Assembly computes on each element", "[compiler][interpreter][assembly]") {
  std::vector<float> in{-2, -1, -0.5, 0, 0.5, 1, 2, 3}, out(8);
  CHECK(runAssembly({"ex2.approx.ftz.f32 $0, $1;", "=f,f"}, "f32", "f32", in, out).completed);
  for (size_t i = 0; i < 8; ++i)
    CHECK(out[i] == std::exp2(in[i]));

  const char *relu = "{ .reg .pred p; setp.gt.f32 p, $1, 0f00000000;"
                     " selp.f32 $0, $1, 0f00000000, p; }";
  CHECK(runAssembly({relu, "=f,f"}, "f32", "f32", in, out).completed);
  for (size_t i = 0; i < 8; ++i)
    CHECK(out[i] == std::max(in[i], 0.0f));

  const char *guarded = "{ .reg .pred p; mov.b32 $0, $1; setp.lt.f32 p, $1, 0f00000000;"
                        " @p neg.f32 $0, $1; @!p add.f32 $0, $1, $1; }";
  CHECK(runAssembly({guarded, "=f,f"}, "f32", "f32", in, out).completed);
  for (size_t i = 0; i < 8; ++i)
    CHECK(out[i] == (in[i] < 0 ? -in[i] : 2 * in[i]));
}

TEST_CASE("Narrow elements share registers", "[compiler][interpreter][assembly]") {
  // Four bytes at a time: the upper and lower halves of each are exchanged.
  std::vector<uint8_t> in{0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0}, out(8);
  const char *exchange = "{ .reg .b32 a, b; shl.b32 a, $1, 4; and.b32 a, a, 0xf0f0f0f0;"
                         " shr.u32 b, $1, 4; lop3.b32 $0, a, b, 0x0f0f0f0f, 0xf8; }";
  CHECK(runAssembly({exchange, "=r,r", 4}, "i8", "i8", in, out).completed);
  CHECK(out == std::vector<uint8_t>{0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb, 0xed, 0x0f});

  // Two halves in a register, taken apart and put together the other way round.
  std::vector<uint16_t> halves{1, 2, 3, 4, 5, 6, 7, 8}, turned(8);
  const char *turn = "{ .reg .b16 lo, hi; mov.b32 {lo, hi}, $1; mov.b32 $0, {hi, lo}; }";
  CHECK(runAssembly({turn, "=r,r", 2}, "i16", "i16", halves, turned).completed);
  CHECK(turned == std::vector<uint16_t>{2, 1, 4, 3, 6, 5, 8, 7});
}

TEST_CASE("Bytes become pairs of bf16", "[compiler][interpreter][assembly]") {
  // Eight bits in, 16 bits out: four elements take one register and give two.
  std::vector<int8_t> in{1, 2, 3, 4, 5, 6, 7, 100};
  std::vector<uint16_t> out(8);
  const char *widen = "{ .reg .b32 t<4>; prmt.b32 t0, $2, 0x43434343, 0x4140;"
                      " prmt.b32 t1, $2, 0, 0x4140; prmt.b32 t2, $2, 0, 0x4342;"
                      " mov.b32 $0, t1; mov.b32 $1, t2; }";
  CHECK(runAssembly({widen, "=r,=r,r", 4}, "i8", "i16", in, out).completed);
  CHECK(out == std::vector<uint16_t>{1, 2, 3, 4, 5, 6, 7, 100});
}

TEST_CASE("A tied operand begins as the output", "[compiler][interpreter][assembly]") {
  std::vector<int32_t> in{0, 1, 2, 3, 4, 5, 6, 7}, out(8);
  CHECK(runAssembly({"add.s32 $0, $0, 10;", "=r,0"}, "i32", "i32", in, out).completed);
  for (int32_t i = 0; i < 8; ++i)
    CHECK(out[i] == i + 10);
}

TEST_CASE("Clocks run, and there is one multiprocessor", "[compiler][interpreter][assembly]") {
  std::vector<int64_t> in(8), first(8), second(8);
  CHECK(runAssembly({"mov.u64 $0, %globaltimer;", "=l,l"}, "i64", "i64", in, first).completed);
  CHECK(runAssembly({"mov.u64 $0, %clock64;", "=l,l"}, "i64", "i64", in, second).completed);
  CHECK(first.front() > 0);
  CHECK(std::is_sorted(first.begin(), first.end()));
  CHECK(second.front() > first.back());
  std::vector<int32_t> word(8), number(8, -1);
  CHECK(runAssembly({"mov.u32 $0, %smid;", "=r,r"}, "i32", "i32", word, number).completed);
  CHECK(number == std::vector<int32_t>(8, 0));
}

TEST_CASE("Assembly that is not understood is refused by name",
          "[compiler][interpreter][assembly]") {
  std::vector<float> in(8), out(8);
  auto refusal = [&](const std::string &text, const std::string &constraints = "=f,f") {
    Interpretation result = runAssembly({text, constraints}, "f32", "f32", in, out);
    CHECK_FALSE(result.completed);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].kind == InterpreterFindingKind::Unsupported);
    return result.findings[0].message;
  };
  auto contains = [](const std::string &text) { return Catch::Matchers::Contains(text); };
  CHECK_THAT(refusal("frobnicate.f32 $0, $1;"), contains("`frobnicate.f32` is not known"));
  CHECK_THAT(refusal("ld.global.f32 $0, [$1];"), contains("`ld.global.f32` accesses memory"));
  CHECK_THAT(refusal("mov.u32 $0, %laneid;"), contains("`mov.u32` reads `%laneid`"));
  CHECK_THAT(refusal("mov.u32 %smid, $1;"), contains("`mov.u32` reads `%smid`"));
  CHECK_THAT(refusal("ex2.approx.f32 $0, $1;", "=f,f,f"), contains("3 operands"));
}
