// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/GraphReader.h"
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

/// Of a condition that is known: the other branch is not read.
static bool readIf(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Known *condition = node.known(0);
  if (!condition || condition->size() != 1 || !condition->front().value())
    return node.fail("its condition is known only when the model runs, which is not supported");
  const bool isTrue = *condition->front().value() != 0;
  const onnx::GraphProto *branch = node.subgraph(isTrue ? "then_branch" : "else_branch");
  if (!branch)
    return node.fail(isTrue ? "it has no `then_branch`" : "it has no `else_branch`");
  SmallVector<Value> results;
  return (node.graph().readInline(*branch, results) && node.finish(results)) ||
         node.fail("the branch that it takes cannot be read");
}

static constexpr OperatorRule kControlRules[] = {{"If", readIf}};

std::span<const OperatorRule> controlRules() { return kControlRules; }

} // namespace tilescope::model
