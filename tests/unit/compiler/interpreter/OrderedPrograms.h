// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <catch2/catch.hpp>

/// Four programs that use each other's elements, and what a run says of their order.
namespace tilescope::tests {

using namespace tilescope::compiler;

/// %data and %out: a number for each of 4 programs; %flag: 4 integers; %v: the program's number and
/// one; %mine, %before: the program's element of %data and that of the program before.
inline std::string kernelOf(const std::string &body) {
  return R"(
tt.func public @k(%data: !tt.ptr<f32>, %flag: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0.0 : f32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %last = arith.subi %pid, %c1 : i32
  %v = arith.sitofp %next : i32 to f32
  %isLater = arith.cmpi sgt, %pid, %c0 : i32
  %mine = tt.addptr %data, %pid : !tt.ptr<f32>, i32
  %myFlag = tt.addptr %flag, %pid : !tt.ptr<i32>, i32
  %before = tt.addptr %data, %last : !tt.ptr<f32>, i32
  %itsFlag = tt.addptr %flag, %last : !tt.ptr<i32>, i32
  %myOut = tt.addptr %out, %pid : !tt.ptr<f32>, i32
)" + body +
         "\n  tt.return\n}\n";
}

struct Outcome {
  std::vector<std::string> messages;
  std::vector<float> data = std::vector<float>(4), out = std::vector<float>(4);
  std::vector<int32_t> flag = std::vector<int32_t>(4);
};

inline Outcome outcomeOf(const std::string &body, unsigned numThreads = 1,
                         const std::string &expected = "") {
  Outcome outcome;
  InterpreterLaunch launch{
      {4, 1, 1},
      {memory("data", outcome.data), memory("flag", outcome.flag), memory("out", outcome.out)}};
  for (InterpreterArgument &each : launch.arguments)
    each.isExpected = each.name == expected;
  InterpreterOptions options;
  options.numThreads = numThreads;
  const Interpretation result = runTtir(kernelOf(body), launch, options);
  CHECK(result.completed);
  CHECK(result.numFindings == result.findings.size());
  for (const InterpreterFinding &each : result.findings) {
    CHECK(each.kind == InterpreterFindingKind::WriteRace);
    outcome.messages.push_back("line " + std::to_string(each.range.begin.line + 1) + ": " +
                               each.message);
  }
  return outcome;
}

/// Waits until `look` (which defines %was) reads another value than 0, then loads what the program
/// before has stored.
inline std::string waitBy(const std::string &look) {
  return "  %x = scf.if %isLater -> f32 {\n"
         "    scf.while : () -> () {\n"
         "      " +
         look +
         "\n"
         "      %isUnset = arith.cmpi eq, %was, %c0 : i32\n"
         "      scf.condition(%isUnset)\n"
         "    } do {\n"
         "      scf.yield\n"
         "    }\n"
         "    %loaded = tt.load %before : !tt.ptr<f32>\n"
         "    scf.yield %loaded : f32\n"
         "  } else {\n"
         "    scf.yield %zero : f32\n"
         "  }\n"
         "  %sum = arith.addf %x, %v : f32\n";
}

inline std::string poll(const std::string &semantic) {
  return "%was = tt.atomic_rmw add, " + semantic +
         ", gpu, %itsFlag, %c0 : (!tt.ptr<i32>, i32) -> i32";
}
inline std::string set(const std::string &semantic) {
  return "  %old = tt.atomic_rmw exch, " + semantic +
         ", gpu, %myFlag, %c1 : (!tt.ptr<i32>, i32) -> i32\n";
}
inline const std::string kKeepSum = "  tt.store %mine, %sum : !tt.ptr<f32>\n";
inline const std::string kPlainSet = "  tt.store %myFlag, %c1 : !tt.ptr<i32>\n";

} // namespace tilescope::tests
