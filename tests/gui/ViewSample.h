// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/ExportedPicture.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "tests/support/Sanitized.h"

#include <QLabel>

#include <algorithm>

namespace tilescope::tests {

/// A product without a launch block, up to the loop of 32 columns of `a` and rows of `b`.
inline const std::string kProductLoop = R"(import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, K):
    i = tl.arange(0, 64)
    k = tl.arange(0, 32)
    total = tl.zeros((64, 64), dtype=tl.float32)
    for at in range(0, K, 32):
        a = tl.load(a_ptr + i[:, None] * 1024 + (at + k)[None, :])
        b = tl.load(b_ptr + (at + k)[:, None] * 64 + i[None, :])
        total = tl.dot(a, b, total)
)";

inline const std::string kStoredTotal =
    "    tl.store(c_ptr + i[:, None] * 64 + i[None, :], total)\n";

/// A kernel without a loop, a product or anything in shared memory.
inline const std::string kScale = R"(import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, N: tl.constexpr = 128):
    i = tl.arange(0, N)
    tl.store(x_ptr + i, tl.load(x_ptr + i) * 2.0)
)";

/// A window that shows one file, over the real compiler.
struct ViewSample {
  app::WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  app::MainWindow &window = *fixture.window;
  std::string text;

  /// Compiles for `target`, or for what the window chooses (null).
  explicit ViewSample(std::string kernel, const char *target = nullptr,
                      const char *name = "product.py")
      : text(std::move(kernel)) {
    if (target)
      window.compileController()->setChosenTarget(target);
    fixture.openAndWait(fixture.write(name, text));
  }

  /// As the key with Ctrl and Shift opens it.
  void openView(Qt::Key key) {
    QTest::keyClick(window.editor(), key, Qt::ControlModifier | Qt::ShiftModifier);
  }
  void openFromPalette(const QString &words) {
    openView(Qt::Key_P);
    QTest::keyClicks(QApplication::focusWidget(), words);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  }

  bool waitFor(const std::function<bool()> &what) {
    return QTest::qWaitFor(what, 30000 * kSlowdown);
  }
  void goTo(const std::string &part) {
    fixture.editor().goTo(rangeOf(fixture.editor().utf8Text(), part).begin);
  }
  /// Whether words are read in a view, which may be the reason why it shows nothing.
  static bool hasLabel(const QWidget &view, const char *words) {
    return std::ranges::any_of(view.findChildren<QLabel *>(), [&](const QLabel *label) {
      return label->isVisible() && label->text().contains(QString::fromUtf8(words));
    });
  }
  /// Of the text that was opened.
  uint32_t lineOf(const std::string &part) const { return rangeOf(text, part).begin.line; }

  QString exportPath() const { return fixture.folder.filePath(QStringLiteral("a.svg")); }
  /// Writes what the view shows as SVG and PNG; returns the SVG.
  template <class View> QByteArray exported(View &view, int widthPx = 2200) {
    CHECK(exportedPngWidth(view, fixture.folder) == widthPx);
    return exportedSvg(view, fixture.folder);
  }
};

} // namespace tilescope::tests
