// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/CrashMark.h"
#include "app/ide/session/Journal.h"
#include "app/ide/session/Session.h"
#include "compiler/support/Result.h"

#include <map>
#include <memory>

namespace tilescope::app {

/// Text to add to a page's journal, or to replace it with.
struct JournalWrite {
  QString id;
  QByteArray bytes;
  bool isWhole = false;
};

struct SessionBatch {
  /// Empty: `session.json` stays as it is.
  QByteArray json;
  std::vector<JournalWrite> journals;
  /// Pages that were closed.
  QStringList closed;
};

/// The folder of a session, held by one process at a time:
///
///   session.json           open files, cursors, choices, arrangement, settings
///   session.previous.json  the same, as of the last start
///   ID.journal             text and history of a page that was edited
///   ID.old                 the journal before, until the new one is on the disk
///   running                what the process works on (`CrashMark`)
///   lock                   locked while the process lives
///
/// Writing goes journals, then what was closed, then `session.json`: whatever a crash leaves out, a
/// text is named or found.
class SessionStore {
public:
  struct Loaded {
    Session session;
    /// Pages with a journal, by id.
    std::map<QString, PageRecord> pages;
    /// What was damaged and where it was put, for the user.
    QStringList notes;
  };

  /// Takes the folder, which is made when there is none. Null: another process has it. The error:
  /// nothing can be kept there.
  static Result<std::unique_ptr<SessionStore>> open(const QString &folder);
  ~SessionStore();

  const QString &folder() const { return m_folder; }
  CrashMark &mark() { return *m_mark; }
  /// Damaged files are put aside, not lost: the session then is the one before, with every text
  /// that is there.
  Loaded load();
  /// Hands it to the kernel, so that a kill takes nothing of it. Returns what went wrong, or
  /// nothing; then every journal must be written whole the next time. Any thread, one at a time.
  QString write(const SessionBatch &batch);
  /// Waits until what was written is on the disk, so that a power failure takes nothing of it. Any
  /// thread, also while another one writes.
  void sync() const;

private:
  SessionStore(QString folder, int lock);

  QString pathOf(const QString &name) const { return m_folder + u'/' + name; }
  QString journalPath(const QString &id) const;
  std::optional<Session> loadSession(QStringList &notes);
  void putAside(const QString &name, QStringList &notes);
  QString append(const JournalWrite &journal);

  QString m_folder;
  int m_lock;
  std::unique_ptr<CrashMark> m_mark;
  /// Bytes of each journal that are known to be good.
  std::map<QString, qint64> m_journalSizes;
  QByteArray m_writtenJson;
};

/// Where sessions are kept.
QString sessionsFolder();
/// A name that no other page has.
QString newPageId();

} // namespace tilescope::app
