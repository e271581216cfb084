// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

/// What a stage's text calls the values of its lines.
///
/// All operations of `acc = tl.dot(a, b.to(tl.float16), acc)` are called `acc` there, also the
/// conversion of b. A reader looks for what the source says: `acc` for the product, and
/// `b.to(tl.float16)` for its part.
class ValueNames {
public:
  /// `text` and `files` must outlive it.
  ValueNames(const std::string &text, const std::vector<SourceFile> &files);
  /// The value of a line that comes from a range of the source: the variable that it is assigned to,
  /// or the text of the range where it is a part of what is assigned. Empty: it has neither.
  std::string of(uint32_t stageLine, const SourceRange &range) const;
  /// `%a_39 = …` is `a`; empty for a value that only has a number. `stageLine` is 0-based.
  std::string at(uint32_t stageLine) const;

private:
  llvm::SmallVector<llvm::StringRef> m_lines;
  const std::vector<SourceFile> &m_files;
};

} // namespace tilescope::compiler
