// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/sweep/SweepController.h"

#include "app/commands/SweepWinner.h"
#include "app/ide/run/Outdated.h"
#include "compiler/artifacts/LaunchOptions.h"
#include "profiler/analysis/SweepWords.h"
#include "views/sweep/SweepView.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilescope::app {

using profiler::Sweep;
using profiler::SweepStatus;

static QString text(const std::string &value) { return QString::fromStdString(value); }

SweepController::SweepController(SweepBackend *backend, CompileController *compile,
                                 RunController *run, QWidget *window)
    : QObject(window), m_backend(backend), m_compile(compile), m_run(run),
      m_view(new views::SweepView(window)) {
  connect(m_backend, &SweepBackend::changed, this, &SweepController::take);
  connect(m_backend, &SweepBackend::ended, this, &SweepController::end);
  connect(&run->history(), &RunHistory::documentChanged, this, &SweepController::update);
  connect(m_view, &views::SweepView::sweepRequested, this, &SweepController::start);
  connect(m_view, &views::SweepView::stopRequested, this, &SweepController::stop);
  connect(m_view, &views::SweepView::pointChosen, this, &SweepController::choosePoint);
  update();
}

void SweepController::start() {
  if (m_running)
    return;
  m_view->setFailure({});
  m_view->setTableOffered(false);
  const std::optional<LaunchRequest> launch = m_run->request();
  if (!launch)
    return m_view->setFailure(tr("There is no kernel to sweep: open its file first."));
  m_running = m_run->history().document();
  m_state = tr("Sweeping: looking at the launch block");
  m_view->setProgress(m_state);
  Q_EMIT busyChanged(true);
  m_backend->sweep({launch->input, launch->selection, launch->place});
}

void SweepController::stop() {
  if (!m_running)
    return;
  m_state = tr("Stopping the sweep…");
  m_view->setProgress(m_state);
  m_backend->cancel();
}

void SweepController::take(const SweptPointer &sweep, const QString &what) {
  if (!m_running)
    return;
  const auto numLeft = std::ranges::count_if(sweep->points, [](const profiler::SweepPoint &point) {
    return point.status == SweepStatus::Open;
  });
  m_state = tr("Sweeping %1: %2; %3 of %4 points are left")
                .arg(text(sweep->kernel), what)
                .arg(numLeft)
                .arg(sweep->points.size());
  m_view->setProgress(m_state);
  if (m_running->file)
    m_entries[m_running->file] = {*m_running, sweep, {}};
  update();
}

void SweepController::end(const Status &status) {
  const bool isStopped = !status && status.error().code == ErrorCode::Cancelled;
  m_running.reset();
  m_state.clear();
  m_view->setProgress({});
  if (isStopped)
    m_view->setFailure(tr("The sweep was stopped: points that are open were not looked at."));
  else if (!status && status.error().code == ErrorCode::Usage)
    refuse(text(status.error().message));
  else if (!status)
    m_view->setFailure(tr("The sweep failed: %1").arg(text(status.error().message)));
  Q_EMIT busyChanged(false);
  update();
}

/// Values around a power of two, of which one is compiled now; empty for what is none.
static std::string valuesAround(const std::string &value) {
  const bool isNumber = !value.empty() && value.size() < 6 &&
                        value.find_first_not_of("0123456789") == std::string::npos;
  const unsigned number = isNumber ? static_cast<unsigned>(std::stoul(value)) : 0;
  if (!std::has_single_bit(number) || number < 4)
    return {};
  return "[" + std::to_string(number / 2) + ", " + value + ", " + std::to_string(number * 2) + "]";
}

/// Lines of a table for the launch block: constexprs of the kernel's own, so few that the points
/// are compiled in seconds.
static std::vector<std::pair<std::string, std::string>>
tableFor(const profiler::LaunchBlock &block) {
  constexpr size_t kMostNames = 2;
  std::vector<std::pair<std::string, std::string>> lines;
  for (const profiler::LaunchEntry &entry : block.constexprs)
    if (const std::string values = valuesAround(entry.value.text);
        !values.empty() && lines.size() < kMostNames)
      lines.emplace_back(entry.name, values);
  if (lines.empty())
    lines.emplace_back("num_warps", "[2, 4, 8]");
  return lines;
}

void SweepController::refuse(const QString &why) {
  QString said = why;
  said[0] = said[0].toUpper();
  const DocumentPointer document = m_compile->document();
  const profiler::LaunchBlock *block = document ? document->launchBlock() : nullptr;
  const bool offers = block && block->sweep.empty();
  QStringList lines;
  for (const auto &[name, values] : tableFor(block ? *block : profiler::LaunchBlock()))
    lines << QStringLiteral("`%1 = %2`").arg(text(name), text(values));
  m_view->setFailure(tr("%1. A table `[sweep]` in the launch block lists values to try: %2.")
                         .arg(said, lines.join(QStringLiteral(", "))));
  m_view->setTableOffered(offers);
}

std::optional<std::string> SweepController::textWithTable() const {
  const DocumentPointer document = m_compile->document();
  const profiler::LaunchBlock *block = document ? document->launchBlock() : nullptr;
  if (!block)
    return std::nullopt;
  std::vector<profiler::LaunchEdit> edits;
  for (const auto &[name, values] : tableFor(*block))
    edits.push_back({{"sweep", name}, values});
  Result<std::string> edited = profiler::editLaunchBlock(
      document->source->text, static_cast<size_t>(document->launch), edits);
  return edited ? std::optional(std::move(*edited)) : std::nullopt;
}

void SweepController::noteTable() {
  m_view->setTableOffered(false);
  m_view->setFailure({});
}

void SweepController::keepOpened(const QObject *file, const Sweep &sweep, const QString &place) {
  m_view->setFailure({});
  m_entries[file] = {{}, std::make_shared<const Sweep>(sweep), place};
  update();
}

void SweepController::forget(const QObject *file) {
  if (m_running && m_running->file == file)
    m_running->file = nullptr;
  if (m_entries.erase(file) > 0)
    update();
}

/// Configurations that are chosen since are what a sweep is for.
QString SweepController::whyOutdated(const Entry &entry, const RunDocument &now) const {
  const std::string &kernel = entry.sweep->kernel;
  if (kernel != now.kernel)
    return now.kernel.empty()
               ? tr("the sweep is of `%1`").arg(text(kernel))
               : tr("the sweep is of `%1`; `%2` is chosen").arg(text(kernel), text(now.kernel));
  if (!entry.document.file)
    return {};
  return otherText(entry.document, now, {});
}

void SweepController::update() {
  const RunDocument &now = m_run->history().document();
  const auto entry = m_entries.find(now.file);
  if (entry == m_entries.end()) {
    m_shown.reset();
    return m_view->clear(
        now.kernel.empty()
            ? tr("Nothing has been swept yet. A sweep tries the values of a launch block's "
                 "`[sweep]` and names the best.")
            : tr("`%1` has not been swept yet. A sweep tries the values of the launch block's "
                 "`[sweep]`, and the configurations of `@triton.autotune`, and names the best.")
                  .arg(text(now.kernel)));
  }
  if (std::exchange(m_shown, entry->second.sweep) != entry->second.sweep || !m_view->hasContent())
    m_view->setSweep(entry->second.sweep, entry->second.place);
  m_view->setOutdated(whyOutdated(entry->second, now));
}

/// The kernel is compiled as the point was; sizes are those of the launch block.
void SweepController::choosePoint(size_t point) {
  const DocumentPointer document = m_compile->document();
  if (!m_shown || !document || document->kernel() != m_shown->kernel ||
      point >= m_shown->points.size())
    return;
  KernelChoice choice = document->choice;
  choice.constexprs.clear();
  choice.options.clear();
  for (const auto &[name, value] : profiler::configurationOf(*m_shown, m_shown->points[point]))
    if (!value.empty())
      (compiler::isLaunchOption(name) ? choice.options : choice.constexprs)[name] = value;
  m_compile->setChoice(choice);
}

std::optional<std::string> SweepController::textWithWinner() {
  const DocumentPointer document = m_compile->document();
  const auto winner = m_shown ? profiler::sweepWinner(*m_shown) : std::nullopt;
  if (!document || !winner || winner->configuration.empty()) {
    m_view->setFailure(tr("There is no winner to write into the file."));
    return std::nullopt;
  }
  const KernelSource &source = *document->source;
  const std::optional<size_t> block = sweptBlock(source.text, *m_shown);
  if (!block) {
    m_view->setFailure(tr("The file has no launch block that the sweep is of."));
    return std::nullopt;
  }
  Result<std::string> written =
      app::textWithWinner(source.text, source.entry, m_shown->kernel, *block, *winner);
  if (!written) {
    m_view->setFailure(tr("The winner was not written: %1").arg(text(written.error().message)));
    return std::nullopt;
  }
  return std::move(*written);
}

} // namespace tilescope::app
