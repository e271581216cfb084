// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

namespace tilescope::views {
class PictureView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has something looked at behind each compile while the view that shows it is in sight. What is
/// shown stays, marked as stale, until the newest is there. GUI thread.
class PictureController : public QObject {
  Q_OBJECT
public:
  /// Nothing is looked at while the view is out of sight.
  void setInFront(bool isInFront);
  /// There is nothing to look at, and why.
  void clear(const QString &why);

protected:
  PictureController(CompileBackend *backend, CompileController *compile, views::PictureView *view,
                    QObject *parent);
  /// What the view shows is of code for GPUs only, and what that is: "it shows …".
  void setOnlyOfGpus(const QString &what) { m_onlyOfGpus = what; }

  /// Arrays that are filled while the user types, where addresses depend on them.
  static constexpr uint64_t kMostDataBytes = uint64_t{16} << 20;

  /// As `begin`, unless the newest result is of a target that has nothing to look at.
  void look();
  /// Looks at the newest result, unless that was done.
  virtual void begin() = 0;
  /// Looks at nothing any longer.
  virtual void stop() {}
  /// The next compile has started.
  virtual void startOver() {}
  /// An answer to someone who has asked.
  virtual void take(const InspectionPointer &reply) = 0;

  /// The view is in sight, and a compile of the text of now has ended.
  bool canBegin() const;
  /// The newest result is there to its end, for a target that has something to look at.
  bool isReady() const;
  /// True: what is shown is of another kernel than this, or of a file that is closed.
  bool moveTo(const compiler::CompileResult &result);
  /// What is shown is of the newest text, also when that was compiled again.
  void showFresh();
  /// The newest text does not compile, as `none` says, unless its launch block is at fault; `shown`
  /// says what is still shown.
  void showBroken(bool isOther, QString none, const QString &shown);
  /// Asks nothing yet about the newest result and its launch, which is not part of it.
  compiler::InspectMessage makeMessage();
  static QString whyFailed(const compiler::InspectDoneReply &reply);
  /// Something was more urgent, or the worker has ended, as on a machine that is too busy for its
  /// limits of time: that is tried once more for each result.
  bool isToBeAskedAgain(const compiler::InspectDoneReply &reply);

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::PictureView *m_picture;
  bool m_isInFront = false;
  /// Of the result that is shown; 0: none is.
  uint64_t m_shownRevision = 0;
  /// Of the result that was asked about again when the worker had ended; 0: none.
  uint64_t m_triedAgain = 0;
  /// What is shown is of this file and kernel.
  const QObject *m_file = nullptr;
  std::string m_kernel;
  /// The newest text that compiled.
  std::string m_text;
  /// In place of a picture stands what `showBroken` said of a text.
  bool m_saysBroken = false;
  /// Runs down while what is shown is of an earlier text.
  QTimer m_staleTimer;

private:
  /// The newest result is for a processor, of which the view shows nothing.
  bool isOfOtherTarget() const;

  /// Empty: the view shows something for every target.
  QString m_onlyOfGpus;
};

} // namespace tilescope::app
