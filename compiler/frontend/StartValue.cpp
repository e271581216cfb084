// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/StartValue.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler::frontend {

namespace {
/// What the values in an expression are, as far as they are known by now.
struct Added {
  /// Of the largest block; empty for a number.
  Shape shape = {};
  bool isReal = false;
  /// The shape of a product is that of neither factor.
  bool hasProduct = false;
};

struct Update {
  const ast::AugAssign *statement = nullptr;
  /// The outermost loop around it, else the statement itself.
  const ast::Stmt *outermost = nullptr;
};
} // namespace

static Update updateAt(const ast::FunctionDef &function, std::string_view name,
                       const SourceRange &range) {
  Update update;
  const ast::Stmt *loop = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const bool isLoop = ast::is<ast::For>(&node) || ast::is<ast::While>(&node);
      if (isLoop && (!loop || loop->range.end <= node.range.begin))
        loop = ast::as<ast::Stmt>(&node);
      const auto *assign = ast::as<ast::AugAssign>(&node);
      const auto *target = assign ? ast::as<ast::Name>(assign->target) : nullptr;
      if (!update.statement && target && target->id == name && target->range.begin == range.begin)
        update = {assign, loop && range.begin < loop->range.end ? loop : assign};
      return !update.statement;
    });
  return update;
}

static void addValue(const Value *value, Added &added) {
  const Tensor *tensor = value ? value->tensor() : nullptr;
  // What is not known by now is taken for a real number.
  if (!tensor)
    added.isReal |= !value || !value->isNumber() || value->constant()->isFloat();
  else if (tensor->type.isPointer())
    added.isReal |= isFloating(tensor->type.scalar.pointee().dtype);
  else
    added.isReal |= isFloating(tensor->dtype());
  if (tensor && tensor->type.shape.size() > added.shape.size())
    added.shape = tensor->type.shape;
}

static Added readAdded(const Frame &frame, const ast::Expr &expr) {
  Added added;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (callee && callee->attr == "dot")
      added.hasProduct = true;
    const bool isReduction =
        callee && (callee->attr == "sum" || callee->attr == "max" || callee->attr == "min");
    if (isReduction) {
      // Of a block along no axis or its only one a number is left.
      for (const ast::Expr *argument : call->args)
        added.isReal |= readAdded(frame, *argument).isReal;
      added.hasProduct |= call->args.size() > 1 || !call->keywords.empty();
      return false;
    }
    if (callee) {
      for (const ast::Expr *argument : call->args) {
        const Added inner = readAdded(frame, *argument);
        added.isReal |= inner.isReal;
        added.hasProduct |= inner.hasProduct;
        if (inner.shape.size() > added.shape.size())
          added.shape = inner.shape;
      }
      return false;
    }
    if (const auto *name = ast::as<ast::Name>(&node))
      addValue(frame.locals.find(name->id), added);
    const auto *number = ast::as<ast::Constant>(&node);
    added.isReal |= number && number->constantKind == ast::ConstantKind::Float;
    return true;
  });
  return added;
}

/// An extent as the function names it, else the number.
static std::string extentCode(const Frame &frame, int64_t extent) {
  for (const ast::Arg *parameter : parametersOf(*frame.function)) {
    const Value *value = frame.locals.find(parameter->arg);
    const bool isSame = value && value->isNumber() && value->constant()->isInt() &&
                        constant::repr(*value->constant()) == std::to_string(extent);
    if (isSame)
      return std::string(parameter->arg);
  }
  return std::to_string(extent);
}

/// What leaves the first update as it is; empty for operators without such a number.
static std::string startCode(const Frame &frame, const ast::AugAssign &update) {
  using enum ast::BinaryOpKind;
  const bool isProduct = update.op == Mult;
  if (update.op != Add && update.op != Sub && !isProduct)
    return {};
  const Added added = readAdded(frame, *update.value);
  if (added.hasProduct)
    return {};
  const std::string number = isProduct ? "1" : "0";
  if (added.shape.empty())
    return number + (added.isReal ? ".0" : "");
  std::string extents;
  for (int64_t extent : added.shape)
    extents += (extents.empty() ? "" : ", ") + extentCode(frame, extent);
  const std::string type = added.isReal ? "tl.float32" : "tl.int32";
  return isProduct ? "tl.full([" + extents + "], 1, dtype=" + type + ")"
                   : "tl.zeros([" + extents + "], dtype=" + type + ")";
}

bool explainNoStart(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  if (!frame.function || frame.isModuleLevel || frame.isCompileTime)
    return false;
  const Update update = updateAt(*frame.function, name, diagnostic.range);
  if (!update.statement)
    return false;
  const std::string subject(name), code = startCode(frame, *update.statement);
  const bool isInLoop = update.outermost != update.statement;
  diagnostic.message =
      "`" + subject + "` has no value before " +
      (isInLoop ? "the loop" : "`" + std::string(ast::opText(update.statement->op)) + "=`");
  if (code.empty()) {
    diagnostic.notes.push_back("give `" + subject + "` a value to begin with");
    return true;
  }
  const std::string start = subject + " = " + code;
  diagnostic.message += ": `" + start + "`";
  Position place = update.outermost->range.begin;
  const std::string indent(place.column, ' ');
  const std::string_view line = sourceText(frame, {{place.line, 0}, place, 0});
  if (diagnostic.range.file == 0 && line == indent)
    diagnostic.fixes.push_back(
        {{place, place, 0}, start + "\n" + indent, "begin with `" + start + "`"});
  return true;
}

} // namespace tilescope::compiler::frontend
