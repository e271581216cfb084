// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The window on a machine with a GPU: everything is real. Elsewhere the test says that there is
// none.
#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/common/tensor/TensorModel.h"
#include "views/run/RunView.h"

#include <QComboBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// The choice of places, once it offers a GPU; null when none turns up.
static QComboBox *placesWithGpu(views::RunView &view) {
  for (QComboBox *box : view.findChildren<QComboBox *>())
    if (box->accessibleName() == QStringLiteral("Where to run"))
      return QTest::qWaitFor([box] { return box->count() > 2; }, 5000) ? box : nullptr;
  FAIL("there is no such choice");
  return nullptr;
}

TEST_CASE("a GPU runs the editor's kernel, and its results appear beside the interpreter's",
          "[gui][gpu]") {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  auto *view = fixture.window->findChild<views::RunView *>();
  REQUIRE(view != nullptr);
  QComboBox *places = placesWithGpu(*view);
  if (!places) {
    WARN("there is no GPU: not run");
    return;
  }
  const QString device = places->itemText(1);
  places->setFocus();
  QTest::keyClick(places, Qt::Key_Down);
  // An edit that is not saved is what runs.
  fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
  fixture.type(" * 2");
  QTest::keyClick(fixture.window->editor(), Qt::Key_F5, Qt::ControlModifier);
  REQUIRE(QTest::qWaitFor([&] { return view->results().isLoaded(); }, kPatienceMs));
  INFO(view->statusText().toStdString());
  CHECK(view->statusText().contains(QStringLiteral("µs (median of")));
  CHECK(view->statusText().contains(device));
  CHECK(view->tableModel().rowCount() * view->tableModel().columnCount() >= 98432);
  // For developers who want to see it.
  const QString picture = qEnvironmentVariable("TILESCOPE_TEST_PICTURE");
  CHECK((picture.isEmpty() || fixture.window->grab().save(picture)));
}
