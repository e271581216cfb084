// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is meant to be added up in all turns of a loop:
//
//     for i in range(4):                  s = 0.0
//         s = tl.sum(x)                   for i in range(4):
//     tl.store(out, s)                        s += tl.sum(x)
//
//     parts = []                          parts = tl.zeros([BLOCK], dtype=tl.float32)
//     for i in range(4):                  for i in range(4):
//         parts.append(tl.load(x))            parts += tl.load(x)
//     tl.store(out, tl.sum(parts))
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Frame.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::frontend {

/// For a name that only the turns of a loop set, to a sum of theirs; nothing: it is another one.
std::optional<DiagnosticFix> sumOfTurns(const Frame &frame, std::string_view name);

/// For a list whose `append` is at `member`, where nothing but `sum` uses it; nothing: something else does.
std::optional<DiagnosticFix> sumInsteadOfList(const Frame &frame, const SourceRange &member);

/// Whether the function called at `callee` is given a list of the kernel's alone, as Python's `sum` is.
bool sumsList(const Frame &frame, const SourceRange &callee);

} // namespace tilescope::compiler::frontend
