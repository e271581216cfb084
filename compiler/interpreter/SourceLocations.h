// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace tilescope::compiler::interpreter {

/// A place that a location names.
struct SourcePlace {
  std::string path;
  /// `file` means nothing.
  SourceRange range;
  bool operator==(const SourcePlace &) const = default;
};

/// The places that a location names, innermost first. They outlive the context.
std::vector<SourcePlace> sourcePlaces(mlir::Location location);

/// Of an operation's places, the one for which a user looks: the innermost one in the first of `files`
/// if the operation comes from there through calls, else the innermost of all. Files that are not
/// listed yet are added.
SourceRange choosePlace(const std::vector<SourcePlace> &places, std::vector<std::string> &files);

/// The same of a location.
SourceRange getSourceRange(mlir::Location location, std::vector<std::string> &files);

} // namespace tilescope::compiler::interpreter
