// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/LineDiff.h"
#include "views/common/PassNames.h"
#include "views/common/StageSyntax.h"

#include <optional>
#include <string_view>

namespace tilescope::views {

/// What a column is compared with.
struct Comparison {
  enum class With { Nothing, PreviousPass, Baseline, Other };
  With with = With::Nothing;
  /// Names the other result for whoever makes it: `target:cuda:80`; only of `Other`.
  std::string key = {};
  /// What the user reads: `version 3`, `cuda:80`; only of `Other`.
  QString title = {};
  bool operator==(const Comparison &other) const { return with == other.with && key == other.key; }
};

/// A result that a column can be compared with beside the baseline.
struct ComparisonOffer {
  std::string key;
  QString title;
  /// For the tool tip.
  QString meaning = {};
  bool operator==(const ComparisonOffer &) const = default;
};

/// A text that a column shows, with the places that its lines came from. Part of a result.
struct ColumnText {
  std::string_view text;
  const compiler::SourceMap *map = nullptr;
  TextLanguage language = TextLanguage::Plain;
};

/// The stage, or, with a pass of it, the IR behind that pass. Nothing: the result has none, or its
/// passes were not recorded.
std::optional<ColumnText> columnText(const compiler::CompileResult &result, compiler::StageId stage,
                                     const std::optional<PassKey> &pass);

/// What one pass did.
struct PassStep {
  /// Null: no pass of the stage changed anything.
  const compiler::PassRecord *pass = nullptr;
  /// Nothing: it was not recorded, or was another language.
  std::optional<ColumnText> before, after;
  /// Some pass has its IR: they were recorded.
  bool isRecorded = false;
};
/// Of that pass, or of the last one of the stage that changed anything.
PassStep passStep(const compiler::CompileResult &result, compiler::StageId stage,
                  const std::optional<PassKey> &pass);

/// Where the lines of a listing of differences came from: a line that is gone, where it came from
/// before; all others, where they come from now.
compiler::SourceMap diffSources(const std::vector<DiffLine> &lines,
                                const compiler::SourceMap &before,
                                const compiler::SourceMap &after);

/// The map with its places of the document at where they are in the document `after`; what is gone
/// there has no place.
compiler::SourceMap movedSources(const compiler::SourceMap &map, std::string_view before,
                                 std::string_view after);

} // namespace tilescope::views
