// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/EditHistory.h"

#include <QObject>

class QsciScintilla;

namespace tilescope::views {

/// Keeps an `EditHistory` beside an editor, equal to the one that the editor keeps to itself, and
/// can make an editor continue one. GUI thread.
class HistoryRecorder : public QObject {
  Q_OBJECT
public:
  explicit HistoryRecorder(QsciScintilla *editor);

  const EditHistory &history() const { return m_history; }
  /// Shows a text without a past.
  void begin(const std::string &text);
  /// Shows what a history ends in; undo and redo go on as if it had happened here. The history must
  /// have a text.
  void replay(const EditHistory &history);
  void markSaved();
  void markUnsaved();
  /// Undo and redo stop at the present text from now on.
  void markStop();

Q_SIGNALS:
  /// The history has grown by this.
  void recorded(const tilescope::views::EditEvent &event);
  /// The history does not follow from the one before.
  void restarted();
  /// The text has become, or is no longer, that of the file.
  void savedChanged();

private:
  void onModified(size_t offset, int kind, const char *bytes, size_t length);
  void record(EditEvent event);
  void setWholeText(const std::string &text);
  void replace(size_t offset, size_t length, const std::string &bytes);

  QsciScintilla *m_editor;
  EditHistory m_history;
  bool m_recording = true;
};

} // namespace tilescope::views
