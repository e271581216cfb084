// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a stage's text calls its values.
#pragma once

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Operation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The line of the text that an operation was read from, from 0; it remains that of what passes make
/// of the operation.
std::optional<uint32_t> lineOf(mlir::Operation *op);

/// Found by places in the text, so that they hold for copies of the module, too.
class StageNames {
public:
  explicit StageNames(const mlir::AsmParserState &parsed);

  /// With `%`; empty: the text has no such value.
  std::string of(mlir::Value value) const;

private:
  /// A line and the name of the operation, and the number of a result or of a block's argument.
  std::map<std::pair<uint32_t, std::string>, std::vector<std::string>> m_results, m_arguments;
};

} // namespace tilescope::compiler
