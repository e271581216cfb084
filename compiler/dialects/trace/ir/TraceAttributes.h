// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a module with traced kernels says about them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tilescope::trace {

/// The operands of `trace.open`.
inline constexpr llvm::StringLiteral kProgramsAttr = "trace.programs";
inline constexpr llvm::StringLiteral kWarpsAttr = "trace.warps";
inline constexpr llvm::StringLiteral kRecordsAttr = "trace.records";

} // namespace tilescope::trace
