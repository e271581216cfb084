// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Over the real compiler: all views behind a pass, and columns of other targets.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/Sanitized.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/shared/SharedView.h"
#include "views/stages/StageColumn.h"

#include <QCheckBox>
#include <QComboBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;
using views::PassesView;
using views::StageColumn;

namespace {

struct Columns {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  PassesView &passes = *window.passes();

  explicit Columns(const char *example) {
    QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/") + QString::fromLatin1(example));
    REQUIRE(file.open(QIODevice::ReadOnly));
    fixture.openAndWait(fixture.write(example, file.readAll().toStdString()));
  }
  bool waitFor(const std::function<bool()> &what) { return QTest::qWaitFor(what, kPatienceMs); }
  void select(const char *pass) {
    int row = -1;
    REQUIRE(waitFor([&] {
      for (int i = 0; i < passes.model().rowCount(); ++i)
        if (passes.model().pass(i).name.ends_with(pass) && !passes.model().pass(i).ir.empty())
          row = i;
      return row >= 0;
    }));
    passes.selectPass(row);
  }
  void follow() {
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(window.editor(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
    REQUIRE(passes.followBox().isChecked());
  }
  /// Sits at what the machine code would need behind a pass.
  QString estimateAt(const char *pass) {
    select(pass);
    REQUIRE(waitFor([&] { return passes.estimateText().contains(u"At the end"); }));
    return passes.estimateText();
  }
};

} // namespace

TEST_CASE("code, layouts, shared memory and registers go with the pass that is chosen",
          "[gui][worker][columns]") {
  Columns test("matmul.py");
  views::LayoutDiagram &layout = *test.window.layoutDiagram();
  views::SharedView &shared = *test.window.sharedView();
  // On the product.
  const std::string text = test.fixture.editor().utf8Text();
  const size_t at = text.find("tl.dot(");
  REQUIRE(at != std::string::npos);
  const auto line =
      static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
  test.fixture.editor().goTo({line, static_cast<uint32_t>(at - text.rfind('\n', at) + 1)});
  const auto isOfTensorCores = [&] {
    return layout.current() && layout.current()->encoding.find("mma") != std::string::npos;
  };
  REQUIRE(test.waitFor(isOfTensorCores));
  test.window.dock(QStringLiteral("shared"))->show();
  test.window.dock(QStringLiteral("shared"))->raise();
  REQUIRE(test.waitFor([&] { return shared.hasContent(); }));
  const QString atEnd = shared.titleText();
  test.follow();
  // In front of the pass that chooses matrix instructions, threads multiply, and nothing is in a
  // ring of shared memory.
  const QString early = test.estimateAt("tilescope-coalesce");
  CHECK(early.startsWith(u"If the passes to TTGIR ended here: "));
  CHECK(test.waitFor([&] { return layout.current() && !isOfTensorCores(); }));
  CHECK(test.waitFor([&] { return shared.titleText() != atEnd; }));
  StageColumn &column = *test.window.stageColumn(StageId::Ttgir);
  CHECK(column.headerText().contains(u"after coalesce"));
  CHECK(column.codeView().document().text().find("#mma") == std::string::npos);
  // Places are those of the source.
  CHECK(layout.current()->source.begin.line == line);
  // The same registers at the end as if nothing was followed.
  const compiler::CompileResult &result = *test.window.compileController()->latest()->result();
  CHECK(early.contains(QStringLiteral("At the end: %1 registers").arg(result.resources.registers)));
  // Back at the end.
  test.passes.followBox().setChecked(false);
  CHECK(test.waitFor(isOfTensorCores));
  CHECK(test.waitFor([&] { return shared.titleText() == atEnd; }));
  CHECK(shared.isStale() == false);
  CHECK(column.headerText().contains(u"made in"));
}

TEST_CASE("a column shows in what another target differs", "[gui][worker][columns]") {
  Columns test("matmul.py");
  StageColumn &column = *test.window.stageColumn(StageId::Ttgir);
  CHECK(test.waitFor([&] { return column.headerText().contains(u"on tensor cores"); }));
  column.setComparison(
      {views::Comparison::With::Other, "target:cuda:80", QStringLiteral("cuda:80")});
  REQUIRE(test.waitFor([&] { return column.headerText().endsWith(u"lines against cuda:80"); }));
  REQUIRE(column.codeView().showsDiff());
  // The product of either is that of the source.
  const std::string &text = column.codeView().document().text();
  const size_t removed = text.find(" = tt.dot ");
  REQUIRE(removed != std::string::npos);
  const auto row =
      static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(removed), '\n'));
  Q_EMIT column.codeView().lineActivated(row, 0);
  const auto &sources = test.window.focusState()->selected().sources;
  REQUIRE_FALSE(sources.empty());
  const std::string source = test.fixture.editor().utf8Text();
  const size_t dot = source.find("tl.dot(");
  CHECK(sources.front().begin.line ==
        static_cast<uint32_t>(
            std::count(source.begin(), source.begin() + static_cast<long>(dot), '\n')));
}

TEST_CASE("a new column is at the cursor's line", "[gui][worker][columns]") {
  Columns test("matmul.py");
  const std::string text = test.fixture.editor().utf8Text();
  const size_t at = text.find("tl.dot(");
  const auto line =
      static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
  test.fixture.editor().goTo({line, static_cast<uint32_t>(at - text.rfind('\n', at) + 1)});
  test.window.action(QStringLiteral("view.stage.ttgir"))->trigger();
  StageColumn &first = *test.window.stageColumn(StageId::Ttgir);
  const auto hasProduct = [](StageColumn &column) {
    const views::CodeDocument &code = column.codeView().document();
    for (int32_t row = 0; row < code.numLines(); ++row)
      if (code.line(row).find("ttng.warp_group_dot ") != std::string_view::npos)
        return column.codeView().isLineVisible(row);
    return false;
  };
  REQUIRE(test.waitFor([&] { return hasProduct(first); }));
  test.window.action(QStringLiteral("newColumn"))->trigger();
  ViewDock *dock = test.window.dock(QStringLiteral("stage.ttgir.2"));
  REQUIRE(dock != nullptr);
  auto &second = *static_cast<StageColumn *>(dock->widget());
  CHECK(test.waitFor([&] { return hasProduct(second); }));
}

TEST_CASE("the columns are those of the target: of a GPU, or of a processor",
          "[gui][worker][columns]") {
  Columns test("fused_softmax.py");
  const auto isShown = [&](const char *stage) {
    return !test.window.dock(QStringLiteral("stage.") + QString::fromLatin1(stage))->isHidden();
  };
  REQUIRE(test.waitFor([&] { return test.window.compileController()->latest() != nullptr; }));
  for (const char *stage : {"ttir", "ttgir", "llir", "ptx", "sass"})
    CHECK(isShown(stage));
  CHECK_FALSE(isShown("cpuir"));
  CHECK_FALSE(isShown("asm"));
  test.window.action(QStringLiteral("target.cpu:native"))->trigger();
  REQUIRE(test.waitFor([&] { return isShown("cpuir"); }));
  for (const char *stage : {"ttir", "llir", "asm"})
    CHECK(isShown(stage));
  for (const char *stage : {"ttgir", "ptx", "sass"})
    CHECK_FALSE(isShown(stage));
  // The arrangement of another workspace has them, too.
  test.window.action(QStringLiteral("workspace.write"))->trigger();
  CHECK(isShown("asm"));
  CHECK_FALSE(isShown("sass"));
  test.window.action(QStringLiteral("workspace.see"))->trigger();
  // A line of assembly leads to its line of the source.
  test.window.action(QStringLiteral("view.stage.asm"))->trigger();
  StageColumn &column = *test.window.stageColumn(StageId::Assembly);
  const auto rowOf = [&](std::string_view word) {
    const views::CodeDocument &code = column.codeView().document();
    for (int32_t row = 0; row < code.numLines(); ++row)
      if (code.line(row).find(word) != std::string_view::npos)
        return row;
    return -1;
  };
  REQUIRE(test.waitFor([&] { return rowOf("vdivps") >= 0; }));
  Q_EMIT column.codeView().lineActivated(rowOf("vdivps"), 0);
  const auto &sources = test.window.focusState()->selected().sources;
  REQUIRE_FALSE(sources.empty());
  const std::string source = test.fixture.editor().utf8Text();
  const size_t division = source.find(" / ");
  CHECK(sources.front().begin.line ==
        static_cast<uint32_t>(
            std::count(source.begin(), source.begin() + static_cast<long>(division), '\n')));
  test.window.action(QStringLiteral("target.cuda:90"))->trigger();
  REQUIRE(test.waitFor([&] { return isShown("ttgir"); }));
  CHECK(isShown("sass"));
  CHECK_FALSE(isShown("cpuir"));
  CHECK_FALSE(isShown("asm"));
}
