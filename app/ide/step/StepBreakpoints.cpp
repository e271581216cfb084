// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where programs are to stop: lines of the document and of the stages.
#include "app/ide/step/StepController.h"
#include "views/editor/KernelEditor.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepView.h"

namespace tilescope::app {

using compiler::StageId;
using compiler::StepBreakpoint;

void StepController::toggleIn(StageId stage, uint32_t line) {
  auto &lines = m_stageBreakpoints[stage];
  if (lines.erase(line) == 0)
    lines[line] = {};
  showBreakpoints();
}

std::optional<uint32_t> StepController::lineOfRow(const views::StageColumn &column, int row) {
  const int32_t line = column.stageLineOf(row);
  if (line >= 0)
    return static_cast<uint32_t>(line);
  Q_EMIT said(tr("Programs execute the stage as it is behind its last pass: breakpoints are set in "
                 "its lines."));
  return std::nullopt;
}

bool StepController::toggleInColumn() {
  for (auto &[stage, column] : m_columns)
    if (column->codeView().hasFocus() && column->codeView().currentLine() >= 0) {
      if (const auto line = lineOfRow(*column, column->codeView().currentLine()))
        toggleIn(stage, *line);
      return true;
    }
  return false;
}

/// What a line works on, which is known before it is executed: `%x_ptr` of `%x = tt.load %x_ptr`.
static QString operandIn(std::string_view line) {
  const size_t behind = line.find(" = ");
  const size_t begin = line.find('%', behind == std::string_view::npos ? 0 : behind);
  if (begin == std::string_view::npos)
    return {};
  const size_t end = std::min(line.find_first_of(" :=,()[]{}", begin), line.size());
  return QString::fromUtf8(line.data() + begin, static_cast<qsizetype>(end - begin));
}

std::optional<StepController::ColumnLine> StepController::lineInColumn() const {
  for (const auto &[stage, column] : m_columns) {
    const views::CodeView &code = column->codeView();
    const int32_t line = column->stageLineOf(code.currentLine());
    if (!code.hasFocus() || line < 0)
      continue;
    ColumnLine found{stage,
                     static_cast<uint32_t>(line),
                     {},
                     operandIn(code.document().line(code.currentLine()))};
    if (const auto lines = m_stageBreakpoints.find(stage); lines != m_stageBreakpoints.end())
      if (const auto known = lines->second.find(found.line); known != lines->second.end())
        found.condition = known->second;
    return found;
  }
  return std::nullopt;
}

void StepController::setCondition(StageId stage, uint32_t line, const std::string &condition) {
  m_stageBreakpoints[stage][line] = condition;
  showBreakpoints();
}

std::vector<StepBreakpoint> StepController::breakpoints() const {
  std::vector<StepBreakpoint> all;
  const bool isShown = m_editor && (!m_isOpen || m_editorFile == m_file);
  for (const auto &[line, condition] :
       isShown ? m_editor->breakpoints() : std::map<uint32_t, std::string>())
    all.push_back({std::nullopt, line, condition});
  for (const auto &[stage, lines] : m_stageBreakpoints)
    for (const auto &[line, condition] : lines)
      all.push_back({stage, line, condition});
  return all;
}

/// The last line of the document from which something was made; nothing: it is not known.
static std::optional<uint32_t> lastLineWithCode(const CompileController &compile) {
  if (!compile.document() || compile.document()->source->entry != StageId::Ast ||
      !compile.isCurrent() || !compile.latest())
    return std::nullopt;
  const compiler::Stage *stage = compile.latest()->result()->stage(StageId::Ttir);
  std::optional<uint32_t> last;
  if (stage && stage->ok)
    for (const compiler::LineMapping &mapping : stage->sourceMap.lines)
      for (const SourceRange &source : mapping.sources)
        if (source.file == 0)
          last = std::max(last.value_or(0), source.begin.line);
  return last;
}

void StepController::checkNewBreakpoints() {
  const std::set<uint32_t> known = std::exchange(m_knownBreakpoints, {});
  const std::optional<uint32_t> last = lastLineWithCode(*m_compile);
  for (const auto &[line, condition] : m_editor->breakpoints()) {
    m_knownBreakpoints.insert(line);
    if (last && line > *last && !known.contains(line) && m_compile->file() == m_editorFile)
      Q_EMIT said(
          tr("No code of the kernel follows line %1, so no program stops there.").arg(line + 1));
  }
}

void StepController::showBreakpoints() {
  m_view->setBreakpoints(breakpoints());
  showInColumns();
}

void StepController::showInColumns() {
  for (auto &[stage, column] : m_columns) {
    std::map<int32_t, std::string> rows;
    for (const auto &[line, condition] : m_stageBreakpoints[stage])
      if (const int32_t row = column->rowOf(static_cast<int32_t>(line)); row >= 0)
        rows[row] = condition;
    column->codeView().setBreakpointLines(std::move(rows));
  }
}

} // namespace tilescope::app
