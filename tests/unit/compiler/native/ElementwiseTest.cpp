// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Every elementwise operation on every type, against the interpreter, bit for bit.
#include "tests/unit/compiler/native/BothRuns.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

static constexpr int kNumElements = 512;

namespace {
/// `result = operation(operands)`, for blocks.
struct Operation {
  /// `%r = …` with `%a`, `%b`, `%c` for the operands and `$0`, `$1`, … `$r` for their types.
  std::string text;
  std::vector<std::string> operands;
  std::string result;
  /// The name of what is stored.
  std::string stored = "%r";
};
} // namespace

static std::string withTypes(std::string text, const Operation &operation) {
  const auto replace = [&](const std::string &mark, const std::string &type) {
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos;)
      text.replace(at, mark.size(), "tensor<512x" + type + ">");
  };
  for (size_t i = 0; i < operation.operands.size(); ++i)
    replace("$" + std::to_string(i), operation.operands[i]);
  replace("$r", operation.result);
  return text;
}

static std::string kernelOf(const Operation &operation) {
  const std::string names[] = {"a", "b", "c"};
  std::string parameters, body;
  const auto access = [](const std::string &name, const std::string &type) {
    return "  %" + name + "s = tt.splat %" + name + "p : !tt.ptr<" + type +
           "> -> tensor<512x!tt.ptr<" + type + ">>\n  %" + name + "q = tt.addptr %" + name +
           "s, %range : tensor<512x!tt.ptr<" + type + ">>, tensor<512xi32>\n";
  };
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    parameters += "%" + names[i] + "p: !tt.ptr<" + operation.operands[i] + ">, ";
    body += access(names[i], operation.operands[i]) + "  %" + names[i] + " = tt.load %" + names[i] +
            "q : tensor<512x!tt.ptr<" + operation.operands[i] + ">>\n";
  }
  return "tt.func public @k(" + parameters + "%op: !tt.ptr<" + operation.result +
         ">) {\n  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>\n" +
         body + "  %r = " + withTypes(operation.text, operation) + "\n" +
         access("o", operation.result) + "  tt.store %oq, " + operation.stored +
         " : tensor<512x!tt.ptr<" + operation.result + ">>\n  tt.return\n}\n";
}

static void checkAgrees(const Operation &operation) {
  std::vector<TestArgument> arguments;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    arguments.push_back(
        sampleOf(operation.operands[i], kNumElements, static_cast<unsigned>(i + 1)));
  arguments.push_back(poisoned(kNumElements * bytesOf(operation.result)));
  const std::string kernel = kernelOf(operation);
  INFO(kernel);
  const BothRuns runs = runBoth(kernel, {1, 1, 1}, arguments);
  REQUIRE(runs.errors == "");
  CHECK(firstDifference(runs.interpreted.back(), runs.native.back(), operation.result) == -1);
}

TEST_CASE("integer operations agree with the interpreter", "[compiler][native]") {
  const std::string name = GENERATE(
      "arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori",
      "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", "arith.divsi", "arith.divui",
      "arith.remsi", "arith.remui", "arith.shli", "arith.shrsi", "arith.shrui", "tt.mulhiui");
  const std::string type = GENERATE("i8", "i16", "i32", "i64");
  checkAgrees({name + " %a, %b : $r", {type, type}, type});
}

TEST_CASE("comparisons of integers and selections agree", "[compiler][native]") {
  const std::string predicate =
      GENERATE("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge");
  const std::string type = GENERATE("i8", "i16", "i32", "i64");
  checkAgrees({"arith.cmpi " + predicate + ", %a, %b : $0", {type, type}, "i1"});
  checkAgrees({"arith.select %a, %b, %c : $0, $1", {"i1", type, type}, type});
}

TEST_CASE("float operations agree with the interpreter", "[compiler][native]") {
  const std::string name = GENERATE("arith.addf", "arith.subf", "arith.mulf", "arith.divf",
                                    "arith.maximumf", "arith.minimumf");
  const std::string type = GENERATE("f16", "bf16", "f32", "f64");
  checkAgrees({name + " %a, %b : $r", {type, type}, type});
}

TEST_CASE("the larger or smaller of two floats agrees, but for the sign of zero",
          "[compiler][native]") {
  const std::string name = GENERATE("arith.maxnumf", "arith.minnumf");
  const std::string type = GENERATE("f16", "bf16", "f32", "f64");
  // Adding zero makes all zeros positive.
  const std::string zero = type == "f32"   ? "0x00000000"
                           : type == "f64" ? "0x0000000000000000"
                                           : "0x0000";
  checkAgrees({name + " %a, %b : $r\n  %z = arith.constant dense<" + zero +
                   "> : $r\n  %s = arith.addf %r, %z : $r",
               {type, type},
               type,
               "%s"});
}

TEST_CASE("comparisons of floats agree", "[compiler][native]") {
  const std::string predicate = GENERATE("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq",
                                         "ugt", "uge", "ult", "ule", "une", "uno");
  const std::string type = GENERATE("f16", "bf16", "f32", "f64");
  checkAgrees({"arith.cmpf " + predicate + ", %a, %b : $0", {type, type}, "i1"});
}

TEST_CASE("simple float functions agree", "[compiler][native]") {
  const std::string name = GENERATE("arith.negf", "math.absf", "math.floor", "math.ceil",
                                    "math.trunc", "math.roundeven", "math.sqrt");
  const std::string type = GENERATE("f16", "bf16", "f32", "f64");
  checkAgrees({name + " %a : $r", {type}, type});
}

TEST_CASE("operations of three floats agree", "[compiler][native]") {
  const std::string type = GENERATE("f32", "f64");
  checkAgrees({"math.fma %a, %b, %c : $r", {type, type, type}, type});
  checkAgrees({"tt.precise_divf %a, %b : $r", {type, type}, type});
}

TEST_CASE("casts of integers agree", "[compiler][native]") {
  const std::string from = GENERATE("i1", "i8", "i16", "i32", "i64");
  const std::string to = GENERATE("i1", "i8", "i16", "i32", "i64");
  const size_t fromBits = from == "i1" ? 1 : 8 * bytesOf(from);
  const size_t toBits = to == "i1" ? 1 : 8 * bytesOf(to);
  if (toBits > fromBits) {
    checkAgrees({"arith.extsi %a : $0 to $r", {from}, to});
    checkAgrees({"arith.extui %a : $0 to $r", {from}, to});
  } else if (toBits < fromBits) {
    checkAgrees({"arith.trunci %a : $0 to $r", {from}, to});
  }
}

TEST_CASE("casts between integers and floats agree", "[compiler][native]") {
  const std::string integer = GENERATE("i8", "i16", "i32", "i64");
  const std::string floating = GENERATE("f16", "bf16", "f32", "f64");
  checkAgrees({"arith.sitofp %a : $0 to $r", {integer}, floating});
  checkAgrees({"arith.uitofp %a : $0 to $r", {integer}, floating});
  checkAgrees({"arith.fptosi %a : $0 to $r", {floating}, integer});
  checkAgrees({"arith.fptoui %a : $0 to $r", {floating}, integer});
}

TEST_CASE("casts of floats agree", "[compiler][native]") {
  const std::string from = GENERATE("f16", "bf16", "f32", "f64");
  const std::string to = GENERATE("f16", "bf16", "f32", "f64");
  if (bytesOf(to) > bytesOf(from))
    checkAgrees({"arith.extf %a : $0 to $r", {from}, to});
  if (bytesOf(to) < bytesOf(from))
    checkAgrees({"arith.truncf %a : $0 to $r", {from}, to});
}

TEST_CASE("casts from and to floats of 8 bits agree", "[compiler][native]") {
  const std::string small = GENERATE("f8E5M2", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ");
  const std::string other = GENERATE("f16", "bf16", "f32", "f64", "f8E5M2", "f8E4M3FN");
  checkAgrees({"tt.fp_to_fp %a : $0 -> $r", {small}, other});
  checkAgrees({"tt.fp_to_fp %a, rounding = rtne : $0 -> $r", {other}, small});
}

TEST_CASE("casts of floats toward zero, and between those of 16 bits, agree",
          "[compiler][native]") {
  const std::string wide = GENERATE("f32", "f64");
  const std::string narrow = GENERATE("f16", "bf16", "f8E5M2", "f8E4M3FN");
  checkAgrees({"tt.fp_to_fp %a, rounding = rtz : $0 -> $r", {wide}, narrow});
  checkAgrees({"tt.fp_to_fp %a, rounding = rtne : $0 -> $r", {"f16"}, "bf16"});
  checkAgrees({"tt.fp_to_fp %a, rounding = rtne : $0 -> $r", {"bf16"}, "f16"});
}

TEST_CASE("blocks of 8-bit floats are moved and chosen from as they are", "[compiler][native]") {
  const std::string type = GENERATE("f8E5M2", "f8E4M3FN");
  checkAgrees({"arith.select %a, %b, %c : $0, $1", {"i1", type, type}, type});
  checkAgrees({"tt.bitcast %a : $0 -> $r", {type}, "i8"});
  checkAgrees({"arith.constant dense<1.5> : $r", {}, type});
}

TEST_CASE("functions without code of their own are those of the interpreter",
          "[compiler][native]") {
  const std::string type = GENERATE("f16", "bf16", "f32", "f64");
  checkAgrees({"arith.remf %a, %b : $r", {type, type}, type});
  const std::string end = type == "f64" ? "" : "f";
  if (bytesOf(type) < 4)
    return;
  const auto call = [&](const std::string &name, const std::string &operands,
                        const std::string &types) {
    return "tt.extern_elementwise " + operands + " {libname = \"\", libpath = \"\", pure = true, " +
           "symbol = \"__nv_" + name + end + "\"} : (" + types + ") -> $r";
  };
  checkAgrees({call("fdim", "%a, %b", "$0, $1"), {type, type}, type});
  checkAgrees({call("lgamma", "%a", "$0"), {type}, type});
  checkAgrees({call("ldexp", "%a, %b", "$0, $1"), {type, "i32"}, type});
}

TEST_CASE("bit casts agree", "[compiler][native]") {
  checkAgrees({"tt.bitcast %a : $0 -> $r", {"f32"}, "i32"});
  checkAgrees({"tt.bitcast %a : $0 -> $r", {"i32"}, "f32"});
  checkAgrees({"tt.bitcast %a : $0 -> $r", {"i16"}, "bf16"});
  checkAgrees({"tt.bitcast %a : $0 -> $r", {"f64"}, "i64"});
}
