// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which masked loads without `other` leave a value undefined, and what would do as their `other`:
//
//     x = tl.load(p + i, mask=i < n)     the sum of these must not see what is masked off:
//     s = tl.sum(x * x, axis=0)          0.0 adds nothing, also after the product
//     tl.store(q, s)                     <- the place in question
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/FileTable.h"
#include "compiler/pipeline/Fillers.h"
#include "compiler/support/SourceRange.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// Where elements that the mask of a load leaves out must be put right, since no `other` of it suits what
/// they are reduced to:
///
///     x = tl.load(p + i, mask=m, other=0.0)
///     d = x - tl.sum(x, axis=0) / n            minus the mean where `m` is false: tl.where(m, x - …, 0.0)
///     tl.store(q, tl.sum(d * d, axis=0) / n)
///
/// The scores of attention are summed along one axis, and masked along the other: a key that is 0 has the
/// score 0, not minus infinity.
struct LostFiller {
  SourceRange load;
  /// With the places of the calls that lead to it.
  std::vector<SourceRange> loadPlaces;
  /// What computes the elements to be put right, in the document.
  SourceRange place;
  /// What they must be: `0.0`.
  std::string neutral;
  /// The axis of the load along which the place itself adds up, or -1.
  int summedAxis = -1;
  /// It is `tl.dot`, whose result has another axis in its place.
  bool isDot = false;
  /// The axis along which they are reduced after that, or -1.
  int axis = -1;
  /// The reduction counts them, whatever else is computed.
  bool isCertain = false;
};

/// A reduction, and what leaves it as it is.
struct NeededFiller {
  SourceRange reduction;
  std::string neutral;
};

struct UndefinedLoad {
  SourceRange range;
  /// All elements go into a reduction before they come to the place: masking what happens there
  /// does not help.
  bool isReduced = false;
  /// The value that leaves the reduction as it is; empty when there is none, or it is not told.
  std::string neutral;
  /// Nothing can be told of what suits.
  bool isUntold = false;
  /// A choice between elements, which may be a mask, comes in front of one of the reductions.
  bool isChosen = false;
  /// Where one of the reductions must not see what the load leaves out.
  std::optional<LostFiller> lost;
  /// It also goes into reductions that need another one: no `other` suits them all.
  bool isContested = false;
  /// The reduction, where all elements go into one.
  SourceRange reduction;
  /// All reductions that the elements go into, in the order of the source, as far as it is told what they need.
  std::vector<NeededFiller> needed;
};

/// The loads that what the operation at `place` uses comes from, in the order of the source.
std::vector<UndefinedLoad> undefinedLoads(mlir::Operation *module, const SourceRange &place,
                                          FileTable &files);

/// Of these, what a run found out to leave undefined what the finding is about; all where it did not.
std::vector<UndefinedLoad> undefinedLoads(mlir::Operation *module,
                                          const InterpreterFinding &finding, FileTable &files);

/// The `other` that leaves all reductions, and products of matrices, as they are which the load at `place`
/// goes into, once it has a mask; empty: there is none, or it goes into none.
std::string neutralOther(mlir::Operation *module, const SourceRange &place, FileTable &files);

/// A reduction that does not suit the `other` of a load, and whose result nothing puts right that the code shows.
struct UnfitReduction {
  mlir::Operation *load = nullptr;
  mlir::Operation *reduction = nullptr;
  /// What an element of the load must be to leave the reduction as it is.
  Filler needed = Filler::Unknown;
};

/// A load whose `other` takes part in a reduction: `other=0.0` in front of a maximum.
struct CountedFiller {
  SourceRange range;
  /// With the places of the calls that lead to it.
  std::vector<SourceRange> places;
  /// A filled element changes what is stored wherever the others would not: nothing else that is computed
  /// of it takes it out again.
  bool isCertain = false;
  /// The value that leaves all reductions of the load as they are; empty: they need different ones.
  std::string neutral;
  /// What its reductions need, as far as that is known.
  std::set<std::string> needs = {};
  /// Operations of the module.
  std::vector<UnfitReduction> unfit = {};
};

/// Such loads of what is stored, in the order of the source; without those of which it is not told.
std::vector<CountedFiller> countedFillers(mlir::Operation *module, FileTable &files);

/// The places in what is stored that make something else of the `other` of a load, in the order of the source.
std::vector<LostFiller> lostFillers(mlir::Operation *module, FileTable &files);

} // namespace tilescope::compiler
