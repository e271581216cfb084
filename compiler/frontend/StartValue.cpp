// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/StartValue.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler::frontend {

namespace {
/// What the values in an expression are, as far as they are known by now.
struct Added {
  /// Of the largest block; empty for a number.
  Shape shape = {};
  bool isReal = false;
  /// The shape cannot be told.
  bool isUnknown = false;
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

/// What two blocks have together: `[64, 1]` and `[1, 32]` make `[64, 32]`.
static void addShape(const Shape &part, Shape &shape) {
  if (part.size() > shape.size())
    shape = part;
  else if (part.size() == shape.size())
    for (size_t i = 0; i < shape.size(); ++i)
      shape[i] = std::max(shape[i], part[i]);
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
  if (tensor)
    addShape(tensor->type.shape, added.shape);
}

static void addPart(const Added &part, Added &added) {
  added.isReal |= part.isReal;
  added.isUnknown |= part.isUnknown;
  addShape(part.shape, added.shape);
}

static Added readAdded(const Frame &frame, const ast::Expr &expr);

/// What is between the brackets of a call: `x` of `f(x)`.
static Added readArguments(const Frame &frame, const ast::Call &call) {
  Added added;
  for (const ast::Expr *argument : call.args)
    addPart(readAdded(frame, *argument), added);
  return added;
}

/// `tl.sum(x, axis=1)` or `x.sum(1)`: what is left of the block.
static Added readReduction(const Frame &frame, const ast::Call &call,
                           const ast::Attribute &callee) {
  const auto *base = ast::as<ast::Name>(callee.value);
  const bool isMethod = !base || frame.locals.find(base->id);
  const ast::Expr *axis = call.args.size() > 1 - isMethod ? call.args[1 - isMethod] : nullptr;
  for (const ast::Keyword *keyword : call.keywords)
    if (keyword->arg == "axis")
      axis = keyword->value;
  if (!isMethod && call.args.empty())
    return {};
  Added added = readAdded(frame, isMethod ? *callee.value : *call.args.front());
  const auto *number = axis ? ast::as<ast::Constant>(axis) : nullptr;
  // Along its only axis, or along all of them, a number is left.
  if (added.shape.size() <= 1 || !axis)
    added.shape.clear();
  else if (number && number->intValue && *number->intValue >= 0 &&
           *number->intValue < static_cast<int64_t>(added.shape.size()))
    added.shape.erase(added.shape.begin() + *number->intValue);
  else
    added.isUnknown = true;
  return added;
}

/// `tl.dot(a, b)`
static Added readProduct(const Frame &frame, const ast::Call &call) {
  Added added{.isReal = true, .isUnknown = true};
  if (call.args.size() < 2)
    return added;
  const Shape left = readAdded(frame, *call.args[0]).shape;
  const Shape right = readAdded(frame, *call.args[1]).shape;
  if (left.size() == 2 && right.size() == 2)
    added = {{left[0], right[1]}, true, false};
  return added;
}

/// `i[:, None]`: a block with more axes.
static Added readIndexed(const Frame &frame, const ast::Subscript &entry) {
  Added added = readAdded(frame, *entry.value);
  const auto *parts = ast::as<ast::Tuple>(entry.slice);
  Shape shape;
  size_t axis = 0;
  for (size_t i = 0; parts && i < parts->elts.size(); ++i) {
    const bool isAxis = ast::is<ast::Slice>(parts->elts[i]) && axis < added.shape.size();
    shape.push_back(isAxis ? added.shape[axis++] : 1);
  }
  if (parts)
    added.shape = shape;
  return added;
}

static Added readCall(const Frame &frame, const ast::Call &call, const ast::Attribute &callee) {
  if (callee.attr == "dot")
    return readProduct(frame, call);
  if (callee.attr == "sum" || callee.attr == "max" || callee.attr == "min")
    return readReduction(frame, call, callee);
  return readArguments(frame, call);
}

static Added readAdded(const Frame &frame, const ast::Expr &expr) {
  Added added;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr) {
      addPart(readCall(frame, *call, *callee), added);
      return false;
    }
    if (const auto *entry = ast::as<ast::Subscript>(&node)) {
      addPart(readIndexed(frame, *entry), added);
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

/// The parameters that are this number.
static std::vector<std::string_view> parametersThatAre(const Frame &frame, int64_t extent) {
  std::vector<std::string_view> names;
  for (const ast::Arg *parameter : parametersOf(*frame.function)) {
    const Value *value = frame.locals.find(parameter->arg);
    if (value && value->isNumber() && value->constant()->isInt() &&
        constant::repr(*value->constant()) == std::to_string(extent))
      names.push_back(parameter->arg);
  }
  return names;
}

std::string extentCode(const Frame &frame, int64_t extent) {
  const std::vector<std::string_view> names = parametersThatAre(frame, extent);
  return names.empty() ? std::to_string(extent) : std::string(names.front());
}

/// Whether blocks of that many elements lie side by side: `row * BM + tl.arange(0, BM)`.
static bool isShared(const Frame &frame, std::string_view name) {
  const auto isName = [&](const ast::Expr *expr) {
    const auto *is = ast::as<ast::Name>(expr);
    return is && is->id == name;
  };
  bool found = false;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *sum = ast::as<ast::BinOp>(&node);
      for (const auto &[begin, block] :
           {std::pair(sum ? sum->left : nullptr, sum ? sum->right : nullptr),
            std::pair(sum ? sum->right : nullptr, sum ? sum->left : nullptr)}) {
        const auto *product = ast::as<ast::BinOp>(begin);
        const auto *range = ast::as<ast::Call>(block);
        found |= sum && sum->op == ast::BinaryOpKind::Add && product &&
                 product->op == ast::BinaryOpKind::Mult &&
                 (isName(product->left) || isName(product->right)) && range &&
                 range->args.size() == 2 && isName(range->args[1]);
      }
      return !found;
    });
  return found;
}

/// Of parameters that are the same number, each axis has one of its own, and first those by which programs share out
/// the rows.
static std::vector<std::string> extentCodes(const Frame &frame, const Shape &shape) {
  std::vector<std::string> codes;
  for (const int64_t extent : shape) {
    const std::vector<std::string_view> names = parametersThatAre(frame, extent);
    std::string best = std::to_string(extent);
    int mostRank = -1;
    for (const std::string_view name : names) {
      const bool isUsed = std::ranges::find(codes, name) != codes.end();
      const int rank = isUsed ? 0 : names.size() > 1 && isShared(frame, name) ? 2 : 1;
      if (rank > mostRank) {
        mostRank = rank;
        best = name;
      }
    }
    codes.push_back(std::move(best));
  }
  return codes;
}

static std::string filledBlock(const Frame &frame, const Shape &shape, const std::string &type,
                               std::string_view number) {
  std::string extents;
  for (const std::string &extent : extentCodes(frame, shape))
    extents += (extents.empty() ? "" : ", ") + extent;
  return number == "0" || number == "0.0"
             ? "tl.zeros([" + extents + "], dtype=" + type + ")"
             : "tl.full([" + extents + "], " + std::string(number) + ", dtype=" + type + ")";
}

std::string filledBlock(const Frame &frame, const Type &type, std::string_view number) {
  return filledBlock(frame, type.shape, "tl." + constant::DType::of(type.dtype()).languageName(),
                     number);
}

/// As much of `number` as what an expression makes has elements.
static std::string startLike(const Frame &frame, const ast::Expr &expr, const std::string &number) {
  const Added added = readAdded(frame, expr);
  if (added.isUnknown)
    return {};
  if (added.shape.empty())
    return number + (added.isReal ? ".0" : "");
  return filledBlock(frame, added.shape, added.isReal ? "tl.float32" : "tl.int32", number);
}

std::string startOfSum(const Frame &frame, const ast::Expr &added) {
  return startLike(frame, added, "0");
}

/// What leaves the first update as it is; empty for operators without such a number.
static std::string startCode(const Frame &frame, const ast::AugAssign &update) {
  using enum ast::BinaryOpKind;
  const bool isProduct = update.op == Mult;
  const bool isSum = update.op == Add || update.op == Sub;
  return isSum || isProduct ? startLike(frame, *update.value, isProduct ? "1" : "0")
                            : std::string();
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
