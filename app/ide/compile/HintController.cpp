// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/HintController.h"

#include "views/common/MovedPlaces.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Hint;

static constexpr int kPauseMs = 400;
/// For counting, and for trying fixes.
static constexpr uint32_t kTimeLimitMs = 20000;
/// Arrays that are filled while the user pauses, where addresses depend on them.
static constexpr uint64_t kMostDataBytes = uint64_t{16} << 20;

HintController::HintController(CompileBackend *backend, CompileController *compile, QObject *parent)
    : QObject(parent), m_backend(backend), m_compile(compile) {
  m_pause.setObjectName(QStringLiteral("asking for hints"));
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &HintController::ask);
  connect(m_compile, &CompileController::started, &m_pause, &QTimer::stop);
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done && isReady())
              m_pause.start();
          });
  connect(m_backend, &CompileBackend::inspected, this, &HintController::take);
}

bool HintController::isReady() const {
  if (!m_compile->isCurrent() || m_compile->isRunning())
    return false;
  const CompileResult &result = *m_compile->latest()->result();
  return result.ok && !result.launch.plan.empty();
}

void HintController::ask() {
  if (!isReady() || m_job != 0)
    return;
  const CompileResult &result = *m_compile->latest()->result();
  compiler::InspectMessage message;
  message.job = m_job = m_backend->nextInspection();
  message.request = m_compile->request();
  message.request.selection = result.launch.selection;
  message.launchPlan = result.launch.plan;
  message.mostDataBytes = kMostDataBytes;
  message.timeLimitMs = kTimeLimitMs;
  message.wantsHints = true;
  m_askedRevision = result.revision;
  m_backend->inspect(message);
}

void HintController::take(const InspectionPointer &reply) {
  if (reply->job != m_job)
    return;
  m_job = 0;
  if (!isReady())
    return;
  const bool isOfNewest = m_askedRevision == m_compile->latest()->result()->revision;
  // Something was more urgent.
  if (reply->cancelled || !isOfNewest)
    return m_pause.start();
  if (reply->ok)
    keep(reply->hints, reply->estimate,
         std::make_shared<const compiler::MemoryFacts>(reply->facts));
  else
    keep({}, {}, nullptr);
}

void HintController::keep(std::vector<Hint> hints, compiler::Estimate estimate,
                          std::shared_ptr<const compiler::MemoryFacts> facts) {
  // What lies in an imported file has no place here.
  for (Hint &hint : hints)
    if (hint.range.file != 0)
      hint.range = {};
  m_hints = std::move(hints);
  m_estimate = std::move(estimate);
  m_facts = std::move(facts);
  m_file = m_compile->file();
  m_kernel = m_compile->document()->kernel();
  m_text = m_compile->request().text;
  Q_EMIT changed();
}

/// False: a line of the hint was edited, so what it says may not hold.
static bool move(Hint &hint, const views::MovedPlaces &places) {
  if (hint.range.empty())
    return true;
  for (uint32_t line = hint.range.begin.line; line <= hint.range.end.line; ++line)
    if (!places.unchangedLine(line))
      return false;
  const std::optional<SourceRange> moved = places.moved(hint.range);
  if (!moved)
    return false;
  hint.range = *moved;
  hint.message = "outdated: " + hint.message;
  // A fix was tried on the text that it was found in.
  hint.fixes.clear();
  return true;
}

bool HintController::isOf(std::string_view text) const {
  const DocumentPointer &document = m_compile->document();
  return m_file != nullptr && m_file == m_compile->file() && document &&
         document->kernel() == m_kernel && text == m_text;
}

const compiler::Estimate *HintController::estimate(std::string_view text) const {
  return isOf(text) ? &m_estimate : nullptr;
}

std::shared_ptr<const compiler::MemoryFacts> HintController::facts(std::string_view text) const {
  return isOf(text) ? m_facts : nullptr;
}

std::vector<Hint> HintController::hints(std::string_view text) const {
  // Of a text that does not parse, the document still knows the kernel.
  const DocumentPointer &document = m_compile->document();
  if (m_file != m_compile->file() || !document || document->kernel() != m_kernel)
    return {};
  std::vector<Hint> hints = m_hints;
  if (text == m_text || hints.empty())
    return hints;
  const views::MovedPlaces places(m_text, text);
  std::erase_if(hints, [&](Hint &hint) { return !move(hint, places); });
  return hints;
}

} // namespace tilescope::app
