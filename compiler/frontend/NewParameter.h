// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Parameters that a kernel lacks: what it knows of its arrays it is told.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Frame.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Behind the last parameter of the function, where the user's document may have one more; nothing: it may
/// not, as where a caller passes the arguments.
std::optional<Position> parametersEnd(const Frame &frame);

/// Offers to make a kernel's parameter of a name that nothing defines; not of one that is called. One that only picks
/// elements of arrays becomes the indices of each program's block.
void addParameter(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// The same fixes, which add a parameter, too: each changes the text from there to its place at once. Empty
/// where none can be added.
std::vector<DiagnosticFix> withParameter(const Frame &frame, const std::string &parameter,
                                         std::vector<DiagnosticFix> fixes);

} // namespace tilescope::compiler::frontend
