// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <catch2/catch.hpp>

namespace tilescope::tests {

/// Runs `body` on two blocks of `element` with 8 elements each and returns the block %r of `result`
/// that it computes.
template <typename R, typename A>
std::vector<R> compute(const std::string &element, const std::string &result,
                       const std::string &body, std::vector<A> a,
                       std::vector<A> b = std::vector<A>(8)) {
  std::string text = "tt.func public @k(%pa: !tt.ptr<" + element + ">, %pb: !tt.ptr<" + element +
                     ">, %po: !tt.ptr<" + result + ">) {\n" + R"(
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>)";
  auto block = [&](const std::string &name, const std::string &type) {
    return "  %s" + name + " = tt.splat %p" + name + " : !tt.ptr<" + type +
           "> -> tensor<8x!tt.ptr<" + type + ">>\n  %q" + name + " = tt.addptr %s" + name +
           ", %i : tensor<8x!tt.ptr<" + type + ">>, tensor<8xi32>\n";
  };
  text += "\n" + block("a", element) + block("b", element) + block("o", result);
  text += "  %a = tt.load %qa : tensor<8x!tt.ptr<" + element +
          ">>\n  %b = tt.load %qb : tensor<8x!tt.ptr<" + element + ">>\n" + body +
          "\n  tt.store %qo, %r : tensor<8x!tt.ptr<" + result + ">>\n  tt.return\n}\n";
  std::vector<R> out(8);
  compiler::Interpretation outcome =
      runTtir(text, {{1, 1, 1}, {memory("a", a), memory("b", b), memory("out", out)}});
  for (const compiler::InterpreterFinding &finding : outcome.findings)
    FAIL(finding.message);
  CHECK(outcome.completed);
  return out;
}

} // namespace tilescope::tests
