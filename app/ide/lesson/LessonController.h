// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "app/ide/files/DiskWatch.h"
#include "app/ide/lesson/LessonBackend.h"
#include "app/ide/lesson/LessonQuestions.h"
#include "app/ide/lesson/LessonShelf.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>

#include <functional>

namespace tilescope::views {
class LessonView;
struct LessonContent;
} // namespace tilescope::views

namespace tilescope::app {

/// The lesson of the file in front: its text and goals are on show, and each edit is checked. Of
/// texts that follow each other while one is checked, the newest is checked next.
class LessonController : public QObject {
  Q_OBJECT
public:
  LessonController(LessonShelf shelf, LessonBackend *backend, QWidget *window);

  views::LessonView *view() const { return m_view; }
  LessonShelf &shelf() { return m_shelf; }
  LessonQuestions &questions() { return *m_questions; }
  /// The position of the lesson on show.
  std::optional<size_t> shown() const { return m_shown; }
  /// Of the lesson on show; empty: none is.
  QString folder() const;
  void setDocument(const DocumentPointer &document);
  /// The file of the lesson on show has no text: nothing is known of its goals.
  void setWithoutKernel();
  /// A text has run on a GPU: if it is the newest of the lesson on show, goals about time are measured
  /// there, too.
  void measureAt(const RunPlace &place, const std::string &text);
  /// The file of a lesson is wanted in the editor.
  void open(size_t position);
  /// Draws a layout into the text, as wide as that.
  void setLayoutPainter(std::function<QImage(const compiler::LayoutFacts &, int widthPx)> paint) {
    m_paintLayout = std::move(paint);
  }
  /// Takes in a lesson from a zip or a folder; its position, or nothing where it could not be read,
  /// which is told. A folder is followed from then on: what its author saves is shown at once.
  std::optional<size_t> openFrom(const QString &path);
  /// The first one that is not solved, else the first.
  size_t nextUnsolved() const;

Q_SIGNALS:
  void openRequested(const QString &path);
  void startOverRequested(const QString &text);
  /// To be read only.
  void solutionRequested(const QString &path, const QString &text);
  void placeRequested(const tilescope::SourceRange &range);
  void viewRequested(const QString &view);
  /// This text of the lesson's file meets all goals.
  void solved(const std::string &text);
  void failed(const QString &message);
  /// The list of lessons, or what one of them is called, may have changed.
  void listed();

private:
  struct KnownGoal {
    GoalState state;
    /// That of the check that found it.
    uint64_t number = 0;
  };

  void showLesson(std::optional<size_t> position);
  void showList();
  void checkNewest();
  void takeGoal(uint64_t number, size_t goal, const GoalState &state);
  void take(uint64_t number, const GoalStates &states);
  void showLive(uint64_t number, const std::vector<ShownElement> &elements);
  /// Those that are not met, or not known.
  std::vector<std::string> openGoals() const;
  void keepProgress();
  void showGoals();
  void setSlow(bool isSlow);
  /// Whether a goal's state was found for the newest text.
  bool isOfNewest(const KnownGoal &known) const;
  void connectView();
  views::LessonContent contentOf(const Lesson &lesson) const;
  void setLesson(std::shared_ptr<const Lesson> lesson);
  void follow(const QString &folder);
  void takeAuthors();

  LessonShelf m_shelf;
  /// The folder of an author, and its files; empty: none is followed.
  QString m_authors;
  DiskWatch m_authorsFiles;
  LessonBackend *m_backend;
  views::LessonView *m_view;
  LessonQuestions *m_questions;
  std::optional<size_t> m_shown;
  std::shared_ptr<const Lesson> m_lesson;
  std::vector<LiveElement> m_live;
  std::function<QImage(const compiler::LayoutFacts &, int widthPx)> m_paintLayout;
  /// The newest text, and the one that was asked about last.
  DocumentPointer m_document;
  std::string m_checkedText;
  uint64_t m_number = 0;
  /// Where the next check of the newest text is to measure.
  std::optional<RunPlace> m_measureAt;
  bool m_isChecking = false;
  QElapsedTimer m_since;
  /// Runs down while a check goes on.
  QTimer m_slow;
  /// A check takes longer than a learner waits: what is shown may be of an earlier text.
  bool m_isSlow = false;
  /// Nothing where it is not known yet.
  std::vector<std::optional<KnownGoal>> m_states;
};

} // namespace tilescope::app
