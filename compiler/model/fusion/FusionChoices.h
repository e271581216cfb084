// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the user wants of edges. A choice names nodes; a node may be several operations, and a choice is about
// every tensor that goes from the one node to the other.
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/model/fusion/FusionEdge.h"
#include "compiler/model/fusion/GroupGraph.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope::model {

class FusionChoices {
public:
  FusionChoices(llvm::ArrayRef<compiler::FusionChoice> choices, llvm::ArrayRef<FusionEdge> edges);

  compiler::FusionWish wish(const FusionEdge &edge) const;
  /// When an edge has its turn: as the choices come, and behind them what nobody has chosen.
  size_t turn(const FusionEdge &edge) const;
  /// Why the two groups cannot become one; empty: nobody keeps them apart.
  std::string keptApart(const GroupGraph &graph, size_t a, size_t b) const;
  /// Choices that are about no edge, or say two things of one, are errors of the result.
  void report(compiler::ModelResult &result) const;

private:
  llvm::ArrayRef<compiler::FusionChoice> m_choices;
  /// Positions of the choices.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, size_t> m_ofEdge;
  std::vector<FusionEdge> m_apart;
  std::vector<bool> m_isKnown;
};

} // namespace tilescope::model
