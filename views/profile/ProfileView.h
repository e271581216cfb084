// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PictureView.h"
#include "views/profile/ProfileContent.h"

class QPushButton;
class QTabBar;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class ProfileCanvas;

/// A profile of a launch: what it is of, what it consists of and why parts are missing, and all parts
/// on a page that an index leads through.
class ProfileView : public PictureView {
  Q_OBJECT
public:
  explicit ProfileView(QWidget *parent = nullptr);

  void setContent(ProfileContentPointer content);
  const ProfileContentPointer &content() const { return m_content; }
  void clear(const QString &why, bool offersBlock = false) override;
  bool hasContent() const override { return m_content != nullptr; }
  bool canExport() const override { return m_content != nullptr; }
  /// Why the profile no longer belongs to what is in the window; empty: it does.
  void setOutdated(const QString &reason);
  /// What a profile that is being made is at; empty: none is.
  void setProgress(const QString &state);
  /// What went wrong with the last one; empty: nothing.
  void setFailure(const QString &failure);

  QString titleText() const;
  QString ladderText() const;
  QString progressText() const;
  QString emptyText() const;
  ProfileCanvas &canvas() { return *m_canvas; }
  QTabBar &index() { return *m_index; }
  /// Has a menu of what to profile with.
  QToolButton &profileButton() { return *m_profile; }
  /// For the command that shows and hides heat beside lines.
  QToolButton &heatButton() { return *m_heat; }

Q_SIGNALS:
  void profileRequested();
  void openRequested();

protected:
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void createWidgets();
  void connectState();
  void pointAt(int place);
  void pin(int place);
  void updateProgress();
  void updateLadder();
  ExportedPicture exported() const override;

  ElidedLabel *m_title;
  /// The ladder, with reasons and cures, which can be selected.
  ElidedLabel *m_ladder;
  /// What is under way, or went wrong.
  ElidedLabel *m_progress;
  QTabBar *m_index;
  QToolButton *m_profile;
  QToolButton *m_heat;
  ProfileCanvas *m_canvas;

  ProfileContentPointer m_content;
  QString m_whyEmpty, m_state, m_failure;
};

} // namespace tilescope::views
