// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/CheckedFixes.h"

#include <catch2/catch.hpp>
#include <string>

using namespace tilescope;
using namespace tilescope::compiler;

/// What is offered of the fix that writes `code` in place of `part`, in a function with this line; empty: nothing.
static std::string offered(const std::string &line, const std::string &part,
                           const std::string &code) {
  const auto begin = static_cast<uint32_t>(line.find(part) + 4);
  const auto end = static_cast<uint32_t>(begin + part.size());
  Diagnostic diagnostic;
  diagnostic.fixes.push_back({{{1, begin}, {1, end}, 0}, code, "write `" + code + "`"});
  std::vector<Diagnostic> diagnostics{diagnostic};
  ast::checkFixes("def k(x, y):\n    " + line + "\n", diagnostics);
  if (diagnostics.front().fixes.empty())
    return {};
  const DiagnosticFix &fix = diagnostics.front().fixes.front();
  CHECK(fix.title == "write `" + fix.replacement + "`");
  return fix.replacement;
}

TEST_CASE("A fix is not offered if its text does not parse") {
  CHECK(offered("v.store(o + i)", "v.store(o + i", "o + i, v.store(o + i)").empty());
  CHECK(offered("v.store(o + i)", "v.store(o + i)", "tl.store(o + i, v)") == "tl.store(o + i, v)");
  // The fix of an error mends it.
  CHECK(offered("x = f(a, b", "f(a, b", "f(a, b)") == "f(a, b)");
}

TEST_CASE("A fix is in parentheses where an operator would take a part of it") {
  CHECK(offered("a = w / np.square(v)", "np.square(v)", "v * v") == "(v * v)");
  CHECK(offered("a = w + np.square(v)", "np.square(v)", "v * v") == "v * v");
  CHECK(offered("a = np.square(v)", "np.square(v)", "v * v") == "v * v");
  CHECK(offered("out.store(v)", "out", "out + i") == "(out + i)");
  CHECK(offered("x = 3 / y ** 2", "y ** 2", "y * y") == "(y * y)");
  CHECK(offered("x = 2 * (a if m else b)", "a if m else b", "tl.where(m, a, b)") ==
        "tl.where(m, a, b)");
  CHECK(offered("x = a < b < c", "a < b < c", "(a < b) & (b < c)") == "(a < b) & (b < c)");
}

TEST_CASE("A fix that is more than an expression stays as it is") {
  CHECK(offered("f(m)", "m", "mask=m") == "mask=m");
  CHECK(offered("print(w)", "w", "\"w\", w") == "\"w\", w");
  CHECK(offered("h[i] += 1", "h[i] += 1", "tl.atomic_add(h + i, 1)") == "tl.atomic_add(h + i, 1)");
}

TEST_CASE("Fixes of other files are not looked at") {
  Diagnostic diagnostic;
  diagnostic.fixes.push_back({{{0, 0}, {0, 1}, 1}, ")", "write `)`"});
  std::vector<Diagnostic> diagnostics{diagnostic};
  ast::checkFixes("x = 1\n", diagnostics);
  CHECK(diagnostics.front().fixes.size() == 1);
}
