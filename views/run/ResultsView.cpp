// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/ResultsView.h"

#include "views/common/FactsLabel.h"
#include "views/common/Theme.h"
#include "views/run/FindingsList.h"
#include "views/run/LinkLabel.h"
#include "views/run/OutputText.h"
#include "views/run/OutputView.h"
#include "views/run/PanelLabels.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

/// Faults that have a link.
static constexpr size_t kMostFaults = 4;

ResultsView::ResultsView(QWidget *parent) : QWidget(parent) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  createWidgets();
  arrangeWidgets();
  connectWidgets();
  setRunning(false);
  setStatus(tr("Not run yet."), false);
  m_findings->setFindings({}, {});
  fillFaults();
  showBadges();
  updateStamp();
}

QString RunStamp::fileName() const {
  if (!path.isEmpty())
    return QFileInfo(path).fileName();
  return untitledName.isEmpty() ? QStringLiteral("untitled.py") : untitledName;
}

void ResultsView::createWidgets() {
  m_progress = new QProgressBar(this);
  m_progress->setTextVisible(false);
  m_elsewhere = addPanelLabel(this, "muted");
  m_elsewhere->setTextFormat(Qt::PlainText);
  m_elsewhere->hide();
  m_outdatedNote = addPanelLabel(this, "muted");
  // Plain text, so that the style shows code in it in quotes.
  m_outdatedNote->setTextFormat(Qt::PlainText);
  QFont bold;
  bold.setBold(true);
  m_outdatedNote->setFont(bold);
  m_stamp = addPanelLabel(this, "muted");
  m_other = new LinkLabel(this);
  m_status = addPanelLabel(this, nullptr);
  m_earlierNote = addPanelLabel(this, "muted");
  m_earlierNote->setTextFormat(Qt::PlainText);
  m_badges = new FactsLabel(this);
  m_badges->setIndent(10);
  m_badges->setAccessibleName(tr("What is wrong with the results"));
  m_body = new QWidget(this);
  m_findings = new FindingsList(m_body);
  m_faults = new LinkLabel(m_body);
  m_faults->setAccessibleName(tr("Step to what was found"));
  m_output = new OutputView(m_body);
}

void ResultsView::arrangeWidgets() {
  auto *body = new QVBoxLayout(m_body);
  body->setContentsMargins(0, 0, 0, 0);
  body->setSpacing(0);
  body->addWidget(m_findings);
  body->addWidget(m_faults);
  body->addWidget(m_output, 1);
  // Without outputs, what was found stays at the top.
  body->addStretch(0);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_progress);
  layout->addWidget(m_elsewhere);
  layout->addWidget(m_outdatedNote);
  layout->addWidget(m_status);
  layout->addWidget(m_earlierNote);
  layout->addWidget(m_badges);
  layout->addWidget(m_body, 1);
  // The user who has just run it knows what it belongs to: the result comes first.
  layout->addWidget(m_stamp);
  layout->addWidget(m_other);
  layout->addStretch(0);
}

void ResultsView::connectWidgets() {
  connect(m_faults, &QLabel::linkActivated, this, [this](const QString &target) {
    const size_t index = target.toULongLong();
    if (m_results && index < m_results->faults.size())
      Q_EMIT faultRequested(m_results->faults[index]);
  });
  connect(m_other, &QLabel::linkActivated, this, &ResultsView::otherRequested);
  connect(m_findings, &FindingsList::placeRequested, this, &ResultsView::placeRequested);
  connect(m_output, &OutputView::changed, this, &ResultsView::showBadges);
  connect(m_output, &OutputView::placeRequested, this, &ResultsView::placeRequested);
  connect(m_output, &OutputView::writeRequested, this, &ResultsView::writeRequested);
}

void ResultsView::setResults(RunResultsPointer results) {
  if (results)
    setStatus(results->status, !results->ok);
  else
    setStatus(tr("Not run yet."), false);
  if (results == m_results)
    return;
  m_results = std::move(results);
  m_outdated.clear();
  std::vector<compiler::Diagnostic> findings;
  // Differences are listed beside the output's picture, with links.
  for (const compiler::Diagnostic &each :
       m_results ? m_results->findings : std::vector<compiler::Diagnostic>())
    if (each.kind != compiler::DiagnosticKind::RunMismatch)
      findings.push_back(each);
  m_findings->setFindings(std::move(findings),
                          m_results ? m_results->files : std::vector<compiler::SourceFile>());
  fillFaults();
  m_output->setResults(m_results);
  updateStamp();
  Q_EMIT resultsChanged(m_results != nullptr);
}

void ResultsView::setOutdated(const QString &reason) {
  if (reason == m_outdated)
    return;
  m_outdated = reason;
  updateStamp();
}

/// Gray and without colors is what no longer belongs to the window's text.
void ResultsView::updateStamp() {
  const bool isOutdated = !m_outdated.isEmpty();
  // While the next run is told of, it is said of the one before that it is one.
  m_outdatedNote->setVisible(isOutdated && m_results && !m_isEarlier);
  m_outdatedNote->setText(tr("Outdated: %1").arg(m_outdated));
  m_earlierNote->setText(isOutdated ? tr("The run before this one (outdated: %1):").arg(m_outdated)
                                    : tr("The run before this one:"));
  m_earlierNote->setVisible(m_isEarlier && m_results);
  m_stamp->setVisible(m_results != nullptr);
  const QString other = m_results ? m_results->stamp.other : QString();
  m_other->setHtml(QStringLiteral("<a href=\"other\">%1</a>").arg(other.toHtmlEscaped()));
  m_other->setVisible(!other.isEmpty());
  // Also of the same kernel, what was found before is not what the run under way has found.
  const bool isOfNow = !isOutdated && !m_isEarlier;
  for (QWidget *part : {static_cast<QWidget *>(m_output), static_cast<QWidget *>(m_findings),
                        static_cast<QWidget *>(m_faults), static_cast<QWidget *>(m_badges)})
    part->setEnabled(isOfNow);
  m_status->setEnabled(!isOutdated || m_isEarlier);
  if (!m_results)
    return m_stamp->clear();
  const RunStamp &stamp = m_results->stamp;
  QStringList parts;
  parts << stamp.fileName().toHtmlEscaped() << stamp.kernel.toHtmlEscaped()
        << stamp.place.toHtmlEscaped();
  if (stamp.time.isValid())
    parts << stamp.time.toString(QStringLiteral("HH:mm:ss"));
  m_stamp->setText(parts.join(QStringLiteral(" · ")));
  m_stamp->setToolTip(stamp.path);
}

void ResultsView::fillFaults() {
  QStringList links, places;
  const size_t count = m_results ? m_results->faults.size() : 0;
  for (size_t i = 0; i < std::min(count, kMostFaults); ++i) {
    const RunResults::Fault &fault = m_results->faults[i];
    const QString program =
        QString::fromStdString(compiler::programText(fault.program, m_results->grid));
    // Several faults of one line are one place to step to.
    const QString place = tr("%1, line %2").arg(program).arg(fault.range.begin.line + 1);
    if (places.contains(place))
      continue;
    places << place;
    links << QStringLiteral("<a href=\"%1\">%2</a>").arg(i).arg(place);
  }
  m_faults->setHtml(tr("Step to: %1").arg(links.join(QStringLiteral(" · "))));
  m_faults->setVisible(!links.isEmpty());
}

void ResultsView::showBadges() {
  std::vector<Fact> badges;
  if (m_results)
    badges = resultBadges(*m_results);
  if (m_output->digest() && m_output->output())
    for (Fact &each : digestBadges(*m_output->digest(), *m_output->output()))
      badges.push_back(std::move(each));
  m_badges->setVisible(!badges.empty());
  m_badges->setFacts(std::move(badges));
}

QString ResultsView::badgesText() const {
  return m_badges->isHidden() ? QString() : m_badges->text();
}

void ResultsView::setRunning(bool running) {
  m_progress->setVisible(running);
  m_progress->setRange(0, 0);
}

void ResultsView::setIsEarlier(bool isEarlier) {
  if (std::exchange(m_isEarlier, isEarlier) != isEarlier)
    updateStamp();
}

void ResultsView::setElsewhere(const QString &state) {
  m_elsewhere->setText(state);
  m_elsewhere->setVisible(!state.isEmpty());
}

QString ResultsView::elsewhereText() const {
  return m_elsewhere->isHidden() ? QString() : m_elsewhere->text();
}

void ResultsView::setFolded(bool folded) { m_body->setVisible(!folded); }

void ResultsView::setScrolledWithForm(bool isScrolled) {
  m_output->setScrolledWithOthers(isScrolled);
}

void ResultsView::setProgress(quint64 done, quint64 total) {
  m_progress->setRange(0, 1000);
  m_progress->setValue(
      total > 0 ? static_cast<int>(1000.0 * static_cast<double>(done) / static_cast<double>(total))
                : 0);
}

void ResultsView::setStatus(const QString &text, bool isError) {
  m_status->setText(text);
  const QString tone = isError ? QStringLiteral("error") : QString();
  if (m_status->property("tone").toString() != tone)
    setStyleProperty(m_status, "tone", tone);
}

bool ResultsView::isLoaded() const { return m_output->digest() != nullptr; }

TensorModel &ResultsView::tableModel() { return m_output->tableModel(); }

void ResultsView::revealElement(int64_t element) { m_output->revealElement(element); }

QString ResultsView::statusText() const { return m_status->text(); }
QString ResultsView::stampText() const {
  return (m_outdated.isEmpty() ? QString() : m_outdatedNote->text() + QStringLiteral(" · ")) +
         m_stamp->text();
}
int ResultsView::numOutputs() const {
  return m_results ? static_cast<int>(m_results->outputs.size()) : 0;
}

} // namespace tilescope::views
