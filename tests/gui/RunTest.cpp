// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Run form: launch blocks, assumptions without one, configurations.
#include "app/ide/run/RunController.h"
#include "profiler/package/LaunchBlock.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/common/tensor/TensorDigest.h"
#include "views/run/RunView.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const char *const kTunedScale = R"py(import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_warps=w) for b in (256, 1024) for w in (4, 8)],
    key=["n"])
@triton.jit
def scale(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, x * 2, mask=offsets < n)
)py";

namespace {
struct RunFixture {
  FakeBackend backend;
  WindowFixture fixture{backend};
  RunFixture() {
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->kernel = "scale";
      result->kernels = {"scale"};
      result->files.front().text = request.text;
      result->signature = {{"x_ptr", "*fp32:16"}, {"n", "i32:16"}};
      result->constexprs = request.selection.constexprs;
      result->constexprs.try_emplace("BLOCK", "256");
      result->options = {{"num_warps", "4"}, {"num_stages", "3"}};
      result->suggestion = {{{"n", 4000}},
                            {{"x_ptr", {{"n"}, false, true, true, ""}}},
                            {{"n", "n"}},
                            {"cdiv(n, BLOCK)"}};
      using Source = compiler::Assumption::Source;
      result->assumptions = {{"x_ptr", "*fp32:16", false, Source::Kernel, "it is loaded from"},
                             {"BLOCK", "256", true, Source::Configuration,
                              "the first autotune configuration says so"}};
      return result;
    };
    fixture.openAndWait(fixture.write("scale.py", kTunedScale));
  }
  QLineEdit *field(const char *name) {
    for (QLineEdit *edit : fixture.window->findChildren<QLineEdit *>())
      if (edit->accessibleName() == QString::fromLatin1(name))
        return edit;
    return nullptr;
  }
};
} // namespace

TEST_CASE(
    "what was assumed about the launch is shown with its reason; an edit becomes a launch block",
    "[gui][run]") {
  RunFixture test;
  QLineEdit *pointer = test.field("x_ptr");
  REQUIRE(pointer != nullptr);
  CHECK(pointer->text() == QStringLiteral("*fp32:16"));
  REQUIRE(test.field("BLOCK") != nullptr);
  CHECK(test.field("BLOCK")->text() == QStringLiteral("256"));
  // In the signature's order.
  QStringList fields;
  for (const QLineEdit *edit : test.fixture.window->findChildren<QLineEdit *>())
    fields << edit->accessibleName();
  CHECK(fields.indexOf(QStringLiteral("x_ptr")) < fields.indexOf(QStringLiteral("n")));
  QStringList texts;
  for (const QLabel *label : test.fixture.window->findChildren<QLabel *>())
    texts << label->text();
  // In a column of its own, or below the lines with the name, as there is room.
  for (const char16_t *reason :
       {u"a pointer to fp32, aligned to 16 bytes; assumed because it is loaded from",
        u"i32, a multiple of 16", u"assumed because the first autotune configuration says so"})
    CHECK(std::ranges::any_of(
        texts, [&](const QString &each) { return each.endsWith(QStringView(reason)); }));
  CHECK(pointer->toolTip().contains(u"`:16` says that the number or the address"));
  // The button that the form asks for can be pressed.
  CHECK(texts.contains(QStringLiteral("No launch block says how to launch `scale`. It is compiled "
                                      "for what is assumed here; Run writes a launch block of "
                                      "guesses and runs it.")));
  // An emptied field is not a choice: the compiler's comes back.
  QTest::keyClick(pointer, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(pointer, Qt::Key_Delete);
  QTest::keyClick(pointer, Qt::Key_Return);
  CHECK(test.fixture.editor().utf8Text() == kTunedScale);

  QSignalSpy settled(test.fixture.window.get(), &MainWindow::settled);
  QTest::keyClicks(pointer, QStringLiteral("*bf16"));
  QTest::keyClick(pointer, Qt::Key_Return);
  const std::string edited = test.fixture.editor().utf8Text();
  INFO(edited);
  CHECK(edited.find("# /// tilescope\n# kernel = \"scale\"\n# grid = [\"cdiv(n, BLOCK)\"]\n") !=
        std::string::npos);
  CHECK(edited.find(
            "# x_ptr = { dtype = \"bf16\", shape = [\"n\"], init = \"randn\", seed = 0 }\n") !=
        std::string::npos);
  CHECK(edited.find("# n     = \"n\"\n") != std::string::npos);
  CHECK(edited.find("# BLOCK = 256\n") != std::string::npos);
  // It is what is compiled now, it stands before the decorators, and one undo takes it back.
  REQUIRE(settled.wait(5000));
  const compiler::CompileRequest &request = test.backend.requests.back();
  CHECK(request.text == edited);
  CHECK(request.selection.signature.at("x_ptr") == "*bf16:16");
  CHECK(edited.find("# ///\n\n\n@triton.autotune(") != std::string::npos);
  QTest::keyClick(test.fixture.window->editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.fixture.editor().utf8Text() == kTunedScale);
}

TEST_CASE("the values of heuristics are offered with the sizes of the launch", "[gui][run]") {
  RunFixture test;
  std::string text = kTunedScale;
  text.replace(text.find("@triton.jit"), 0,
               "@triton.heuristics({\"EVEN\": lambda args: args[\"n\"] % args[\"BLOCK\"] == 0})\n");
  text.replace(text.find("BLOCK: tl.constexpr"), 0, "EVEN: tl.constexpr, ");
  text += "\n\n# /// tilescope\n# grid = [1]\n# [args]\n"
          "# x_ptr = { dtype = \"fp32\", shape = [768] }\n# n = 768\n# ///\n";
  test.fixture.openAndWait(test.fixture.write("even.py", text));
  const RunController *run = test.fixture.window->findChild<RunController *>();
  REQUIRE(run != nullptr);
  CHECK(run->configurationTitles() ==
        QStringList{QStringLiteral("as launched"),
                    QStringLiteral("BLOCK=256  EVEN=True  num_warps=4"),
                    QStringLiteral("BLOCK=256  EVEN=True  num_warps=8"),
                    QStringLiteral("BLOCK=1024  EVEN=False  num_warps=4"),
                    QStringLiteral("BLOCK=1024  EVEN=False  num_warps=8")});
}

TEST_CASE("the configurations of autotune are offered", "[gui][run]") {
  RunFixture test;
  QComboBox *choice = nullptr;
  for (QComboBox *box : test.fixture.window->findChildren<QComboBox *>())
    if (box->accessibleName() == u"Configuration")
      choice = box;
  REQUIRE(choice != nullptr);
  REQUIRE(QTest::qWaitFor([&] { return choice->isVisible(); }, 5000));
  REQUIRE(choice->count() == 4);
  CHECK(choice->currentText() == QStringLiteral("BLOCK=256  num_warps=4"));
  CHECK(choice->itemText(3) == QStringLiteral("BLOCK=1024  num_warps=8"));
  choice->setFocus();
  QSignalSpy settled(test.fixture.window.get(), &MainWindow::settled);
  for (int i = 0; i < 3; ++i)
    QTest::keyClick(choice, Qt::Key_Down);
  REQUIRE(settled.wait(5000));
  const compiler::Selection &chosen = test.backend.requests.back().selection;
  CHECK(chosen.constexprs.at("BLOCK") == "1024");
  CHECK(chosen.options.at("num_warps") == "8");
  CHECK(choice->currentIndex() == 3);
  QTest::keyClick(choice, Qt::Key_Home);
  CHECK(test.backend.requests.back().selection.options.at("num_warps") == "4");
}

TEST_CASE("an edited field is written into the launch block", "[gui][run]") {
  FakeBackend backend;
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  WindowFixture fixture(backend);
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  QLineEdit *size = nullptr;
  for (QLineEdit *edit : fixture.window->findChildren<QLineEdit *>())
    if (edit->accessibleName() == u"n" && edit->text() == u"98432")
      size = edit;
  REQUIRE(size != nullptr);
  QTest::keyClick(size, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(size, QStringLiteral("4096"));
  QTest::keyClick(size, Qt::Key_Return);
  INFO(fixture.editor().utf8Text());
  CHECK(fixture.editor().utf8Text().find("# n = 4096\n") != std::string::npos);
  CHECK(backend.requests.back().text == fixture.editor().utf8Text());
}

TEST_CASE("of a few values each has its own color", "[gui][run]") {
  profiler::Tensor tensor = profiler::makeTensor(profiler::Dtype::Fp32, {8}, {});
  for (int64_t i = 0; i < 8; ++i)
    tensor.set(i, static_cast<double>(2 * i + 2));
  const auto [low, high] = views::heatRange(tensor, views::tensorStatistics(tensor, 8));
  CHECK(low == 2);
  CHECK(high == 16);
}

TEST_CASE("a few outliers do not darken a heat map", "[gui][run]") {
  profiler::TensorInit uniform;
  uniform.kind = profiler::TensorInit::Kind::Rand;
  profiler::Tensor tensor = profiler::makeTensor(profiler::Dtype::Fp32, {1000}, uniform);
  tensor.set(500, 1e6);
  const auto [low, high] = views::heatRange(tensor, views::tensorStatistics(tensor, 8));
  CHECK(low >= 0);
  CHECK(low < 0.05);
  CHECK(high > 0.95);
  CHECK(high < 1.01);
}
