// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SourceEdits.h"

#include "compiler/artifacts/AppliedFix.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

/// Of the `number`-th time that a text has a part.
static SourceRange placeOf(const std::string &text, const std::string &part, int number = 0) {
  size_t at = text.find(part);
  for (; number > 0; --number)
    at = text.find(part, at + 1);
  REQUIRE(at != std::string::npos);
  const auto line = std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
  const size_t begin = at == 0 ? 0 : text.rfind('\n', at) + 1;
  const Position from{static_cast<uint32_t>(line), static_cast<uint32_t>(at - begin)};
  return {from, {from.line, from.column + static_cast<uint32_t>(part.size())}, 0};
}

static std::string changed(const std::string &text, const std::optional<DiagnosticFix> &fix) {
  REQUIRE(fix);
  return fixedText(text, *fix);
}

static const std::string kLoop = R"(def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for row in range(n):
        # The weights.
        w = tl.load(x_ptr + i)  # all rows
        x = tl.load(x_ptr + row + i)
        tl.store(x_ptr + row, x * w)
)";

TEST_CASE("an assignment moves before its loop", "[compiler]") {
  CHECK(changed(kLoop, hoistAssignment(kLoop, placeOf(kLoop, "tl.load(x_ptr + i)"))) ==
        R"(def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    w = tl.load(x_ptr + i)  # all rows
    for row in range(n):
        # The weights.
        x = tl.load(x_ptr + row + i)
        tl.store(x_ptr + row, x * w)
)");
}

TEST_CASE("what is no statement of a loop stays", "[compiler]") {
  const std::string inner = "for i in range(n):\n    y = 2 * tl.load(p)\n    s += y\n";
  CHECK_FALSE(hoistAssignment(inner, placeOf(inner, "tl.load(p)")));
  const std::string alone = "for i in range(n):\n    y = tl.load(p)\n";
  CHECK_FALSE(hoistAssignment(alone, placeOf(alone, "tl.load(p)")));
  const std::string outside = "y = tl.load(p)\n";
  CHECK_FALSE(hoistAssignment(outside, placeOf(outside, "tl.load(p)")));
}

TEST_CASE("a call becomes the name of what an earlier one returned", "[compiler]") {
  const std::string text = "x = tl.load(p)\ntl.store(q, x)\nz = tl.load(p) + 1\n";
  CHECK(changed(text,
                reuseResult(text, placeOf(text, "tl.load(p)", 1), placeOf(text, "tl.load(p)"))) ==
        "x = tl.load(p)\ntl.store(q, x)\nz = x + 1\n");
  // Only the load itself has a name, not what is computed from it.
  const std::string cast = "x = tl.load(p).to(f)\nz = tl.load(p)\n";
  CHECK_FALSE(reuseResult(cast, placeOf(cast, "tl.load(p)", 1), placeOf(cast, "tl.load(p)")));
}

TEST_CASE("an argument gets another value, named or not", "[compiler]") {
  for (const std::string call : {"tl.sum(x, axis=1)", "tl.sum(x, 1)"}) {
    const std::string result = changed(call, setArgument(call, placeOf(call, call), "axis", "0"));
    CHECK(result ==
          (call.find("axis") == std::string::npos ? "tl.sum(x, 0)" : "tl.sum(x, axis=0)"));
  }
  const std::string none = "tl.sum(x)";
  CHECK_FALSE(setArgument(none, placeOf(none, none), "axis", "0"));
}

TEST_CASE("a parameter leaves the list of those that are not specialized", "[compiler]") {
  const std::string text =
      "@triton.jit(do_not_specialize=['a', \"n\", 'b'])\ndef k(a, n, b):\n    pass\n";
  CHECK(changed(text, specialize(text, "k", "n"))
            .starts_with("@triton.jit(do_not_specialize=['a', 'b'])\n"));
  CHECK_FALSE(specialize(text, "k", "m"));
  const std::string alone = "@triton.jit(do_not_specialize=(\"n\",))\ndef k(n):\n    pass\n";
  CHECK(changed(alone, specialize(alone, "k", "n"))
            .starts_with("@triton.jit(do_not_specialize=[])\n"));
}

TEST_CASE("a parameter becomes a constexpr as the others are written", "[compiler]") {
  CHECK(changed(kLoop, makeConstexpr(kLoop, "k", "n"))
            .starts_with("def k(x_ptr, n: tl.constexpr, BLOCK: tl.constexpr):\n"));
  const std::string other = "def k(n, B: triton.language.constexpr):\n    pass\n";
  CHECK(changed(other, makeConstexpr(other, "k", "n"))
            .starts_with("def k(n: triton.language.constexpr, B"));
  CHECK_FALSE(makeConstexpr(kLoop, "k", "BLOCK"));
  CHECK_FALSE(makeConstexpr(kLoop, "other", "n"));
}
