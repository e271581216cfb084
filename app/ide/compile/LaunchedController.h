// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"

namespace tilescope::app {

/// Has the programs of a launch looked at: first the part that is drawn, then the whole grid, which
/// is only counted. A user who wants another part goes before the grid; the next key stops either.
class LaunchedController : public PictureController {
  Q_OBJECT
protected:
  /// What the view says.
  struct Words {
    QString stale, unlaunched;
    /// `%1`: the kernel.
    QString looking;
  };

  LaunchedController(CompileBackend *backend, CompileController *compile, views::PictureView *view,
                     Words words, QObject *parent);

  /// The view draws another part of what it shows.
  void askForPart();
  /// What is answered now leaves something to be asked for.
  void wantPart() { m_wantsPart = true; }
  void wantGrid() { m_wantsGrid = true; }

  /// A kernel or a text is looked at that was not before.
  virtual void startLooking() {}
  /// Says in the message what is wanted: the part that the view wishes, or the grid.
  virtual void fill(compiler::InspectMessage &message, bool isGrid) = 0;
  /// `isOther`: what was shown is of another text.
  virtual void showPart(const InspectionPointer &reply, bool isOther) = 0;
  virtual void showGrid(const InspectionPointer &reply) = 0;
  /// The part is not known; `isShown`: another one of this text is shown.
  virtual void failPart(const InspectionPointer &reply, bool isShown) = 0;
  virtual void failGrid(const InspectionPointer &reply) = 0;

private:
  /// What the worker is asked for; 0: nothing.
  struct Asked {
    compiler::JobId job = 0;
    uint64_t revision = 0;
    bool isGrid = false;
  };

  void begin() override;
  void stop() override;
  void startOver() override;
  /// Asks for what is next.
  void advance();
  void ask(bool isGrid);
  void take(const InspectionPointer &reply) override;
  void show(const Asked &asked, const InspectionPointer &reply);

  Words m_words;
  Asked m_asked;
  bool m_wantsPart = false, m_wantsGrid = false;
  /// Of the newest result that is looked at; 0: none is.
  uint64_t m_revision = 0;
};

} // namespace tilescope::app
