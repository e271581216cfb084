// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/pipeline/ShownOperations.h"
#include "compiler/pipeline/StageNames.h"
#include "compiler/stepping/StepListing.h"

namespace tilescope::compiler {

/// A kernel that was read from a stage's text and translated with notes.
struct NotedKernel {
  const CompileResult &compiled;
  const Stage &stage;
  const interpreter::PreparedKernel &prepared;
  const interpreter::TranslationNotes &notes;
  /// Of the text that the user sees.
  StageNames names;
  /// The text that the user sees, where another one is executed; null: it is the same.
  const ShownOperations *shown = nullptr;
};

/// What a user calls the instructions and values of the kernel.
stepping::StepListing listKernel(const NotedKernel &kernel);

} // namespace tilescope::compiler
