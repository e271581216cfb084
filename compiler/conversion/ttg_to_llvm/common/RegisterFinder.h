// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace tilescope::compiler {

/// The registers of a block by the registers' part of their elements' coordinates.
class RegisterFinder {
public:
  explicit RegisterFinder(const LinearLayout &layout);
  /// Coordinates wrap at the block's extents, where smaller blocks are repeated. -1 when no
  /// register has them; the first of several.
  int find(llvm::ArrayRef<int64_t> coordinates) const;

private:
  LinearLayout m_layout;
  llvm::DenseMap<uint64_t, int> m_registers;
};

} // namespace tilescope::compiler
