// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/AxisInfo.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>
#include <string>

using namespace mlir;
using tilescope::compiler::AxisInfo;
using tilescope::compiler::AxisInfoMap;

namespace {
/// Parses the body of a function and says what is known of the operation marked `{probe}`.
class Probe {
public:
  explicit Probe(const std::string &body, const std::string &arguments = "") {
    m_context.loadDialect<tilescope::tt::TTDialect>();
    m_context.allowUnregisteredDialects();
    std::string text =
        "module { tt.func public @f(" + arguments + ") {\n" + body + "\ntt.return } }";
    m_module = parseSourceString<ModuleOp>(text, &m_context);
    REQUIRE(m_module);
    AxisInfoMap infos(*m_module);
    m_module->walk([&](Operation *op) {
      if (!op->hasAttr("probe"))
        return;
      Value value = op->getNumResults() ? op->getResult(0) : op->getOperand(0);
      const AxisInfo *info = infos.find(value);
      REQUIRE(info);
      m_info = *info;
    });
    REQUIRE_FALSE(m_info.isUninitialized());
  }
  const AxisInfo &info() const { return m_info; }

private:
  MLIRContext m_context;
  OwningOpRef<ModuleOp> m_module;
  AxisInfo m_info;
};

using Values = llvm::SmallVector<int64_t, 4>;
constexpr int64_t kAny = AxisInfo::kMaxDivisor;

void check(const std::string &body, Values contiguity, Values divisibility, Values constancy,
           std::optional<int64_t> constant = std::nullopt, const std::string &arguments = "") {
  AxisInfo info = Probe(body, arguments).info();
  std::string text;
  llvm::raw_string_ostream stream(text);
  info.print(stream);
  INFO(body << "\n" << text);
  CHECK(info.contiguity == contiguity);
  CHECK(info.divisibility == divisibility);
  CHECK(info.constancy == constancy);
  CHECK(info.constant == constant);
}

const std::string kRange =
    "%r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>\n";
const std::string kSixteen = "%c = arith.constant dense<16> : tensor<128xi32>\n";
const std::string kArguments =
    "%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, "
    "%m: i32, %b: i1";
const std::string kUnknown = "%u = tt.splat %m : i32 -> tensor<128xi32>\n";
} // namespace

TEST_CASE("the worked example of the header", "[compiler][analysis]") {
  std::string body = kRange + R"(
    %pid = tt.get_program_id x : i32
    %c128 = arith.constant 128 : i32
    %base = arith.muli %pid, %c128 : i32
    %s = tt.splat %base : i32 -> tensor<128xi32>
    %o = arith.addi %s, %r PROBE0 : tensor<128xi32>
    %ns = tt.splat %n : i32 -> tensor<128xi32>
    %mask = arith.cmpi slt, %o, %ns PROBE1 : tensor<128xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %q = tt.addptr %ps, %o PROBE2 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>)";
  auto probing = [&](int which) {
    std::string text = body;
    for (int i = 0; i < 3; ++i) {
      std::string mark = "PROBE" + std::to_string(i);
      text.replace(text.find(mark), mark.size(), i == which ? "{probe}" : "");
    }
    return text;
  };
  check(probing(0), {128}, {128}, {1}, std::nullopt, kArguments);
  check(probing(1), {1}, {1}, {16}, std::nullopt, kArguments);
  check(probing(2), {128}, {16}, {1}, std::nullopt, kArguments);
}

TEST_CASE("constants and ranges", "[compiler][analysis]") {
  check("%x = arith.constant {probe} 24 : i32", {1}, {8}, {1}, 24);
  check("%x = arith.constant {probe} dense<0> : tensor<4x8xi32>", {1, 1}, {kAny, kAny}, {4, 8}, 0);
  check("%x = arith.constant {probe} dense<true> : tensor<8xi1>", {1}, {1}, {8}, 1);
  check("%x = arith.constant {probe} dense<1.0> : tensor<8xf32>", {1}, {1}, {8});
  check("%x = tt.make_range {probe, start = 8 : i32, end = 24 : i32} : tensor<16xi32>", {16}, {8},
        {1});
  check("%x = tt.make_range {probe, start = -8 : i32, end = 8 : i32} : tensor<16xi32>", {16}, {8},
        {1});
}

TEST_CASE("sums", "[compiler][analysis]") {
  check(kRange + kSixteen + "%x = arith.addi %r, %c {probe} : tensor<128xi32>", {128}, {16}, {1});
  check(kRange + "%x = arith.addi %r, %r {probe} : tensor<128xi32>", {1}, {2}, {1});
  check(kRange + "%x = arith.subi %r, %r {probe} : tensor<128xi32>", {1}, {kAny}, {1});
  check(kRange + kSixteen + "%x = arith.subi %c, %r {probe} : tensor<128xi32>", {1}, {1}, {1});
  check(kRange + kUnknown + "%x = arith.addi %r, %u {probe} : tensor<128xi32>", {128}, {1}, {1},
        std::nullopt, kArguments);
  check("%a = arith.constant 3 : i32 %x = arith.addi %a, %a {probe} : i32", {1}, {2}, {1}, 6);
  check("%x = tt.addptr %p, %n {probe} : !tt.ptr<f32>, i32", {1}, {16}, {1}, std::nullopt,
        kArguments);
  check("%c2 = arith.constant 2 : i32 %x = tt.addptr %p, %c2 {probe} : !tt.ptr<f32>, i32", {1}, {8},
        {1}, std::nullopt, kArguments);
}

TEST_CASE("a run that a sum cuts short starts at multiples of its length", "[compiler][analysis]") {
  // Runs of 128 from multiples of 2^62, plus one value per 4 positions: runs of 4.
  std::string body = kRange + R"(
    %four = arith.constant dense<4> : tensor<128xi32>
    %q = arith.divsi %r, %four : tensor<128xi32>
    %k = arith.muli %q, %c : tensor<128xi32>
    %x = arith.addi %r, %k {probe} : tensor<128xi32>)";
  check(kSixteen + body, {4}, {4}, {1});
}

TEST_CASE("products", "[compiler][analysis]") {
  check(kRange + kSixteen + "%x = arith.muli %r, %c {probe} : tensor<128xi32>", {1}, {16}, {1});
  check(kRange + "%one = arith.constant dense<1> : tensor<128xi32> %x = arith.muli %one, %r "
                 "{probe} : tensor<128xi32>",
        {128}, {kAny}, {1});
  check("%x = arith.muli %n, %n {probe} : i32", {1}, {256}, {1}, std::nullopt, kArguments);
  check("%s = arith.constant 3 : i32 %x = arith.shli %n, %s {probe} : i32", {1}, {128}, {1},
        std::nullopt, kArguments);
}

TEST_CASE("quotients and remainders", "[compiler][analysis]") {
  check(kRange + kSixteen + "%x = arith.divsi %r, %c {probe} : tensor<128xi32>", {1}, {1}, {16});
  check(kRange + kSixteen + "%x = arith.remsi %r, %c {probe} : tensor<128xi32>", {16}, {16}, {1});
  check(kRange + "%ns = tt.splat %n : i32 -> tensor<128xi32> %x = arith.remsi %r, %ns {probe} : "
                 "tensor<128xi32>",
        {16}, {16}, {1}, std::nullopt, kArguments);
  check(kRange + kUnknown + "%x = arith.remsi %r, %u {probe} : tensor<128xi32>", {1}, {1}, {1},
        std::nullopt, kArguments);
  check(kRange + "%one = arith.constant dense<1> : tensor<128xi32> %x = arith.remui %r, %one "
                 "{probe} : tensor<128xi32>",
        {1}, {kAny}, {128}, 0);
  check(kRange + "%one = arith.constant dense<1> : tensor<128xi32> %x = arith.divui %r, %one "
                 "{probe} : tensor<128xi32>",
        {128}, {kAny}, {1});
  check("%c4 = arith.constant 4 : i32 %x = arith.divsi %n, %c4 {probe} : i32", {1}, {4}, {1},
        std::nullopt, kArguments);
  check(kRange + "%low = arith.constant dense<31> : tensor<128xi32> %x = arith.andi %r, %low "
                 "{probe} : tensor<128xi32>",
        {32}, {32}, {1});
  check(kRange + "%two = arith.constant dense<2> : tensor<128xi32> %x = arith.shrui %r, %two "
                 "{probe} : tensor<128xi32>",
        {1}, {1}, {4});
}

TEST_CASE("comparisons", "[compiler][analysis]") {
  std::string range = kRange + kSixteen;
  check(range + "%x = arith.cmpi slt, %r, %c {probe} : tensor<128xi32>", {1}, {1}, {16});
  check(range + "%x = arith.cmpi sge, %r, %c {probe} : tensor<128xi32>", {1}, {1}, {16});
  check(range + "%x = arith.cmpi sle, %r, %c {probe} : tensor<128xi32>", {1}, {1}, {1});
  check(range + "%x = arith.cmpi sgt, %c, %r {probe} : tensor<128xi32>", {1}, {1}, {16});
  check(range + "%x = arith.cmpi eq, %r, %c {probe} : tensor<128xi32>", {1}, {1}, {1});
  check("%a = arith.constant dense<-1> : tensor<8xi32> %x = arith.cmpi slt, %a, %a {probe} : "
        "tensor<8xi32>",
        {1}, {kAny}, {8}, 0);
}

TEST_CASE("selection", "[compiler][analysis]") {
  std::string range = kRange + kSixteen + "%s = arith.addi %r, %c : tensor<128xi32>\n";
  check(range + "%x = arith.select %b, %r, %s {probe} : tensor<128xi32>", {128}, {16}, {1},
        std::nullopt, kArguments);
  check(range + "%t = arith.cmpi slt, %r, %c : tensor<128xi32> %x = arith.select %t, %r, %s "
                "{probe} : tensor<128xi1>, "
                "tensor<128xi32>",
        {16}, {16}, {1});
  check(range + "%t = arith.constant true %x = arith.select %t, %c, %r {probe} : tensor<128xi32>",
        {1}, {16}, {128}, 16);
  check(range + "%x = arith.minsi %r, %s {probe} : tensor<128xi32>", {128}, {16}, {1});
}

TEST_CASE("shapes", "[compiler][analysis]") {
  check("%x = tt.splat %n {probe} : i32 -> tensor<4x8xi32>", {1, 1}, {16, 16}, {4, 8}, std::nullopt,
        kArguments);
  check(kRange +
            "%x = tt.expand_dims %r {probe, axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>",
        {128, 1}, {kAny, 1}, {1, 1});
  std::string row =
      kRange + "%e = tt.expand_dims %r {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>\n"
               "%w = tt.broadcast %e : tensor<1x128xi32> -> tensor<4x128xi32>\n";
  check(row + "%x = tt.broadcast %e {probe} : tensor<1x128xi32> -> tensor<4x128xi32>", {1, 128},
        {1, kAny}, {4, 1});
  check(row + "%x = tt.trans %w {probe, order = array<i32: 1, 0>} : tensor<4x128xi32> -> "
              "tensor<128x4xi32>",
        {128, 1}, {kAny, 1}, {1, 4});
  check(kRange + "%x = tt.reshape %r {probe} : tensor<128xi32> -> tensor<8x16xi32>", {1, 16},
        {1, 16}, {1, 1});
  check(row + "%x = tt.reshape %w {probe} : tensor<4x128xi32> -> tensor<512xi32>", {128}, {kAny},
        {1});
  std::string column =
      kUnknown + "%e = tt.expand_dims %u {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>\n"
                 "%w = tt.broadcast %e : tensor<128x1xi32> -> tensor<128x4xi32>\n";
  check(column + "%x = tt.reshape %w {probe} : tensor<128x4xi32> -> tensor<512xi32>", {1}, {1},
        {512}, std::nullopt, kArguments);
}

TEST_CASE("casts", "[compiler][analysis]") {
  check(kRange + "%x = arith.extsi %r {probe} : tensor<128xi32> to tensor<128xi64>", {128}, {kAny},
        {1});
  std::string pointers = kRange +
                         "%ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>\n"
                         "%q = tt.addptr %ps, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>\n";
  check(pointers +
            "%x = tt.bitcast %q {probe} : tensor<128x!tt.ptr<f32>> -> tensor<128x!tt.ptr<i16>>",
        {1}, {4}, {1}, std::nullopt, kArguments);
  check(pointers +
            "%x = tt.bitcast %q {probe} : tensor<128x!tt.ptr<f32>> -> tensor<128x!tt.ptr<i32>>",
        {128}, {16}, {1}, std::nullopt, kArguments);
  check(pointers + "%x = tt.ptr_to_int %q {probe} : tensor<128x!tt.ptr<f32>> -> tensor<128xi64>",
        {1}, {4}, {1}, std::nullopt, kArguments);
  check(pointers + "%v = tt.load %q : tensor<128x!tt.ptr<f32>> %x = tt.bitcast %v {probe} : "
                   "tensor<128xf32> -> "
                   "tensor<128xi32>",
        {1}, {1}, {1}, std::nullopt, kArguments);
}

TEST_CASE("hints replace what was derived", "[compiler][analysis]") {
  check(kUnknown + "%x = arith.addi %u, %u {probe, tt.contiguity = dense<8> : tensor<1xi32>, "
                   "tt.divisibility = dense<4> : tensor<1xi32>} : tensor<128xi32>",
        {8}, {4}, {128}, std::nullopt, kArguments);
}

TEST_CASE("loops keep what every iteration keeps", "[compiler][analysis]") {
  std::string loop = R"(
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %q = tt.addptr %ps, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %step = arith.constant dense<STEP> : tensor<128xi32>
    %last = scf.for %i = %c0 to %m step %c32 iter_args(%a = %q) -> (tensor<128x!tt.ptr<f32>>) : i32 {
      "test.use"(%i) PROBE0 : (i32) -> ()
      "test.use"(%a) PROBE1 : (tensor<128x!tt.ptr<f32>>) -> ()
      %next = tt.addptr %a, %step : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      scf.yield %next : tensor<128x!tt.ptr<f32>>
    })";
  auto with = [&](std::string step, int which) {
    std::string text = kRange + loop;
    text.replace(text.find("STEP"), 4, step);
    for (int i = 0; i < 2; ++i)
      text.replace(text.find("PROBE" + std::to_string(i)), 6, i == which ? "{probe}" : "");
    return text;
  };
  check(with("32", 0), {1}, {32}, {1}, std::nullopt, kArguments);
  check(with("32", 1), {128}, {16}, {1}, std::nullopt, kArguments);
  check(with("2", 1), {128}, {8}, {1}, std::nullopt, kArguments);
}

TEST_CASE("functions learn from their callers", "[compiler][analysis]") {
  MLIRContext context;
  context.loadDialect<tilescope::tt::TTDialect>();
  auto module = parseSourceString<ModuleOp>(R"(
    tt.func public @f(%n: i32 {tt.divisibility = 16 : i32}, %m: i32) {
      %c8 = arith.constant 8 : i32
      tt.call @g(%n, %c8) : (i32, i32) -> ()
      tt.call @g(%c8, %m) : (i32, i32) -> ()
      tt.return
    }
    tt.func private @g(%a: i32, %b: i32) attributes {noinline = true} {
      tt.return
    })",
                                            &context);
  REQUIRE(module);
  AxisInfoMap infos(*module);
  auto function = module->lookupSymbol<tilescope::tt::FuncOp>("g");
  REQUIRE(infos.find(function.getArgument(0)));
  CHECK(infos.find(function.getArgument(0))->divisibility[0] == 8);
  CHECK(infos.find(function.getArgument(1))->divisibility[0] == 1);
}
