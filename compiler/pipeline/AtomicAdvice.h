// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/MaskAdvice.h"

namespace tilescope::compiler {

/// What keeps updates of places that several elements or programs come to: `tl.atomic_add(p, v)` in
/// place of `tl.store(p, tl.load(p) + v)`. Empty where the source shows no such store at the range.
MaskAdvice atomicAdvice(const ast::SyntaxTree &tree, const SourceRange &store);

} // namespace tilescope::compiler
