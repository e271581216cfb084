// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/HistoryRecorder.h"

#include "views/editor/Scintilla.h"

namespace tilescope::views {

using Sci = QsciScintillaBase;

HistoryRecorder::HistoryRecorder(QsciScintilla *editor) : QObject(editor), m_editor(editor) {
  connect(
      editor, &Sci::SCN_MODIFIED, this,
      [this](int offset, int kind, const char *bytes, int length, int, int, int, int, int, int) {
        if (m_recording)
          onModified(static_cast<size_t>(offset), kind, bytes, static_cast<size_t>(length));
      });
}

void HistoryRecorder::onModified(size_t offset, int kind, const char *bytes, size_t length) {
  if (!(kind & (Sci::SC_MOD_INSERTTEXT | Sci::SC_MOD_DELETETEXT)))
    return;
  if (kind & (Sci::SC_PERFORMED_UNDO | Sci::SC_PERFORMED_REDO)) {
    // The parts of a step are known; that it is over is what counts.
    if (kind & Sci::SC_LASTSTEPINUNDOREDO)
      record({kind & Sci::SC_PERFORMED_UNDO ? EditKind::Undo : EditKind::Redo, {}});
    return;
  }
  // The text of a removal is not always told.
  const bool inserted = kind & Sci::SC_MOD_INSERTTEXT;
  record({kind & Sci::SC_STARTACTION ? EditKind::Begin : EditKind::Continue,
          inserted ? Edit{offset, 0, std::string(bytes, length)} : Edit{offset, length, {}}});
}

void HistoryRecorder::record(EditEvent event) {
  const bool wasSaved = m_history.isSaved();
  if (m_history.apply(event)) {
    Q_EMIT recorded(event);
  } else {
    // Undone beyond what is remembered here: the editor remembers more.
    std::string text(static_cast<size_t>(m_editor->SendScintilla(Sci::SCI_GETLENGTH)) + 1, '\0');
    m_editor->SendScintilla(Sci::SCI_GETTEXT, text.size(), text.data());
    text.pop_back();
    m_history = EditHistory(std::move(text));
    m_history.markUnsaved();
    Q_EMIT restarted();
  }
  if (m_history.isSaved() != wasSaved)
    Q_EMIT savedChanged();
}

void HistoryRecorder::begin(const std::string &text) {
  m_history = EditHistory(text);
  setWholeText(text);
  Q_EMIT restarted();
  Q_EMIT savedChanged();
}

void HistoryRecorder::setWholeText(const std::string &text) {
  const bool readOnly = m_editor->isReadOnly();
  m_editor->setReadOnly(false);
  m_recording = false;
  // Not by `setText`: bytes need not be valid UTF-8.
  m_editor->SendScintilla(Sci::SCI_SETUNDOCOLLECTION, 0ul);
  m_editor->SendScintilla(Sci::SCI_CLEARALL);
  replace(0, 0, text);
  m_editor->SendScintilla(Sci::SCI_SETUNDOCOLLECTION, 1ul);
  m_editor->SendScintilla(Sci::SCI_EMPTYUNDOBUFFER);
  m_editor->SendScintilla(Sci::SCI_SETSAVEPOINT);
  m_recording = true;
  m_editor->setReadOnly(readOnly);
}

void HistoryRecorder::replace(size_t offset, size_t length, const std::string &bytes) {
  m_editor->SendScintilla(Sci::SCI_SETTARGETRANGE, offset, static_cast<long>(offset + length));
  m_editor->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()),
                          bytes.c_str());
}

void HistoryRecorder::replay(const EditHistory &history) {
  m_history = history;
  setWholeText(history.base());
  m_recording = false;
  for (const EditHistory::Step &step : history.steps()) {
    m_editor->beginUndoAction();
    for (const Edit &edit : step)
      replace(edit.offset, edit.numRemoved, edit.inserted);
    m_editor->endUndoAction();
  }
  for (size_t i = history.numApplied(); i < history.steps().size(); ++i)
    m_editor->SendScintilla(Sci::SCI_UNDO);
  m_recording = true;
  Q_EMIT restarted();
  Q_EMIT savedChanged();
}

void HistoryRecorder::markSaved() {
  m_history.markSaved();
  // The text typed next is a separate step, there as well.
  m_editor->SendScintilla(Sci::SCI_SETSAVEPOINT);
  Q_EMIT savedChanged();
}

void HistoryRecorder::markStop() {
  if (m_history.stops().contains(m_history.numApplied()))
    return;
  // The text typed next is a separate step, there as well.
  m_editor->beginUndoAction();
  m_editor->endUndoAction();
  record({EditKind::Stop, {}});
}

void HistoryRecorder::markUnsaved() {
  m_history.markUnsaved();
  Q_EMIT savedChanged();
}

} // namespace tilescope::views
