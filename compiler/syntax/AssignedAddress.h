// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Memory as C reads and writes it, and what is meant:
//
//     v = *(p + i) + *q       v = tl.load(p + i) + tl.load(q)
//     *(p + i) = v            tl.store(p + i, v)
//     p + i = v               tl.store(p + i, v)
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/Ast.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// The address that is assigned to, which no target of Python is; null: it may be one.
const Expr *assignedAddress(const Expr &target);

/// Text that is being parsed.
struct ParsedText {
  std::string_view source;
  const std::vector<uint32_t> &lineOffsets;
};

/// Empty: the store cannot be written, since it has several lines or the language has another name.
std::string storeFor(const ParsedText &text, const SourceRange &address, const SourceRange &value);

/// An expression in which what C's `*pointer` reads is loaded; one with strings stays as it is.
std::string withLoads(std::string_view code);

struct PointerOfC {
  std::string message;
  std::vector<DiagnosticFix> fixes;
};
/// Of an expression that begins with `*pointer`, as a value.
PointerOfC pointerOfC(const ParsedText &text, const SourceRange &range);

} // namespace tilescope::compiler::ast
