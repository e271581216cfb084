// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/AssignedAddress.h"

namespace tilescope::compiler::ast {

const Expr *assignedAddress(const Expr &target) {
  if (const auto *starred = as<Starred>(&target))
    return starred->value;
  const auto *sum = as<BinOp>(&target);
  return sum && sum->op == BinaryOpKind::Add ? sum : nullptr;
}

static bool isWritable(const ParsedText &text, const SourceRange &range) {
  return range.begin.line == range.end.line && range.begin < range.end &&
         text.source.find("triton.language as tl") != std::string_view::npos;
}

static std::string textOf(const ParsedText &text, const SourceRange &range) {
  return std::string(text.source.substr(text.lineOffsets[range.begin.line] + range.begin.column,
                                        range.end.column - range.begin.column));
}

std::string storeFor(const ParsedText &text, const SourceRange &address, const SourceRange &value) {
  return isWritable(text, address) && isWritable(text, value)
             ? "tl.store(" + textOf(text, address) + ", " + textOf(text, value) + ")"
             : std::string();
}

PointerOfC pointerOfC(const ParsedText &text, const Expr &starred) {
  const SourceRange &address = as<Starred>(&starred)->value->range;
  if (!isWritable(text, address))
    return {"Python has no `*pointer`: `tl.load(pointer)` reads what is there", {}};
  const std::string code = "tl.load(" + textOf(text, address) + ")";
  return {"Python has no `*pointer`: `" + code + "` reads what is there",
          {{starred.range, code, "write `" + code + "`"}}};
}

} // namespace tilescope::compiler::ast
