// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "profiler/data/ProfileDocument.h"
#include "views/profile/ProfileContent.h"

namespace tilescope::views {
class ProfileView;
} // namespace tilescope::views

namespace tilescope::app {

/// The profiles of open files: made by runs, or opened. Each is shown while its file is, and called
/// outdated as soon as it is of another text, kernel or choice.
class ProfileController : public QObject {
  Q_OBJECT
public:
  ProfileController(RunController *run, QWidget *window);

  views::ProfileView *view() const { return m_view; }
  /// What the next profile is to have.
  const profiler::ProfileWishes &wishes() const { return m_wishes; }
  void setWishes(const profiler::ProfileWishes &wishes) { m_wishes = wishes; }
  void profile();
  /// What a launch of this text and kernel takes, before it was profiled, in words; said where there
  /// is no profile.
  void setPrediction(const QString &words, const std::string &text, const std::string &kernel);
  /// Shows an opened profile for the file that the window shows; `name` is the profile's file.
  void show(profiler::ProfileDocument profile, const QString &name);
  /// A file was closed.
  void forget(const QObject *file);
  /// Of the file that is shown; null: it has none.
  views::ProfileContentPointer shown() const;
  /// The one that is shown is of another text, kernel or choice.
  bool isOutdated() const { return !m_outdated.isEmpty(); }

Q_SIGNALS:
  /// Another profile is shown, or what it says holds no longer.
  void shownChanged();

private:
  struct Entry {
    RunDocument document;
    /// That the run has read.
    std::vector<compiler::SourceFile> files;
    views::ProfileContentPointer content;
  };
  void take(const RunDocument &document, const views::RunStamp &stamp, const LaunchRunPointer &run);
  void update();
  QString whyEmpty() const;

  RunController *m_run;
  views::ProfileView *m_view;
  profiler::ProfileWishes m_wishes{profiler::CounterSet::Full, true};
  /// By open file; of no file while none is open.
  std::map<const QObject *, Entry> m_entries;
  /// A prediction and what it is of.
  QString m_prediction;
  std::string m_predictedText, m_predictedKernel;
  QString m_outdated;
  /// The file and the kernel that are shown.
  std::pair<const QObject *, std::string> m_subject;
};

} // namespace tilescope::app
