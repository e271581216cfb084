// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/conversion/ttg_to_llvm/memory/PlannedAccesses.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

namespace tilescope::compiler {

class StageSources;

/// What is known of a conversion without executing it: its layouts, what they are for, and how it
/// is carried out. `planned` is of this operation.
ConversionFacts describeConversion(ttg::ConvertLayoutOp op, const PlannedAccesses &planned,
                                   const StageSources &sources);

} // namespace tilescope::compiler
