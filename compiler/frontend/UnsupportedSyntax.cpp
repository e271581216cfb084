// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/UnsupportedSyntax.h"

namespace tilescope::compiler::frontend {

/// The word that it begins with, or what it is called.
static std::string nameOf(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::Import:
  case ast::NodeKind::ImportFrom:
    return "`import`";
  case ast::NodeKind::Delete:
    return "`del`";
  case ast::NodeKind::ClassDef:
    return "`class`";
  case ast::NodeKind::Break:
  case ast::NodeKind::Continue:
  case ast::NodeKind::Global:
  case ast::NodeKind::Nonlocal:
  case ast::NodeKind::Try:
  case ast::NodeKind::With:
  case ast::NodeKind::Raise:
  case ast::NodeKind::Match:
  case ast::NodeKind::Lambda:
  case ast::NodeKind::Await:
  case ast::NodeKind::Yield: {
    std::string word(ast::nodeKindName(kind));
    word[0] = static_cast<char>(word[0] - 'A' + 'a');
    return "`" + word + "`";
  }
  case ast::NodeKind::YieldFrom:
    return "`yield from`";
  case ast::NodeKind::Dict:
    return "a dictionary";
  case ast::NodeKind::Set:
    return "a set";
  case ast::NodeKind::DictComp:
  case ast::NodeKind::SetComp:
  case ast::NodeKind::GeneratorExp:
  case ast::NodeKind::ListComp:
    return "a comprehension";
  case ast::NodeKind::NamedExpr:
    return "`:=`";
  default:
    return "this syntax (" + std::string(ast::nodeKindName(kind)) + ")";
  }
}

std::string unsupportedSyntax(ast::NodeKind kind) {
  return nameOf(kind) + " is not supported in a kernel";
}

} // namespace tilescope::compiler::frontend
