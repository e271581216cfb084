// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope::compiler {

/// What a stage's text calls the values of its lines.
class ValueNames {
public:
  /// `text` must outlive it.
  explicit ValueNames(const std::string &text);
  /// `%a_39 = …` is `a`; empty for a value that only has a number. `stageLine` is 0-based.
  std::string at(uint32_t stageLine) const;

private:
  llvm::SmallVector<llvm::StringRef> m_lines;
};

} // namespace tilescope::compiler
