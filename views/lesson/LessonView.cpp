// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/lesson/LessonView.h"

#include "views/common/ElidedComboBox.h"
#include "views/common/FlowLayout.h"
#include "views/common/Theme.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/QuestionPanel.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFragment>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

/// Of the list of lessons, at once: all, as far as the screen has room.
static constexpr int kListedLessons = 40;
static constexpr int kInsetPx = 10;
/// Of the text, while the goals below it need more room than there is.
static constexpr int kTextLines = 6;

LessonView::LessonView(QWidget *parent)
    : QWidget(parent), m_notice(new QLabel(this)), m_page(new QTextBrowser(this)),
      m_goals(new GoalList(this)), m_questions(new QuestionPanel(this)),
      m_summary(new QLabel(this)), m_hint(new QPushButton(this)),
      m_startOver(new QPushButton(tr("Start over"), this)),
      m_solution(new QPushButton(tr("Show a solution"), this)) {
  createHeader();
  m_page->setAccessibleName(tr("Text of the lesson"));
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setOpenLinks(false);
  m_notice->setTextFormat(Qt::PlainText);
  m_notice->setMargin(scaledPx(kInsetPx));
  for (QLabel *each : {m_notice, m_summary}) {
    each->setProperty("muted", true);
    each->setWordWrap(true);
  }
  m_startOver->setToolTip(tr("Puts the text that the lesson begins with into the editor; undo "
                             "brings yours back"));
  m_solution->setToolTip(tr("Opens a kernel that meets all goals, to read"));
  m_buttons = new FlowLayout;
  for (QPushButton *each : {m_hint, m_startOver, m_solution}) {
    // Enter presses it, as Space does.
    each->setAutoDefault(true);
    m_buttons->addWidget(each);
  }
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 4);
  column->addWidget(m_notice);
  column->addWidget(m_page, 1);
  column->addWidget(m_goals);
  column->addWidget(m_summary);
  column->addWidget(m_questions);
  column->addLayout(m_buttons);
  connect(m_page, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
    if (link.scheme() == QStringLiteral("tilescope"))
      Q_EMIT viewRequested(link.path());
  });
  connect(m_goals, &QListWidget::itemActivated, this,
          [this](QListWidgetItem *item) { Q_EMIT goalActivated(m_goals->row(item)); });
  connect(m_hint, &QPushButton::clicked, this, &LessonView::showNextHint);
  connect(m_startOver, &QPushButton::clicked, this, [this] {
    closeHints();
    Q_EMIT startOverRequested();
  });
  connect(m_solution, &QPushButton::clicked, this, &LessonView::solutionRequested);
  setNotice({});
  setEmpty({});
}

void LessonView::createHeader() {
  m_header = new QWidget(this);
  m_lessons = new ElidedComboBox(m_header);
  m_lessons->setAccessibleName(tr("Lesson"));
  m_lessons->setMaxVisibleItems(kListedLessons);
  m_lessons->setToolTip(tr("All lessons; those with a mark are solved"));
  const auto step = [this](const QString &icon, const QString &tip, int by) {
    auto *button = new QToolButton(m_header);
    button->setText(icon);
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    connect(button, &QToolButton::clicked, this,
            [this, by] { Q_EMIT lessonRequested(positionAt(m_lessons->currentIndex()) + by); });
    return button;
  };
  m_previous = step(QStringLiteral("‹"), tr("Previous lesson"), -1);
  m_next = step(QStringLiteral("›"), tr("Next lesson"), 1);
  auto *row = new QHBoxLayout(m_header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  row->addWidget(m_previous);
  row->addWidget(m_lessons, 1);
  row->addWidget(m_next);
  connect(m_lessons, &QComboBox::activated, this,
          [this](int row) { Q_EMIT lessonRequested(positionAt(row)); });
}

int LessonView::positionAt(int row) const {
  const QVariant position = row < 0 ? QVariant() : m_lessons->itemData(row);
  return position.isValid() ? position.toInt() : -1;
}

/// A row that is read, and not chosen.
static void addHeading(QComboBox &list, const QString &title) {
  list.addItem(title);
  QFont font;
  font.setBold(true);
  list.setItemData(list.count() - 1, font, Qt::FontRole);
  if (auto *rows = qobject_cast<QStandardItemModel *>(list.model()))
    rows->item(list.count() - 1)->setEnabled(false);
}

void LessonView::setLessons(const std::vector<LessonEntry> &lessons, int shown) {
  const QSignalBlocker quiet(m_lessons);
  m_lessons->clear();
  for (size_t i = 0; i < lessons.size(); ++i) {
    const LessonEntry &each = lessons[i];
    if (!each.chapter.isEmpty() && (i == 0 || each.chapter != lessons[i - 1].chapter))
      addHeading(*m_lessons, each.chapter);
    // Letters that are typed are looked for at the beginning.
    m_lessons->addItem(each.title + (each.isSolved ? QStringLiteral(" ✓") : QString()),
                       static_cast<int>(i));
  }
  // The list may be wider than its box: titles differ at their ends.
  m_lessons->view()->setMinimumWidth(
      m_lessons->view()->sizeHintForColumn(0) +
      m_lessons->view()->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
  m_numLessons = static_cast<int>(lessons.size());
  m_lessons->setCurrentIndex(shown < 0 ? -1 : m_lessons->findData(shown));
  updateButtons();
}

/// The lesson may have fewer than it had.
void LessonView::takeOpenHints(const std::vector<int> &open) {
  std::vector<int> there;
  std::ranges::copy_if(open, std::back_inserter(there),
                       [&](int each) { return each >= 0 && each < m_lesson.hints.size(); });
  m_openHints = std::move(there);
}

void LessonView::setLesson(const LessonContent &lesson) {
  m_lesson = lesson;
  m_hasLesson = true;
  m_live.clear();
  takeOpenHints(lesson.openHints);
  showPage();
  m_page->moveCursor(QTextCursor::Start);
  updateButtons();
}

void LessonView::refreshLesson(const LessonContent &lesson) {
  m_lesson = lesson;
  takeOpenHints(m_openHints);
  showPage();
  updateButtons();
}

void LessonView::setNotice(const QString &words) {
  m_notice->setText(words);
  m_notice->setVisible(!words.isEmpty());
}

QString LessonView::notice() const { return m_notice->text(); }

void LessonView::setEmpty(const QString &words) {
  m_lesson = {};
  m_hasLesson = false;
  m_openHints.clear();
  m_lesson.text = words;
  setGoals({});
  m_questions->setQuestions({});
  showPage();
  updateButtons();
}

void LessonView::setLive(const std::vector<LiveContent> &live) {
  const auto same = [](const LiveContent &one, const LiveContent &other) {
    return one.address == other.address && one.table == other.table && one.why == other.why &&
           one.picture == other.picture;
  };
  // A reader of the screen would begin anew.
  if (std::ranges::equal(live, m_live, same))
    return;
  m_live = live;
  showPage();
}

int LessonView::pictureWidth() const {
  return std::max(1, m_page->viewport()->width() - 2 * scaledPx(kInsetPx) - scaledPx(4));
}

QString LessonView::shownText() const {
  static const QRegularExpression kPlace(QStringLiteral("!\\[([^\\]]*)\\]\\((live:[^)]*)\\)"));
  QString text;
  qsizetype from = 0;
  for (const auto &match : kPlace.globalMatch(m_lesson.text)) {
    text += m_lesson.text.mid(from, match.capturedStart() - from);
    from = match.capturedEnd();
    const auto live = std::ranges::find(m_live, match.captured(2), &LiveContent::address);
    const QString name = match.captured(1);
    if (live == m_live.end())
      text += QStringLiteral("*%1: …*").arg(name);
    else if (!live->why.isEmpty())
      text += QStringLiteral("*%1: %2*").arg(name, live->why);
    else if (!live->table.isEmpty())
      text += QStringLiteral("**%1**\n\n%2").arg(name, live->table);
    else
      text += QStringLiteral("**%1**\n\n![%1](%2)").arg(name, live->address);
  }
  text += m_lesson.text.mid(from);
  for (size_t i = 0; i < m_openHints.size(); ++i)
    text += tr("\n\n**Hint %1.** %2\n").arg(i + 1).arg(m_lesson.hints[m_openHints[i]]);
  return text;
}

void LessonView::setGoals(const std::vector<ShownGoal> &goals, bool isUnderWay) {
  m_goals->setGoals(goals);
  m_goals->setVisible(!goals.empty());
  // What was found decides which hint is next.
  updateButtons();
  if (!isUnderWay)
    showSummary();
}

void LessonView::setChecking(bool isChecking) {
  m_isChecking = isChecking;
  showSummary();
}

void LessonView::showSummary() {
  const std::vector<ShownGoal> &goals = m_goals->goals();
  const auto numMet = std::ranges::count(goals, ShownGoal::State::Met, &ShownGoal::state);
  const auto total = static_cast<qsizetype>(goals.size());
  m_summary->setText(goals.empty()     ? QString()
                     : m_isChecking    ? tr("Checking your newest text…")
                     : numMet == total ? tr("All goals are met.")
                                       : tr("%1 of %2 goals are met.").arg(numMet).arg(total));
  m_summary->setVisible(!goals.empty());
}

QString LessonView::summary() const { return m_summary->text(); }

/// A single sign would be read as a part of the sentence.
static void markCode(QTextDocument &document) {
  QTextCharFormat marked;
  marked.setBackground(theme()[ColorRole::Window]);
  std::vector<std::pair<int, int>> places;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto at = block.begin(); !at.atEnd(); ++at)
      if (const QTextFragment part = at.fragment(); part.charFormat().fontFixedPitch())
        places.emplace_back(part.position(), part.length());
  for (const auto &[begin, length] : places) {
    QTextCursor cursor(&document);
    cursor.setPosition(begin);
    cursor.setPosition(begin + length, QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(marked);
  }
}

void LessonView::showPage() {
  QScrollBar *bar = m_page->verticalScrollBar();
  const int place = bar->value();
  QTextDocument *document = m_page->document();
  document->setDefaultFont(uiFont());
  m_page->setMarkdown(shownText());
  for (const LiveContent &each : m_live)
    if (!each.picture.isNull())
      document->addResource(QTextDocument::ImageResource, QUrl(each.address), each.picture);
  document->markContentsDirty(0, document->characterCount());
  // All that belongs to the lesson begins at one edge, off the frame of its dock.
  const int inset = scaledPx(kInsetPx);
  m_page->document()->setDocumentMargin(inset);
  m_summary->setContentsMargins(inset, 0, inset, 0);
  m_buttons->setContentsMargins(inset, 0, inset, 0);
  for (QTextBlock block = m_page->document()->begin(); block.isValid(); block = block.next())
    if (QTextBlockFormat format = block.blockFormat(); format.headingLevel() > 0) {
      format.setTopMargin(block.blockNumber() > 0 ? scaledPx(12) : 0);
      QTextCursor(block).setBlockFormat(format);
    }
  markCode(*document);
  bar->setValue(place);
}

std::optional<int> LessonView::nextHint() const {
  const auto isClosed = [this](int hint) {
    return hint < m_lesson.hints.size() &&
           std::ranges::find(m_openHints, hint) == m_openHints.end();
  };
  for (const ShownGoal &goal : m_goals->goals())
    if (goal.state == ShownGoal::State::NotMet)
      if (const auto found = std::ranges::find_if(goal.hints, isClosed); found != goal.hints.end())
        return *found;
  for (int hint = 0; hint < m_lesson.hints.size(); ++hint)
    if (isClosed(hint))
      return hint;
  return std::nullopt;
}

void LessonView::showNextHint() {
  const std::optional<int> next = nextHint();
  if (!next)
    return;
  m_openHints.push_back(*next);
  Q_EMIT hintsChanged(m_openHints);
  showPage();
  QScrollBar *bar = m_page->verticalScrollBar();
  bar->setValue(bar->maximum());
  // Otherwise the focus would go on to the next button, which puts away the learner's text.
  if (m_hint->hasFocus() && !nextHint())
    m_page->setFocus(Qt::OtherFocusReason);
  updateButtons();
}

void LessonView::closeHints() {
  if (!m_openHints.empty())
    Q_EMIT hintsChanged({});
  m_openHints.clear();
  showPage();
  updateButtons();
}

void LessonView::updateButtons() {
  const qsizetype total = m_lesson.hints.size();
  const std::optional<int> next = nextHint();
  const bool isLast = !next;
  m_hint->setText(next ? tr("Hint %1 of %2").arg(m_openHints.size() + 1).arg(total)
                       : tr("No more hints"));
  // The next button would replace the text at the next press of the same key.
  if (isLast && m_hint->hasFocus())
    m_page->setFocus();
  m_hint->setEnabled(m_hasLesson && !isLast);
  m_hint->setVisible(m_hasLesson && total > 0);
  m_startOver->setVisible(m_hasLesson);
  m_solution->setVisible(m_hasLesson);
  const int position = positionAt(m_lessons->currentIndex());
  m_previous->setEnabled(position > 0);
  m_next->setEnabled(position + 1 < m_numLessons);
}

/// Goals have as much room as they need, up to where the text above them would be a line or two.
void LessonView::leaveRoomForText() {
  const int text = kTextLines * QFontMetrics(uiFont()).lineSpacing() + 2 * scaledPx(kInsetPx);
  const int room = m_page->height() + m_goals->height() - text;
  m_goals->setMaximumHeight(std::max(m_goals->minimumSizeHint().height(), room));
}

bool LessonView::event(QEvent *event) {
  const bool isTaken = QWidget::event(event);
  if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
    leaveRoomForText();
  return isTaken;
}

void LessonView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    showPage();
}

} // namespace tilescope::views
