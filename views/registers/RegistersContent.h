// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/machine/CodeLiveness.h"
#include "views/common/RegisterLimit.h"

#include <memory>
#include <string>

namespace tilescope::views {

/// What a RegistersView shows of one compile.
struct RegistersContent {
  /// A stage's text with what is alive in it; empty where the stage was not made.
  struct Code {
    compiler::StageId stage{};
    std::string text;
    compiler::SourceMap map;
    compiler::machine::CodeLiveness liveness;
  };
  Code sass, ptx;
  /// Of the document.
  std::string source;
  std::string target;
  compiler::Resources resources;
  RegisterLimit limit;

  const Code &code(compiler::StageId stage) const {
    return stage == compiler::StageId::Sass ? sass : ptx;
  }
  /// The line of a code's text, without blanks around it.
  static std::string lineText(const Code &code, size_t step);
};
using RegistersContentPointer = std::shared_ptr<const RegistersContent>;

/// Takes some milliseconds for a long kernel: not for the thread of the window.
RegistersContentPointer makeRegistersContent(const compiler::CompileResult &result,
                                             std::string source);

} // namespace tilescope::views
