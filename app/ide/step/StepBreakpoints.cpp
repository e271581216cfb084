// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where programs are to stop: lines of the document and of the stages.
#include "app/ide/step/ConditionProblem.h"
#include "app/ide/step/ProposedCondition.h"
#include "app/ide/step/StepController.h"
#include "compiler/support/Text.h"
#include "views/editor/KernelEditor.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepView.h"

#include <set>

namespace tilescope::app {

using compiler::StageId;
using compiler::StepBreakpoint;

void StepController::toggleIn(StageId stage, uint32_t line) {
  auto &lines = m_stageBreakpoints[fileOfBreakpoints()][stage];
  const bool isNew = lines.erase(line) == 0;
  if (isNew)
    lines[line] = {};
  showBreakpoints();
  if (isNew)
    aimAt(stage);
  Q_EMIT choiceChanged();
}

const QObject *StepController::fileOfBreakpoints() const {
  return m_isOpen && fileInFront() ? m_file : m_editorFile;
}

StageBreakpoints StepController::stageBreakpoints(const QObject *file) const {
  const auto known = m_stageBreakpoints.find(file);
  return known == m_stageBreakpoints.end() ? StageBreakpoints() : known->second;
}

void StepController::setStageBreakpoints(const QObject *file, StageBreakpoints breakpoints) {
  m_stageBreakpoints[file] = std::move(breakpoints);
  showBreakpoints();
}

void StepController::clearBreakpoints() {
  if (m_editor)
    m_editor->setBreakpoints({});
  m_stageBreakpoints.erase(m_editorFile);
  showBreakpoints();
  Q_EMIT choiceChanged();
}

static QString titleOf(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

void StepController::aimAt(StageId stage) {
  if (!m_isOpen && m_view->stage() != stage) {
    m_view->setStage(stage);
    Q_EMIT said(tr("Step executes %1 from now on, which has the breakpoint.").arg(titleOf(stage)));
  } else if (const QString note = unreachedNote(); !note.isEmpty()) {
    Q_EMIT said(note);
  }
}

QString StepController::unreachedNote() const {
  if (!m_isOpen || !m_state)
    return {};
  for (const StepBreakpoint &each : breakpoints())
    if (each.stage && *each.stage != m_state->stage)
      return tr("Breakpoints in %1 are not reached: %2 is executed. Options → Stage → %1 begins "
                "anew there.")
          .arg(titleOf(*each.stage), titleOf(m_state->stage));
  return {};
}

QString StepController::problemOf(const QString &condition, std::optional<StageId> stage) const {
  ConditionNames names;
  const DocumentPointer &document = m_compile->document();
  if (document && m_compile->latest() && m_compile->file() == m_editorFile) {
    const compiler::CompileResult &result = *m_compile->latest()->result();
    const StageId executed = stage.value_or(m_view->stage());
    if (const compiler::Stage *text = result.stage(executed); text && text->ok)
      names.ir = text->text;
    names.irTitle = std::string(compiler::stageTitle(executed));
    // A document in IR has the names of a source that is not there.
    if (document->source->entry == StageId::Ast)
      for (const compiler::SourceFile &file : result.files)
        names.sources.push_back(file.text);
    if (!names.sources.empty())
      names.sources.front() = m_editor ? m_editor->utf8Text() : document->source->text;
  }
  return conditionProblem(condition, names);
}

QStringList StepController::proposedConditions(uint32_t line) const {
  const bool isCompiled = m_compile->latest() && m_compile->file() == m_editorFile;
  if (!m_editor || !isCompiled)
    return {};
  const compiler::CompileResult &result = *m_compile->latest()->result();
  const std::string text = m_editor->utf8Text();
  const std::vector<std::string_view> now = splitLines(text);
  const std::vector<std::string_view> then = result.files.empty()
                                                 ? std::vector<std::string_view>()
                                                 : splitLines(result.files.front().text);
  for (const uint32_t each : {line, m_editor->stepLine().value_or(line)})
    // What is known of another text says nothing.
    if (each < now.size() && each < then.size() && now[each] == then[each])
      if (const std::optional<NamedBlock> block = blockIn(result.values, each, now[each]))
        return conditionsAbout(*block);
  return {};
}

std::optional<uint32_t> StepController::lineOfRow(const views::StageColumn &column, int row) {
  const int32_t line = column.stageLineOf(row);
  if (line >= 0)
    return static_cast<uint32_t>(line);
  Q_EMIT said(tr("Programs execute the stage as it is after its last pass: breakpoints are set in "
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
    const StageBreakpoints all = stageBreakpoints(fileOfBreakpoints());
    if (const auto lines = all.find(stage); lines != all.end())
      if (const auto known = lines->second.find(found.line); known != lines->second.end())
        found.condition = known->second;
    return found;
  }
  return std::nullopt;
}

void StepController::setCondition(StageId stage, uint32_t line, const std::string &condition) {
  m_stageBreakpoints[fileOfBreakpoints()][stage][line] = condition;
  showBreakpoints();
  aimAt(stage);
  Q_EMIT choiceChanged();
}

std::vector<StepBreakpoint> StepController::breakpoints() const {
  std::vector<StepBreakpoint> all;
  const bool isShown = m_editor && (!m_isOpen || m_editorFile == m_file);
  // In a function of another file, those of the kernel's file still hold.
  const bool isBehind = !isShown && fileInFront();
  for (const auto &[line, condition] : isShown    ? m_editor->breakpoints()
                                       : isBehind ? m_breakpointsBehind
                                                  : std::map<uint32_t, std::string>())
    all.push_back({std::nullopt, line, condition});
  for (const auto &[stage, lines] : stageBreakpoints(fileOfBreakpoints()))
    for (const auto &[line, condition] : lines)
      all.push_back({stage, line, condition});
  return all;
}

/// The lines of the document from which something was made; empty: they are not known.
static std::set<uint32_t> linesWithCode(const CompileController &compile) {
  if (!compile.document() || compile.document()->source->entry != StageId::Ast ||
      !compile.isCurrent() || !compile.latest())
    return {};
  const compiler::Stage *stage = compile.latest()->result()->stage(StageId::Ttir);
  std::set<uint32_t> lines;
  if (stage && stage->ok)
    for (const compiler::LineMapping &mapping : stage->sourceMap.lines)
      for (const SourceRange &source : mapping.sources)
        if (source.file == 0)
          lines.insert(source.begin.line);
  return lines;
}

/// Whether nothing that a program could stop at can be in a line: it is blank, a comment or the head
/// of a function.
static bool isWithoutStatement(std::string_view code) {
  const size_t first = code.find_first_not_of(" \t\r");
  return first == std::string_view::npos || code[first] == '#' || code[first] == '@' ||
         code.substr(first).starts_with("def ");
}

void StepController::checkNewBreakpoints() {
  const std::set<uint32_t> known = std::exchange(m_knownBreakpoints, {});
  std::set<uint32_t> code =
      m_compile->file() == m_editorFile ? linesWithCode(*m_compile) : std::set<uint32_t>();
  const std::vector<std::string_view> lines = code.empty()
                                                  ? std::vector<std::string_view>()
                                                  : splitLines(m_compile->document()->source->text);
  const auto isEmpty = [&](uint32_t line) {
    return line >= lines.size() || isWithoutStatement(lines[line]);
  };
  std::erase_if(code, isEmpty);
  std::map<uint32_t, std::string> placed;
  bool isMoved = false;
  for (const auto &[line, condition] : m_editor->breakpoints()) {
    const auto next = code.lower_bound(line);
    const bool isNew = !known.contains(line) && !code.empty();
    if (isNew && next == code.end())
      Q_EMIT said(
          tr("No code of the kernel follows line %1, so no program stops there.").arg(line + 1));
    // It is shown where programs will stop.
    const bool moves = isNew && next != code.end() && *next != line && isEmpty(line);
    isMoved |= moves;
    placed.emplace(moves ? *next : line, condition);
    m_knownBreakpoints.insert(moves ? *next : line);
  }
  if (isMoved)
    m_editor->setBreakpoints(placed);
}

void StepController::takeKnownBreakpoints() {
  m_knownBreakpoints.clear();
  if (m_editor)
    for (const auto &[line, condition] : m_editor->breakpoints())
      m_knownBreakpoints.insert(line);
  showBreakpoints();
}

void StepController::showBreakpoints() {
  m_view->setBreakpoints(breakpoints());
  showInColumns();
  followDocument();
}

void StepController::showInColumns() {
  StageBreakpoints all = stageBreakpoints(m_editorFile);
  for (auto &[stage, column] : m_columns) {
    std::map<int32_t, std::string> rows;
    for (const auto &[line, condition] : all[stage])
      if (const int32_t row = column->rowOf(static_cast<int32_t>(line)); row >= 0)
        rows[row] = condition;
    column->codeView().setBreakpointLines(std::move(rows));
  }
}

} // namespace tilescope::app
