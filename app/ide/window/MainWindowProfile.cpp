// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Profiles of the kernel in the window: their dock, their commands, and opened ones.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/UnusedPath.h"
#include "profiler/data/FileIo.h"
#include "profiler/formats/Recording.h"
#include "views/common/MovedPlaces.h"
#include "views/common/SampleHeat.h"
#include "views/profile/ProfileView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QActionGroup>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolButton>

namespace tilescope::app {

using namespace tilescope::views;
using profiler::CounterSet;
using profiler::ProfileDocument;

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
  const bool hasSamples =
      shown && shown->profile.measurement.samples && action(QStringLiteral("heat"))->isChecked();
  SampleHeatPointer heat;
  if (hasSamples)
    heat = std::make_shared<const SampleHeat>(*shown->profile.measurement.samples,
                                              shown->profile.measurement.kernel,
                                              shown->profile.machineCode);
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

void MainWindow::createProfileActions() {
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
  menu->addSeparator();
  menu->QWidget::addActions({samples, trace});
  m_run->view()->form().setProfileMenu(menu);
  QToolButton &button = m_profiles->view()->profileButton();
  button.setMenu(menu);
  QAction *heat = m_actions.add(QStringLiteral("heat"), tr("Heat: where samples were found"),
                                QKeySequence(QStringLiteral("Ctrl+Shift+Q")), [this] {
                                  m_session.showsHeat = action(QStringLiteral("heat"))->isChecked();
                                  showHeat();
                                  scheduleSave();
                                });
  heat->setCheckable(true);
  heat->setChecked(m_session.showsHeat);
  button.setToolTip(action(QStringLiteral("profile"))->toolTip());
}

void MainWindow::profile() {
  if (m_run->isBusy())
    return statusBar()->showMessage(tr("A run is in progress: Shift+F5 stops it"), 4000);
  if (!m_compile.document() && currentPage())
    recompile();
  ViewDock *shown = dock(QStringLiteral("profile"));
  shown->show();
  shown->raise();
  m_profiles->profile();
}

void MainWindow::chooseProfile() {
  const QStringList paths = askFilesToOpen(
      {this, tr("Open profile"), folderForDialog(currentPage()),
       tr("Profiles and recordings (*.json *.html *.csv *.hatchet *.ndjson);;All files (*)")});
  for (const QString &path : paths)
    openProfile(path);
}

/// Which of the launches of a document; nothing: the user has changed their mind.
static std::optional<size_t> chooseLaunch(const std::vector<ProfileDocument> &profiles,
                                          QWidget *window) {
  if (profiles.size() == 1)
    return 0;
  QStringList names;
  for (const ProfileDocument &each : profiles)
    names << QString::fromStdString(each.launch.empty() ? each.measurement.kernel : each.launch);
  bool ok = false;
  const QString chosen = QInputDialog::getItem(
      window, MainWindow::tr("Open profile"),
      MainWindow::tr("The file has profiles of several launches:"), names, 0, false, &ok);
  return ok ? std::optional(static_cast<size_t>(names.indexOf(chosen))) : std::nullopt;
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

/// Whether a text has the form of our own measurements, be they broken, and not of another tool.
static bool isMeasurement(const std::string &text) {
  const auto recording = profiler::readRecording(text);
  return text.find("\"profile_version\"") != std::string::npos ||
         (recording && *recording && (*recording)->kind == profiler::RecordingKind::Measurement);
}

void MainWindow::openProfile(const QString &path) {
  const QString name = QFileInfo(path).fileName();
  const Result<std::string> text = profiler::readTextFile(path.toStdString());
  if (!text)
    return refuseFile(
        tr("%1 was not opened: %2").arg(name, QString::fromStdString(text.error().message)));
  Result<std::vector<ProfileDocument>> profiles = profiler::profilesFromText(*text);
  if (!profiles && !isMeasurement(*text) && openRecording(path))
    return;
  if (!profiles)
    return refuseFile(tr("%1 is %2").arg(name, QString::fromStdString(profiles.error().message)));
  const std::optional<size_t> chosen = chooseLaunch(*profiles, this);
  if (!chosen)
    return;
  ProfileDocument &profile = (*profiles)[*chosen];
  showProfiledFile(profile, QFileInfo(path).dir());
  m_profiles->show(std::move(profile), name);
  goToView(dock(QStringLiteral("profile")));
}

/// The page with the text that was profiled: one that is open, its file, there or in the profile's
/// folder, or a new one.
EditorPage *MainWindow::showProfiledFile(const ProfileDocument &profile, const QDir &folder) {
  if (profile.sourceText.empty())
    return currentPage();
  for (EditorPage *page : m_tabs->pages())
    if (page->editor().utf8Text() == profile.sourceText) {
      m_tabs->setCurrentWidget(page);
      return page;
    }
  const QString path = QString::fromStdString(profile.sourcePath);
  for (const QString &candidate : {path, folder.filePath(QFileInfo(path).fileName())}) {
    const Result<std::string> onDisk = profiler::readTextFile(candidate.toStdString());
    if (QFileInfo(candidate).isAbsolute() && onDisk && *onDisk == profile.sourceText)
      return openFile(candidate);
  }
  // A text beside the profile, in no file yet; nothing is undone beyond it.
  const QFileInfo name(path.isEmpty() ? QStringLiteral("profiled.py") : path);
  EditorPage *page = addPage();
  page->begin(unusedPath(folder, name.completeBaseName(), name.suffix(), m_tabs->pages()),
              profile.sourceText);
  return showPage(page);
}

} // namespace tilescope::app
