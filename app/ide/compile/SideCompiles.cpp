// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/SideCompiles.h"

#include <algorithm>

namespace tilescope::app {

/// Without a key for so long, the user looks.
static constexpr int kIdleMs = 250;
/// They are numbered apart from documents and from checks of other kernels.
static constexpr uint64_t kSideBit = uint64_t{1} << 62;

SideCompiles::SideCompiles(CompileBackend *backend, CompileController *compile, QObject *parent)
    : QObject(parent), m_backend(backend), m_compile(compile) {
  m_idle.setSingleShot(true);
  m_idle.setInterval(kIdleMs);
  connect(&m_idle, &QTimer::timeout, this, &SideCompiles::advance);
  // What was under way is cut short.
  connect(m_compile, &CompileController::started, this, [this] {
    m_revision = 0;
    m_idle.stop();
  });
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done && !m_jobs.empty())
              m_idle.start();
          });
  connect(m_backend, &CompileBackend::progressed, this,
          [this](const CorrelationPointer &result, bool done) {
            if (done)
              take(result);
          });
  connect(m_backend, &CompileBackend::crashed, this, &SideCompiles::take);
}

void SideCompiles::ask(const std::string &key, compiler::CompileRequest request,
                       const compiler::WantedParts &wanted, bool isHurried, Take take) {
  erase(key);
  m_jobs.push_back({key, std::move(request), wanted, std::move(take)});
  tellBusy();
  if (isHurried)
    advance();
  else if (!m_compile->isRunning())
    m_idle.start();
}

void SideCompiles::askNow(const std::string &key, compiler::CompileRequest request,
                          const compiler::WantedParts &wanted, Take take) {
  erase(key);
  m_jobs.insert(m_jobs.begin(), {key, std::move(request), wanted, std::move(take)});
  m_revision = 0;
  tellBusy();
  m_compile->giveWay();
  advance();
}

void SideCompiles::drop(const std::string &key) {
  if (!erase(key))
    return;
  tellBusy();
  m_compile->resume();
}

bool SideCompiles::erase(const std::string &key) {
  const auto found = std::ranges::find(m_jobs, key, &Job::key);
  if (found == m_jobs.end())
    return false;
  // Its answer is not waited for; the next compile cuts it short.
  if (found == m_jobs.begin() && m_revision != 0) {
    m_revision = 0;
    m_idle.start();
  }
  m_jobs.erase(found);
  return true;
}

bool SideCompiles::isAsked(const std::string &key) const {
  return std::ranges::find(m_jobs, key, &Job::key) != m_jobs.end();
}

void SideCompiles::advance() {
  if (m_jobs.empty() || m_revision != 0 || (m_compile->isRunning() && !m_compile->hasGivenWay()))
    return;
  m_revision = kSideBit | ++m_numCompiles;
  Job &job = m_jobs.front();
  job.request.revision = m_revision;
  m_backend->compile(job.request, job.wanted);
}

void SideCompiles::take(const CorrelationPointer &result) {
  if (m_revision == 0 || result->result()->revision != m_revision)
    return;
  m_revision = 0;
  const Job done = std::move(m_jobs.front());
  m_jobs.erase(m_jobs.begin());
  done.take(result);
  m_compile->resume();
  advance();
  tellBusy();
}

void SideCompiles::tellBusy() {
  if (std::exchange(m_isBusy, !m_jobs.empty()) == m_jobs.empty())
    Q_EMIT busyChanged(m_isBusy);
}

} // namespace tilescope::app
