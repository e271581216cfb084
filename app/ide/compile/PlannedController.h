// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"

namespace tilescope::app {

/// Has looked at what TTGIR alone says of the newest compile, without a launch, while the view that
/// shows it is in sight. GUI thread.
class PlannedController : public PictureController {
  Q_OBJECT
protected:
  /// What the view says in place of its picture, or above it.
  struct Words {
    QString broken, stale;
    /// With the kernel's name, and with the reason.
    QString looking, failed;
  };
  PlannedController(CompileBackend *backend, CompileController *compile, views::PictureView *view,
                    Words words, QObject *parent);

  /// Adds what is wanted.
  virtual void want(compiler::InspectMessage &message) const = 0;
  /// What was wanted is there.
  virtual void show(const compiler::InspectDoneReply &reply) = 0;
  /// What is shown is of the newest compile: says above it what else there is to say.
  virtual void showNote() {}
  void begin() override;

private:
  void ask();
  void take(const InspectionPointer &reply) override;
  void stop() override { m_asked = 0; }

  Words m_words;
  /// What the worker is asked for; 0: nothing.
  compiler::JobId m_asked = 0;
  /// Of what it is asked for.
  uint64_t m_revision = 0;
};

} // namespace tilescope::app
