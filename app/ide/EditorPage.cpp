// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/EditorPage.h"

#include "app/ide/SafeFile.h"

#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilescope::app {

using views::FindBar;

EditorPage::EditorPage(QWidget *parent)
    : QWidget(parent), m_editor(new views::KernelEditor(this)), m_findBar(new FindBar(this)),
      m_notice(new QWidget(this)) {
  m_notice->setProperty("bar", true);
  m_notice->setAttribute(Qt::WA_StyledBackground);
  auto *noticeLayout = new QHBoxLayout(m_notice);
  noticeLayout->setContentsMargins(10, 4, 10, 4);
  auto *reloadButton = new QPushButton(tr("Reload"), m_notice);
  auto *keepButton = new QPushButton(tr("Keep mine"), m_notice);
  noticeLayout->addWidget(new QLabel(tr("The file was changed by another program."), m_notice), 1);
  noticeLayout->addWidget(reloadButton);
  noticeLayout->addWidget(keepButton);
  m_notice->hide();
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_notice);
  layout->addWidget(m_editor, 1);
  layout->addWidget(m_findBar);
  setFocusProxy(m_editor);
  connect(reloadButton, &QPushButton::clicked, this, &EditorPage::reload);
  connect(keepButton, &QPushButton::clicked, m_notice, &QWidget::hide);
  connect(m_editor, &QsciScintilla::modificationChanged, this, &EditorPage::titleChanged);
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
  });
}

QString EditorPage::title() const {
  const QString name = m_path.isEmpty() ? tr("untitled.py") : QFileInfo(m_path).fileName();
  return isReadOnly() ? tr("%1 (read-only)").arg(name) : name;
}

/// What the editor colours the file as; nothing: as a kernel file.
static std::optional<views::TextLanguage> languageOf(const QString &path) {
  using views::TextLanguage;
  static const std::map<QString, TextLanguage> kEndings{
      {QStringLiteral("ttir"), TextLanguage::Mlir}, {QStringLiteral("ttgir"), TextLanguage::Mlir},
      {QStringLiteral("mlir"), TextLanguage::Mlir}, {QStringLiteral("ll"), TextLanguage::Llvm},
      {QStringLiteral("llir"), TextLanguage::Llvm}, {QStringLiteral("ptx"), TextLanguage::Ptx}};
  const auto known = kEndings.find(QFileInfo(path).suffix());
  return known == kEndings.end() ? std::nullopt : std::optional(known->second);
}

void EditorPage::setPath(const QString &path) {
  m_path = path;
  m_editor->setStageLanguage(languageOf(path));
}

QString EditorPage::load(const QString &path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return tr("`%1` cannot be read: %2").arg(path, file.errorString());
  setPath(path);
  m_diskTime = QFileInfo(path).lastModified();
  m_editor->setText(QString::fromUtf8(file.readAll()));
  m_editor->setModified(false);
  Q_EMIT titleChanged();
  return {};
}

QString EditorPage::save(const QString &path) {
  const std::string text = m_editor->utf8Text();
  if (const QString error = replaceFile(path, text); !error.isEmpty())
    return tr("`%1` cannot be written: %2").arg(path, error);
  if (path != m_path)
    setPath(path);
  m_diskTime = QFileInfo(path).lastModified();
  m_notice->hide();
  m_editor->setModified(false);
  Q_EMIT titleChanged();
  return {};
}

void EditorPage::restore(const QString &path, const QString &text, const QDateTime &diskTime) {
  setPath(path);
  m_diskTime = diskTime;
  m_editor->setText(text);
  m_editor->setModified(true);
  Q_EMIT titleChanged();
}

void EditorPage::showReadOnly(const QString &path, const QString &text) {
  setPath(path);
  m_editor->setText(text);
  m_editor->setModified(false);
  m_editor->setReadOnly(true);
  Q_EMIT titleChanged();
}

void EditorPage::checkDisk() {
  if (m_path.isEmpty())
    return;
  const QFileInfo info(m_path);
  if (!info.exists() || info.lastModified() == m_diskTime)
    return;
  QFile file(m_path);
  if (file.open(QIODevice::ReadOnly) && file.readAll().toStdString() == m_editor->utf8Text()) {
    m_diskTime = info.lastModified();
    return;
  }
  if (m_editor->isModified())
    offerReload();
  else
    reload();
}

void EditorPage::offerReload() {
  m_diskTime = QFileInfo(m_path).lastModified();
  m_notice->show();
}

void EditorPage::reload() {
  m_notice->hide();
  QFile file(m_path);
  if (!file.open(QIODevice::ReadOnly))
    return;
  m_diskTime = QFileInfo(m_path).lastModified();
  m_editor->replaceText(QString::fromUtf8(file.readAll()));
  m_editor->setModified(false);
}

void EditorPage::openFind(FindBar::Mode mode) { m_findBar->open(mode, m_editor->selectedText()); }

void EditorPage::search(bool forward, bool incremental) {
  const bool found =
      m_editor->find(m_findBar->pattern(), m_findBar->options(), forward, incremental);
  const int count = m_editor->markMatches(m_findBar->pattern(), m_findBar->options());
  m_findBar->setOutcome(m_findBar->pattern().isEmpty() ? QString()
                        : found                        ? tr("%1 matches").arg(count)
                                                       : tr("no match"),
                        found);
}

} // namespace tilescope::app
