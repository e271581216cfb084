// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/RegisterFinder.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::compiler {

RegisterFinder::RegisterFinder(const LinearLayout &layout) : m_layout(layout.canonicalOuts()) {
  for (int index = m_layout.inSize(Dim::Register) - 1; index >= 0; --index)
    m_registers[m_layout.applyPacked(index)] = index;
}

int RegisterFinder::find(llvm::ArrayRef<int64_t> coordinates) const {
  Coordinates at;
  for (auto [dim, value] : llvm::enumerate(coordinates))
    at.push_back({tensorDim(dim), value % m_layout.outSize(tensorDim(dim))});
  auto it = m_registers.find(m_layout.packOut({at.data(), at.size()}));
  return it == m_registers.end() ? -1 : it->second;
}

} // namespace tilescope::compiler
