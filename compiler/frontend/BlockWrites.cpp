// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/BlockWrites.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/StartValue.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

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

/// What the elements become, of the code of one of them: `x + y` of `x[i] + y[i]`, where `i` is the index that is
/// written; `value` where an element of a block is picked otherwise.
static std::string valueOfAll(Emitter &emitter, const Written &written, const ast::Expr &value) {
  const Frame &frame = emitter.frame();
  const auto *index = ast::as<ast::Name>(written.index);
  std::string code = textOf(emitter, frame, value);
  const std::string_view text = sourceText(frame, emitter.fileRange(value.range));
  bool isKnown = true;
  std::vector<std::pair<size_t, size_t>> picked;
  ast::walk(value, [&](const ast::Node &node) {
    const auto *entry = ast::as<ast::Subscript>(&node);
    // `y[:, None]` picks no element.
    if (!entry || ast::is<ast::Slice>(entry->slice) || ast::is<ast::Tuple>(entry->slice) ||
        !writtenBlock(frame, *entry).tensor)
      return true;
    const auto *name = ast::as<ast::Name>(entry->slice);
    isKnown &= index && name && name->id == index->id;
    const std::string_view whole = sourceText(frame, emitter.fileRange(entry->range));
    const std::string_view block = sourceText(frame, emitter.fileRange(entry->value->range));
    if (whole.empty() || block.empty())
      isKnown = false;
    else
      picked.emplace_back(static_cast<size_t>(whole.data() - text.data()) + block.size(),
                          whole.size() - block.size());
    return false;
  });
  if (!isKnown)
    return {};
  std::ranges::sort(picked, std::greater());
  for (const auto &[at, size] : picked)
    code.erase(at, size);
  return code;
}

/// The loop with the statement in its body that counts its index: `for i in range(BLOCK):`; null: there is none.
static const ast::For *loopOfIndex(const Frame &frame, const ast::Stmt &statement,
                                   const Written &written) {
  const auto *index = ast::as<ast::Name>(written.index);
  const ast::For *found = nullptr;
  for (size_t i = 0; index && frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *counter = loop ? ast::as<ast::Name>(loop->target) : nullptr;
      if (counter && counter->id == index->id &&
          std::ranges::find(loop->body, &statement) != loop->body.end())
        found = loop;
      return true;
    });
  return found;
}

/// Of a loop that changes an element in each turn: all of them are changed at once.
[[noreturn]] static void failElementLoop(Emitter &emitter, const ast::For &loop,
                                         const SourceRange &target, const std::string &code) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = target;
  diagnostic.message = "a block cannot be changed in place: `" + code +
                       "` makes a new one, and works on all elements without a loop";
  const SourceRange range = emitter.fileRange(loop.range);
  if (loop.body.size() == 1 && loop.orelse.empty() && range.file == 0)
    diagnostic.fixes = {{range, code, "write `" + code + "`"}};
  throw Failure{std::move(diagnostic)};
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

/// `value`: what the elements become, as far as it is known; in a loop over them, all at once.
[[noreturn]] static void failWrite(Emitter &emitter, const ast::Stmt &statement,
                                   const ast::Expr &target, const Written &written,
                                   const std::string &value) {
  const auto *index = ast::as<ast::Name>(written.index);
  const ast::For *loop = loopOfIndex(emitter.frame(), statement, written);
  const auto isBlock = [&](const ast::Name &name) {
    const Value *known = emitter.frame().locals.find(name.id);
    return known && known->tensor() && known->tensor()->isBlock();
  };
  bool hasBlock = ast::is<ast::AugAssign>(&statement);
  ast::walk(statement, [&](const ast::Node &node) {
    const auto *entry = ast::as<ast::Subscript>(&node);
    const auto *name = entry && entry != &target ? ast::as<ast::Name>(entry->value) : nullptr;
    hasBlock |= name && isBlock(*name);
    return true;
  });
  if (loop && index && hasBlock && !value.empty() && !hasWord(value, index->id))
    failElementLoop(emitter, *loop, emitter.fileRange(target.range), written.block + " = " + value);
  failBlockWrite(emitter, statement, target, written, value);
}

void checkBlockWrite(Emitter &emitter, const ast::Assign &statement) {
  const ast::Expr &target = *statement.targets.front();
  const Written written = writtenBlock(emitter.frame(), target);
  if (written.tensor)
    failWrite(emitter, statement, target, written, valueOfAll(emitter, written, *statement.value));
}

void checkBlockWrite(Emitter &emitter, const ast::AugAssign &statement) {
  const Written written = writtenBlock(emitter.frame(), *statement.target);
  if (!written.tensor)
    return;
  const std::string value = valueOfAll(emitter, written, *statement.value);
  failWrite(emitter, statement, *statement.target, written,
            value.empty() ? value
                          : written.block + " " + std::string(ast::opText(statement.op)) + " " +
                                asFactor(value));
}

} // namespace tilescope::compiler::frontend
