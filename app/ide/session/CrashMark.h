// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QStringList>

#include <array>

namespace tilescope::app {

/// Remembers in a small file what the program works on at each moment, so that the next start knows
/// what a crash, a hang or a kill interrupted: a file that brings the program down must not do
/// so at every start. Noting costs a store into mapped memory; the kernel keeps it when the process
/// dies.
class CrashMark {
public:
  /// Reads what the process before left, and starts over. Without the file nothing is remembered.
  explicit CrashMark(const QString &path);
  ~CrashMark();
  CrashMark(const CrashMark &) = delete;
  CrashMark &operator=(const CrashMark &) = delete;

  /// Ids of the pages that the process before may have died over.
  const QStringList &suspects() const { return m_suspects; }
  /// Whether the process before ended without being asked to.
  bool wasInterrupted() const { return m_wasInterrupted; }
  /// Work on a page begins; `end` when the program is idle again.
  void begin(const QString &id);
  void end();
  /// The current page: suspect when the program crashes while it is idle.
  void setCurrent(const QString &id);

  /// Notes from now on when the program crashes. At most one mark has this.
  void watchForCrashes();

  /// Layout of the file.
  struct Record {
    std::array<char, 64> busy;
    std::array<char, 64> current;
    char crashed;
    char running;
  };

private:
  Record *m_record = nullptr;
  QStringList m_suspects;
  bool m_wasInterrupted = false;
};

} // namespace tilescope::app
