// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AddressAdvice.h"

#include "app/commands/KernelText.h"
#include "app/commands/PlanNumbers.h"
#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/ExpressionParts.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using profiler::LaunchPlan;
using profiler::OutputResult;
using profiler::PlanArgument;

static std::string asCode(std::string_view code) { return "`" + std::string(code) + "`"; }

/// What is added to the array of an output, and the mask, where the kernel stores there once.
struct StorePlace {
  std::string offsets;
  std::string mask;
};

static StorePlace storePlace(const KernelText &kernel, std::string_view output) {
  StorePlace place;
  int numStores = 0;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *store = KernelText::callOf(&node, "store");
    const auto *sum = store && !store->args.empty() ? ast::as<ast::BinOp>(store->args[0]) : nullptr;
    if (!sum || sum->op != ast::BinaryOpKind::Add || KernelText::nameOf(sum->left) != output)
      return;
    ++numStores;
    place.offsets = kernel.text(*sum->right);
    for (const ast::Keyword *keyword : store->keywords)
      if (keyword->arg == "mask")
        place.mask = kernel.text(*keyword->value);
    if (store->args.size() > 2)
      place.mask = kernel.text(*store->args[2]);
  });
  return numStores == 1 ? place : StorePlace();
}

/// `tl.load(x_ptr)` of an array with as many elements as the output has: all get its first element.
static void explainSingleLoads(const KernelText &kernel, const LaunchPlan &plan,
                               const OutputResult &output, Diagnostic &diagnostic) {
  const int64_t numElements = profiler::numElements(output.shape);
  const StorePlace place = storePlace(kernel, output.name);
  if (place.offsets.empty() || numElements < 2)
    return;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    if (!load || load->args.size() != 1 || !load->keywords.empty())
      return;
    const std::string array(KernelText::nameOf(load->args[0]));
    const PlanArgument *argument = array.empty() ? nullptr : plan.argument(array);
    if (!argument || !argument->tensor() ||
        profiler::numElements(argument->tensor()->shape) != numElements)
      return;
    diagnostic.labels.push_back(
        {load->range, "this is one element, " + asCode(array + "[0]") + ", in every program"});
    const std::string code =
        array + " + " + place.offsets + (place.mask.empty() ? "" : ", mask=" + place.mask);
    diagnostic.fixes.push_back(
        {load->args[0]->range, code, "load from `" + array + " + " + place.offsets + "`"});
  });
}

/// The kernel's parameters with the numbers of rows and columns of a matrix, as its launch states them; one
/// that is no parameter is empty. Without any, it is no matrix.
static std::vector<std::string> extentsOf(const KernelText &kernel, std::string_view text,
                                          const LaunchPlan &plan, const std::string &matrix) {
  std::vector<std::string> extents;
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    for (const profiler::LaunchArgument &argument : block.args)
      if (block.name == plan.name && argument.name == matrix && argument.shape.size() == 2)
        for (const profiler::LaunchExpression &extent : argument.shape)
          extents.push_back(kernel.parameter(extent.text) ? extent.text : std::string());
  return extents.size() == 2 ? extents : std::vector<std::string>();
}

static std::string columnsOf(const KernelText &kernel, std::string_view text,
                             const LaunchPlan &plan, const std::string &matrix) {
  const std::vector<std::string> extents = extentsOf(kernel, text, plan, matrix);
  return extents.empty() ? std::string() : extents[1];
}

/// `x_ptr + row * BLOCK + cols` of a matrix that has another number of columns. `only`: of this array; empty: of
/// all.
static void explainRowDistances(const KernelText &kernel, std::string_view text,
                                const LaunchPlan &plan, std::string_view only,
                                Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    const ast::Call *access = load ? load : KernelText::callOf(&node, "store");
    if (!access || access->args.empty())
      return;
    const std::vector<const ast::Expr *> terms = ast::summands(*access->args[0]);
    const std::string array(KernelText::nameOf(terms.front()));
    const PlanArgument *argument = array.empty() ? nullptr : plan.argument(array);
    if (!argument || !argument->tensor() || argument->tensor()->shape.size() != 2 ||
        (!only.empty() && array != only))
      return;
    const std::string columns = columnsOf(kernel, text, plan, array);
    // Beside the right distance of rows stands that of columns.
    if (std::ranges::any_of(terms, [&](const ast::Expr *term) {
          const auto *product = ast::as<ast::BinOp>(term);
          return product && product->op == ast::BinaryOpKind::Mult &&
                 planNumber(plan, KernelText::nameOf(product->right)) ==
                     argument->tensor()->shape[1];
        }))
      return;
    for (const ast::Expr *term : terms) {
      const auto *product = ast::as<ast::BinOp>(term);
      if (!product || product->op != ast::BinaryOpKind::Mult || columns.empty())
        continue;
      const std::optional<int64_t> distance =
          constexprNumber(plan, KernelText::nameOf(product->right));
      // The elements of a row lie side by side: `cols * stride` with a stride of 1 is right.
      if (!distance || *distance == 1 || *distance == argument->tensor()->shape[1])
        continue;
      diagnostic.labels.push_back(
          {product->right->range, "rows of " + asCode(array) + " lie " + asCode(columns) +
                                      " elements apart, which is " +
                                      std::to_string(argument->tensor()->shape[1]) + ", not " +
                                      std::to_string(*distance)});
      diagnostic.fixes.push_back(replacing(kernel, *product->right, columns));
    }
  });
}

/// The first name of an expression; empty: it has none.
static std::string_view firstName(const ast::Expr &expr) {
  std::string_view found;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (found.empty() && name && name->id != "tl")
      found = name->id;
    return found.empty();
  });
  return found;
}

/// Whether `index < extent`, or `index < extent - k`, stands in the kernel, or each program of an axis
/// `extent` programs long has a number of its own that is the index.
static bool isBoundedBy(const KernelText &kernel, std::string_view text, const LaunchPlan &plan,
                        std::string_view index, std::string_view extent) {
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    const auto *compare = ast::as<ast::Compare>(&node);
    if (compare && compare->ops.size() == 1 && compare->ops[0] == ast::CompareOpKind::Lt)
      found |= firstName(*compare->left) == index && firstName(*compare->comparators[0]) == extent;
  });
  const ast::Assign *assign = kernel.onlyAssignment(index);
  const ast::Call *number = assign ? KernelText::callOf(assign->value, "program_id") : nullptr;
  if (!number || number->args.size() != 1)
    return found;
  const auto *axis = ast::as<ast::Constant>(number->args.front());
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    if (block.name == plan.name && axis && axis->intValue &&
        static_cast<size_t>(*axis->intValue) < block.grid.size())
      found |= block.grid[static_cast<size_t>(*axis->intValue)].text == extent;
  return found;
}

/// Of a matrix of `[K, N]` elements, `b_ptr + rn[:, None] * K + rk[None, :]` is the place of one of its
/// transpose.
static void explainTransposed(const KernelText &kernel, std::string_view text,
                              const LaunchPlan &plan, std::string_view only,
                              Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    const ast::Call *access = load ? load : KernelText::callOf(&node, "store");
    std::vector<const ast::Expr *> terms;
    if (access && !access->args.empty())
      terms = ast::summands(*access->args[0]);
    const std::string array(terms.size() == 3 ? KernelText::nameOf(terms[0]) : "");
    if (!only.empty() && array != only)
      return;
    const std::vector<std::string> extents = extentsOf(kernel, text, plan, array);
    if (extents.size() != 2 || extents[0] == extents[1] || extents[1].empty())
      return;
    // Of a square both distances are the same number: neither is why anything differs.
    const PlanArgument *matrix = plan.argument(array);
    if (matrix && matrix->tensor() && matrix->tensor()->shape.size() == 2 &&
        matrix->tensor()->shape[0] == matrix->tensor()->shape[1])
      return;
    const auto *first = ast::as<ast::BinOp>(terms[1]), *last = ast::as<ast::BinOp>(terms[2]);
    const bool isFirst = first && first->op == ast::BinaryOpKind::Mult;
    const bool isLast = last && last->op == ast::BinaryOpKind::Mult;
    const ast::BinOp *product = isFirst ? first : last;
    if (isFirst == isLast || KernelText::nameOf(product->right) != extents[0])
      return;
    const std::string index(kernel.text(*product->left)), &columns = extents[1];
    const std::string other(kernel.text(*terms[isFirst ? 2 : 1]));
    const auto bounds = [&](const ast::Expr &expr, const std::string &extent) {
      return isBoundedBy(kernel, text, plan, firstName(expr), extent);
    };
    const ast::Expr &rest = *terms[isFirst ? 2 : 1];
    const bool countsRows = bounds(*product->left, extents[0]) || bounds(rest, columns);
    const bool countsColumns = bounds(*product->left, columns) || bounds(rest, extents[0]);
    if (countsRows || !countsColumns) {
      diagnostic.labels.push_back({product->right->range, asCode(extents[0]) +
                                                              " is the number of rows of " +
                                                              asCode(array) + ", which lie " +
                                                              asCode(columns) + " elements apart"});
      diagnostic.fixes.push_back(replacing(kernel, *product->right, columns));
      return;
    }
    const std::string code =
        isFirst ? index + " + " + other + " * " + columns : other + " * " + columns + " + " + index;
    diagnostic.labels.push_back(
        {product->range, asCode(extents[0]) + " is the number of rows of " + asCode(array) +
                             ", which lie " + asCode(columns) +
                             " elements apart: this is the place of an element of its transpose"});
    diagnostic.fixes.push_back(
        {{terms[1]->range.begin, terms[2]->range.end},
         code,
         "write `" + code + "` in line " + std::to_string(terms[1]->range.begin.line + 1)});
  });
}

/// How far an address goes when the block of indices in it goes on by `step`: `step * N` for
/// `b_ptr + rk[:, None] * N + …`. Empty where none of its indices is
/// `tl.arange(0, step)`, or several are.
static std::string advanceOf(const KernelText &kernel, const ast::Expr &address,
                             std::string_view step) {
  const auto isRange = [&](const ast::Expr *expr) {
    if (const auto *index = ast::as<ast::Subscript>(expr))
      expr = index->value;
    const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(expr));
    const ast::Call *range = assign ? KernelText::callOf(assign->value, "arange") : nullptr;
    return range && range->args.size() == 2 && kernel.text(*range->args[1]) == step;
  };
  std::vector<std::string> advances;
  for (const ast::Expr *term : ast::summands(address)) {
    const auto *product = ast::as<ast::BinOp>(term);
    if (isRange(term))
      advances.emplace_back(step);
    else if (product && product->op == ast::BinaryOpKind::Mult && isRange(product->left))
      advances.push_back(std::string(step) + " * " + std::string(kernel.text(*product->right)));
  }
  return advances.size() == 1 ? advances.front() : std::string();
}

/// The pointers that a loop loads from in each of its turns and leaves where they are.
static std::vector<std::string_view> stillPointers(const KernelText &kernel, const ast::For &loop) {
  std::vector<std::string_view> pointers;
  for (const ast::Stmt *statement : loop.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const ast::Call *load = KernelText::callOf(&node, "load");
      const std::string_view name =
          load && !load->args.empty() ? KernelText::nameOf(load->args[0]) : std::string_view();
      const ast::Assign *assign = name.empty() ? nullptr : kernel.onlyAssignment(name);
      if (assign && assign->range.end <= loop.range.begin &&
          std::ranges::find(pointers, name) == pointers.end())
        pointers.push_back(name);
      return true;
    });
  return pointers;
}

/// `for k in range(0, K, BK)` in which nothing goes on by `BK`.
static void explainStillLoops(const KernelText &kernel, Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const auto *range = loop ? ast::as<ast::Call>(loop->iter) : nullptr;
    const auto isUsed = [&](const ast::Stmt *statement) {
      return ast::mentions(*statement, KernelText::nameOf(loop->target));
    };
    if (!range || range->args.size() != 3 || std::ranges::any_of(loop->body, isUsed))
      return;
    const std::string_view step = kernel.text(*range->args[2]);
    const Position end = loop->body.back()->range.end;
    const std::string indent(loop->body.front()->range.begin.column, ' ');
    std::string code, names;
    for (const std::string_view pointer : stillPointers(kernel, *loop)) {
      const std::string advance = advanceOf(kernel, *kernel.onlyAssignment(pointer)->value, step);
      if (advance.empty())
        return;
      code += "\n" + indent + std::string(pointer) + " += " + advance;
      names += (names.empty() ? "" : " and ") + asCode(pointer);
    }
    if (code.empty())
      return;
    const bool isOne = names.find(" and ") == std::string::npos;
    diagnostic.labels.push_back(
        {range->range, names + (isOne ? " stays where it is" : " stay where they are") +
                           ": each turn of the loop loads the same"});
    diagnostic.fixes.push_back({{end, end}, code, "advance " + names + " at the end of the loop"});
  });
}

void explainAddresses(std::string_view text, const LaunchPlan &plan, const OutputResult &output,
                      Diagnostic &diagnostic) {
  if (!output.comparison || !output.comparison->isWithExpected)
    return;
  const KernelText kernel(text, plan.kernel);
  if (!kernel.function())
    return;
  // Why nothing was written at a place, only the stores say.
  const bool isWritten = output.comparison->firstMismatch != output.firstNeverWritten;
  const std::string_view only = isWritten ? std::string_view() : output.name;
  if (isWritten)
    explainSingleLoads(kernel, plan, output, diagnostic);
  explainRowDistances(kernel, text, plan, only, diagnostic);
  explainTransposed(kernel, text, plan, only, diagnostic);
  if (isWritten)
    explainStillLoops(kernel, diagnostic);
}

} // namespace tilescope::app
