// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {
class EditorDocument;
}

namespace tilescope::views {

/// Why a name in `places` cannot be called `name`: it is none, or something else is called so
/// where the name is used. Empty: it can.
QString nameProblem(const compiler::ast::EditorDocument &document,
                    const std::vector<SourceRange> &places, const std::string &name);

/// The module from which a name in `places` is imported; empty: the file defines it.
std::string moduleOf(const compiler::ast::EditorDocument &document,
                     const std::vector<SourceRange> &places, std::string_view name);

} // namespace tilescope::views
