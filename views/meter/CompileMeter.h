// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"

#include <QWidget>

#include <array>
#include <optional>

namespace tilescope::views {

/// How long after a keystroke each stage was on the screen: a row of small bars.
class CompileMeter : public QWidget {
  Q_OBJECT
public:
  explicit CompileMeter(QWidget *parent = nullptr);

  /// A new compile began.
  void start();
  /// Nothing is compiled.
  void clear();
  /// The stage was shown this long after the keystroke.
  void stageShown(compiler::StageId stage, int64_t nanoseconds);
  /// The compile ended; `ok` false marks it as failed.
  void finish(bool ok);

  std::optional<int64_t> time(compiler::StageId stage) const;
  /// Whether a user who types has to wait for a stage that takes this long.
  static bool isSlow(int64_t nanoseconds);
  /// What the numbers are, and each of them.
  QString explanation() const;
  QString summary() const;
  /// The time to the first of the stages, which is what a user who types sees: `TTIR 14 ms`.
  QString shortText() const;
  /// Some stage keeps a user who types waiting.
  bool hasSlow() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

Q_SIGNALS:
  void changed();

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;

private:
  /// What the times are, in front of them where there is room.
  static QString title();

  std::array<std::optional<int64_t>, compiler::kNumStages> m_times;
  /// Of the last compile that reached the stage; shown muted until the new time is there.
  std::array<std::optional<int64_t>, compiler::kNumStages> m_previous;
  bool m_running = false;
  bool m_ok = true;
};

} // namespace tilescope::views
