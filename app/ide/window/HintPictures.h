// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "compiler/artifacts/Hint.h"

#include <QImage>
#include <QSize>
#include <QTimer>

#include <memory>
#include <vector>

namespace tilescope::app {

/// Small pictures of what hints are about, each drawn by the view that its hint names. A view of its
/// own, out of sight, is asked for each, one after the other, while nothing else is to be done: the
/// next compile ends it. GUI thread.
class HintPictures : public QObject {
  Q_OBJECT
public:
  HintPictures(CompileBackend *backend, CompileController *compile, QObject *parent);
  ~HintPictures() override;

  /// Those of the newest result; pictures of others are forgotten.
  void setHints(std::vector<compiler::Hint> hints);
  /// Nothing is drawn while nobody would see it.
  void setWanted(bool isWanted);
  /// Null: there is none, or not yet.
  QImage picture(const compiler::Hint &hint) const;

Q_SIGNALS:
  /// There is one more.
  void changed();

private:
  /// A view that is never shown, and what looks for its content.
  struct Studio;
  struct Made {
    compiler::Hint hint;
    QImage picture;
  };

  Studio *studioOf(const QString &view);
  /// Goes on with the next hint that has no picture.
  void advance();
  void end();

  CompileBackend *m_backend;
  CompileController *m_compile;
  std::vector<compiler::Hint> m_hints;
  std::vector<Made> m_made;
  std::vector<std::unique_ptr<Studio>> m_studios;
  /// The one that is at work; null: none.
  Studio *m_atWork = nullptr;
  size_t m_next = 0;
  int m_numLooks = 0;
  bool m_isWanted = false;
  QTimer m_timer;
};

} // namespace tilescope::app
