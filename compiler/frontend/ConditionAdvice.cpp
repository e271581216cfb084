// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ConditionAdvice.h"

#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::frontend {

namespace {
/// The parts of a function's source.
class Source {
public:
  Source(const Emitter &emitter, const Frame &frame) : m_emitter(emitter), m_frame(frame) {}

  std::string_view text(SourceRange range) const {
    return sourceText(m_frame, m_emitter.fileRange(range));
  }
  /// Of an expression on one line; empty for others.
  std::string_view line(const ast::Expr &expr) const {
    const std::string_view found = text(expr.range);
    return found.find_first_of("\n#") == found.npos ? found : std::string_view();
  }
  /// An expression on one line as a condition of elements: Python's `and`, `or` and `not` are of
  /// single values, and `=` is read as the comparison that is meant. Empty for others.
  std::string condition(const ast::Expr &expr) const {
    const auto *logical = ast::as<ast::BoolOp>(&expr);
    const auto *negated = ast::as<ast::UnaryOp>(&expr);
    if (negated && negated->op == ast::UnaryOpKind::Not && !line(expr).empty())
      return ast::as<ast::Compare>(negated->operand) || ast::as<ast::BoolOp>(negated->operand)
                 ? "~" + inBrackets(*negated->operand)
                 : inBrackets(*negated->operand) + " == 0";
    const auto *compare = ast::as<ast::Compare>(&expr);
    if (compare && compare->ops.size() == 1 && compare->ops[0] == ast::CompareOpKind::Eq &&
        !line(expr).empty())
      return std::string(text(compare->left->range)) +
             " == " + std::string(text(compare->comparators[0]->range));
    if (!logical || line(expr).empty())
      return std::string(line(expr));
    std::string text;
    for (const ast::Expr *each : logical->values)
      text += (text.empty()                          ? ""
               : logical->op == ast::BoolOpKind::And ? " & "
                                                     : " | ") +
              inBrackets(*each);
    return text;
  }
  bool isDefined(std::string_view name) const { return m_frame.locals.find(name); }
  /// Whether an address may be those of many elements: a name in it has a block, or no value yet.
  bool mayBeBlock(const ast::Expr &address) const {
    bool found = false;
    ast::walk(address, [&](const ast::Node &node) {
      const auto *member = ast::as<ast::Attribute>(&node);
      const auto *name = ast::as<ast::Name>(&node);
      const Value *value = name ? m_frame.locals.find(name->id) : nullptr;
      found |= (member && member->attr == "arange") ||
               (value && value->tensor() && value->tensor()->isBlock()) ||
               (name && name->id != "tl" && !value);
      return !found;
    });
    return found;
  }

private:
  std::string inBrackets(const ast::Expr &expr) const {
    const std::string text = condition(expr);
    return ast::as<ast::Name>(&expr) ? text : "(" + text + ")";
  }

  const Emitter &m_emitter;
  const Frame &m_frame;
};

/// `name = value`
struct NamedValue {
  std::string_view name = {};
  const ast::Expr *value = nullptr;
};
} // namespace

static NamedValue assignmentIn(const ast::Stmt &statement) {
  const auto *assign = ast::as<ast::Assign>(&statement);
  const auto *target =
      assign && assign->targets.size() == 1 ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
  return target ? NamedValue{target->id, assign->value} : NamedValue{};
}

/// The call of an access to memory that takes a mask and has none; null for all else.
static const ast::Call *unmaskedAccess(const ast::Node &node) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *module = callee ? ast::as<ast::Name>(callee->value) : nullptr;
  const size_t needed = callee && callee->attr == "load" ? 1 : 2;
  const bool isAccess =
      module && module->id == "tl" &&
      (callee->attr == "load" || callee->attr == "store" || callee->attr.starts_with("atomic_"));
  const bool isMasked = isAccess && std::ranges::any_of(call->keywords, [](const auto *keyword) {
                          return keyword->arg == "mask";
                        });
  return isAccess && !isMasked && call->args.size() == needed ? call : nullptr;
}

/// Whether a statement reads or writes one element, of which a mask with many answers takes no part.
static bool hasOneElement(const Source &source, const ast::Stmt &statement) {
  bool found = false;
  ast::walk(statement, [&](const ast::Node &node) {
    const ast::Call *access = unmaskedAccess(node);
    found |= access && !source.mayBeBlock(*access->args.front());
    return !found;
  });
  return found;
}

/// Whether a statement can be executed for all elements, if its accesses are masked: it computes
/// something under a new name, or stores.
static bool canBeMasked(const Source &source, const ast::Stmt &statement) {
  if (hasOneElement(source, statement))
    return false;
  if (const NamedValue named = assignmentIn(statement); named.value)
    return !source.isDefined(named.name);
  const auto *expression = ast::as<ast::ExprStmt>(&statement);
  return expression && unmaskedAccess(*expression->value);
}

/// The statements of the branch, one level further out and with `condition` as the mask of their
/// accesses; empty where they have none.
static std::string maskedBody(const Source &source, const ast::If &branch,
                              std::string_view condition) {
  const SourceRange first = branch.body.front()->range, last = branch.body.back()->range;
  const std::string_view text = source.text({first.begin, last.end, first.file});
  std::vector<size_t> ends;
  for (const ast::Stmt *statement : branch.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const ast::Call *call = unmaskedAccess(node))
        ends.push_back(static_cast<size_t>(source.text(call->range).data() - text.data()) +
                       source.text(call->range).size() - 1);
      return true;
    });
  if (text.empty() || ends.empty())
    return {};
  std::string body(text);
  std::ranges::sort(ends, std::greater());
  for (const size_t end : ends)
    body.insert(end, ", mask=" + std::string(condition));
  const uint32_t indent = first.begin.column - branch.range.begin.column;
  const std::string deeper = "\n" + std::string(first.begin.column, ' ');
  if (first.begin.line == branch.range.begin.line)
    return body;
  for (size_t at = body.find(deeper); at != body.npos; at = body.find(deeper, at + 1))
    body.erase(at + 1, indent);
  return body;
}

/// `y = tl.where(x > 0, a, b)` of a branch that only chooses a value.
static std::string chosenValue(const Source &source, const ast::If &branch,
                               std::string_view condition) {
  if (branch.body.size() != 1 || branch.orelse.size() > 1)
    return {};
  const NamedValue one = assignmentIn(*branch.body.front());
  const NamedValue other =
      branch.orelse.empty() ? NamedValue{} : assignmentIn(*branch.orelse.front());
  const bool isKept = branch.orelse.empty() && one.value && source.isDefined(one.name);
  if (!one.value || (!isKept && one.name != other.name))
    return {};
  const std::string_view value = source.line(*one.value);
  const std::string_view otherwise = isKept ? one.name : source.line(*other.value);
  if (value.empty() || otherwise.empty())
    return {};
  return std::string(one.name) + " = tl.where(" + std::string(condition) + ", " +
         std::string(value) + ", " + std::string(otherwise) + ")";
}

std::string elementwiseCondition(const Emitter &emitter, const Frame &frame, SourceRange range) {
  const Source source(emitter, frame);
  if (frame.function) {
    if (const auto *logical = nodeAt<ast::BoolOp>(*frame.function, range))
      return source.condition(*logical);
    if (const auto *compare = nodeAt<ast::Compare>(*frame.function, range))
      return source.condition(*compare);
  }
  const std::string text(sourceText(frame, range));
  return text.find('\n') == std::string::npos ? text : std::string();
}

void warnLogical(Emitter &emitter, const ast::BoolOp &expr) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::Deprecated;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = emitter.fileRange(expr.range);
  diagnostic.message =
      expr.op == ast::BoolOpKind::And
          ? "Triton warns of `and` between blocks and takes it as `&`: write `(a) & (b)`"
          : "Triton warns of `or` between blocks and takes it as `|`: write `(a) | (b)`";
  const Frame &frame = emitter.frame();
  if (const std::string code = Source(emitter, frame).condition(expr); !code.empty())
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, code);
  emitter.report(std::move(diagnostic));
}

std::vector<DiagnosticFix> elementwiseFix(const Emitter &emitter, const Frame &frame,
                                          const ast::If &branch) {
  const Source source(emitter, frame);
  const std::string condition = source.condition(*branch.test);
  const bool isFirst = source.text(branch.range).starts_with("if");
  if (condition.empty() || !isFirst || !hasLanguageName(frame) || branch.body.empty())
    return {};
  const SourceRange whole = emitter.fileRange(branch.range);
  if (std::string code = chosenValue(source, branch, condition); !code.empty())
    return {{whole, code, "write `" + code + "`"}};
  const bool isMaskable =
      branch.orelse.empty() && std::ranges::all_of(branch.body, [&](const ast::Stmt *statement) {
        return canBeMasked(source, *statement);
      });
  std::string body = isMaskable ? maskedBody(source, branch, condition) : std::string();
  if (body.empty())
    return {};
  return {{whole, std::move(body), "mask loads and stores instead, `mask=" + condition + "`"}};
}

std::vector<DiagnosticFix> elementwiseFix(const Emitter &emitter, const Frame &frame,
                                          const ast::IfExp &choice) {
  const Source source(emitter, frame);
  const SourceRange whole = emitter.fileRange(choice.range);
  const std::string condition = source.condition(*choice.test);
  const std::string_view one = source.line(*choice.body), other = source.line(*choice.orelse);
  if (condition.empty() || one.empty() || other.empty() || !hasLanguageName(frame))
    return {};
  return rewriteFix(frame, whole, whole,
                    "tl.where(" + condition + ", " + std::string(one) + ", " + std::string(other) +
                        ")");
}

} // namespace tilescope::compiler::frontend
