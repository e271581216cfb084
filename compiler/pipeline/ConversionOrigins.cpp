// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ConversionOrigins.h"

#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

ConversionOrigins::Key ConversionOrigins::keyOf(Operation *conversion) {
  return {conversion->getLoc().getAsOpaquePointer(),
          conversion->getOperand(0).getType().getAsOpaquePointer(),
          conversion->getResult(0).getType().getAsOpaquePointer()};
}

void ConversionOrigins::note(Operation *module, std::string_view pass) {
  // Those that are gone may come back, as others.
  std::map<Key, std::string> present;
  module->walk([&](ttg::ConvertLayoutOp conversion) {
    const Key key = keyOf(conversion);
    const auto known = m_passes.find(key);
    present.try_emplace(key, known == m_passes.end() ? std::string(pass) : known->second);
  });
  m_passes = std::move(present);
}

std::vector<std::string> ConversionOrigins::inOrder(Operation *module) const {
  std::vector<std::string> passes;
  module->walk<WalkOrder::PreOrder>([&](ttg::ConvertLayoutOp conversion) {
    const auto known = m_passes.find(keyOf(conversion));
    passes.push_back(known == m_passes.end() ? std::string() : known->second);
  });
  return passes;
}

} // namespace tilescope::compiler
