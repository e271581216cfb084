// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ValueSlips.h"

#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/VectorAxes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using ast::BinaryOpKind;

/// Each change is a run of the whole launch.
static constexpr size_t kMostVectors = 4, kMostProducts = 2, kMostOperators = 2;

namespace {
/// What a kernel does with loaded numbers, in the order of its text; addresses and masks are none of it.
struct ValueParts {
  std::vector<const ast::Subscript *> vectors;
  std::vector<const ast::Call *> products;
  std::vector<const ast::BinOp *> operators;
};
} // namespace

/// Where the addresses and masks of accesses stand: all that they take but what is stored.
static std::vector<SourceRange> accessArguments(const KernelText &kernel) {
  std::vector<SourceRange> places;
  kernel.walk([&](const ast::Node &node) {
    if (const ast::Call *load = KernelText::callOf(&node, "load"))
      places.push_back(load->range);
    if (const ast::Call *store = KernelText::callOf(&node, "store")) {
      for (size_t i = 0; i < store->args.size(); ++i)
        if (i != 1)
          places.push_back(store->args[i]->range);
      for (const auto &keyword : store->keywords)
        if (keyword->arg != "value")
          places.push_back(keyword->range);
    }
  });
  return places;
}

static ValueParts valueParts(const KernelText &kernel) {
  const std::vector<SourceRange> addresses = accessArguments(kernel);
  const auto isLoaded = [&](const ast::Expr &expr) {
    return kernel.isMadeOf(
        expr, [](const ast::Node &part) { return KernelText::callOf(&part, "load") != nullptr; });
  };
  ValueParts parts;
  kernel.walk([&](const ast::Node &node) {
    if (std::ranges::any_of(addresses, [&](const SourceRange &each) {
          return each.begin <= node.range.begin && node.range.end <= each.end;
        }))
      return;
    if (const auto *index = ast::as<ast::Subscript>(&node);
        index && ast::axisOf(*index) && isLoaded(*index->value))
      parts.vectors.push_back(index);
    if (const ast::Call *product = KernelText::callOf(&node, "dot");
        product && product->args.size() >= 2)
      parts.products.push_back(product);
    if (const auto *operation = ast::as<ast::BinOp>(&node);
        operation &&
        (operation->op == BinaryOpKind::Add || operation->op == BinaryOpKind::Sub ||
         operation->op == BinaryOpKind::Mult || operation->op == BinaryOpKind::Div) &&
        isLoaded(*operation->left) && isLoaded(*operation->right))
      parts.operators.push_back(operation);
  });
  return parts;
}

static void explainVector(const KernelText &kernel, const ast::Subscript &vector,
                          compiler::Diagnostic &diagnostic) {
  // Its addresses may have told already.
  const auto isIn = [&](const compiler::DiagnosticFix &fix) {
    return vector.range.begin <= fix.range.begin && fix.range.end <= vector.range.end;
  };
  if (std::ranges::any_of(diagnostic.fixes, isIn))
    return;
  const bool isDown = *ast::axisOf(vector) == ast::VectorAxis::Down;
  const std::string name(kernel.text(*vector.value));
  const ast::VectorAxis other = isDown ? ast::VectorAxis::Right : ast::VectorAxis::Down;
  diagnostic.labels.push_back({vector.range, "`" + std::string(kernel.text(vector)) +
                                                 "` has one number for each " +
                                                 (isDown ? "row" : "column") + " of the block"});
  diagnostic.fixes.push_back(replacing(kernel, vector, name + std::string(ast::indexOf(other))));
}

static void explainProduct(const KernelText &kernel, const ast::Call &product,
                           compiler::Diagnostic &diagnostic) {
  const std::string left(kernel.text(*product.args[0])), right(kernel.text(*product.args[1]));
  diagnostic.labels.push_back(
      {product.args[0]->range, "the rows of `" + left + "` become the rows of the product"});
  diagnostic.fixes.push_back(
      together(kernel, {{product.args[0]->range, right}, {product.args[1]->range, left}},
               "exchange `" + left + "` and `" + right + "` in line " +
                   std::to_string(product.range.begin.line + 1)));
}

static char signOf(BinaryOpKind kind) {
  return kind == BinaryOpKind::Add    ? '+'
         : kind == BinaryOpKind::Sub  ? '-'
         : kind == BinaryOpKind::Mult ? '*'
                                      : '/';
}

static BinaryOpKind inverseOf(BinaryOpKind kind) {
  switch (kind) {
  case BinaryOpKind::Add:
    return BinaryOpKind::Sub;
  case BinaryOpKind::Sub:
    return BinaryOpKind::Add;
  case BinaryOpKind::Mult:
    return BinaryOpKind::Div;
  default:
    return BinaryOpKind::Mult;
  }
}

static void explainOperator(const KernelText &kernel, const ast::BinOp &operation,
                            compiler::Diagnostic &diagnostic) {
  const char sign = signOf(operation.op), other = signOf(inverseOf(operation.op));
  const std::string line = std::to_string(operation.range.begin.line + 1);
  const SourceRange between{operation.left->range.end, operation.right->range.begin, 0};
  std::string code(kernel.tree().text(between));
  const size_t at = code.find(sign);
  if (at == std::string::npos)
    return;
  code[at] = other;
  diagnostic.labels.push_back(
      {between, std::string("`") + sign + "` where `" + other + "` is expected"});
  diagnostic.fixes.push_back(
      {between, code, std::string("write `") + other + "` for `" + sign + "` in line " + line});
  // Which operand is which makes a difference.
  const std::string left(KernelText::nameOf(operation.left)),
      right(KernelText::nameOf(operation.right));
  if (left.empty() || right.empty() || (sign != '-' && sign != '/'))
    return;
  diagnostic.labels.push_back(
      {operation.range, "`" + left + "` and `" + right + "` stand in each other's place"});
  diagnostic.fixes.push_back(replacing(kernel, operation, right + ' ' + sign + ' ' + left));
}

void explainValueSlips(const KernelText &kernel, compiler::Diagnostic &diagnostic) {
  const ValueParts parts = valueParts(kernel);
  for (size_t i = 0; i < std::min(parts.vectors.size(), kMostVectors); ++i)
    explainVector(kernel, *parts.vectors[i], diagnostic);
  for (size_t i = 0; i < std::min(parts.products.size(), kMostProducts); ++i)
    explainProduct(kernel, *parts.products[i], diagnostic);
  if (parts.operators.size() <= kMostOperators)
    for (const ast::BinOp *operation : parts.operators)
      explainOperator(kernel, *operation, diagnostic);
}

} // namespace tilescope::app
