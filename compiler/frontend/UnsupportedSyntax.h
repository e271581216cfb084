// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string>

namespace tilescope::compiler::frontend {

/// What a kernel cannot contain, in the words of Python: `` `import` is not supported in a kernel ``.
std::string unsupportedSyntax(ast::NodeKind kind);

} // namespace tilescope::compiler::frontend
