// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/files/SaveFile.h"
#include "app/ide/page/NoticeBar.h"
#include "app/ide/session/SessionStore.h"
#include "views/common/FindBar.h"
#include "views/common/FollowUp.h"
#include "views/common/LineBar.h"
#include "views/editor/HistoryRecorder.h"
#include "views/editor/KernelEditor.h"

#include <QDialog>
#include <QPointer>
#include <QWidget>

namespace tilescope::app {

/// A file of more bytes, or with a longer line, is plain: without colors and folds, and compiled
/// only when asked.
inline constexpr size_t kMaxLiveBytes = 1 << 20;
inline constexpr size_t kMaxLiveLineBytes = 20000;

/// One open file: its editor, its find bar, its history, and what is known of the file on the disk.
class EditorPage : public QWidget {
  Q_OBJECT
public:
  explicit EditorPage(QWidget *parent = nullptr);

  /// Names the page in the session.
  const QString &id() const { return m_id; }
  views::KernelEditor &editor() { return *m_editor; }
  const QString &path() const { return m_disk.path; }
  bool isReadOnly() const { return m_editor->isReadOnly(); }
  /// A text that is not a file of the user's, such as one of the prelude; it is not remembered.
  bool isReference() const { return m_isReference; }
  /// Too large to be compiled at every key.
  bool isPlain() const { return m_isPlain; }
  /// Whether every edit is compiled; other files are compiled when asked.
  bool compilesByItself() const;
  /// False: the file's bytes are shown as they are, and only for reading.
  bool isUtf8() const { return m_foreign.empty(); }
  /// The bytes of a file that is not UTF-8; empty for others.
  const std::string &foreignBytes() const { return m_foreign; }
  /// Reads a file that is not UTF-8 in its own encoding, for editing. The file stays as it is until
  /// the text is saved.
  void convertToUtf8();
  /// Why the text is not compiled, not even when asked; empty: it can be. A text that can only be
  /// read is compiled like any other.
  QString whyNeverCompiled() const;
  /// Why it is not compiled before it is asked for.
  QString whyNotByItself() const;
  /// File name, or a stand-in for a text without a file; marked when it cannot be written.
  QString title() const;
  /// Among the texts without a file, from 1 on: their titles differ by it.
  int untitledNumber() const { return m_untitledNumber; }
  /// What a text that is in no file is called.
  QString untitledName() const;
  void setUntitledNumber(int number) { m_untitledNumber = number; }
  bool isModified() const { return !isReadOnly() && !m_history->history().isSaved(); }

  /// Reads the file; returns what went wrong, or nothing.
  QString load(const QString &path);
  QString save(const QString &path);
  /// A text that is in no file yet; `path` is where it will be, or empty for one that is not worth
  /// keeping before it is edited.
  void begin(const QString &path, const std::string &text);
  /// What an earlier session left, history included; looks at the disk.
  void restore(const QString &id, const PageRecord &record);
  void showReadOnly(const QString &path, const QString &text);

  /// Looks whether another program has changed the file: reloads it, or asks when there are edits.
  void checkDisk();
  /// Looks at the file's bytes, whatever its time says. True: it holds something that the page does
  /// not know and that saving would overwrite; the page then asks.
  bool isDiskInTheWay();
  void openFind(views::FindBar::Mode mode);
  /// The keys go to the find bar, and the cursor to what is found.
  bool isSearching() const;
  void openGoToLine();
  /// Undo and redo stop at the present text, as at one that was saved.
  void markUndoStop() { m_history->markStop(); }

  /// The changes since the last call, for the page's journal; with `whole`, all of the text.
  /// Nothing for what was never edited.
  std::optional<JournalWrite> takeJournal(bool whole);
  const NoticeBar &notice() const { return *m_notice; }

Q_SIGNALS:
  void titleChanged();
  /// The file is read in another encoding: it can be edited and compiled, or no longer.
  void reread();
  /// The cursor is about to go elsewhere in the text.
  void leaving();
  /// There is something for the journal.
  void recorded();
  /// The text here is wanted on the disk: again, after the file was removed, or since it solves a
  /// lesson.
  void saveRequested();

private:
  void connectFindBar();
  void connectHistory();
  void setDisk(const DiskState &disk, bool saved);
  /// A text that was edited back to what the file holds is not modified.
  void noteEquality();
  struct DiskFile {
    std::string bytes;
    std::optional<FileStamp> stamp;
    bool isProtected = false;
  };
  static Result<DiskFile> readDisk(const QString &path);
  void show(const QString &path, const DiskFile &file);
  void offerConversion();
  void setPlain(bool plain);
  void search(bool forward, bool incremental);
  void noteTheirs(const DiskFile &file);
  void noteGone(const QString &why);
  void offerChoice();
  void takeTheirs();
  void keepMine();
  void compare();
  void endComparison();

  QString m_id = newPageId();
  views::KernelEditor *m_editor;
  views::FindBar *m_findBar;
  views::LineBar *m_lineBar;
  NoticeBar *m_notice;
  views::HistoryRecorder *m_history;
  views::FollowUp m_equality;
  DiskState m_disk;
  /// Bytes of the text that the file holds; negative: not known.
  long m_savedLength = -1;
  /// As of the last look; nothing: there was no file.
  std::optional<FileStamp> m_stamp;
  bool m_isProtected = false;
  int m_untitledNumber = 1;
  bool m_isReference = false;
  std::string m_foreign;
  bool m_isPlain = false;
  /// The file holds what is not known here, and the user has not chosen yet.
  bool m_isInConflict = false;
  /// The window that compares both versions, while it is open.
  QPointer<QDialog> m_comparison;
  QByteArray m_events;
  qsizetype m_journalBytes = 0;
  qsizetype m_wholeBytes = 0;
};

} // namespace tilescope::app
