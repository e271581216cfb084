// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RoundedProducts.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/IrText.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// Whether a call states a precision, by a name or at its place behind the accumulator.
static bool statesPrecision(const ast::Call &call) {
  return call.args.size() > 3 ||
         std::ranges::any_of(call.keywords, [](const ast::Keyword *keyword) {
           return !keyword->arg || *keyword->arg == "input_precision" ||
                  *keyword->arg == "allow_tf32";
         });
}

/// Whether the call at the range does, or all products in it: of a sum of two, it is the sum's.
static bool statesPrecision(const ast::SyntaxTree &tree, const SourceRange &range) {
  size_t numProducts = 0, numStated = 0;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const bool isPlace = call && call->range.begin == range.begin && call->range.end == range.end;
    const bool isWithin = callee && callee->attr == "dot" && range.begin <= call->range.begin &&
                          call->range.end <= range.end;
    numProducts += isPlace || isWithin;
    numStated += (isPlace || isWithin) && statesPrecision(*call);
    return true;
  });
  return numProducts > 0 && numStated == numProducts;
}

std::vector<SourceRange> productsRoundedByDefault(Operation *module, const ast::SyntaxTree &tree,
                                                  FileTable &files) {
  std::vector<SourceRange> found;
  module->walk([&](tt::DotOp dot) {
    const auto factor = cast<RankedTensorType>(dot.getA().getType());
    const std::vector<SourceRange> ranges = sourceRanges(dot.getLoc(), files);
    if (!factor.getElementType().isF32() || dot.getInputPrecision() != tt::InputPrecision::TF32 ||
        ranges.empty())
      return;
    const SourceRange &range = ranges.front();
    if (range.file != 0 || !statesPrecision(tree, range))
      found.push_back(range);
  });
  return found;
}

} // namespace tilescope::compiler
