// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A model in the window, over the real worker processes.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/ModelWindow.h"
#include "views/common/Theme.h"
#include "views/model/ArenaCanvas.h"
#include "views/model/EdgesPanel.h"
#include "views/model/GraphCanvas.h"
#include "views/model/ModelEdges.h"
#include "views/problems/ProblemsView.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTableView>
#include <QWheelEvent>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("a model opens as a text with its kernels, in its workspace", "[gui][model]") {
  ModelWindow test;
  test.open();
  CHECK(test.window().workspace() == Workspace::Model);
  CHECK(test.window().dock(QStringLiteral("model"))->isInFront());
  EditorPage *page = test.window().currentPage();
  CHECK(QFileInfo(page->path()).fileName() == u"small.py");
  CHECK_FALSE(QFileInfo::exists(page->path()));
  CHECK(page->isModified());
  CHECK(page->editor().utf8Text().find("def vector_matrix_relu_kernel") != std::string::npos);
  CHECK(test.view().titleText().contains(u"3 nodes · 2 kernels instead of 3"));
  REQUIRE(test.table().model()->rowCount() == 2);
  CHECK(test.cell(0, 0) == u"scores + positive");
  CHECK(test.cell(0, 1) == u"product");
  CHECK(test.cell(1, 2) == u"1 × 16");
  CHECK(test.cell(1, 6).endsWith(u"µs"));
  const QModelIndex first = test.table().model()->index(0, 0);
  REQUIRE(test.table().model()->rowCount(first) == 2);
  CHECK(test.table().model()->index(1, 1, first).data().toString() == u"Relu");
  // Opened again, it is the same text.
  CHECK(test.window().openFile(test.fixture.folder.filePath(QStringLiteral("small.onnx"))) == page);
}

TEST_CASE("a program of torch.export opens like any model", "[gui][model]") {
  ModelWindow test;
  const QString file = test.fixture.folder.filePath(QStringLiteral("mlp.pt2"));
  REQUIRE(QFile::copy(QStringLiteral(TILESCOPE_EXPORTS "/mlp/model.pt2"), file));
  REQUIRE(test.window().openFile(file));
  REQUIRE(QTest::qWaitFor([&] { return test.view().model() != nullptr; }, kPatienceMs));
  CHECK(test.window().workspace() == Workspace::Model);
  CHECK(test.window().editor()->utf8Text().find("@triton.jit") != std::string::npos);
  CHECK(test.window().problems()->model().count(compiler::Severity::Error) == 0);
  // The number of rows is open.
  REQUIRE(test.view().extentField(QStringLiteral("s77")));
  test.view().extentField(QStringLiteral("s77"))->setValue(7);
  CHECK(QTest::qWaitFor([&] { return test.cell(0, 2) == u"7 × 16"; }, kPatienceMs));
}

TEST_CASE("a chosen kernel is in the editor, and the cursor's kernel is the chosen one",
          "[gui][model]") {
  ModelWindow test;
  test.open();
  // The first launch is the document's.
  REQUIRE(test.waitForKernel(0));
  test.key(*test.window().editor(), Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(test.table().hasFocus());
  test.key(test.table(), Qt::Key_Down);
  CHECK(test.view().kernel() == 1);
  CHECK(test.line().startsWith(u"def softmax_kernel("));
  CHECK(test.table().hasFocus());
  const DocumentPointer document = test.window().compileController()->document();
  REQUIRE(document->launchBlock());
  CHECK(document->launchBlock()->name == "shares");
  CHECK(document->kernel() == "softmax_kernel");
  // Its edges say why they are not fused.
  REQUIRE(test.view().edges().table().model()->rowCount() == 1);
  CHECK(test.view().edges().table().model()->index(0, views::ModelEdges::From).data().toString() ==
        u"positive");
  CHECK_FALSE(test.view()
                  .edges()
                  .table()
                  .model()
                  ->index(0, views::ModelEdges::Reason)
                  .data()
                  .toString()
                  .isEmpty());
  // Code in them is quoted as it is elsewhere.
  const QModelIndex why = test.view().edges().table().model()->index(0, views::ModelEdges::Reason);
  const auto *painted =
      qobject_cast<QStyledItemDelegate *>(test.view().edges().table().itemDelegate());
  REQUIRE(painted);
  REQUIRE(why.data().toString().contains(u'`'));
  CHECK_FALSE(painted->displayText(why.data(), QLocale()).contains(u'`'));
  // Enter goes there, and the cursor leads back.
  test.key(test.table(), Qt::Key_Return);
  REQUIRE(test.window().editor()->hasFocus());
  test.key(*test.window().editor(), Qt::Key_Home, Qt::ControlModifier);
  for (int i = 0; i < 8; ++i)
    test.key(*test.window().editor(), Qt::Key_Down);
  CHECK(test.waitForKernel(0));
  CHECK(test.table().currentIndex().row() == 0);
}

TEST_CASE("the graph follows the cursor, and keys and mouse lead along it", "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.view().forms().setFocus();
  test.key(test.view().forms(), Qt::Key_Right);
  REQUIRE(test.view().form() == views::ModelView::Graph);
  views::GraphCanvas &graph = test.view().graph();
  REQUIRE(graph.isVisible());
  CHECK(graph.graph().numColumns() == 2);
  CHECK(graph.chosen() == 0);
  // The view's key leads into the picture.
  test.key(*test.window().editor(), Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(graph.hasFocus());
  test.key(graph, Qt::Key_Right);
  CHECK(test.view().kernel() == 1);
  CHECK(test.line().startsWith(u"def softmax_kernel("));
  CHECK(test.table().currentIndex().row() == 1);
  CHECK(test.view().infoText().startsWith(u"shares · softmax · fp32 [1 × 16] · 1 node · moves"));
  test.key(graph, Qt::Key_Left);
  CHECK(test.view().kernel() == 0);
  // A click chooses, a double click goes there.
  const QPoint second = graph.shownRect(1).center().toPoint();
  QTest::mouseClick(graph.viewport(), Qt::LeftButton, {}, second);
  CHECK(test.view().kernel() == 1);
  CHECK_FALSE(test.window().editor()->hasFocus());
  QTest::mouseDClick(graph.viewport(), Qt::LeftButton, {}, second);
  CHECK(test.window().editor()->hasFocus());
}

TEST_CASE("the graph is zoomed about what is chosen, and shown whole", "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.view().setForm(views::ModelView::Graph);
  views::GraphCanvas &graph = test.view().graph();
  graph.setFocus();
  const QRectF before = graph.shownRect(0);
  for (int i = 0; i < 5; ++i)
    test.key(graph, Qt::Key_Plus);
  CHECK(graph.zoom() > 3);
  CHECK(graph.shownRect(0).width() == Approx(before.width() * graph.zoom()));
  CHECK(QRectF(graph.viewport()->rect()).intersects(graph.shownRect(0)));
  test.key(graph, Qt::Key_0);
  CHECK(QRectF(graph.viewport()->rect()).contains(graph.shownRect(0)));
  CHECK(QRectF(graph.viewport()->rect()).contains(graph.shownRect(1)));
}

TEST_CASE("a kernel out of sight comes to the middle of the graph when it is chosen",
          "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.view().setForm(views::ModelView::Graph);
  views::GraphCanvas &graph = test.view().graph();
  graph.setFocus();
  for (int i = 0; i < 12; ++i)
    test.key(graph, Qt::Key_Plus);
  const QRectF whole(graph.viewport()->rect());
  REQUIRE_FALSE(whole.contains(graph.shownRect(1).center()));
  test.key(graph, Qt::Key_Right);
  REQUIRE(graph.chosen() == 1);
  const QPointF apart = graph.shownRect(1).center() - whole.center();
  CHECK(std::abs(apart.x()) < whole.width() / 4);
  CHECK(std::abs(apart.y()) < whole.height() / 4);
  // It stays in sight where there is less room.
  test.window().resize(test.window().width() - 250, test.window().height() - 60);
  QCoreApplication::processEvents();
  CHECK(QRectF(graph.viewport()->rect()).contains(graph.shownRect(1).center()));
}

TEST_CASE("the wheel with Ctrl zooms the graph about the pointer, not the text", "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.view().setForm(views::ModelView::Graph);
  views::GraphCanvas &graph = test.view().graph();
  const int text = views::textPercent();
  const QPointF at = graph.shownRect(1).center();
  QWheelEvent wheel(at, graph.viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton,
                    Qt::ControlModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(graph.viewport(), &wheel);
  QTest::qWait(50);
  CHECK(graph.zoom() > 1.3);
  CHECK(graph.shownRect(1).contains(at));
  CHECK(views::textPercent() == text);
}

TEST_CASE("the memory of a model is drawn, and its tensors lead to their kernels", "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.view().setForm(views::ModelView::Memory);
  views::ArenaCanvas &arena = test.view().arena();
  arena.setFocus();
  CHECK(arena.chosen() == 0);
  CHECK(test.view().infoText().contains(
      u"made by scores + positive (step 1 of 2), last read by shares (step 2)"));
  test.key(arena, Qt::Key_Right);
  CHECK(test.view().kernel() == 1);
  CHECK(test.line().startsWith(u"def softmax_kernel("));
  CHECK(test.view().infoText().contains(u"an output of the model"));
  // The picture as a file.
  const QString path = test.fixture.folder.filePath(QStringLiteral("memory.svg"));
  REQUIRE(test.view().canExport());
  REQUIRE(test.view().exportSvg(path));
  CHECK(QFileInfo(path).size() > 500);
  // The offered name is the file's, with what is drawn of it: kernels have none of these pictures.
  const auto offered = [&] {
    QFile::remove(path);
    FileAnswer answer(path);
    test.window().action(QStringLiteral("exportModel"))->trigger();
    return QFileInfo(answer.offered).fileName();
  };
  CHECK(offered().endsWith(u"-memory.svg"));
  CHECK_FALSE(offered().contains(u"kernel"));
  test.view().setForm(views::ModelView::Graph);
  CHECK(offered().endsWith(u"-graph.svg"));
}

TEST_CASE("a search goes from one found kernel of the graph to the next", "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.view().setForm(views::ModelView::Graph);
  QTest::keyClicks(&test.view().searchField(), QStringLiteral("softmax"));
  test.key(test.view().searchField(), Qt::Key_Return);
  CHECK(test.view().kernel() == 1);
  test.key(test.view().searchField(), Qt::Key_Return);
  CHECK(test.view().kernel() == 1);
}

TEST_CASE("search finds nodes by name and operator", "[gui][model]") {
  ModelWindow test;
  test.open();
  QTest::keyClicks(&test.view().searchField(), QStringLiteral("relu"));
  REQUIRE(test.table().model()->rowCount() == 1);
  CHECK(test.cell(0, 0) == u"scores + positive");
  test.key(test.view().searchField(), Qt::Key_Return);
  CHECK(test.table().hasFocus());
  test.view().searchField().clear();
  CHECK(test.table().model()->rowCount() == 2);
}

TEST_CASE("another extent plans the model anew", "[gui][model]") {
  ModelWindow test;
  test.open();
  QSpinBox *field = test.view().extentField(QStringLiteral("N"));
  REQUIRE(field);
  CHECK(field->value() == 1);
  CHECK(field->toolTip().contains(u"assumed"));
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QStringLiteral("32"));
  test.key(*field, Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return test.cell(0, 2) == u"32 × 16"; }, kPatienceMs));
  CHECK(test.window().editor()->utf8Text().find("shape = [32, 64]") != std::string::npos);
  CHECK(field->value() == 32);
  CHECK(field->toolTip().contains(u"chosen"));
  // Edited kernels are kept, unless the user wants others.
  test.window().editor()->setFocus();
  test.key(*test.window().editor(), Qt::Key_End, Qt::ControlModifier);
  QTest::keyClicks(test.window().editor(), QStringLiteral("# mine"));
  QCoreApplication::processEvents();
  field->setValue(64);
  REQUIRE(QTest::qWaitFor([&] { return test.cell(0, 2) == u"64 × 16"; }, kPatienceMs));
  CHECK(test.window().editor()->utf8Text().find("# mine") != std::string::npos);
  CHECK(test.window().editor()->utf8Text().find("shape = [32, 64]") != std::string::npos);
}

TEST_CASE("a model that cannot be read is among Problems, and says so in its view",
          "[gui][model]") {
  ModelWindow test;
  test.open(smallModel("Nonsense"));
  CHECK(test.view().stateText().contains(u"Nonsense is not supported"));
  const auto &problems = test.window().problems()->model();
  REQUIRE(
      QTest::qWaitFor([&] { return problems.count(compiler::Severity::Error) == 1; }, kPatienceMs));
  CHECK(problems.index(0, 0).data().toString().contains(u"positive"));
  // A file of no sense at all, too.
  REQUIRE(test.window().openFile(test.fixture.write("other.onnx", "\x07 nonsense")));
  REQUIRE(QTest::qWaitFor([&] { return test.view().model() != nullptr; }, kPatienceMs));
  CHECK_FALSE(test.view().stateText().isEmpty());
  CHECK(test.window().editor()->utf8Text().empty());
}

TEST_CASE("a model comes back at the next start, with its extents and its edited text",
          "[gui][model]") {
  ModelWindow test;
  test.open();
  test.view().extentField(QStringLiteral("N"))->setValue(8);
  REQUIRE(QTest::qWaitFor([&] { return test.cell(0, 2) == u"8 × 16"; }, kPatienceMs));
  test.key(*test.window().editor(), Qt::Key_End, Qt::ControlModifier);
  QTest::keyClicks(test.window().editor(), QStringLiteral("# mine"));
  QCoreApplication::processEvents();
  test.window().close();
  test.fixture.open();
  REQUIRE(test.window().restoreSession());
  REQUIRE(QTest::qWaitFor([&] { return test.view().model() != nullptr; }, kPatienceMs));
  CHECK(test.cell(0, 2) == u"8 × 16");
  CHECK(test.window().editor()->utf8Text().ends_with("# mine"));
  CHECK(test.window().workspace() == Workspace::Model);
}

TEST_CASE(
    "edited kernels are checked against the model's operations, and the first wrong one is chosen",
    "[gui][model]") {
  ModelWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  const auto says = [&](const char16_t *words) {
    return QTest::qWaitFor([&] { return test.view().stateText().contains(words); }, kPatienceMs);
  };
  QPushButton &button = test.view().checkButton();
  CHECK(button.text() == u"&Check kernels");
  // How far it is, as it is said: the operations of the model are no kernels of its text.
  QStringList told;
  const QMetaObject::Connection telling =
      QObject::connect(test.window().findChild<ModelBackend *>(), &ModelBackend::checking,
                       &test.view(), [&] { told << test.view().stateText(); });
  button.setFocus();
  test.key(button, Qt::Key_Space);
  CHECK(button.text() == u"&Stop");
  REQUIRE(says(u"2 kernels agree with the model's own operations"));
  CHECK(button.text() == u"&Check kernels");
  QObject::disconnect(telling);
  INFO(told.join(u'\n').toStdString());
  REQUIRE_FALSE(told.isEmpty());
  CHECK(told.front().startsWith(u"Checking: 1 of the model's "));
  CHECK(told.back() == u"Checking: 2 of 2 kernels have run…");
  // An edit makes the verdict void.
  QString text = QString::fromStdString(test.window().editor()->utf8Text());
  const QString right = text, share = QStringLiteral("powers / tl.sum(powers, axis=0)");
  REQUIRE(text.count(share) == 1);
  test.window().editor()->replaceText(text.replace(share, share + QStringLiteral(" + 1.0")));
  REQUIRE(QTest::qWaitFor([&] { return test.view().stateText().isEmpty(); }, kPatienceMs));
  button.setFocus();
  test.key(button, Qt::Key_Space);
  const bool isNamed = says(u"first to diverge: kernel 2 of 2, softmax_kernel of shares");
  INFO(test.view().stateText().toStdString());
  REQUIRE(isNamed);
  // All elements are off by 1.
  CHECK(test.view().stateText().contains(u"is 1.0625 instead of 0.0625"));
  CHECK(test.waitForKernel(1));
  CHECK(test.line().startsWith(u"def softmax_kernel("));
  // What does not compile is told with its place.
  text = right;
  test.window().editor()->replaceText(text.replace(share, QStringLiteral("power / 2")));
  REQUIRE(QTest::qWaitFor([&] { return test.view().stateText().isEmpty(); }, kPatienceMs));
  const auto &problems = test.window().problems()->model();
  REQUIRE(
      QTest::qWaitFor([&] { return problems.count(compiler::Severity::Error) > 0; }, kPatienceMs));
  button.setFocus();
  test.key(button, Qt::Key_Space);
  CHECK(test.view().stateText().startsWith(u"Not checked: the text does not compile. Line "));
  CHECK(test.view().stateText().contains(u"power"));
  CHECK(button.text() == u"&Check kernels");
  // Before it is compiled, what does not even parse is known.
  text = right;
  test.window().editor()->replaceText(text.replace(share, QStringLiteral("powers / (")));
  QCoreApplication::processEvents();
  button.setFocus();
  test.key(button, Qt::Key_Space);
  CHECK(test.view().stateText().startsWith(u"Not checked: the text does not compile. Line "));
}
