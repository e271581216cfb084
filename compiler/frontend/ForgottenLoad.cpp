// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ForgottenLoad.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/MaskAdvice.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// Numbers have other names: `value`, `alpha`, `scale`.
static bool isNamedLikeArray(std::string_view name) {
  static constexpr std::string_view kNames[] = {"a",     "arr", "array", "b", "data", "in", "inp",
                                                "input", "src", "u",     "v", "vec",  "w",  "x",
                                                "x1",    "x2",  "xs",    "y", "ys",   "z"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// Whether the function calls its arrays `x_ptr`, so that `x` is another sort of argument.
static bool marksArrays(const Frame &frame) {
  return std::ranges::any_of(parametersOf(*frame.function), [&](const ast::Arg *parameter) {
    const Value *value = frame.locals.find(parameter->arg);
    return value && value->tensor() && value->tensor()->type.isPointer() &&
           std::string_view(parameter->arg).ends_with("_ptr");
  });
}

/// Whether a launch passes one number, of which the function says nothing, for a name like an array's.
static bool isMeantAsArray(const Frame &frame, std::string_view name) {
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  const auto found = std::ranges::find(parameters, name, &ast::Arg::arg);
  const ast::Arguments &declared = *frame.function->args;
  const auto numPlain = static_cast<std::ptrdiff_t>(
      parameters.size() -
      std::min(parameters.size(), declared.defaults.size() + declared.kwonlyargs.size()));
  const Value *value = frame.locals.find(name);
  return isNamedLikeArray(name) && found != parameters.end() && !(*found)->annotation &&
         found - parameters.begin() < numPlain && value && value->tensor() &&
         !value->tensor()->isBlock() && !value->tensor()->type.isPointer();
}

static bool loadsAnything(const ast::FunctionDef &function) {
  bool loads = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *access = ast::as<ast::Attribute>(&node);
      loads |= access && (access->attr == "load" || access->attr.starts_with("atomic_"));
      return !loads;
    });
  return loads;
}

/// The names in an expression that are meant as arrays, in the order of the text.
static std::vector<const ast::Name *> arraysIn(const Frame &frame, const ast::Expr &expr) {
  std::vector<const ast::Name *> names;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (name && isMeantAsArray(frame, name->id))
      names.push_back(name);
    return true;
  });
  std::ranges::sort(names, {}, [](const ast::Name *name) { return name->range.begin; });
  return names;
}

/// `` `x` and `y` are taken for numbers ``
static std::string sentenceFor(const std::vector<const ast::Name *> &names) {
  std::vector<std::string> words;
  for (const ast::Name *name : names)
    if (std::string word = "`" + std::string(name->id) + "`";
        std::ranges::find(words, word) == words.end())
      words.push_back(std::move(word));
  std::string text = words.front();
  for (size_t i = 1; i < words.size(); ++i)
    text += (i + 1 == words.size() ? " and " : ", ") + words[i];
  return text + (words.size() == 1 ? " is taken for a number" : " are taken for numbers");
}

void warnForgottenLoad(BuiltinCall &store, const Tensor &pointer, const Tensor &value) {
  const Frame &frame = store.emitter.frame();
  if (!pointer.isBlock() || value.isBlock() || !frame.function || frame.caller ||
      loadsAnything(*frame.function) || marksArrays(frame))
    return;
  const auto *stored = nodeAt<ast::Expr>(*frame.function, store.rangeOf(1));
  const auto *variable = stored ? ast::as<ast::Name>(stored) : nullptr;
  if (const ast::Assign *last = variable ? lastAssignment(frame, *variable) : nullptr)
    stored = last->value;
  const auto *address = nodeAt<ast::Expr>(*frame.function, store.rangeOf(0));
  const std::string offsets = address ? blockOffsets(frame, *address) : std::string();
  if (!stored || offsets.empty())
    return;
  const std::vector<const ast::Name *> names = arraysIn(frame, *stored);
  const SourceRange range = store.emitter.fileRange(stored->range);
  const std::string_view text = sourceText(frame, range);
  if (names.empty() || text.empty())
    return;
  const std::string mask(store.isNone(2) ? std::string_view() : store.text(2));
  const auto loadOf = [&](const ast::Name &name) {
    return "tl.load(" + std::string(name.id) + " + " + offsets +
           (mask.empty() ? "" : ", mask=" + mask) + ")";
  };
  std::string code(text);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const std::string_view own = sourceText(frame, store.emitter.fileRange((*name)->range));
    code.replace(static_cast<size_t>(own.data() - text.data()), own.size(), loadOf(**name));
  }
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message =
      sentenceFor(names) + "; the elements of an array are `" + loadOf(*names.front()) + "`";
  if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, range, range, std::move(code));
  store.emitter.report(std::move(diagnostic));
}

/// The only mask of that shape that the function has; empty where there is none, or several.
static std::string onlyMask(const Frame &frame, const Shape &shape) {
  std::string found;
  for (const Scope::Entry &entry : frame.locals.entries()) {
    const Tensor *tensor = entry.value.tensor();
    const bool isMask = tensor && tensor->isBlock() && !tensor->type.isPointer() &&
                        tensor->dtype() == DType::Int1 && tensor->type.shape == shape;
    if (!isMask)
      continue;
    if (!found.empty())
      return {};
    found = entry.name;
  }
  return found;
}

/// The only block of offsets that the function has; empty where there are several, or none.
static std::string onlyOffsets(const Frame &frame) {
  std::string found;
  for (const Scope::Entry &entry : frame.locals.entries()) {
    const Tensor *tensor = entry.value.tensor();
    const bool isOffsets = tensor && tensor->isBlock() && !tensor->type.isPointer() &&
                           isInteger(tensor->dtype()) && tensor->dtype() != DType::Int1 &&
                           tensor->type.shape.size() == 1;
    if (!isOffsets)
      continue;
    if (!found.empty())
      return {};
    found = entry.name;
  }
  return found;
}

static bool isArray(const Frame &frame, const ast::Name *name) {
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor() && value->tensor()->type.isPointer() &&
         !value->tensor()->isBlock();
}

/// The assignment that an expression is a part of; null where it is none.
static const ast::Assign *assignmentOf(const Frame &frame, const ast::Expr &part) {
  const ast::Assign *found = nullptr;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      if (assign && assign->value->range.begin <= part.range.begin &&
          part.range.end <= assign->value->range.end)
        found = assign;
      return !found;
    });
  return found;
}

/// An expression of arrays and numbers with the loads of the arrays' elements; empty where it has other parts.
static std::string elementsOf(const Emitter &emitter, const Frame &frame, const ast::Expr &expr,
                              const std::string &arguments) {
  const std::string_view text = sourceText(frame, emitter.fileRange(expr.range));
  std::vector<const ast::Name *> names;
  bool isPlain = !text.empty();
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (isArray(frame, name))
      names.push_back(name);
    isPlain &= name || ast::is<ast::Constant>(&node) || ast::is<ast::BinOp>(&node) ||
               ast::is<ast::UnaryOp>(&node);
    return true;
  });
  std::ranges::sort(names, std::ranges::greater(),
                    [](const ast::Name *name) { return name->range.begin; });
  std::string code(text);
  for (const ast::Name *name : names) {
    const std::string_view own = sourceText(frame, emitter.fileRange(name->range));
    code.replace(static_cast<size_t>(own.data() - text.data()), own.size(),
                 "tl.load(" + std::string(name->id) + " + " + arguments + ")");
  }
  return isPlain ? code : std::string();
}

void checkArrays(Emitter &emitter, const ast::BinOp &expr) {
  const Frame &frame = emitter.frame();
  if (!frame.function || !isArray(frame, ast::as<ast::Name>(expr.left)) ||
      !isArray(frame, ast::as<ast::Name>(expr.right)))
    return;
  const std::string offsets = onlyOffsets(frame);
  const ast::Assign *assign = assignmentOf(frame, expr);
  if (offsets.empty() || !assign || assign->targets.size() != 1)
    return;
  const ArrayName length = elementCount(frame);
  std::string mask = maskArgumentAt(frame, offsets);
  if (mask.empty() && !length.isNew)
    mask = ", mask=" + offsets + " < " + length.name;
  std::string code = elementsOf(emitter, frame, *assign->value, offsets + mask);
  if (code.empty())
    return;
  SourceRange replaced = emitter.fileRange(assign->value->range);
  const auto *target = ast::as<ast::Name>(assign->targets.front());
  if (isArray(frame, target)) {
    code = "tl.store(" + std::string(target->id) + " + " + offsets + ", " + code + mask + ")";
    replaced = emitter.fileRange(assign->range);
  }
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = emitter.currentRange();
  diagnostic.message =
      std::string("cannot ") +
      (expr.op == ast::BinaryOpKind::Add ? "add pointers together" : "compute with pointers") +
      ": `tl.load` reads what they point to, `" + code + "`";
  if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, replaced, replaced, std::move(code));
  throw Failure{std::move(diagnostic)};
}

void checkAddresses(Emitter &emitter, const ast::BinOp &expr, const Value &left,
                    const Value &right) {
  const Frame &frame = emitter.frame();
  const auto isAddress = [](const Value &value) {
    return value.tensor() && value.tensor()->type.isPointer() && value.tensor()->isBlock();
  };
  const bool isComputed = expr.op == ast::BinaryOpKind::Add || expr.op == ast::BinaryOpKind::Mult;
  if (!isComputed || !isAddress(left) || !isAddress(right))
    return;
  const std::string mask = onlyMask(frame, left.tensor()->type.shape);
  const auto loadOf = [&](const ast::Expr &operand) {
    const std::string_view text = sourceText(frame, emitter.fileRange(operand.range));
    return "tl.load(" + std::string(text.empty() ? "x" : text) +
           (mask.empty() ? "" : ", mask=" + mask) + ")";
  };
  const std::string code =
      loadOf(*expr.left) + " " + std::string(ast::opText(expr.op)) + " " + loadOf(*expr.right);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = emitter.currentRange();
  diagnostic.message = "cannot compute with addresses: load what lies there, `" + code + "`";
  if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, code);
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
