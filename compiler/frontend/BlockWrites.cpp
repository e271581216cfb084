// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/BlockWrites.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/StartValue.h"

namespace tilescope::compiler::frontend {

namespace {
/// `x[index]` of a block.
struct Written {
  std::string block;
  const Tensor *tensor = nullptr;
  const ast::Expr *index = nullptr;
};
} // namespace

static Written writtenBlock(const Frame &frame, const ast::Expr &target) {
  const auto *entry = ast::as<ast::Subscript>(&target);
  const auto *name = entry ? ast::as<ast::Name>(entry->value) : nullptr;
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  const Tensor *tensor = value ? value->tensor() : nullptr;
  return tensor && tensor->isBlock() ? Written{std::string(name->id), tensor, entry->slice}
                                     : Written{};
}

static std::string textOf(const Emitter &emitter, const Frame &frame, const ast::Expr &expr) {
  return std::string(sourceText(frame, emitter.fileRange(expr.range)));
}

/// `d:`, `:e`, `d:e` of a block with one axis, with bounds that are not negative as far as the source shows it.
static std::string rangeCondition(Emitter &emitter, const Written &written,
                                  const ast::Slice &slice) {
  const Frame &frame = emitter.frame();
  if (slice.step || written.tensor->type.shape.size() != 1 || (!slice.lower && !slice.upper))
    return {};
  const std::string range =
      "tl.arange(0, " + extentCode(frame, written.tensor->type.shape.front()) + ")";
  std::string condition;
  const auto add = [&](const ast::Expr *bound, const char *compare) {
    if (!bound)
      return true;
    const std::string compared = range + compare + textOf(emitter, frame, *bound);
    condition += condition.empty() ? compared : ") & (" + compared;
    return ast::is<ast::Name>(bound) || ast::is<ast::Constant>(bound);
  };
  const bool isKnown = add(slice.lower, " >= ") && add(slice.upper, " < ");
  if (slice.lower && slice.upper)
    condition = "(" + condition + ")";
  return isKnown ? condition : std::string();
}

/// Which elements the index means, as a condition; empty where a kernel has none.
static std::string conditionOf(Emitter &emitter, const Written &written) {
  const Frame &frame = emitter.frame();
  const auto *number = ast::as<ast::Constant>(written.index);
  if (number && number->intValue && *number->intValue >= 0 &&
      written.tensor->type.shape.size() == 1)
    return "tl.arange(0, " + extentCode(frame, written.tensor->type.shape.front()) +
           ") == " + std::to_string(*number->intValue);
  if (const auto *slice = ast::as<ast::Slice>(written.index))
    return rangeCondition(emitter, written, *slice);
  if (ast::is<ast::Tuple>(written.index))
    return {};
  try {
    const Value value = emitter.evaluate(*written.index);
    const Tensor *mask = value.tensor();
    const bool isMask =
        mask && mask->isBlock() && !mask->type.isPointer() && mask->dtype() == DType::Int1;
    return isMask ? textOf(emitter, frame, *written.index) : std::string();
  } catch (const Failure &) {
  } catch (const PoisonUsed &) {
  }
  return {};
}

/// `value`: what the elements become.
[[noreturn]] static void failBlockWrite(Emitter &emitter, const ast::Stmt &statement,
                                        const ast::Expr &target, const Written &written,
                                        const std::string &value) {
  const Frame &frame = emitter.frame();
  const std::string condition = conditionOf(emitter, written);
  const std::string code = written.block + " = tl.where(" +
                           (condition.empty() ? "condition" : condition) + ", " +
                           (value.empty() ? "value" : value) + ", " + written.block + ")";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.fileRange(target.range);
  diagnostic.message = "a block cannot be changed in place: `" + code + "`";
  diagnostic.notes.push_back(
      "`tl.where` makes a block with other elements; `tl.store` writes to memory");
  const SourceRange range = emitter.fileRange(statement.range);
  if (!condition.empty() && !value.empty() && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, range, range, code);
  throw Failure{std::move(diagnostic)};
}

void checkBlockWrite(Emitter &emitter, const ast::Assign &statement) {
  const ast::Expr &target = *statement.targets.front();
  const Written written = writtenBlock(emitter.frame(), target);
  if (written.tensor)
    failBlockWrite(emitter, statement, target, written,
                   textOf(emitter, emitter.frame(), *statement.value));
}

void checkBlockWrite(Emitter &emitter, const ast::AugAssign &statement) {
  const Written written = writtenBlock(emitter.frame(), *statement.target);
  if (!written.tensor)
    return;
  const std::string value = textOf(emitter, emitter.frame(), *statement.value);
  failBlockWrite(emitter, statement, *statement.target, written,
                 value.empty() ? value
                               : written.block + " " + std::string(ast::opText(statement.op)) +
                                     " " + asFactor(value));
}

} // namespace tilescope::compiler::frontend
