// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RowLengths.h"

#include "app/commands/PlanNumbers.h"
#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/ExpressionParts.h"
#include "compiler/syntax/FunctionText.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using profiler::LaunchPlan;

/// Each is a run of the whole launch.
static constexpr size_t kMostPlaces = 4;

/// An extent of the launch block as a kernel writes it: `n`, `tl.cdiv(n, BLOCK)`. Empty: it has names that the kernel has
/// not.
static std::string asKernelCode(const KernelText &kernel, const std::string &extent) {
  std::string code;
  for (size_t at = 0; at < extent.size();) {
    if (!ast::isWordByte(extent[at])) {
      code += extent[at++];
      continue;
    }
    size_t end = at;
    while (end < extent.size() && ast::isWordByte(extent[end]))
      ++end;
    const std::string word = extent.substr(at, end - at);
    const bool isCall = word == "cdiv" && end < extent.size() && extent[end] == '(';
    if (!isCall && !std::isdigit(static_cast<unsigned char>(word.front())) &&
        !kernel.parameter(word))
      return "";
    code += (isCall ? "tl." : "") + word;
    at = end;
  }
  // It becomes a factor.
  const bool isFactor = code.find_first_of("+-/%") == std::string::npos ||
                        (code.starts_with("tl.cdiv(") && code.find(')') == code.size() - 1);
  return isFactor ? code : "(" + code + ")";
}

namespace {
/// An array of two or more axes.
struct Rows {
  std::string array;
  int64_t length = 0;
  /// How the kernel writes that.
  std::string code;
};

/// Looks for what is multiplied with other numbers.
class RowLengths {
public:
  RowLengths(const KernelText &kernel, std::string_view text, const LaunchPlan &plan,
             Diagnostic &diagnostic)
      : m_kernel(kernel), m_plan(plan), m_diagnostic(diagnostic),
        m_most(diagnostic.fixes.size() + kMostPlaces) {
    for (profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
      if (profiler::isOfPlan(block, plan))
        m_arguments = std::move(block.args);
  }

  void lookAt(const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    if (const ast::Call *access = load ? load : KernelText::callOf(&node, "store");
        access && !access->args.empty())
      lookAtAddress(*access->args.front());
    if (const auto *step = ast::as<ast::AugAssign>(&node);
        step && step->op == ast::BinaryOpKind::Add)
      lookAtStep(*step);
  }

  /// `o // OH` and `o % OH` of an output with rows of `OW` elements.
  void lookAtDivisions(const std::string &output) {
    const std::optional<Rows> rows = rowsOf(output);
    const profiler::PlanTensor *tensor = rows ? m_plan.argument(output)->tensor() : nullptr;
    if (!tensor || tensor->shape[tensor->shape.size() - 2] == rows->length)
      return;
    std::vector<Change> changes;
    const ast::BinOp *quotient = nullptr, *remainder = nullptr;
    m_kernel.walk([&](const ast::Node &node) {
      const auto *division = ast::as<ast::BinOp>(&node);
      const bool isQuotient = division && division->op == ast::BinaryOpKind::FloorDiv;
      if (!division || (!isQuotient && division->op != ast::BinaryOpKind::Mod) ||
          planNumber(m_plan, KernelText::nameOf(division->right)) !=
              tensor->shape[tensor->shape.size() - 2])
        return;
      (isQuotient ? quotient : remainder) = division;
      changes.push_back({division->right->range, rows->code});
    });
    if (!quotient || !remainder ||
        m_kernel.text(*quotient->left) != m_kernel.text(*remainder->left))
      return;
    const std::string was(m_kernel.text(*quotient->right));
    m_diagnostic.labels.push_back(
        {quotient->range, "a row of `" + output + "` has `" + rows->code + "` elements, and `" +
                              was +
                              "` is how many rows there are: an index divided by that is "
                              "not its row"});
    m_diagnostic.fixes.push_back(
        together(m_kernel, std::move(changes),
                 "divide by `" + rows->code + "` in the place of `" + was + "`"));
  }

private:
  std::optional<Rows> rowsOf(const std::string &array) const {
    const profiler::PlanArgument *argument = array.empty() ? nullptr : m_plan.argument(array);
    const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    const auto stated = std::ranges::find(m_arguments, array, &profiler::LaunchArgument::name);
    if (!tensor || tensor->shape.size() < 2 || stated == m_arguments.end() ||
        stated->shape.size() != tensor->shape.size())
      return std::nullopt;
    const int64_t length = tensor->shape.back();
    std::string code = nameFor(stated->shape.back().text);
    if (code.empty())
      code = asKernelCode(m_kernel, stated->shape.back().text);
    for (const profiler::PlanArgument &each : m_plan.args)
      if (code.empty() && m_kernel.parameter(each.name) && planNumber(m_plan, each.name) == length)
        code = each.name;
    return code.empty() ? std::nullopt : std::optional(Rows{array, length, std::move(code)});
  }

  /// The parameter that is an extent of the launch block, or has the same expression there; empty: none is.
  std::string nameFor(const std::string &extent) const {
    if (m_kernel.parameter(extent))
      return extent;
    const auto isSame = [&](const profiler::LaunchArgument &each) {
      return !each.isTensor && each.value.text == extent && m_kernel.parameter(each.name);
    };
    const auto found = std::ranges::find_if(m_arguments, isSame);
    return found == m_arguments.end() ? std::string() : found->name;
  }

  /// Another number that multiplies rows; null: it is the right one, or none is known.
  const ast::Expr *otherFactor(const ast::Expr &term, const Rows &rows) const {
    const auto *product = ast::as<ast::BinOp>(&term);
    const std::optional<int64_t> factor =
        product && product->op == ast::BinaryOpKind::Mult && !isProduct(*product->left)
            ? planNumber(m_plan, KernelText::nameOf(product->right))
            : std::nullopt;
    return factor && *factor != 1 && *factor != rows.length ? product->right : nullptr;
  }

  static bool isProduct(const ast::Expr &expr) {
    const auto *product = ast::as<ast::BinOp>(&expr);
    return product && product->op == ast::BinaryOpKind::Mult;
  }

  void lookAtAddress(const ast::Expr &address) {
    const std::vector<const ast::Expr *> terms = ast::summands(address);
    const std::optional<Rows> rows = rowsOf(std::string(KernelText::nameOf(terms.front())));
    if (!rows || terms.size() < 3)
      return;
    // Beside the right distance of rows stands that of columns.
    for (const ast::Expr *term : terms)
      if (const auto *product = ast::as<ast::BinOp>(term);
          product && isProduct(*term) && !isProduct(*product->left) &&
          (m_kernel.text(*product->right) == rows->code ||
           planNumber(m_plan, KernelText::nameOf(product->right)) == rows->length))
        return;
    for (const ast::Expr *term : terms)
      if (const ast::Expr *factor = otherFactor(*term, *rows))
        offer(*factor, *rows, "rows of `" + rows->array + "` lie ");
  }

  /// A pointer that goes on by rows.
  void lookAtStep(const ast::AugAssign &step) {
    const std::string_view pointer = KernelText::nameOf(step.target);
    const ast::Expr *begin =
        pointer.empty() || !m_kernel.function()
            ? nullptr
            : compiler::lastValue(*m_kernel.function(), pointer, step.range.begin);
    const std::optional<Rows> rows =
        begin ? rowsOf(std::string(KernelText::nameOf(ast::summands(*begin).front())))
              : std::nullopt;
    if (const ast::Expr *factor = rows ? otherFactor(*step.value, *rows) : nullptr)
      offer(*factor, *rows, "this goes on by rows, and those of `" + rows->array + "` lie ");
  }

  void offer(const ast::Expr &factor, const Rows &rows, const std::string &what) {
    const std::string was(m_kernel.text(factor));
    const auto isOffered = [&](const compiler::DiagnosticFix &fix) {
      return fix.range == factor.range && fix.replacement == rows.code;
    };
    if (m_diagnostic.fixes.size() >= m_most || std::ranges::any_of(m_diagnostic.fixes, isOffered))
      return;
    m_diagnostic.labels.push_back(
        {factor.range, what + "`" + rows.code + "` = " + std::to_string(rows.length) +
                           " elements apart, not `" + was +
                           "` = " + std::to_string(*planNumber(m_plan, was))});
    m_diagnostic.fixes.push_back(replacing(m_kernel, factor, rows.code));
  }

  const KernelText &m_kernel;
  const LaunchPlan &m_plan;
  Diagnostic &m_diagnostic;
  size_t m_most;
  std::vector<profiler::LaunchArgument> m_arguments;
};
} // namespace

void explainRowLengths(const KernelText &kernel, std::string_view text, const LaunchPlan &plan,
                       const std::string &output, Diagnostic &diagnostic) {
  RowLengths lengths(kernel, text, plan, diagnostic);
  lengths.lookAtDivisions(output);
  kernel.walk([&](const ast::Node &node) { lengths.lookAt(node); });
}

} // namespace tilescope::app
