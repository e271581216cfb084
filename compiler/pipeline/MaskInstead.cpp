// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MaskInstead.h"

#include "compiler/pipeline/AccessCalls.h"

namespace tilescope::compiler {

MaskAdvice boundaryAdvice(const ast::SyntaxTree &tree, const ast::Call &access, size_t numAxes) {
  std::string all;
  for (size_t axis = 0; axis < numAxes; ++axis)
    all += (all.empty() ? "" : ", ") + std::to_string(axis);
  all = "(" + all + (numAxes == 1 ? ",)" : ")");
  const ast::Expr *known = argument(access, 3, "boundary_check");
  if (!known)
    return {"add `boundary_check=" + all + "`", {addArgument(access, "boundary_check=" + all)}, {}};
  if (tree.text(known->range) == all)
    return {};
  return {"its `boundary_check` must name each axis along which the block may leave the array: `" +
              all + "`",
          {{known->range, all, "write `boundary_check=" + all + "`"}},
          {}};
}

std::optional<MaskAdvice> descriptorAdvice(const ast::SyntaxTree &tree, const ast::Call &access,
                                           const InterpreterFinding &finding) {
  const ast::Expr *descriptor = ast::as<ast::Attribute>(access.func)->value;
  if (const auto *name = ast::as<ast::Name>(descriptor))
    descriptor = lastValue(functionAround(tree, access.range), name->id, access.range.begin);
  const auto *made = ast::as<ast::Call>(descriptor);
  const auto *function = made ? ast::as<ast::Attribute>(made->func) : nullptr;
  if (!function || function->attr.find("make_tensor_descriptor") == std::string_view::npos)
    return std::nullopt;
  return MaskAdvice{"the descriptor leaves out what lies outside of its `shape`: that, its "
                    "`strides`, or where it begins are not those of `" +
                        finding.argument + "`",
                    {},
                    {{made->range, "the descriptor is made here"}}};
}

std::optional<MaskAdvice> reduceFirst(const ast::SyntaxTree &tree, const ast::Call &access,
                                      const InterpreterFinding &finding) {
  const std::string_view function = ast::as<ast::Attribute>(access.func)->attr;
  const char *reduction = function == "atomic_add"   ? "sum"
                          : function == "atomic_max" ? "max"
                          : function == "atomic_min" ? "min"
                                                     : nullptr;
  const ast::Expr *value = argument(access, 1, "val");
  if (!reduction || finding.extent != 1 || !value || finding.offset == finding.lastOffset)
    return std::nullopt;
  const std::string code = "tl." + std::string(function) + "(" + finding.argument + ", tl." +
                           reduction + "(" + std::string(tree.text(value->range)) + ", axis=0))";
  MaskAdvice advice{"`" + finding.argument + "` has one element: `" + code + "`", {}, {}};
  // What a mask leaves out must not take part, which only its author can say.
  if (!maskOf(access) && access.keywords.empty() && access.args.size() == 2)
    advice.fixes.push_back({access.range, code, "write `" + code + "`"});
  return advice;
}

} // namespace tilescope::compiler
