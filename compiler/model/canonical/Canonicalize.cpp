// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/Canonicalize.h"

#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/canonical/Rewrites.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace tilescope::model {

/// Rounds after which a model is left as it is; each makes it smaller, so that few are needed.
static constexpr int kMostRounds = 16;

void RewriteContext::replace(Operation *operation, Value value, const char *rule,
                             const std::string &message) {
  result.rewrites.push_back({rule, tm::nodeName(operation), message});
  operation->getResult(0).replaceAllUsesWith(value);
}

static bool eraseUnused(Block &body) {
  bool hasErased = false;
  for (Operation &operation : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&operation)) {
      operation.erase();
      hasErased = true;
    }
  return hasErased;
}

namespace {
/// Operations that compute the same of the same are equal, whatever their nodes are called.
struct SameOperation : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(Operation *operation) {
    return unsigned(OperationEquivalence::computeHash(
        operation, OperationEquivalence::directHashValue, OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations));
  }
  static bool isEqual(Operation *a, Operation *b) {
    if (a == b)
      return true;
    const auto isKey = [](Operation *each) {
      return each == getEmptyKey() || each == getTombstoneKey();
    };
    return !isKey(a) && !isKey(b) &&
           OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::IgnoreLocations);
  }
};
} // namespace

/// Constants of the same elements become one without a word: files repeat them for each use.
static bool mergeEqual(Block &body, RewriteContext &context) {
  llvm::DenseSet<Operation *, SameOperation> known;
  bool hasMerged = false;
  for (Operation &operation : body.without_terminator()) {
    const auto [first, isNew] = known.insert(&operation);
    if (isNew)
      continue;
    if (!isa<tm::ConstantOp, tm::WeightOp, tm::SizesOp, tm::FillOp>(operation))
      context.result.rewrites.push_back({"same computation", tm::nodeName(&operation),
                                         "`" + tm::nodeName(*first) + "` computes the same"});
    operation.replaceAllUsesWith(*first);
    hasMerged = true;
  }
  return eraseUnused(body) && hasMerged;
}

static bool applyRules(Block &body, RewriteContext &context) {
  static constexpr auto kRules = {removeIdentity,    simplifyProduct, takeSafeSoftmax,
                                  takeRotatedHalves, foldConstant,    foldIntoConvolution};
  bool hasChanged = false;
  for (Operation &operation : llvm::make_early_inc_range(body.without_terminator())) {
    if (operation.use_empty())
      continue;
    context.builder.setInsertionPoint(&operation);
    for (const auto rule : kRules)
      if (rule(&operation, context)) {
        hasChanged = true;
        break;
      }
  }
  eraseUnused(body);
  return hasChanged;
}

void canonicalize(func::FuncOp function, const WeightBytes &bytes, compiler::ModelResult &result) {
  Block &body = function.getBody().front();
  RewriteContext context{OpBuilder(function.getContext()), bytes, result};
  for (int round = 0; round < kMostRounds; ++round) {
    const bool hasMerged = mergeEqual(body, context);
    if (!applyRules(body, context) && !hasMerged)
      break;
  }
}

} // namespace tilescope::model
