// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FindBar.h"
#include "views/editor/KernelEditor.h"

#include <QDateTime>
#include <QWidget>

class QLabel;

namespace tilescope::app {

/// One open file: its editor, its find bar, and what is known of the file on the disk.
class EditorPage : public QWidget {
  Q_OBJECT
public:
  explicit EditorPage(QWidget *parent = nullptr);

  views::KernelEditor &editor() { return *m_editor; }
  const QString &path() const { return m_path; }
  bool isReadOnly() const { return m_editor->isReadOnly(); }
  /// File name, or a stand-in for a text without a file.
  QString title() const;
  bool isModified() const { return m_editor->isModified(); }

  /// Reads the file; gives what went wrong, or nothing.
  QString load(const QString &path);
  QString save(const QString &path);
  /// Text that was never saved, from an earlier session.
  void restore(const QString &path, const QString &text, const QDateTime &diskTime);
  /// A text to look at, such as a file of the prelude; it is neither compiled nor remembered.
  void showReadOnly(const QString &path, const QString &text);
  QDateTime diskTime() const { return m_diskTime; }
  /// Looks whether another program has changed the file; reloads it, or asks when there are edits.
  void checkDisk();
  void openFind(views::FindBar::Mode mode);

Q_SIGNALS:
  void titleChanged();

private:
  void setPath(const QString &path);
  void search(bool forward, bool incremental);
  void offerReload();
  void reload();

  views::KernelEditor *m_editor;
  views::FindBar *m_findBar;
  QWidget *m_notice;
  QString m_path;
  QDateTime m_diskTime;
};

} // namespace tilescope::app
