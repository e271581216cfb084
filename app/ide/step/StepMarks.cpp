// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where the program has stopped, in the editor and in the columns, and whether that is of the text
// on show.
#include "app/ide/step/StepController.h"
#include "views/editor/KernelEditor.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepView.h"

namespace tilescope::app {

std::optional<uint32_t> StepController::fileInFront() const {
  if (!m_isOpen || !m_editor)
    return std::nullopt;
  if (m_editorFile == m_file)
    return 0;
  for (uint32_t i = 1; i < m_files.size(); ++i)
    if (!m_editorPath.isEmpty() && m_files[i].path == m_editorPath.toStdString())
      return i;
  return std::nullopt;
}

void StepController::showStop() {
  const uint32_t file = m_state->frames.empty() ? 0 : m_state->frames.front().range.file;
  // Into a function of another file of the user's, and back from it.
  const bool isOwn = file < m_files.size() && !m_files[file].path.starts_with("<tilescope>/");
  if (isOwn && fileInFront() && fileInFront() != file)
    Q_EMIT fileRequested(file == 0 ? m_file : nullptr, m_files[file]);
  markLines();
  revealStop();
  if (!m_state->frames.empty() && file == 0 && m_editorFile == m_file)
    Q_EMIT stopped(m_state->frames.front().range);
}

void StepController::markLines() {
  const std::optional<uint32_t> file = fileInFront();
  std::optional<uint32_t> line;
  if (m_state && !m_state->isAtEnd && file)
    // Of a function in another file, the place in this one that has called it.
    for (const compiler::StepFrame &frame : m_state->frames)
      if (!line && frame.range.file == *file)
        line = frame.range.begin.line;
  if (m_editor) {
    const std::string now = line ? m_editor->utf8Text() : std::string();
    const std::string &then = !line        ? now
                              : *file == 0 ? m_document->source->text
                                           : m_files[*file].text;
    if (line && now != then) {
      const auto moved = views::MovedPlaces(then, now).moved(Position{*line, 0});
      line = moved ? std::optional(moved->line) : std::nullopt;
    }
    m_editor->setStepLine(line);
  }
  markColumns();
}

void StepController::revealStop() {
  if (const std::optional<uint32_t> line = m_editor ? m_editor->stepLine() : std::nullopt)
    m_editor->revealLine(*line);
}

void StepController::markColumns() {
  const bool isOfText = m_document && m_compile->document() && m_editorFile == m_file &&
                        m_document->source->text == m_compile->document()->source->text &&
                        m_file == m_compile->file();
  for (auto &[stage, column] : m_columns) {
    const bool isHere = isOfText && m_state && !m_state->isAtEnd && m_state->stage == stage;
    const int32_t at = isHere ? column->rowOf(m_state->stageLine) : -1;
    column->codeView().setStepLine(at);
    if (at >= 0 && !column->codeView().isLineVisible(at))
      column->codeView().scrollToLine(at);
  }
}

QString StepController::changedImport() const {
  if (!m_compile->isCurrent())
    return {};
  for (const compiler::SourceFile &now : m_compile->latest()->result()->files)
    for (size_t i = 1; i < m_files.size(); ++i)
      if (m_files[i].path == now.path && m_files[i].text != now.text)
        return QString::fromStdString(now.path).section(u'/', -1);
  return {};
}

void StepController::followDocument() {
  if (!m_isOpen)
    followWhyNot();
  if (!m_isOpen || !m_document)
    return;
  const DocumentPointer &now = m_compile->document();
  // It may have been saved under another name since.
  if (now && m_compile->file() == m_file)
    m_name = QString::fromStdString(now->source->name()).section(u'/', -1);
  QString note;
  if (now && m_compile->file() == m_file && now->source->text != m_document->source->text)
    note = tr("This steps through an earlier text. Restart takes the newest.");
  else if (now && m_compile->file() != m_file && fileInFront())
    note.clear();
  else if (now && m_compile->file() != m_file)
    note = tr("This steps through another file, %1. Restart takes the one in the editor.")
               .arg(m_name.isEmpty()
                        ? QString::fromStdString(m_document->source->name()).section(u'/', -1)
                        : m_name);
  else if (const QString file = now ? changedImport() : QString(); !file.isEmpty())
    note = tr("This steps through an earlier text of %1. Restart takes the newest.").arg(file);
  else if (now && !isSameChoice(*now, *m_document))
    note = tr("This steps through what was chosen before. Restart takes the newest.");
  else
    note = unreachedNote();
  m_view->setStaleNote(note);
}

} // namespace tilescope::app
