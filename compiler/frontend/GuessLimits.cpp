// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/GuessLimits.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Location.h"

#include <tuple>
#include <utility>

namespace tilescope::compiler::frontend {

/// Elements of one block, and of all results of operations: what is lowered, element by element.
static constexpr int64_t kMaxElements = 16384;
static constexpr int64_t kMaxResults = 1200000;
/// Bytes of the operands of one dot; a pipelined loop keeps three of each.
static constexpr int64_t kMaxOperandBytes = 72 * 1024;

/// Where an operation comes from: its own range, then the calls that were expanded.
static void appendPlaces(mlir::Location location, mlir::StringAttr document, Diagnostic &place) {
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    appendPlaces(call.getCallee(), document, place);
    appendPlaces(call.getCaller(), document, place);
  } else if (auto name = mlir::dyn_cast<mlir::NameLoc>(location)) {
    appendPlaces(name.getChildLoc(), document, place);
  } else if (auto range = mlir::dyn_cast<mlir::FileLineColRange>(location);
             range && range.getFilename() == document) {
    place.labels.push_back({{{range.getStartLine() - 1, range.getStartColumn() - 1},
                             {range.getEndLine() - 1, range.getEndColumn() - 1}},
                            ""});
  }
}

static mlir::StringAttr fileOf(mlir::Location location) {
  mlir::StringAttr file;
  location->walk([&](mlir::Location inner) {
    if (auto range = mlir::dyn_cast<mlir::FileLineColRange>(inner))
      file = range.getFilename();
    return mlir::WalkResult::advance();
  });
  return file;
}

static int64_t elementsOf(mlir::Type type) {
  auto block = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return block ? block.getNumElements() : 1;
}

static int64_t bytesOf(mlir::Type type) {
  auto block = mlir::cast<mlir::RankedTensorType>(type);
  return block.getNumElements() * block.getElementTypeBitWidth() / 8;
}

std::optional<inference::Objection> objectionToSize(mlir::ModuleOp module) {
  mlir::Operation *worst = nullptr, *largest = nullptr;
  int64_t excess = 0, maxElements = 0, numResults = 0;
  std::string message;
  auto consider = [&](mlir::Operation *operation, int64_t size, int64_t limit,
                      const std::string &what) {
    if (size <= limit || size * 1000 / limit <= excess)
      return;
    excess = size * 1000 / limit;
    worst = operation;
    message = what;
  };
  mlir::StringAttr document;
  module.walk([&](mlir::Operation *operation) {
    if (auto function = mlir::dyn_cast<tt::FuncOp>(operation); function && function.isPublic())
      document = fileOf(function.getLoc());
    for (mlir::Type type : operation->getResultTypes()) {
      const int64_t numElements = elementsOf(type);
      numResults += numElements;
      if (numElements > maxElements)
        std::tie(largest, maxElements) = std::pair(operation, numElements);
    }
    if (auto dot = mlir::dyn_cast<tt::DotOp>(operation)) {
      const int64_t size = bytesOf(dot.getA().getType()) + bytesOf(dot.getB().getType());
      consider(operation, size, kMaxOperandBytes, "operands of " + std::to_string(size) + " bytes");
    }
  });
  consider(largest, maxElements, kMaxElements,
           "a block of " + std::to_string(maxElements) + " elements");
  consider(largest, numResults, kMaxResults,
           "blocks of " + std::to_string(numResults) + " elements in all");
  if (!worst)
    return std::nullopt;
  inference::Objection objection;
  objection.excess = excess;
  objection.error.kind = DiagnosticKind::BadShape;
  objection.error.message = message;
  appendPlaces(worst->getLoc(), document, objection.error);
  if (!objection.error.labels.empty()) {
    objection.error.range = objection.error.labels.front().range;
    objection.error.labels.erase(objection.error.labels.begin());
  }
  return objection;
}

} // namespace tilescope::compiler::frontend
