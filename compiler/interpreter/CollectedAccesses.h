// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/interpreter/Execution.h"
#include "compiler/interpreter/Translator.h"

namespace tilescope::compiler::interpreter {

/// Adds the accesses that were executed, and reached no element in any program.
void collectMaskedOff(Interpretation &result, const Execution &execution,
                      const TranslationContext &context);

/// Adds the loads that took the place of elements by `other`.
void collectFilled(Interpretation &result, const Execution &execution,
                   const TranslationContext &context);

} // namespace tilescope::compiler::interpreter
