// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Profiles of the kernel in the window: their dock, their commands, and opened ones.
#include "app/ide/compile/HintController.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StatusFacts.h"
#include "compiler/artifacts/EstimateText.h"
#include "profiler/data/FileIo.h"
#include "views/common/MovedPlaces.h"
#include "views/common/SampleHeat.h"
#include "views/profile/ProfileView.h"
#include "views/run/RunView.h"
#include "views/shared/SharedView.h"
#include "views/stages/StageColumn.h"

#include <QActionGroup>
#include <QDir>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolButton>

namespace tilescope::app {

using namespace tilescope::views;
using profiler::CounterSet;

void MainWindow::createProfileDock() {
  m_profiles = new ProfileController(m_run, this);
  ProfileView *view = m_profiles->view();
  addDock(QStringLiteral("profile"), tr("Profile"), view,
          QKeySequence(QStringLiteral("Ctrl+Shift+F")), view->header());
  connect(view, &ProfileView::profileRequested, this, &MainWindow::profile);
  connect(view, &ProfileView::openRequested, this, &MainWindow::chooseProfile);
  connect(view, &PictureView::placeShown, this, &MainWindow::showProfiledPlace);
  connect(&m_run->view()->form(), &RunFormView::profileRequested, this, &MainWindow::profile);
  connect(m_profiles, &ProfileController::shownChanged, this, &MainWindow::showHeat);
  // What a launch should take: the worker works it out with the hints, when the user pauses.
  connect(m_hints, &HintController::changed, this, [this] {
    const RunDocument &now = m_run->history().document();
    m_shared->setLaunchFacts(m_hints->facts(now.text));
    const compiler::Estimate *estimate = m_hints->estimate(now.text);
    if (!estimate)
      return;
    m_status->showEstimate(*estimate);
    m_profiles->setPrediction(QString::fromStdString(estimateHeadline(*estimate)), now.text,
                              now.kernel);
  });
  connect(&m_compile, &CompileController::choiceChanged, m_profiles,
          [this] { m_profiles->setPrediction({}, {}, {}); });
}

/// A place of the text that was profiled, which edits may have moved.
void MainWindow::showProfiledPlace(const SourceRange &range) {
  const ProfileContentPointer shown = m_profiles->shown();
  if (!shown || !editor())
    return;
  const std::string &before = shown->profile.sourceText;
  std::optional<Position> now;
  if (!before.empty())
    now = MovedPlaces(before, editor()->utf8Text()).moved(range.begin);
  else if (!m_profiles->isOutdated())
    now = range.begin;
  if (now)
    editor()->goTo(*now);
  else
    statusBar()->showMessage(
        tr("The profile is of an earlier text, and this line of it is no longer there"), 4000);
}

/// Lines of the text that was profiled, where they are in another one.
static std::map<uint32_t, LineHeat> movedHeat(const std::map<uint32_t, LineHeat> &lines,
                                              const std::string &before, const std::string &after) {
  if (before.empty() || before == after)
    return lines;
  const MovedPlaces places(before, after);
  std::map<uint32_t, LineHeat> moved;
  for (const auto &[line, heat] : lines)
    if (const std::optional<uint32_t> now = places.unchangedLine(line))
      moved[*now] = heat;
  return moved;
}

void MainWindow::showHeat() {
  const ProfileContentPointer shown = m_profiles->shown();
  SampleHeatPointer heat;
  if (shown && action(QStringLiteral("heat"))->isChecked()) {
    const profiler::Measurement &measurement = shown->profile.measurement;
    if (measurement.samples || measurement.executions)
      heat = std::make_shared<const SampleHeat>(
          measurement.samples.value_or(profiler::SampleData()), measurement.kernel,
          shown->profile.machineCode, measurement.executions);
  }
  if (KernelEditor *edited = editor()) {
    // Its lines move along with the text.
    const void *which = heat ? shown.get() : nullptr;
    if (!m_profiles->isOutdated() || edited->property("heatOf").value<void *>() != which) {
      edited->setProperty("heatOf", QVariant::fromValue(const_cast<void *>(which)));
      edited->setHeat(
          heat ? movedHeat(documentHeat(*heat), shown->profile.sourceText, edited->utf8Text())
               : std::map<uint32_t, LineHeat>(),
          heat ? mappedWords(*heat) : QString());
    }
    edited->setHeatOutdated(m_profiles->isOutdated());
  }
  for (auto &[stage, column] : m_columns->all())
    column->setHeat(m_profiles->isOutdated() ? nullptr : heat);
}

/// What the switch of heat has done, also where nothing can be seen of it.
void MainWindow::tellHeat() {
  const ProfileContentPointer shown = m_profiles->shown();
  const QString keys = action(QStringLiteral("heat"))->shortcut().toString();
  const QString said =
      !m_session.showsHeat ? tr("Heat is off for all profiles: %1 shows it again").arg(keys)
      : !shown             ? tr("Heat is on: lines will have it where a profile has samples")
      : !shown->profile.measurement.samples
          ? tr("Heat is on, and this profile has no samples to show")
      : m_profiles->isOutdated() ? tr("Heat is on; the profile is outdated, so stages show none")
                                 : tr("Heat is on: lines show their share of the samples");
  statusBar()->showMessage(said, 8000);
}

void MainWindow::createProfileActions() {
  m_actions.add(QStringLiteral("connectGpu"), tr("Connect a GPU over ssh…"), {},
                [this] { m_run->askForHost(); });
  m_actions.add(QStringLiteral("profile"), tr("Profile on a GPU"),
                QKeySequence(QStringLiteral("Alt+F5")), [this] { profile(); });
  auto *sets = new QActionGroup(this);
  auto *menu = new QMenu(this);
  const std::tuple<const char *, QString, CounterSet> choices[] = {
      {"profileQuick", tr("Profile with the quick counters (2 launches)"), CounterSet::Quick},
      {"profileFull", tr("Profile with all counters (some twenty launches)"), CounterSet::Full},
      {"profileTimes", tr("Profile without counters"), CounterSet::None}};
  for (const auto &[id, text, set] : choices) {
    QAction *choice = m_actions.add(QString::fromLatin1(id), text, {}, [this, set = set] {
      profiler::ProfileWishes wishes = m_profiles->wishes();
      wishes.counters = set;
      m_profiles->setWishes(wishes);
    });
    choice->setCheckable(true);
    choice->setChecked(set == m_profiles->wishes().counters);
    sets->addAction(choice);
    menu->QWidget::addAction(choice);
  }
  QAction *samples = m_actions.add(QStringLiteral("profileSamples"),
                                   tr("Profile with samples: which lines are hot"), {}, [this] {
                                     profiler::ProfileWishes wishes = m_profiles->wishes();
                                     wishes.samples =
                                         action(QStringLiteral("profileSamples"))->isChecked();
                                     m_profiles->setWishes(wishes);
                                   });
  samples->setCheckable(true);
  samples->setChecked(m_profiles->wishes().samples);
  QAction *trace = m_actions.add(
      QStringLiteral("profileTrace"), tr("Profile with a trace: what warps do when"), {}, [this] {
        profiler::ProfileWishes wishes = m_profiles->wishes();
        wishes.trace = action(QStringLiteral("profileTrace"))->isChecked();
        m_profiles->setWishes(wishes);
      });
  trace->setCheckable(true);
  trace->setChecked(m_profiles->wishes().trace);
  QAction *executions =
      m_actions.add(QStringLiteral("profileExecutions"),
                    tr("Profile with executions: what each instruction did"), {}, [this] {
                      profiler::ProfileWishes wishes = m_profiles->wishes();
                      wishes.executions = action(QStringLiteral("profileExecutions"))->isChecked();
                      m_profiles->setWishes(wishes);
                    });
  executions->setCheckable(true);
  executions->setChecked(m_profiles->wishes().executions);
  menu->addSeparator();
  menu->QWidget::addActions({samples, executions, trace});
  m_run->view()->form().setProfileMenu(menu);
  QToolButton &button = m_profiles->view()->profileButton();
  button.setMenu(menu);
  QAction *heat = m_actions.add(QStringLiteral("heat"), tr("Heat: where samples were found"),
                                QKeySequence(QStringLiteral("Ctrl+Shift+Q")), [this] {
                                  m_session.showsHeat = action(QStringLiteral("heat"))->isChecked();
                                  showHeat();
                                  tellHeat();
                                  scheduleSave();
                                });
  heat->setCheckable(true);
  heat->setChecked(m_session.showsHeat);
  heat->setIconText(tr("Heat"));
  m_profiles->view()->heatButton().setDefaultAction(heat);
  button.setToolTip(action(QStringLiteral("profile"))->toolTip());
}

void MainWindow::profile() {
  if (m_run->isBusy())
    return statusBar()->showMessage(m_run->busyText(), 4000);
  if (!m_compile.document() && currentPage())
    recompile();
  ViewDock *shown = dock(QStringLiteral("profile"));
  shown->show();
  shown->raise();
  m_profiles->profile();
}

void MainWindow::chooseProfile() {
  const QStringList paths =
      askFilesToOpen({this, tr("Open profile"), folderForDialog(currentPage()),
                      tr("Profiles and recordings (*.json *.html *.csv *.ncu-rep *.hatchet "
                         "*.ndjson);;All files (*)")});
  for (const QString &path : paths)
    openProfile(path);
}

void MainWindow::saveProfile() {
  const ProfileContentPointer shown = m_profiles->shown();
  if (!shown)
    return statusBar()->showMessage(tr("There is no profile to save"), 4000);
  const QString path =
      askFileToSave({this, tr("Save profile"),
                     QDir(folderForDialog(currentPage()))
                         .filePath(QString::fromStdString(shown->profile.measurement.kernel) +
                                   QStringLiteral("-profile.json")),
                     tr("Profiles (*.json)"), QStringLiteral("json")});
  if (path.isEmpty())
    return;
  if (Status status = profiler::writeFile(path.toStdString(), profileToText(shown->profile));
      !status)
    QMessageBox::warning(this, tr("Save profile"), QString::fromStdString(status.error().message));
  else
    statusBar()->showMessage(
        tr("The profile was written to %1").arg(QDir::toNativeSeparators(path)), 8000);
}

} // namespace tilescope::app
