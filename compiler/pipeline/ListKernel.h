// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/pipeline/StageNames.h"
#include "compiler/stepping/StepListing.h"

namespace tilescope::compiler {

/// A kernel that was read from a stage's text and translated with notes.
struct NotedKernel {
  const CompileResult &compiled;
  const Stage &stage;
  const interpreter::PreparedKernel &prepared;
  const interpreter::TranslationNotes &notes;
  StageNames names;
};

/// What a user calls the instructions and values of the kernel.
stepping::StepListing listKernel(const NotedKernel &kernel);

} // namespace tilescope::compiler
