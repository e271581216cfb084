// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnmaskedUpdates.h"

#include "compiler/artifacts/AppliedFix.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static std::string updateWith(const char *index, const char *update) {
  return std::string("import triton\nimport triton.language as tl\n@triton.jit\n"
                     "def k(s_ptr, y_ptr, n, B: tl.constexpr):\n"
                     "    o = tl.program_id(0) * B + tl.arange(0, B)\n"
                     "    s = tl.load(s_ptr + o, mask=o < n, other=0)\n"
                     "    i = ") +
         index + "\n    " + update + "\n";
}

static compiler::Diagnostic explained(const std::string &text, uint32_t columns) {
  profiler::OutputResult output;
  output.name = "y_ptr";
  compiler::Diagnostic mismatch;
  explainUnmaskedUpdates(KernelText(text, "k"), output, {{{7, 4}, {7, columns}}}, mismatch);
  return mismatch;
}

TEST_CASE("an update whose index has a masked load gets the mask", "[commands]") {
  const std::string text = updateWith("s * 2", "tl.atomic_add(y_ptr + i, 1)");
  const compiler::Diagnostic found = explained(text, 31);
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes.front() == "`tl.atomic_add` in line 8 has no mask: what `o < n` leaves out of "
                               "the load of its index updates an element of `y_ptr`, too");
  REQUIRE(found.fixes.size() == 1);
  CHECK(compiler::fixedText(text, found.fixes.front()) ==
        updateWith("s * 2", "tl.atomic_add(y_ptr + i, 1, mask=o < n)"));
}

TEST_CASE("an update that has a mask, or one number as its index, needs none", "[commands]") {
  CHECK(explained(updateWith("s", "tl.atomic_add(y_ptr + i, 1, mask=o < n)"), 43).notes.empty());
  CHECK(explained(updateWith("tl.argmax(s, axis=0)", "tl.atomic_add(y_ptr + i, 1)"), 31)
            .notes.empty());
  CHECK(explained(updateWith("o", "tl.atomic_add(y_ptr + i, 1)"), 31).notes.empty());
}
