// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/SessionStore.h"

#include <QLocalServer>
#include <QObject>

class QLocalSocket;

namespace tilescope::app {

/// Where the process that holds a session listens for others of the same user and screen.
QString instanceAddress(const QString &sessionFolder);

/// Opens a session. One that is locked by a process which ends or was killed, and is not quite gone
/// yet, is waited for until the deadline. Null: another process has it.
Result<std::unique_ptr<SessionStore>> openWhenFree(const QString &folder, int deadlineMs);

/// Says to those that wait for a session that its process, this one, is about to end.
void announceEnd(const QString &folder);

/// Asks the process that listens at `address` to open files and to come to the front. False when
/// nothing answers within the deadline.
bool handOver(const QString &address, const QStringList &files, int deadlineMs);

/// Listens for files that other processes pass on. GUI thread.
class InstanceListener : public QObject {
  Q_OBJECT
public:
  explicit InstanceListener(QObject *parent = nullptr);

  /// False when the address cannot be used; then others keep their own sessions.
  bool listen(const QString &address);

Q_SIGNALS:
  void filesHandedOver(const QStringList &files);

private:
  void receive(QLocalSocket *socket);

  QLocalServer m_server;
};

} // namespace tilescope::app
