// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Small kernels with a slip in them, and their runs.
#pragma once

#include "app/commands/RunLaunch.h"
#include "compiler/artifacts/AppliedFix.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

namespace tilescope::tests {

inline app::LaunchRun runSlip(const std::string &text) {
  compiler::WorkerClient worker(app::workerOptions());
  app::LaunchRequest request;
  request.input.path = "k.py";
  request.input.text = text;
  request.place.kind = app::RunPlace::Kind::Cpu;
  return app::runLaunch(worker, request);
}

inline const compiler::Diagnostic *findingOf(const app::LaunchRun &run,
                                             compiler::DiagnosticKind kind) {
  const auto found = std::ranges::find(run.diagnostics, kind, &compiler::Diagnostic::kind);
  return found == run.diagnostics.end() ? nullptr : &*found;
}

struct Slip {
  std::string name;
  /// The lines of the launch block.
  std::string block;
  /// The kernel, from `def` on.
  std::string kernel;
  /// In a label or a note of the mismatch.
  std::string said;
  /// The title of its only fix.
  std::string fix;
};

inline std::string textOf(const Slip &slip) {
  std::string text = "import triton\nimport triton.language as tl\n\n# /// tilescope\n";
  size_t begin = 0;
  while (begin < slip.block.size()) {
    const size_t end = slip.block.find('\n', begin);
    text += "# " + slip.block.substr(begin, end - begin) + "\n";
    begin = end == std::string::npos ? end : end + 1;
  }
  return text + "# ///\n@triton.jit\n" + slip.kernel;
}

inline bool says(const compiler::Diagnostic &finding, const std::string &words) {
  const auto has = [&](const std::string &text) { return text.find(words) != std::string::npos; };
  return std::ranges::any_of(finding.notes, has) ||
         std::ranges::any_of(finding.labels, has, &compiler::DiagnosticLabel::message);
}

/// Runs it, and what its fix makes of it.
inline void checkSlip(const Slip &slip) {
  INFO(slip.name);
  const std::string text = textOf(slip);
  const app::LaunchRun run = runSlip(text);
  const compiler::Diagnostic *mismatch = findingOf(run, compiler::DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK_FALSE(run.ok());
  CHECK(says(*mismatch, slip.said));
  REQUIRE(mismatch->fixes.size() == 1);
  CHECK(mismatch->fixes.front().title == slip.fix);
  const app::LaunchRun mended = runSlip(compiler::fixedText(text, mismatch->fixes.front()));
  CHECK_FALSE(findingOf(mended, compiler::DiagnosticKind::RunMismatch));
}

} // namespace tilescope::tests
