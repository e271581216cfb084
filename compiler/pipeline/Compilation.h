// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/Stages.h"

/// Private to the pipeline.
namespace tilescope::compiler {

/// The document with the target and options that are asked for; nothing after an error.
std::optional<Document> openDocument(CompileJob &job);

/// Makes every stage that is wanted, as far as each follows from the one before.
void makeStages(CompileJob &job);

} // namespace tilescope::compiler
