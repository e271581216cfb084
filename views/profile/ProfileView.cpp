// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/ProfileView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/profile/ProfileCanvas.h"

#include <QEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>

namespace tilescope::views {

ProfileView::ProfileView(QWidget *parent)
    : PictureView(parent), m_title(new ElidedLabel(this)), m_ladder(new ElidedLabel(this)),
      m_progress(new ElidedLabel(this)), m_index(new QTabBar(this)),
      m_profile(new QToolButton(this)), m_heat(new QToolButton(this)),
      m_canvas(new ProfileCanvas(this)) {
  createWidgets();
  setParts(createBar(m_index, {m_heat, m_profile}), createHeader({m_title, m_progress, m_ladder}),
           m_canvas);
  auto *profile = new QPushButton(tr("Profile"), this);
  auto *open = new QPushButton(tr("Open profile…"), this);
  offerInEmpty({profile, open});
  connect(profile, &QPushButton::clicked, this, &ProfileView::profileRequested);
  connect(open, &QPushButton::clicked, this, &ProfileView::openRequested);
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("Nothing has been profiled yet."));
}

void ProfileView::createWidgets() {
  m_index->setAccessibleName(tr("Parts of the profile"));
  m_index->setDrawBase(false);
  m_index->setExpanding(false);
  m_index->setUsesScrollButtons(true);
  m_index->setElideMode(Qt::ElideNone);
  for (int part = 0; part < kNumProfileParts; ++part)
    m_index->addTab(profilePartTitle(static_cast<ProfilePart>(part)));
  m_profile->setText(tr("Profile"));
  m_profile->setAccessibleName(tr("Profile"));
  m_profile->setPopupMode(QToolButton::MenuButtonPopup);
  m_ladder->setWordWrap(true);
  m_ladder->setTextFormat(Qt::PlainText);
  m_ladder->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_ladder->setAccessibleName(tr("What the profile consists of"));
  m_progress->setWordWrap(true);
}

void ProfileView::connectState() {
  connect(m_index, &QTabBar::tabBarClicked, this, [this](int part) {
    // The same one again, after scrolling.
    if (part >= 0)
      m_canvas->showSection(static_cast<size_t>(part));
  });
  connect(m_index, &QTabBar::currentChanged, this,
          [this](int part) { m_canvas->showSection(static_cast<size_t>(part)); });
  connect(m_canvas, &ProfileCanvas::sectionShown, this, [this](int part) {
    const QSignalBlocker blocker(m_index);
    m_index->setCurrentIndex(part);
  });
  connect(m_canvas, &PictureCanvas::placeHovered, this, &ProfileView::pointAt);
  connect(m_canvas, &PictureCanvas::placePinned, this, &ProfileView::pin);
  connect(m_profile, &QToolButton::clicked, this, &ProfileView::profileRequested);
}

void ProfileView::setContent(ProfileContentPointer content) {
  if (content == m_content)
    return;
  m_content = std::move(content);
  m_failure.clear();
  m_title->setText(profileTitle(*m_content));
  updateLadder();
  m_canvas->setSections(profileSections(m_content->profile));
  setOutdated({});
  setInfo({}, {m_canvas});
  showContent();
  updateProgress();
}

void ProfileView::clear(const QString &why, bool) {
  // It is said again at every key.
  if (!m_content && why == m_whyEmpty)
    return;
  m_content.reset();
  m_whyEmpty = why;
  m_canvas->setOutdated(false);
  m_canvas->setSections({});
  updateProgress();
}

void ProfileView::setOutdated(const QString &reason) {
  m_canvas->setOutdated(!reason.isEmpty());
  setStaleNote(reason.isEmpty() ? QString() : tr("Outdated: %1").arg(reason));
}

void ProfileView::setProgress(const QString &state) {
  m_state = state;
  updateProgress();
}

void ProfileView::setFailure(const QString &failure) {
  m_failure = failure;
  updateProgress();
}

/// Above the profile before, or in the place of one.
void ProfileView::updateProgress() {
  const bool isFailure = m_state.isEmpty() && !m_failure.isEmpty();
  const QString said = isFailure ? m_failure : m_state;
  m_progress->setText(said);
  m_progress->setHidden(said.isEmpty());
  // In a low view they would share a line.
  m_ladder->setVisible(said.isEmpty() || m_ladder->wordWrap());
  const QString tone = isFailure ? QStringLiteral("error") : QString();
  if (m_progress->property("tone").toString() != tone)
    setStyleProperty(m_progress, "tone", tone);
  if (!m_content)
    showNothing(said.isEmpty() ? m_whyEmpty : said, false);
}

/// In a low view it is one line of facts.
void ProfileView::updateLadder() {
  if (m_content)
    m_ladder->setText(
        quotedCode(ladderLines(m_content->profile.measurement)
                       .join(m_ladder->wordWrap() ? QStringLiteral("\n") : QStringLiteral(" · "))));
}

void ProfileView::resizeEvent(QResizeEvent *event) {
  PictureView::resizeEvent(event);
  updateLadder();
  m_ladder->setVisible(m_progress->isHidden() || m_ladder->wordWrap());
}

void ProfileView::pointAt(int place) {
  m_canvas->setHighlighted(place);
  const ProfilePage &page = m_canvas->page();
  const bool isPlace = m_content && place >= 0 && place < static_cast<int>(page.places.size());
  if (!isPlace)
    return setInfo({}, {m_canvas});
  const ProfilePage::Place &at = page.places[static_cast<size_t>(place)];
  setInfo(placeWords(m_canvas->sections()[at.section], at), {m_canvas});
}

/// A click or Enter on a line goes to it.
void ProfileView::pin(int place) {
  pointAt(place);
  const ProfilePage &page = m_canvas->page();
  if (!m_content || place < 0 || place >= static_cast<int>(page.places.size()))
    return;
  const ProfilePage::Place &at = page.places[static_cast<size_t>(place)];
  if (at.kind != ProfilePage::Kind::Row)
    return;
  if (const auto line = m_canvas->sections()[at.section].rows[at.index].line)
    Q_EMIT placeShown(SourceRange{{*line, 0}, {*line, 0}, 0});
}

QString ProfileView::titleText() const { return m_title->text(); }
QString ProfileView::ladderText() const { return m_ladder->text(); }
QString ProfileView::progressText() const { return m_progress->text(); }
QString ProfileView::emptyText() const {
  return m_content                                  ? QString()
         : m_state.isEmpty() && m_failure.isEmpty() ? m_whyEmpty
                                                    : m_progress->text();
}

ExportedPicture ProfileView::exported() const {
  QStringList lines{titleText()};
  lines << ladderLines(m_content->profile.measurement);
  return {lines, m_canvas->heightFor(kExportWidth),
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

void ProfileView::changeEvent(QEvent *event) {
  PictureView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    m_canvas->viewport()->update();
}

} // namespace tilescope::views
