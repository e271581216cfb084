// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/AccessController.h"

#include "views/access/AccessView.h"

namespace tilescope::app {

using compiler::CompileResult;
using views::AccessView;
using views::AccessWish;

/// For one program, and for all of them.
static constexpr uint32_t kProgramMs = 5000, kGridMs = 10000;
AccessController::AccessController(CompileBackend *backend, CompileController *compile,
                                   AccessView *view, QObject *parent)
    : PictureController(backend, compile, parent), m_view(view) {
  connect(m_view, &AccessView::wishChanged, this, [this](const AccessWish &wish) {
    if (!isReady() || m_shownRevision != m_compile->latest()->result()->revision)
      return;
    m_wish = wish;
    advance();
  });
}

void AccessController::startOver() {
  // What was not finished is begun anew.
  if (m_asked.job != 0 || m_wish || m_wantsGrid)
    m_revision = 0;
  m_wish.reset();
  m_wantsGrid = false;
}

void AccessController::setStaleNote(const QString &note) { m_view->setStaleNote(note); }

void AccessController::clear(const QString &why) {
  stop();
  m_staleTimer.stop();
  m_file = nullptr;
  m_shownRevision = 0;
  m_view->clear(why);
}

void AccessController::stop() {
  m_wish.reset();
  m_wantsGrid = false;
  // What is on its way is not for what comes into sight next.
  m_revision = 0;
  if (m_asked.job != 0)
    m_backend->cancelInspections();
}

void AccessController::begin() {
  if (!canBegin())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = moveTo(result);
  if (!result.ok) {
    m_staleTimer.stop();
    if (isOther || !m_view->hasContent())
      return m_view->clear(tr("The text does not compile: Problems says why."));
    return m_view->setStaleNote(tr("Stale: the newest text does not compile. This is what the last "
                                   "one that did accesses."));
  }
  if (result.launch.plan.empty()) {
    m_staleTimer.stop();
    return m_view->clear(
        tr("What accesses cost depends on the launch: how many programs there are, "
           "on which arrays, with which sizes. The file does not say it yet."),
        true);
  }
  if (m_revision == result.revision)
    return;
  m_revision = result.revision;
  if (m_shownRevision == m_revision && m_view->hasContent())
    return m_staleTimer.stop();
  if (isOther)
    m_view->clear(tr("Looking at the accesses of `%1`…").arg(QString::fromStdString(m_kernel)));
  m_wish = m_view->wish();
  m_wantsGrid = true;
  advance();
}

void AccessController::advance() {
  if (m_asked.job != 0) {
    // A user who waits for a picture goes before the sum over all programs.
    if (m_wish && !m_asked.wish)
      m_backend->cancelInspections();
    return;
  }
  if (m_wish)
    return ask(std::exchange(m_wish, std::nullopt));
  if (std::exchange(m_wantsGrid, false))
    ask(std::nullopt);
}

void AccessController::ask(std::optional<AccessWish> wish) {
  const CompileResult &result = *m_compile->latest()->result();
  compiler::InspectMessage message = makeMessage();
  message.launchPlan = result.launch.plan;
  message.mostDataBytes = kMostDataBytes;
  message.timeLimitMs = wish ? kProgramMs : kGridMs;
  if (wish) {
    message.program = wish->program;
    message.record = wish->record;
  }
  m_asked = {message.job, result.revision, std::move(wish)};
  m_backend->inspect(message);
}

void AccessController::take(const InspectionPointer &reply) {
  if (reply->job != m_asked.job)
    return;
  const Asked asked = std::exchange(m_asked, {});
  if (!isReady())
    return;
  if (asked.revision == m_revision) {
    if (!reply->cancelled)
      reply->ok ? show(asked, reply) : fail(asked, reply);
    // Something was more urgent.
    else if (!asked.wish)
      m_wantsGrid = true;
    else if (!m_wish)
      m_wish = asked.wish;
  }
  advance();
}

void AccessController::show(const Asked &asked, const InspectionPointer &reply) {
  auto facts = std::make_shared<const compiler::MemoryFacts>(reply->facts);
  if (!asked.wish)
    return m_view->setGridFacts(std::move(facts));
  m_staleTimer.stop();
  if (std::exchange(m_shownRevision, asked.revision) != asked.revision)
    m_view->setGridFacts(nullptr);
  m_view->setContent(std::make_shared<const views::AccessContent>(
      views::AccessContent{*asked.wish, std::move(facts), reply->record}));
}

void AccessController::fail(const Asked &asked, const InspectionPointer &reply) {
  const QString why = whyFailed(*reply);
  if (!asked.wish)
    return m_view->setGridFacts(nullptr, tr("The other programs are not counted: %1.").arg(why));
  m_staleTimer.stop();
  if (m_shownRevision == asked.revision)
    return m_view->setStaleNote(tr("The picture is of another program or iteration: %1.").arg(why));
  m_view->clear(tr("The accesses are not known: %1.").arg(why));
  m_wantsGrid = false;
  // The program of an earlier launch need not be one of this one.
  if (asked.wish->program != std::array<int32_t, 3>{})
    m_wish = AccessWish{};
}

} // namespace tilescope::app
