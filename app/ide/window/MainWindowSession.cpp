// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The session of the window: what is kept while it is used, and what comes back at the next start.
#include "app/ide/docks/Arrangement.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/WindowPlacement.h"
#include "app/ide/model/ModelController.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/step/StepController.h"
#include "app/ide/window/LoadFile.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/Presentation.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StartPage.h"
#include "views/common/CodeFamily.h"
#include "views/common/Theme.h"
#include "views/help/GuideView.h"

#include <QCheckBox>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QTimer>

#include <algorithm>

namespace tilescope::app {

static constexpr QSize kUsualWindow{1600, 960};
static constexpr double kScreenShare = 0.84;
/// Stated, so that large text does not make the window outgrow its screen.
static constexpr QSize kSmallestWindow{480, 320};

void MainWindow::restoreAppearance() {
  views::setFontZoom(m_session.fontZoom);
  views::setCodeFamily(m_session.codeFamily);
  setMinimumSize(kSmallestWindow);
  // On a large screen, most of it.
  resize(sizeOnScreen(*this, kUsualWindow.expandedTo(screen()->availableSize() * kScreenShare)));
  if (!m_session.geometry.isEmpty())
    restoreGeometry(m_session.geometry);
  keepOnScreen(*this);
}

void MainWindow::createSession() {
  if (m_options.session) {
    SessionStore::Loaded loaded = m_options.session->load();
    m_session = std::move(loaded.session);
    m_records = std::move(loaded.pages);
    m_sessionNotes = std::move(loaded.notes);
  }
  m_keeper = new SessionKeeper(
      m_options.session, [this](SessionKeeper::Part part) { return collectSession(part); }, this);
  connect(m_keeper, &SessionKeeper::troubleChanged, this, [this](const QString &reason) {
    if (reason.isEmpty())
      m_trouble->hide();
    else
      m_trouble->present(
          tr("Unsaved changes cannot be kept for the next start: %1. Until they can, "
             "they exist only in this window.")
              .arg(reason),
          {});
  });
}

Session MainWindow::session() const {
  Session session = m_session;
  session.files.clear();
  for (EditorPage *page : m_tabs->pages()) {
    if (page->isReference())
      continue;
    const Position cursor = page->editor().cursor();
    const ProfileOrigin profile = m_profiles->origin(page).value_or(ProfileOrigin());
    const ModelOrigin model = m_models->origin(page).value_or(ModelOrigin());
    session.files.push_back(
        {page->id(), page->path(), static_cast<int>(cursor.line), static_cast<int>(cursor.column),
         static_cast<int>(page->editor().firstLine()), false, m_compile.choice(page),
         page->editor().breakpoints(), m_steps->stageBreakpoints(page), profile.path,
         profile.kernel, model.path, model.extents.value_or(ModelExtents()), model.fusions,
         m_run->guesses().of(page), m_run->history().lastRun(page),
         page->path().isEmpty() ? page->untitledNumber() : 0});
  }
  m_tabs->awaited().addTo(session.files);
  session.files.insert(session.files.end(), m_heldBack.begin(), m_heldBack.end());
  session.current = currentPage() ? currentPage()->id() : QString();
  session.geometry = saveGeometry();
  if (m_arranged) {
    session.workspace = QString::fromLatin1(workspaceKind(m_docks->workspace()).name);
    session.arrangements = m_docks->arrangements();
    session.rooms = m_docks->rooms();
  }
  session.windowSize = size();
  if (m_presentation)
    m_presentation->keepPlacement(session);
  session.columns = m_columns->extraIds();
  session.columnChoices = m_columns->choices();
  return session;
}

SessionBatch MainWindow::collectSession(SessionKeeper::Part part) {
  SessionBatch batch;
  if (part != SessionKeeper::Part::Texts)
    batch = {toJson(session()), {}, m_closedIds};
  for (EditorPage *page : m_tabs->pages())
    if (std::optional<JournalWrite> journal = page->takeJournal(part == SessionKeeper::Part::Whole))
      batch.journals.push_back(std::move(*journal));
  return batch;
}

void MainWindow::markBusy(const QString &id) {
  if (!m_options.session)
    return;
  m_options.session->mark().begin(id);
  QTimer::singleShot(0, this, [this] { m_options.session->mark().end(); });
}

/// Texts without a file come back in another order than they were made in, and keep their names.
static void keepUntitledNumber(EditorPage &page, int number,
                               const std::vector<EditorPage *> &open) {
  const bool isTaken = std::ranges::any_of(open, [&](const EditorPage *other) {
    return other->path().isEmpty() && other->untitledNumber() == number;
  });
  if (number > 0 && !isTaken)
    page.setUntitledNumber(number);
}

EditorPage *MainWindow::restoreFile(const SessionFile &file, int index) {
  const auto record = m_records.find(file.id);
  if (record == m_records.end() && !QFileInfo::exists(file.path))
    return nullptr;
  EditorPage *page = addPage();
  markBusy(file.id);
  if (record != m_records.end()) {
    page->restore(file.id, record->second);
    m_records.erase(record);
  } else if (const QString error = loadFile(*page, file.path); !error.isEmpty()) {
    delete page;
    refuseFile(error);
    return nullptr;
  }
  keepUntitledNumber(*page, file.untitledNumber, m_tabs->pages());
  page->editor().restorePlace(
      {static_cast<uint32_t>(file.line), static_cast<uint32_t>(file.column)},
      file.firstLine < 0 ? std::nullopt : std::optional(static_cast<uint32_t>(file.firstLine)));
  // The chosen kernel, which need not be the one at the cursor.
  if (file.choice != KernelChoice())
    m_compile.prepareChoice(page, file.choice, page->editor().cursor());
  m_tabs->insert(page, index);
  page->editor().setBreakpoints(file.breakpoints);
  m_steps->setStageBreakpoints(page, file.stageBreakpoints);
  m_run->guesses().restore(page, file.guessedBlocks);
  m_run->history().restoreLastRun(page, file.lastRun);
  if (!file.profile.isEmpty())
    restoreProfile(page, {file.profile, file.profileKernel});
  if (!file.model.isEmpty())
    m_models->open(page,
                   {file.model,
                    file.modelExtents.empty() ? std::nullopt : std::optional(file.modelExtents),
                    file.modelFusions});
  return page;
}

/// What a tab is called: with its folder, where another one of these has the same name.
static QString titleAmong(const std::vector<QString> &paths, const QString &path) {
  const auto isNamesake = [name = QFileInfo(path).fileName()](const QString &each) {
    return QFileInfo(each).fileName() == name;
  };
  const QFileInfo file(path);
  return std::ranges::count_if(paths, isNamesake) < 2
             ? file.fileName()
             : QStringLiteral("%1 – %2").arg(file.fileName(), file.dir().dirName());
}

/// After a kill or a crash: what of it comes back.
static QString recoveryNote(const std::vector<SessionFile> &files,
                            const std::map<QString, PageRecord> &records) {
  std::vector<QString> paths;
  for (const SessionFile &file : files)
    paths.push_back(file.path);
  QStringList unsaved;
  qsizetype numUntitled = 0;
  for (const SessionFile &file : files)
    if (const auto record = records.find(file.id);
        record != records.end() && !record->second.history.isSaved())
      file.path.isEmpty() ? void(++numUntitled) : void(unsaved << titleAmong(paths, file.path));
  if (numUntitled > 0)
    unsaved << (numUntitled == 1 ? MainWindow::tr("1 untitled file")
                                 : MainWindow::tr("%1 untitled files").arg(numUntitled));
  return unsaved.isEmpty()
             ? QString()
             : MainWindow::tr("Tilescope ended unexpectedly. Unsaved text was restored (%1).")
                   .arg(unsaved.join(QStringLiteral(", ")));
}

bool MainWindow::restoreSession() {
  const bool hasFiles = beginSession();
  m_tabs->awaited().finish();
  return hasFiles;
}

bool MainWindow::beginSession() {
  std::vector<SessionFile> files;
  for (const SessionFile &file : m_session.files)
    (file.isHeldBack ? m_heldBack : files).push_back(file);
  for (const SessionFile &file : files)
    if (!m_records.contains(file.id) && !file.path.isEmpty() && !QFileInfo::exists(file.path))
      m_sessionNotes << tr("`%1` no longer exists on disk").arg(file.path);
  const bool wasInterrupted = m_options.session && m_options.session->mark().wasInterrupted();
  if (const QString note = wasInterrupted ? recoveryNote(files, m_records) : QString();
      !note.isEmpty())
    m_sessionNotes.prepend(note);
  offerKeptTexts(m_sessionNotes);
  connect(
      &m_tabs->awaited(), &AwaitedTabs::over, this,
      [this, told = m_sessionNotes] {
        if (const QStringList notes = std::exchange(m_sessionNotes, {}); notes != told)
          offerKeptTexts(notes);
      },
      Qt::SingleShotConnection);
  m_tabs->awaited().begin(
      std::move(files), QString(m_session.current),
      [this](const SessionFile &file, int index) { return restoreFile(file, index); });
  if (m_tabs->count() == 0)
    m_startPage->takeFocus();
  else
    editor()->setFocus();
  return m_tabs->count() > 0;
}

void MainWindow::endRestoring() {
  updateTitles();
  passOpenTexts();
  scheduleSave();
}

static QString nameOf(const QString &path) {
  return path.isEmpty() ? MainWindow::tr("an untitled file") : QFileInfo(path).fileName();
}

void MainWindow::adoptTexts() {
  m_tabs->awaited().finish();
  for (const AbandonedTexts &texts : std::exchange(m_options.abandoned, {})) {
    for (const auto &[id, record] : texts.pages) {
      // It came here before, and its own session could not be told.
      if (std::ranges::any_of(m_tabs->pages(), [&](EditorPage *page) { return page->id() == id; }))
        continue;
      EditorPage *page = addPage();
      markBusy(id);
      page->restore(id, record);
      showPage(page);
    }
    // Until they are kept here, they stay there.
    if (m_keeper->writeNow().isEmpty())
      forgetTexts(texts);
  }
}

void MainWindow::offerKeptTexts(const QStringList &notes) {
  QStringList names, others, lines = notes;
  for (const SessionFile &file : m_heldBack)
    names << nameOf(file.path);
  for (const AbandonedTexts &texts : m_options.abandoned)
    for (const auto &[id, page] : texts.pages)
      others << nameOf(page.disk.path);
  if (!names.isEmpty())
    lines << tr("Tilescope ended while working on %1. It was not reopened; its text is kept.")
                 .arg(names.join(QStringLiteral(", ")));
  if (!others.isEmpty())
    lines << tr("Another window ended with unsaved changes: %1.")
                 .arg(others.join(QStringLiteral(", ")));
  if (lines.isEmpty())
    return;
  std::vector<NoticeBar::Choice> choices;
  if (!others.isEmpty())
    choices.push_back({tr("Open the &changes here"), [this, notes] {
                         adoptTexts();
                         // There may be more to choose.
                         offerKeptTexts(notes);
                       }});
  if (!names.isEmpty())
    choices.push_back({tr("&Open it"), [this] {
                         for (const SessionFile &file : std::exchange(m_heldBack, {}))
                           if (EditorPage *page = restoreFile(file, m_tabs->count()))
                             m_tabs->setCurrentWidget(page);
                         endRestoring();
                         offerKeptTexts({});
                       }});
  choices.push_back(
      {names.isEmpty() && others.isEmpty() ? NoticeBar::hideText() : tr("&Not now"), [this] {
         // Text that is on disk needs no place in the session.
         std::erase_if(m_heldBack,
                       [this](const SessionFile &file) { return !m_records.contains(file.id); });
         scheduleSave();
       }});
  m_notice->present(lines.join(u'\n'), std::move(choices));
}

bool MainWindow::askAboutUnsaved() {
  for (EditorPage *page : m_tabs->pages()) {
    if (!page->isModified())
      continue;
    m_tabs->setCurrentWidget(page);
    if (!closePage(m_tabs->indexOf(page)))
      return false;
  }
  return true;
}

/// Whoever knows it can have it left out. Returns whether to close.
bool MainWindow::tellWhatIsKept() {
  const auto numUnsaved = std::ranges::count_if(m_tabs->pages(), &EditorPage::isModified);
  if (!m_options.saysWhatIsKept || m_session.knowsTextsAreKept || numUnsaved == 0)
    return true;
  QMessageBox box(QMessageBox::Information, tr("Quit"),
                  numUnsaved == 1 ? tr("One file has changes that are not saved.")
                                  : tr("%1 files have changes that are not saved.").arg(numUnsaved),
                  QMessageBox::Ok | QMessageBox::Cancel, this);
  box.setInformativeText(tr("They are kept, and are there again at the next start."));
  box.button(QMessageBox::Ok)->setText(tr("&Quit"));
  box.button(QMessageBox::Cancel)->setText(tr("&Cancel"));
  box.setDefaultButton(QMessageBox::Ok);
  auto *known = new QCheckBox(tr("&Do not say this again"), &box);
  box.setCheckBox(known);
  if (box.exec() != QMessageBox::Ok)
    return false;
  m_session.knowsTextsAreKept = known->isChecked();
  return true;
}

void MainWindow::closeEvent(QCloseEvent *event) {
  noteGuide();
  m_tabs->awaited().finish();
  // The session keeps what is not saved, so closing does not ask. Where it cannot, closing would
  // lose it.
  const bool isKept = m_keeper->isKeeping() && m_keeper->writeNow().isEmpty();
  if (isKept ? !tellWhatIsKept() : !askAboutUnsaved())
    return event->ignore();
  // With what was chosen there.
  if (isKept)
    m_keeper->writeNow();
  // A window of its own, which would keep the program from ending.
  if (auto *guide = findChild<views::GuideView *>({}, Qt::FindDirectChildrenOnly))
    guide->hide();
  QMainWindow::closeEvent(event);
}

} // namespace tilescope::app
