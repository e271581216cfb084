// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Constraints of inline assembly that LLVM must not be given to read.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SourceMgr.h"

#include <optional>

namespace tilescope::compiler {

/// Whether LLVM reads these constraints within their text. Behind `@` outside of braces it reads as many
/// characters as the next one says, behind `^` two, whether they are there or not; no constraint
/// that a GPU has contains either.
bool areReadableConstraints(llvm::StringRef constraints);

/// The error for the first constraints in a text in LLVM's notation that LLVM must not read; nothing
/// where all can be read.
std::optional<llvm::SMDiagnostic> unreadableConstraints(llvm::StringRef text, llvm::StringRef path);

} // namespace tilescope::compiler
