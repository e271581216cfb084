// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/SingleInstance.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QThread>
#include <QTimer>

namespace tilescope::app {

/// A list of files, whatever the shell's limits.
static constexpr qint64 kMaxMessageBytes = 4 << 20;
static constexpr int kConnectMs = 200;
static constexpr int kReceiveMs = 5000;
static constexpr char kAnswer = 'y';

QString instanceAddress(const QString &sessionFolder) {
  // A window on another screen is of no use to the user of this one.
  const QByteArray screen = qgetenv("WAYLAND_DISPLAY") + ' ' + qgetenv("DISPLAY");
  const QByteArray digest =
      QCryptographicHash::hash(sessionFolder.toUtf8() + '\0' + screen, QCryptographicHash::Sha256);
  // Only the user may enter this folder. Names of sockets are short, so nothing else is in it.
  return QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) +
         QStringLiteral("/tilescope-") + QString::fromLatin1(digest.left(8).toHex());
}

/// In a lock, in place of the process's number.
static constexpr char kEnding[] = "ending";

void announceEnd(const QString &folder) {
  QFile lock(folder + QStringLiteral("/lock"));
  if (lock.open(QIODevice::WriteOnly | QIODevice::Truncate))
    lock.write(kEnding);
}

/// Whether the process that has locked a session ends or is dead: what it had is freed before its
/// lock, which can take seconds.
static bool isHolderEnding(const QString &folder) {
  QFile lock(folder + QStringLiteral("/lock"));
  const QByteArray holder = lock.open(QIODevice::ReadOnly) ? lock.readAll() : QByteArray();
  if (holder == kEnding)
    return true;
  bool isNumber = false;
  const qint64 process = holder.toLongLong(&isNumber);
  if (!isNumber)
    return false;
  QFile status(QStringLiteral("/proc/%1/stat").arg(process));
  if (!status.open(QIODevice::ReadOnly))
    return QFile::exists(QStringLiteral("/proc/self/stat"));
  // `4711 (tilescope) Z 1 …`
  const QByteArray words = status.readAll();
  const qsizetype name = words.lastIndexOf(')');
  const char state = name >= 0 && name + 2 < words.size() ? words[name + 2] : ' ';
  return state == 'Z' || state == 'X';
}

Result<std::unique_ptr<SessionStore>> openWhenFree(const QString &folder, int deadlineMs) {
  const QDeadlineTimer deadline(deadlineMs);
  auto opened = SessionStore::open(folder);
  while (opened && !*opened && isHolderEnding(folder) && !deadline.hasExpired()) {
    QThread::msleep(20);
    opened = SessionStore::open(folder);
  }
  return opened;
}

/// Connected, or nothing listens.
static bool connectTo(QLocalSocket &socket, const QString &address,
                      const QDeadlineTimer &deadline) {
  // It may have the session, and not listen yet.
  while (!deadline.hasExpired()) {
    socket.connectToServer(address);
    if (socket.waitForConnected(kConnectMs))
      return true;
    QThread::msleep(20);
  }
  return false;
}

bool handOver(const QString &address, const QStringList &files, int deadlineMs) {
  const QDeadlineTimer deadline(deadlineMs);
  QLocalSocket socket;
  if (!connectTo(socket, address, deadline))
    return false;
  QByteArray message;
  QDataStream out(&message, QIODevice::WriteOnly);
  out.setVersion(QDataStream::Qt_6_0);
  out << files;
  socket.write(message);
  while (socket.bytesAvailable() == 0 && !deadline.hasExpired())
    if (!socket.waitForReadyRead(static_cast<int>(deadline.remainingTime())))
      break;
  return socket.read(1) == QByteArray(1, kAnswer);
}

InstanceListener::InstanceListener(QObject *parent) : QObject(parent) {
  m_server.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&m_server, &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
      connect(socket, &QLocalSocket::readyRead, this, [this, socket] { receive(socket); });
      connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
      QTimer::singleShot(kReceiveMs, socket, &QLocalSocket::abort);
    }
  });
}

bool InstanceListener::listen(const QString &address) {
  // Left behind by a process that was killed: the process that listens here holds the session's
  // lock.
  QLocalServer::removeServer(address);
  return m_server.listen(address);
}

void InstanceListener::receive(QLocalSocket *socket) {
  if (socket->bytesAvailable() > kMaxMessageBytes)
    return socket->abort();
  QDataStream in(socket);
  in.setVersion(QDataStream::Qt_6_0);
  in.startTransaction();
  QStringList files;
  in >> files;
  if (!in.commitTransaction())
    return;
  socket->write(&kAnswer, 1);
  socket->flush();
  socket->disconnectFromServer();
  Q_EMIT filesHandedOver(files);
}

} // namespace tilescope::app
