// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/TurnedOperators.h"

#include "compiler/frontend/Remedies.h"

#include <string>

namespace tilescope::compiler::frontend {

void warnTurnedOperator(Emitter &emitter, const ast::Assign &statement) {
  const auto *name = ast::as<ast::Name>(statement.targets.front());
  const auto *value = ast::as<ast::UnaryOp>(statement.value);
  const bool isPlus = value && value->op == ast::UnaryOpKind::UAdd;
  const bool isMinus = value && value->op == ast::UnaryOpKind::USub;
  const Frame &frame = emitter.frame();
  if (!name || (!isPlus && !isMinus) || !frame.locals.find(name->id))
    return;
  const SourceRange range = emitter.fileRange(statement.range);
  const SourceRange between{emitter.fileRange(name->range).end,
                            emitter.fileRange(value->operand->range).begin, range.file};
  const std::string_view text = sourceText(frame, between);
  const std::string sign = isPlus ? "+" : "-";
  const size_t at = text.find("=" + sign);
  const bool isApart = at != text.npos && at + 2 < text.size() && text[at + 2] == ' ';
  if (at == text.npos || (isMinus && !isApart))
    return;
  const std::string variable(name->id),
      operand(sourceText(frame, emitter.fileRange(value->operand->range)));
  SourceRange place = between;
  place.begin.column += static_cast<uint32_t>(at);
  place.end = {place.begin.line, place.begin.column + 2};
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnusedResult;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message = "`=" + sign + "` gives `" + variable + "` the value `" + sign + operand +
                       "`, and what it was before is lost; `" + variable + " " + sign + "= " +
                       operand + "` " + (isPlus ? "adds to it" : "subtracts from it");
  if (text.find_first_of("\n\\#") == text.npos)
    diagnostic.fixes.push_back({place, sign + "=", "write `" + sign + "=`"});
  emitter.report(std::move(diagnostic));
}

} // namespace tilescope::compiler::frontend
