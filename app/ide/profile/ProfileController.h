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

/// Where an opened profile was read: a file, and which of the kernels in it.
struct ProfileOrigin {
  QString path;
  int kernel = 0;
  bool operator==(const ProfileOrigin &) const = default;
};

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
  /// Keeps an opened profile of an open file, which is shown while that is.
  void keepOpened(const QObject *file, profiler::ProfileDocument profile,
                  const ProfileOrigin &origin);
  /// Where the profile of an open file was opened; nothing: it was made here, or there is none.
  std::optional<ProfileOrigin> origin(const QObject *file) const;
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
    std::optional<ProfileOrigin> origin = {};
    /// What an opened profile does not say is taken to be as it is when its kernel is shown first.
    bool isComplete = true;
    /// Of a text that is not known.
    bool isOfOtherText = false;
  };
  void take(const RunDocument &document, const views::RunStamp &stamp, const LaunchRunPointer &run);
  void update();
  /// Why an entry no longer belongs to the document; empty: it does.
  QString whyOutdated(Entry &entry, const RunDocument &now) const;
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
