// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/MeanAdvice.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

namespace {
/// The arguments of a mean, as code.
struct Arguments {
  /// Empty: all axes.
  std::string axis;
  bool keepsAxis = false;
  /// Each of them is known to a kernel's sum.
  bool areKnown = true;
};
} // namespace

static std::string_view textOf(const Frame &frame, const ast::Expr &expr) {
  SourceRange range = expr.range;
  range.file = frame.module->file;
  return sourceText(frame, range);
}

static Arguments argumentsOf(const Frame &frame, const MeanCall &mean) {
  Arguments arguments;
  const size_t numOwn = mean.isMethod ? 0 : 1;
  arguments.areKnown =
      mean.call && mean.call->args.size() >= numOwn && mean.call->args.size() <= numOwn + 1;
  if (!arguments.areKnown)
    return arguments;
  const ast::Expr *axis = mean.call->args.size() > numOwn ? mean.call->args.back() : nullptr;
  for (const ast::Keyword *keyword : mean.call->keywords) {
    const bool keeps =
        keyword->arg == "keepdims" || keyword->arg == "keepdim" || keyword->arg == "keep_dims";
    if (keyword->arg == "axis" || keyword->arg == "dim")
      axis = keyword->value;
    else if (keeps)
      arguments.keepsAxis = textOf(frame, *keyword->value) == "True";
    else
      arguments.areKnown = false;
  }
  if (axis)
    arguments.axis = textOf(frame, *axis);
  arguments.areKnown &=
      !axis || (!arguments.axis.empty() &&
                arguments.axis.find_first_not_of("0123456789") == std::string::npos);
  return arguments;
}

static std::string sumOf(const std::string &code, const Arguments &arguments) {
  return "tl.sum(" + code + (arguments.axis.empty() ? "" : ", axis=" + arguments.axis) +
         (arguments.keepsAxis ? ", keep_dims=True" : "") + ")";
}

/// Whether an operator or a dot binds the call closer than a division in its place.
static bool bindsCloser(const Frame &frame, const ast::Call &call) {
  bool binds = false;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *operation = ast::as<ast::BinOp>(&node))
        binds |= operation->left == &call || operation->right == &call;
      else if (const auto *access = ast::as<ast::Attribute>(&node))
        binds |= access->value == &call;
      else if (const auto *part = ast::as<ast::Subscript>(&node))
        binds |= part->value == &call;
      return !binds;
    });
  return binds;
}

/// The sum over the number of elements that count; empty where the source does not show it.
static std::string codeOf(const Frame &frame, const MeanCall &mean, const Arguments &arguments) {
  const auto *operand = ast::as<ast::Name>(mean.operand);
  const Value *value = operand ? frame.locals.find(operand->id) : nullptr;
  if (!arguments.areKnown || !value || !value->tensor() || !value->tensor()->isBlock())
    return {};
  const std::string name(operand->id);
  const bool isVector = value->tensor()->type.shape.size() == 1;
  const MaskedCount count = maskedCount(frame, name);
  if (count.code.empty()) {
    const std::string all = arguments.axis.empty() ? isVector ? ".shape[0]" : ".numel"
                                                   : ".shape[" + arguments.axis + "]";
    return usesMasks(frame) ? std::string() : sumOf(name, arguments) + " / " + name + all;
  }
  if (!isVector || count.mask.empty())
    return {};
  const std::string counted =
      count.isZeroed ? name : "tl.where(" + count.mask + ", " + name + ", 0.0)";
  return sumOf(counted, arguments) + " / " +
         (count.isOfBlock ? count.code
                          : sumOf(asReceiver(count.mask) + ".to(tl.int32)", arguments));
}

void explainMean(Diagnostic &diagnostic, const Frame &frame, const MeanCall &mean) {
  const Arguments arguments = argumentsOf(frame, mean);
  if (mean.call && frame.function && hasLanguageName(frame))
    if (std::string code = codeOf(frame, mean, arguments); !code.empty()) {
      SourceRange range = mean.call->range;
      range.file = diagnostic.range.file;
      diagnostic.fixes =
          rewriteFix(frame, range, range, bindsCloser(frame, *mean.call) ? "(" + code + ")" : code);
    }
  if (!diagnostic.fixes.empty()) {
    diagnostic.notes.push_back("divide the sum by the number of elements: `" +
                               diagnostic.fixes.front().replacement + "`");
    const MaskedCount count = maskedCount(frame, mean.code);
    if (!count.code.empty() && !count.isOfBlock)
      diagnostic.notes.push_back("this is the mean of a program's block; that of all `" +
                                 count.code + "` elements takes the sums of all programs");
    return;
  }
  Arguments shown = arguments;
  if (shown.axis.empty())
    shown.axis = "0";
  const std::string sum = sumOf(mean.code, shown);
  diagnostic.notes.push_back(
      frame.locals.find("n") ? "divide the sum by the number of elements that count, without those "
                               "that a mask leaves out: `" +
                                   sum + " / n`"
                             : "divide the sum `" + sum +
                                   "` by the number of elements that count, without those that a "
                                   "mask leaves out");
}

} // namespace tilescope::compiler::frontend
