// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/CrashMark.h"

#include <QFile>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilescope::app {

static_assert(std::is_trivial_v<CrashMark::Record>);

/// What the signal handler can reach.
static CrashMark::Record *volatile g_watched = nullptr;

static QString idIn(const std::array<char, 64> &field) {
  const auto end = std::find(field.begin(), field.end(), '\0');
  return QString::fromLatin1(field.data(), end - field.begin());
}

static void put(std::array<char, 64> &field, const QString &id) {
  const QByteArray bytes = id.toLatin1().left(63);
  field.fill('\0');
  std::copy(bytes.begin(), bytes.end(), field.begin());
}

CrashMark::CrashMark(const QString &path) {
  const int file = open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  void *memory = ftruncate(file, sizeof(Record)) == 0
                     ? mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                     : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED)
    return;
  m_record = static_cast<Record *>(memory);
  m_suspects << idIn(m_record->busy);
  if (m_record->crashed)
    m_suspects << idIn(m_record->current);
  m_suspects.removeAll(QString());
  m_wasInterrupted = m_record->running != 0;
  *m_record = Record{};
  m_record->running = 1;
}

CrashMark::~CrashMark() {
  if (g_watched == m_record)
    g_watched = nullptr;
  if (!m_record)
    return;
  *m_record = Record{};
  munmap(m_record, sizeof(Record));
}

void CrashMark::begin(const QString &id) {
  if (m_record)
    put(m_record->busy, id);
}

void CrashMark::end() {
  if (m_record)
    m_record->busy[0] = '\0';
}

void CrashMark::setCurrent(const QString &id) {
  if (m_record)
    put(m_record->current, id);
}

void CrashMark::watchForCrashes() {
  g_watched = m_record;
  // Room for the handler when the stack has overflowed.
  static std::array<char, 64 << 10> stack;
  const stack_t alternate{stack.data(), 0, stack.size()};
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  // The signal's default action happens when this handler returns.
  action.sa_handler = [](int number) {
    if (g_watched)
      g_watched->crashed = 1;
    raise(number);
  };
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(number, &action, nullptr);
}

} // namespace tilescope::app
