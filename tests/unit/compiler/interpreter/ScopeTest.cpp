// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations that are atomic for one program alone.
#include "tests/unit/compiler/interpreter/OrderedPrograms.h"

using namespace tilescope;
using namespace tilescope::tests;

TEST_CASE("An atomic operation of one block is none towards other programs",
          "[compiler][interpreter][findings][order]") {
  const auto add = [](const std::string &scope, const std::string &place) {
    return "  %o" + place + " = tt.atomic_rmw add, acq_rel, " + scope + ", %" + place +
           ", %c1 : (!tt.ptr<i32>, i32) -> i32\n";
  };
  for (const unsigned threads : {1u, 4u}) {
    const Outcome wrong = outcomeOf(add("cta", "flag"), threads);
    CHECK(wrong.flag.front() == 4);
    REQUIRE(wrong.messages.size() == 1);
    CHECK(wrong.messages.front().starts_with("line 17: `flag[0]` is updated by program "));
    CHECK(wrong.messages.front().ends_with(" in line 17: one of the updates may be lost; "
                                           "`scope=\"cta\"` makes an operation atomic for "
                                           "its own program alone: leave it out"));
    // Also beside one of a wider scope.
    const std::string mixed = "  scf.if %isLater {\n" + add("gpu", "flag") + "  } else {\n" +
                              add("cta", "flag") + "  }\n";
    CHECK(outcomeOf(mixed, threads).messages.size() == 1);
    CHECK(outcomeOf(add("gpu", "flag"), threads).messages.empty());
    CHECK(outcomeOf(add("sys", "flag"), threads).messages.empty());
    // Each program's own element, and one that is handed on.
    CHECK(outcomeOf(add("cta", "myFlag"), threads).messages.empty());
    CHECK(
        outcomeOf(waitBy(poll("acq_rel")) +
                      "  %o = tt.atomic_rmw fadd, acq_rel, cta, %out, %v : (!tt.ptr<f32>, f32) -> "
                      "f32\n" +
                      set("acq_rel"),
                  threads)
            .messages.empty());
  }
  // A comparison that fails only reads.
  const std::string failing =
      "  %was = tt.atomic_cas acq_rel, cta, %flag, %c3, %c1 : (!tt.ptr<i32>, "
      "i32, i32) -> i32\n";
  CHECK(outcomeOf(failing).messages.empty());
}
