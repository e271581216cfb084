// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/SessionStore.h"

#include "app/ide/files/SaveFile.h"
#include "profiler/data/FileIo.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QStandardPaths>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tilescope::app {

static const QString kSessionName = QStringLiteral("session.json");
static const QString kPreviousName = QStringLiteral("session.previous.json");
static const QString kJournalEnding = QStringLiteral(".journal");
/// A journal whose successor may not be on the disk yet.
static const QString kOldEnding = QStringLiteral(".old");

/// Journals hold a text and its history.
static constexpr uint64_t kMaxJournalBytes = 4 * profiler::kLargestTextBytes;

QString sessionsFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
}

QString newPageId() {
  return QString::number(QRandomGenerator::system()->generate64(), 16).rightJustified(16, u'0');
}

static std::optional<QByteArray> contentOf(const QString &path, uint64_t maxBytes) {
  const Result<std::string> bytes = profiler::readFile(path.toStdString(), maxBytes);
  return bytes ? std::optional(QByteArray::fromStdString(*bytes)) : std::nullopt;
}

/// Without waiting for the disk, which may take seconds: a kill keeps what the kernel has taken.
/// The old file, if there is one, becomes `keepOld` until the new one is on the disk.
static QString replaceQuickly(const QString &path, const QByteArray &bytes,
                              const QString &keepOld = {}) {
  QFile file(path + QStringLiteral(".part"));
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
    return file.errorString();
  file.close();
  const QByteArray target = QFile::encodeName(path);
  if (!keepOld.isEmpty())
    std::rename(target.constData(), QFile::encodeName(keepOld).constData());
  const int failed =
      std::rename(QFile::encodeName(file.fileName()).constData(), target.constData());
  return failed == 0 ? QString() : QString::fromLocal8Bit(std::strerror(errno));
}

static QString replaceFile(const QString &path, const QByteArray &bytes) {
  const Result<FileStamp> stamp =
      saveFile(path.toStdString(), {bytes.data(), static_cast<size_t>(bytes.size())});
  return stamp ? QString() : QString::fromStdString(stamp.error().message);
}

Result<std::unique_ptr<SessionStore>> SessionStore::open(const QString &folder) {
  const auto failed = [&](const char *reason) {
    return Error{ErrorCode::Environment,
                 "the session cannot be kept in `" + folder.toStdString() + "`: " + reason, ""};
  };
  if (!QDir().mkpath(folder))
    return failed(std::strerror(errno));
  // Texts are the user's own business.
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  const QByteArray lockPath = QFile::encodeName(folder + QStringLiteral("/lock"));
  const int lock = ::open(lockPath.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0)
    return failed(std::strerror(errno));
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
    // For those who find it locked: whether its process still lives.
    const std::string process = std::to_string(getpid());
    if (ftruncate(lock, 0) != 0 || pwrite(lock, process.data(), process.size(), 0) < 0)
      std::fprintf(stderr, "tilescope: %s: %s\n", lockPath.constData(), std::strerror(errno));
    return std::unique_ptr<SessionStore>(new SessionStore(folder, lock));
  }
  const int reason = errno;
  close(lock);
  if (reason == EWOULDBLOCK)
    return std::unique_ptr<SessionStore>();
  return failed(std::strerror(reason));
}

SessionStore::SessionStore(QString folder, int lock)
    : m_folder(std::move(folder)), m_lock(lock),
      m_mark(std::make_unique<CrashMark>(pathOf(QStringLiteral("running")))) {}

SessionStore::~SessionStore() { close(m_lock); }

QString SessionStore::journalPath(const QString &id) const { return pathOf(id + kJournalEnding); }

void SessionStore::putAside(const QString &name, QStringList &notes) {
  QString aside;
  for (int i = 1; aside.isEmpty() || QFile::exists(aside); ++i)
    aside = pathOf(QStringLiteral("damaged-%1-%2").arg(i).arg(name));
  QFile::rename(pathOf(name), aside);
  notes << QCoreApplication::translate("SessionStore", "`%1` was damaged; it is kept as `%2`")
               .arg(pathOf(name), aside);
}

/// Sessions of the first version lay beside this folder and had the texts in them.
static std::optional<Session> loadFirstVersion(const QString &path,
                                               std::map<QString, PageRecord> &pages) {
  const std::optional<QByteArray> json = contentOf(path, profiler::kLargestTextBytes);
  std::optional<Session> session = json ? sessionFromJson(*json) : std::nullopt;
  if (!session)
    return std::nullopt;
  const QJsonArray entries = QJsonDocument::fromJson(*json).object()[u"files"].toArray();
  for (size_t i = 0; i < session->files.size(); ++i) {
    SessionFile &file = session->files[i];
    file.id = newPageId();
    const QJsonObject entry = entries[static_cast<qsizetype>(i)].toObject();
    if (!entry[u"unsaved"].toBool())
      continue;
    PageRecord &page = pages[file.id];
    page.disk.path = file.path;
    page.history = views::EditHistory(entry[u"text"].toString().toStdString());
    page.history.markUnsaved();
  }
  return session;
}

std::optional<Session> SessionStore::loadSession(QStringList &notes) {
  for (const QString &name : {kSessionName, kPreviousName}) {
    const std::optional<QByteArray> json = contentOf(pathOf(name), profiler::kLargestTextBytes);
    if (!json)
      continue;
    if (std::optional<Session> session = sessionFromJson(*json)) {
      if (name == kSessionName)
        replaceFile(pathOf(kPreviousName), *json);
      return session;
    }
    putAside(name, notes);
  }
  return std::nullopt;
}

SessionStore::Loaded SessionStore::load() {
  Loaded loaded;
  std::optional<Session> session = loadSession(loaded.notes);
  if (!session && loaded.notes.isEmpty() && QDir(m_folder).dirName() == u"session")
    session = loadFirstVersion(m_folder + QStringLiteral("/../") + kSessionName, loaded.pages);
  loaded.session = session.value_or(Session());
  QStringList named;
  for (SessionFile &file : loaded.session.files) {
    // Names a file: nothing else than what was made here.
    if (file.id.contains(u'/') || file.id.isEmpty())
      file.id = newPageId();
    named << file.id;
    file.isHeldBack = file.isHeldBack || m_mark->suspects().contains(file.id);
  }
  const QDir folder(m_folder);
  for (const QString &name : folder.entryList({u'*' + kOldEnding}, QDir::Files)) {
    const QString newName = name.chopped(kOldEnding.size()) + kJournalEnding;
    const std::optional<QByteArray> successor = contentOf(pathOf(newName), kMaxJournalBytes);
    if (!successor || !readJournal(*successor))
      std::rename(QFile::encodeName(pathOf(name)).constData(),
                  QFile::encodeName(pathOf(newName)).constData());
  }
  for (const QString &name : folder.entryList({u'*' + kJournalEnding}, QDir::Files, QDir::Name)) {
    if (name.startsWith(u"damaged-"))
      continue;
    const QString id = name.chopped(kJournalEnding.size());
    const std::optional<QByteArray> journal = contentOf(pathOf(name), kMaxJournalBytes);
    std::optional<PageRecord> page = journal ? readJournal(*journal) : std::nullopt;
    if (!page) {
      putAside(name, loaded.notes);
      continue;
    }
    if (!named.contains(id)) {
      SessionFile file{id, page->disk.path};
      file.isHeldBack = m_mark->suspects().contains(id);
      loaded.session.files.push_back(std::move(file));
    }
    loaded.pages.emplace(id, std::move(*page));
  }
  return loaded;
}

QString SessionStore::append(const JournalWrite &journal) {
  const QString path = journalPath(journal.id);
  const int file = ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CLOEXEC);
  qint64 &size = m_journalSizes[journal.id];
  // Behind what is good: an attempt that failed may have left a part.
  const bool written = file >= 0 && ftruncate(file, size) == 0 &&
                       pwrite(file, journal.bytes.data(), static_cast<size_t>(journal.bytes.size()),
                              size) == journal.bytes.size();
  const int reason = errno;
  if (file >= 0)
    close(file);
  if (!written)
    return QString::fromLocal8Bit(std::strerror(reason ? reason : ENOSPC));
  size += journal.bytes.size();
  return {};
}

QString SessionStore::write(const SessionBatch &batch) {
  QDir().mkpath(m_folder);
  for (const JournalWrite &journal : batch.journals) {
    errno = 0;
    const QString error = journal.isWhole ? replaceQuickly(journalPath(journal.id), journal.bytes,
                                                           pathOf(journal.id + kOldEnding))
                                          : append(journal);
    if (!error.isEmpty()) {
      m_writtenJson.clear();
      return error;
    }
    if (journal.isWhole)
      m_journalSizes[journal.id] = journal.bytes.size();
  }
  for (const QString &id : batch.closed)
    for (const QString &ending : {kJournalEnding, kOldEnding})
      QFile::remove(pathOf(id + ending));
  if (batch.json.isEmpty() || batch.json == m_writtenJson)
    return {};
  const QString error = replaceQuickly(pathOf(kSessionName), batch.json);
  m_writtenJson = error.isEmpty() ? batch.json : QByteArray();
  return error;
}

void SessionStore::sync() const {
  const QDir folder(m_folder);
  std::map<QString, std::optional<FileStamp>> replaced;
  for (const QString &name : folder.entryList({u'*' + kOldEnding}, QDir::Files))
    replaced[pathOf(name)] = fileStamp(pathOf(name).toStdString());
  QStringList written = folder.entryList({u'*' + kJournalEnding, kSessionName}, QDir::Files);
  written << QStringLiteral(".");
  bool synced = true;
  for (const QString &name : written) {
    const int file = ::open(QFile::encodeName(pathOf(name)).constData(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
      continue;
    synced = fsync(file) == 0 && synced;
    close(file);
  }
  for (const auto &[path, stamp] : replaced)
    if (synced && fileStamp(path.toStdString()) == stamp)
      QFile::remove(path);
}

} // namespace tilescope::app
