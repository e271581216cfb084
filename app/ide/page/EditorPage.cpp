// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/EditorPage.h"

#include "app/ide/page/CompareDialog.h"
#include "compiler/artifacts/DocumentEnding.h"
#include "profiler/data/FileIo.h"
#include "views/common/StageSyntax.h"

#include <QApplication>
#include <QFileInfo>
#include <QLocale>
#include <QVBoxLayout>

namespace tilescope::app {

using views::FindBar;

/// A journal is rewritten when its events outweigh the page by this much.
static constexpr qsizetype kMaxEventBytes = 1 << 20;

EditorPage::EditorPage(QWidget *parent)
    : QWidget(parent), m_editor(new views::KernelEditor(this)), m_findBar(new FindBar(this)),
      m_lineBar(new views::LineBar(this)), m_notice(new NoticeBar(this)),
      m_history(new views::HistoryRecorder(m_editor)),
      m_equality(this, [this] { noteEquality(); }) {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_notice);
  layout->addWidget(m_editor, 1);
  layout->addWidget(m_findBar);
  layout->addWidget(m_lineBar);
  setFocusProxy(m_editor);
  m_editor->setHistory(m_history);
  connect(m_notice, &NoticeBar::answered, m_editor, [this] { m_editor->setFocus(); });
  connectHistory();
  connectFindBar();
}

void EditorPage::connectHistory() {
  using views::HistoryRecorder;
  connect(m_history, &HistoryRecorder::savedChanged, this, &EditorPage::titleChanged);
  connect(m_history, &HistoryRecorder::recorded, this, [this](const views::EditEvent &event) {
    m_events += eventRecord(event);
    m_equality.request();
    Q_EMIT recorded();
  });
  connect(m_history, &HistoryRecorder::restarted, this, [this] {
    m_wholeBytes = 0;
    Q_EMIT recorded();
  });
}

void EditorPage::connectFindBar() {
  connect(m_lineBar, &views::LineBar::placeRequested, this, [this](int line, int column) {
    Q_EMIT leaving();
    const std::string text = m_editor->text(line).toStdString();
    const size_t first = text.find_first_not_of(" \t");
    const bool isBlank = first == std::string::npos || text[first] == '\n' || text[first] == '\r';
    const auto start = static_cast<uint32_t>(isBlank ? 0 : first);
    m_editor->goTo(
        {static_cast<uint32_t>(line), column < 0 ? start : static_cast<uint32_t>(column)});
  });
  connect(m_lineBar, &views::LineBar::closed, m_editor, qOverload<>(&QWidget::setFocus));
  connect(m_findBar, &FindBar::findRequested, this, &EditorPage::search);
  connect(m_findBar, &FindBar::replaceRequested, this, [this] {
    const bool found =
        m_editor->replaceNext(m_findBar->pattern(), m_findBar->replacement(), m_findBar->options());
    m_findBar->setOutcome(found ? tr("replaced") : tr("no match"), found);
  });
  connect(m_findBar, &FindBar::replaceAllRequested, this, [this] {
    const int count =
        m_editor->replaceAll(m_findBar->pattern(), m_findBar->replacement(), m_findBar->options());
    m_findBar->setOutcome(tr("%1 replaced").arg(count), count > 0);
  });
  connect(m_findBar, &FindBar::closed, this, [this] {
    m_editor->markMatches({}, {});
    m_editor->setFocus();
    Q_EMIT m_editor->cursorMoved(m_editor->cursor());
  });
}

bool EditorPage::isSearching() const {
  const QWidget *focus = QApplication::focusWidget();
  return m_findBar->isVisible() && focus && m_findBar->isAncestorOf(focus);
}

QString EditorPage::untitledName() const {
  return m_untitledNumber == 1 ? tr("untitled.py") : tr("untitled-%1.py").arg(m_untitledNumber);
}

QString EditorPage::title() const {
  const QString name = path().isEmpty() ? untitledName() : QFileInfo(path()).fileName();
  if (isReadOnly())
    return tr("%1 (read-only)").arg(name);
  return m_isProtected ? tr("%1 (write-protected)").arg(name) : name;
}

/// What the editor colors the file as; nothing: as a kernel file.
static std::optional<views::TextLanguage> languageOf(const QString &path) {
  const QString suffix = QFileInfo(path).suffix();
  if (suffix == QLatin1String("mlir"))
    return views::TextLanguage::Mlir;
  const auto stage = compiler::stageOfEnding("." + suffix.toStdString());
  return stage ? std::optional(views::stageLanguage(*stage)) : std::nullopt;
}

void EditorPage::setDisk(const DiskState &disk, bool saved) {
  if (disk.path != path())
    m_editor->setStageLanguage(languageOf(disk.path));
  m_disk = disk;
  m_savedLength = saved ? m_editor->length() : -1;
  saved ? m_history->markSaved() : m_history->markUnsaved();
  m_events += diskRecord(m_disk, saved);
  Q_EMIT recorded();
  Q_EMIT titleChanged();
}

void EditorPage::noteEquality() {
  if (!isModified() || m_isInConflict || m_disk.digest.isEmpty() ||
      (m_savedLength >= 0 && m_savedLength != m_editor->length()))
    return;
  if (digestOf(encodeText(m_editor->utf8Text(), m_disk.format)) == m_disk.digest)
    setDisk(m_disk, true);
}

/// Whether it is a kernel file or a document in IR, by its name.
static bool isKernelFile(const QString &path) {
  static const QStringList kEndings{QString(), QStringLiteral("py"), QStringLiteral("pyi")};
  return kEndings.contains(QFileInfo(path).suffix()) || languageOf(path).has_value();
}

bool EditorPage::compilesByItself() const {
  return isKernelFile(path()) && !m_isPlain && whyNeverCompiled().isEmpty();
}

QString EditorPage::whyNotByItself() const {
  if (const QString why = whyNeverCompiled(); !why.isEmpty())
    return why;
  return isKernelFile(path())
             ? tr("Not compiled: press Ctrl+B.")
             : tr("Not compiled: kernel files end with .py, and this is %1. Ctrl+B compiles it all "
                  "the same.")
                   .arg(QFileInfo(path()).fileName());
}

QString EditorPage::whyNeverCompiled() const {
  if (!isUtf8())
    return tr("Not compiled: the file is not UTF-8.");
  // Its functions are compiled as parts of the kernels that call them.
  return m_isReference && path().startsWith(u'<')
             ? tr("Not compiled: this text belongs to the language, and holds no kernel.")
             : QString();
}

static bool hasLongLine(std::string_view text) {
  size_t begin = 0;
  while (text.size() - begin > kMaxLiveLineBytes) {
    const size_t end = text.find('\n', begin);
    if (std::min(end, text.size()) - begin > kMaxLiveLineBytes)
      return true;
    begin = end + 1;
  }
  return false;
}

void EditorPage::setPlain(bool plain) {
  m_isPlain = plain;
  m_editor->setPlain(plain);
}

Result<EditorPage::DiskFile> EditorPage::readDisk(const QString &path) {
  DiskFile file;
  // Before the bytes: a change in between is noticed later.
  file.stamp = fileStamp(path.toStdString());
  Result<std::string> bytes = profiler::readTextFile(path.toStdString());
  if (!bytes)
    return bytes.error();
  file.bytes = std::move(*bytes);
  file.isProtected = isWriteProtected(path.toStdString());
  return file;
}

void EditorPage::show(const QString &path, const DiskFile &file) {
  const DecodedText decoded = decodeText(file.bytes);
  m_stamp = file.stamp;
  m_isProtected = file.isProtected;
  setPlain(decoded.text.size() > kMaxLiveBytes || hasLongLine(decoded.text));
  m_editor->setStageLanguage(languageOf(path));
  m_history->begin(decoded.text);
  m_foreign = decoded.isUtf8 ? std::string() : file.bytes;
  m_editor->setReadOnly(!decoded.isUtf8);
  setDisk({path, digestOf(file.bytes), decoded.format}, true);
  if (!decoded.isUtf8)
    offerConversion();
  else if (m_isPlain)
    m_notice->present(
        tr("This file (%1), or one of its lines, is large: it is shown without colors "
           "and compiled only when you press Ctrl+B.")
            .arg(QLocale().formattedDataSize(qint64(file.bytes.size()))),
        {{NoticeBar::hideText(), {}}});
}

QString EditorPage::load(const QString &path) {
  const Result<DiskFile> file = readDisk(path);
  if (!file)
    return QString::fromStdString(file.error().message);
  show(path, *file);
  return {};
}

QString EditorPage::save(const QString &path) {
  const std::string bytes = encodeText(m_editor->utf8Text(), m_disk.format);
  const Result<FileStamp> stamp = saveFile(path.toStdString(), bytes);
  if (!stamp)
    return QString::fromStdString(stamp.error().message);
  m_stamp = *stamp;
  m_isProtected = false;
  m_isInConflict = false;
  // The button that asked for it goes with the notice.
  if (m_notice->isAncestorOf(QApplication::focusWidget()))
    m_editor->setFocus();
  m_notice->hide();
  setDisk({path, digestOf(bytes), m_disk.format}, true);
  return {};
}

void EditorPage::begin(const QString &path, const std::string &text) {
  m_editor->setStageLanguage(languageOf(path));
  m_history->begin(text);
  setDisk({path, {}, {}}, path.isEmpty());
}

void EditorPage::restore(const QString &id, const PageRecord &record) {
  m_id = id;
  setPlain(record.history.base().size() > kMaxLiveBytes || hasLongLine(record.history.base()));
  m_editor->setStageLanguage(languageOf(record.disk.path));
  m_disk = record.disk;
  m_history->replay(record.history);
  // What is known there needs no writing: the journal is as it was.
  m_events.clear();
  m_stamp = FileStamp();
  if (m_disk.digest.isEmpty())
    m_stamp.reset();
  checkDisk();
  Q_EMIT titleChanged();
}

void EditorPage::showReadOnly(const QString &path, const QString &text) {
  m_isReference = true;
  m_history->begin(text.toStdString());
  setDisk({path, {}, {}}, true);
  m_editor->setReadOnly(true);
  Q_EMIT titleChanged();
}

void EditorPage::checkDisk() {
  if (path().isEmpty() || m_isReference)
    return;
  const std::optional<FileStamp> stamp = fileStamp(path().toStdString());
  if (stamp == m_stamp)
    return;
  m_stamp = stamp;
  const Result<DiskFile> file = readDisk(path());
  if (file)
    noteTheirs(*file);
  else
    noteGone(stamp ? QString::fromStdString(file.error().message)
                   : tr("The file no longer exists on disk."));
}

void EditorPage::noteTheirs(const DiskFile &file) {
  m_stamp = file.stamp;
  if (m_isProtected != file.isProtected) {
    m_isProtected = file.isProtected;
    Q_EMIT titleChanged();
  }
  const QByteArray digest = digestOf(file.bytes);
  const bool isMine =
      !isReadOnly() && encodeText(m_editor->utf8Text(), m_disk.format) == file.bytes;
  if (digest != m_disk.digest && !isMine)
    // What was undone would be gone, too.
    return isModified() || m_editor->isRedoAvailable() ? offerChoice() : takeTheirs();
  if (m_isInConflict || digest != m_disk.digest)
    m_notice->hide();
  endComparison();
  m_isInConflict = false;
  if (isMine && (isModified() || digest != m_disk.digest))
    setDisk({path(), digest, m_disk.format}, true);
}

void EditorPage::noteGone(const QString &why) {
  if (isReadOnly())
    return;
  m_isInConflict = false;
  setDisk({path(), {}, m_disk.format}, false);
  m_notice->present(
      tr("%1 Its text is kept here.").arg(why),
      {{tr("Save it a&gain"), [this] { Q_EMIT saveRequested(); }, false}, {tr("&Not now"), {}}});
}

void EditorPage::offerChoice() {
  m_isInConflict = true;
  // What it compares is no longer what is on disk.
  endComparison();
  m_notice->present(isModified() ? tr("Another program has changed this file, and you have unsaved "
                                      "changes here.")
                                 : tr("Another program has changed this file. Taking its version "
                                      "drops the changes that you have undone here."),
                    {{tr("Keep m&ine"), [this] { keepMine(); }},
                     {tr("&Take theirs"), [this] { takeTheirs(); }},
                     {tr("Co&mpare"), [this] { compare(); }, false}});
}

void EditorPage::endComparison() {
  if (m_comparison)
    m_comparison->close();
}

void EditorPage::keepMine() {
  m_isInConflict = false;
  m_notice->hide();
  endComparison();
  const Result<DiskFile> file = readDisk(path());
  m_stamp = file ? file->stamp : std::nullopt;
  setDisk({path(), file ? digestOf(file->bytes) : QByteArray(), m_disk.format}, false);
}

void EditorPage::takeTheirs() {
  const Result<DiskFile> file = readDisk(path());
  if (!file)
    return noteGone(QString::fromStdString(file.error().message));
  m_isInConflict = false;
  m_notice->hide();
  endComparison();
  if (isReadOnly())
    return show(path(), *file);
  const DecodedText decoded = decodeText(file->bytes);
  if (!decoded.isUtf8)
    return noteGone(tr("The file on disk is no longer UTF-8 text."));
  m_stamp = file->stamp;
  m_editor->replaceText(QString::fromStdString(decoded.text));
  setDisk({path(), digestOf(file->bytes), decoded.format}, true);
}

void EditorPage::compare() {
  endComparison();
  const auto choose = [this](void (EditorPage::*choice)()) {
    return [this, choice] {
      (this->*choice)();
      m_editor->setFocus();
    };
  };
  const Result<DiskFile> file = readDisk(path());
  if (!file)
    return noteGone(QString::fromStdString(file.error().message));
  m_comparison = showComparison(this, title(), m_editor->utf8Text(), decodeText(file->bytes).text,
                                {choose(&EditorPage::keepMine), choose(&EditorPage::takeTheirs)});
  connect(m_comparison, &QDialog::finished, m_editor, [this] { m_editor->setFocus(); });
}

bool EditorPage::isDiskInTheWay() {
  const Result<DiskFile> file = readDisk(path());
  if (file && (m_isInConflict || digestOf(file->bytes) != m_disk.digest))
    noteTheirs(*file);
  return m_isInConflict;
}

std::optional<JournalWrite> EditorPage::takeJournal(bool whole) {
  const bool isPristine = m_history->history().isSaved() && m_history->history().steps().empty();
  if (m_isReference || isReadOnly() || (isPristine && m_wholeBytes == 0) ||
      (m_events.isEmpty() && m_wholeBytes > 0 && !whole))
    return std::nullopt;
  m_journalBytes += m_events.size();
  if (!whole && m_wholeBytes > 0 && m_journalBytes < m_wholeBytes + kMaxEventBytes)
    return JournalWrite{m_id, std::exchange(m_events, {}), false};
  m_events.clear();
  JournalWrite journal{m_id, wholeRecord({m_disk, m_history->history()}), true};
  m_wholeBytes = journal.bytes.size();
  m_journalBytes = 0;
  return journal;
}

void EditorPage::openGoToLine() {
  m_lineBar->open(static_cast<int>(m_editor->cursor().line), m_editor->lines());
}

void EditorPage::openFind(FindBar::Mode mode) { m_findBar->open(mode, m_editor->selectedText()); }

void EditorPage::search(bool forward, bool incremental) {
  m_editor->find(m_findBar->pattern(), m_findBar->options(), forward, incremental);
  m_findBar->setMatch(m_editor->markMatches(m_findBar->pattern(), m_findBar->options()));
}

} // namespace tilescope::app
