// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayConditions.h"

#include "compiler/frontend/ConditionAdvice.h"
#include "compiler/frontend/ElementAdvice.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

/// The offsets of the elements that a condition is about; empty: they are not known.
static std::string maskedOffsets(const Frame &frame, const ast::Expr &condition) {
  std::string offsets;
  ast::walk(condition, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const Value *value = name ? frame.locals.find(name->id) : nullptr;
    const Tensor *tensor = value ? value->tensor() : nullptr;
    if (!offsets.empty() || !tensor || !tensor->isBlock())
      return offsets.empty();
    const bool isIndex = isInteger(tensor->dtype()) && tensor->dtype() != DType::Int1;
    offsets = isIndex ? std::string(name->id) : offsetsOfBlock(frame, tensor->type.shape);
    return false;
  });
  return offsets;
}

void checkArrayCondition(Emitter &emitter, const IndexedArray &indexed) {
  const Frame &frame = emitter.frame();
  if (indexed.parts.size() != 1 || !isElementCondition(frame, *indexed.parts.front()))
    return;
  const ast::Expr &condition = *indexed.parts.front();
  const std::string mask = elementwiseCondition(emitter, frame, emitter.fileRange(condition.range));
  const std::string offsets = maskedOffsets(frame, condition);
  const bool isKnown = !offsets.empty() && !mask.empty();
  const std::string code = "tl." + indexed.function + "(" + indexed.array + " + " +
                           (isKnown ? offsets : std::string("i")) + indexed.value +
                           ", mask=" + (mask.empty() ? "condition" : mask) + ")";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = indexed.replaced;
  diagnostic.message = "`" + indexed.array +
                       "` is a pointer and cannot be indexed by a condition: that is a "
                       "mask, `" +
                       code + "`";
  if (!isKnown)
    diagnostic.notes.push_back("`i` stands for the indices of the elements");
  if (isKnown && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, indexed.replaced, indexed.replaced, code);
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
