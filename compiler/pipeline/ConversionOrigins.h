// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// Follows the conversions of layouts through the passes of a stage, to tell which pass made each.
/// A conversion between two layouts at one location is the same one after the next pass, even if
/// that one made the operation anew; one between other layouts is another.
class ConversionOrigins {
public:
  /// To be called after each pass.
  void note(mlir::Operation *module, std::string_view pass);
  /// The pass of each `ttg.convert_layout`, in the order of the text.
  std::vector<std::string> inOrder(mlir::Operation *module) const;

private:
  /// Location, source, result; the uniqued objects behind them.
  using Key = std::array<const void *, 3>;
  static Key keyOf(mlir::Operation *conversion);

  std::map<Key, std::string> m_passes;
};

} // namespace tilescope::compiler
