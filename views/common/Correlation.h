// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilescope::views {

/// How closely a line belongs to what is focused.
enum class Relation : uint8_t { None, SameLine, SameRange };

/// Joins the stages of one result on the places of the source they came from.
///
/// Example: `x + y` at 4:10-4:15 made `arith.addf` in TTIR and `.loc 1 5 10` in PTX. Pointing at
/// either, or at the expression, relates all three as `SameRange`; other lines that came from
/// source line 4 are related as `SameLine`. Only places in the document itself (file 0) take part;
/// a line that came from a library function inlined into it counts for the place of the call.
class Correlation {
public:
  explicit Correlation(std::shared_ptr<const compiler::CompileResult> result);

  /// Places in the document that a line came from; the closest first, then its callers.
  std::vector<SourceRange> sourcesOf(compiler::StageId stage, uint32_t line) const;
  /// Of all places that some stage's line came from, the smallest that contain the position.
  std::vector<SourceRange> rangesAt(Position position) const;
  /// The relation of every line of a stage to focused places; empty when there is no such stage.
  std::vector<Relation> relate(compiler::StageId stage,
                               const std::vector<SourceRange> &focused) const;
  /// The line of the source that each line of the stage came from, -1 for unknown.
  std::vector<int32_t> sourceLines(compiler::StageId stage) const;
  /// Share of the lines with content that are mapped to the source, 0 to 1.
  double mappedShare(compiler::StageId stage) const;

  const std::shared_ptr<const compiler::CompileResult> &result() const { return m_result; }

private:
  std::shared_ptr<const compiler::CompileResult> m_result;
  /// Distinct places of the document, sorted.
  std::vector<SourceRange> m_ranges;
};

/// The same join for a text that is not a separate stage: the IR after a pass.
std::vector<Relation> relateLines(const compiler::SourceMap &map, size_t numLines,
                                  const std::vector<SourceRange> &focused);
std::vector<int32_t> sourceLinesOf(const compiler::SourceMap &map, size_t numLines);
std::vector<SourceRange> documentSources(const compiler::SourceMap &map, uint32_t line);

} // namespace tilescope::views
