// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What pages of the guide say of a view is what the view says: each row opens a kernel as the page
// tells the reader to, and looks for the page's words in the page and for the view's in the view.
// A number that changes in the program fails here until the page has it, too.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/WindowFixture.h"
#include "views/common/PictureView.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

/// Words of a page, and those by which the view says it; empty: the same words.
struct Claim {
  const char *page;
  const char *view = "";
};

struct PageRow {
  const char *page;
  const char *kernel;
  const char *target;
  /// Texts in the kernel and what the page puts in their place.
  std::vector<std::pair<const char *, const char *>> edits;
  /// The cursor is before this.
  const char *at;
  const char *dock;
  /// An entry of a field of the view; empty: what is chosen at first.
  const char *entry;
  /// Pressed in the view, one after the other.
  const char *keys;
  std::vector<Claim> claims;
};

const std::vector<std::pair<const char *, const char *>> kLargeProduct{
    {"# M = 512", "# M = 4096"},
    {"# N = 512", "# N = 4096"},
    {"# K = 512", "# K = 4096"},
    {"BLOCK_M = \"64\"", "BLOCK_M = \"128\""},
    {"BLOCK_N = \"64\"", "BLOCK_N = \"128\""}};

std::vector<std::pair<const char *, const char *>>
ungrouped(std::vector<std::pair<const char *, const char *>> edits) {
  edits.emplace_back("GROUP_M = \"8\"", "GROUP_M = \"1\"");
  return edits;
}

const std::vector<PageRow> kRows{
    {"access",
     "docs/images/column.py",
     "cuda:90",
     {},
     "tl.load",
     "access",
     "",
     "",
     {{"`13 %`", "13 % of 32 MiB fetched used"},
      {"*32 sectors in 32 lines · 4 sectors would do*",
       "32 sectors in 32 lines · 4 sectors would do"}}},
    {"access",
     "docs/images/column.py",
     "cuda:90",
     {},
     "tl.store",
     "access",
     "",
     "",
     {{"`100 % of …", "100 % of"}}},
    {"access",
     "examples/transpose.py",
     "cuda:90",
     {},
     "tl.store",
     "access",
     "",
     "",
     {{"shows 100 % for both", "100 % of its sectors"}}},
    {"cpu-and-gpu",
     "examples/fused_softmax.py",
     "cuda:90",
     {{"n_rows = 1823", "n_rows = 4096"}, {"n_cols = 781", "n_cols = 4096"}},
     "tl.load",
     "layout",
     "",
     "",
     {{"4 warps of 32 lanes have 32 registers each", "4 warps × 32 lanes × 32 registers"},
      {"so it loads 16 bytes at once", "4 contiguous per lane (16 bytes)"}}},
    {"shared-memory",
     "examples/matmul.py",
     "cuda:80",
     {},
     "a = tl.load",
     "shared",
     "matrix load",
     "",
     {{"three **slots**", "3 slots of fp16[64, 32]"},
      {"`4 wavefronts, at least 4`", "4 wavefronts, at least 4"}}},
    {"shared-memory",
     "examples/matmul.py",
     "cuda:90",
     {},
     "a = tl.load",
     "shared",
     "warp_group_dot",
     "",
     {{"core matrices of eight rows by 16 bytes", "core matrices of 8 rows by 16 bytes"},
      {"eight rows of the buffer", "rows 0 to 7 of the buffer"}}},
    {"pipeline",
     "examples/matmul.py",
     "cuda:80",
     {},
     "a = tl.load",
     "pipeline",
     "",
     "",
     {{"three slots, two copies an iteration, two iterations ahead",
       "3 slots, 2 copies an iteration, 2 iterations ahead"},
      {"of 16 iterations", "The first and last of 16 iterations"},
      {"copy of a for iteration 2 into slot 2 · in iteration 0, line 80 · waited for in iteration "
       "2, line 78 · "
       "read by shared load of a from a, slot 2 (in iteration 2, line 80)"}}},
    {"pipeline",
     "tests/bench/kernels/attention/attention_fwd_4_warps.py",
     "cuda:90",
     {},
     "accumulator = tl.dot",
     "pipeline",
     "",
     "",
     {{"has two products", "2 asynchronous products"}}},
    {"conversion",
     "examples/transpose.py",
     "cuda:90",
     {},
     "tl.store",
     "conversion",
     "",
     "",
     {{"The block of 16 KiB goes through shared memory", "16 KiB through shared memory"},
      {"the pass that put the conversion between them", "Made by the pass"}}},
    {"conversion",
     "examples/matmul.py",
     "cuda:90",
     {},
     "tl.store",
     "conversion",
     "",
     "",
     {{"a store of 16 bytes a lane", "16 in the layout for tt.store"}}},
    {"programs",
     "examples/transpose.py",
     "cuda:90",
     {},
     "tl.store",
     "programs",
     "",
     "XXXXXYY",
     {{"The grid has 16 × 32 programs", "Program (5, 2) of (0–15, 0–31)"},
      {"reads rows 320 to 383, columns 128 to 191"}}},
    {"programs",
     "examples/matmul.py",
     "cuda:90",
     {},
     "a = tl.load",
     "programs",
     "",
     "PPPTTTT",
     {{"Iteration 4 of 16 of a product", "iteration 4 of 0–15"}}},
    {"programs",
     "examples/matmul.py",
     "cuda:90",
     {},
     "a = tl.load",
     "programs",
     "",
     "O",
     {{"every element of `a_ptr` is read by 8 programs", "read by 8 programs"}}},
    {"programs",
     "examples/matmul.py",
     "cuda:90",
     ungrouped(kLargeProduct),
     "a = tl.load",
     "programs",
     "",
     "OO",
     {{"Both waves read 264 MiB", "132 programs read 264 MiB"},
      {"37 MiB of different bytes", "37 MiB of it is different"}}},
    {"programs",
     "examples/matmul.py",
     "cuda:90",
     kLargeProduct,
     "a = tl.load",
     "programs",
     "",
     "OO",
     {{"Both waves read 264 MiB", "132 programs read 264 MiB"},
      {"The square needs 25 MiB", "25 MiB of it is different"}}},
    {"registers",
     "examples/matmul.py",
     "cuda:90",
     {},
     "a = tl.load",
     "registers",
     "",
     "",
     {{"9 programs fit at 56 registers; only 7 programs from 65 registers on"}}},
};

/// Pages show what is found in time on a machine that has nothing else to do.
class PatientWorker : public WorkerConnection {
public:
  using WorkerConnection::WorkerConnection;
  void inspect(const compiler::InspectMessage &message) override {
    constexpr int kPatience = 6;
    compiler::InspectMessage asked = message;
    asked.timeLimitMs *= kPatience * kSlowdown;
    WorkerConnection::inspect(asked);
  }
};

QString textOf(const QString &path) {
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  return QString::fromUtf8(file.readAll());
}

/// Without the line breaks and marks of a page in Markdown.
QString readAsText(QString page) { return page.remove(QStringLiteral("> ")).simplified(); }

/// All that a view says, tool tips and descriptions included, since what does not fit is there.
QString shownIn(const QWidget &view) {
  QStringList texts;
  for (const QWidget *part : view.findChildren<QWidget *>()) {
    texts << part->accessibleDescription();
    if (const auto *label = qobject_cast<const QLabel *>(part); label && label->isVisibleTo(&view))
      texts << label->text() << label->toolTip();
  }
  texts.removeAll(QString());
  texts.removeDuplicates();
  return texts.join(u'\n');
}

bool choose(const QWidget &view, const QString &entry) {
  for (auto *box : view.findChildren<QComboBox *>())
    if (const int at = box->findText(entry, Qt::MatchContains); box->isVisible() && at >= 0) {
      box->setCurrentIndex(at);
      Q_EMIT box->activated(at);
      return true;
    }
  return false;
}

} // namespace

TEST_CASE("the numbers in pages of the guide are those that views show", "[gui][worker][guide]") {
  PatientWorker worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  for (const PageRow &row : kRows) {
    INFO(row.page << ": " << row.kernel << " on " << row.target << ", " << row.dock << " "
                  << row.keys);
    WindowFixture fixture(worker);
    MainWindow &window = *fixture.window;
    window.compileController()->setChosenTarget(row.target);
    QString kernel =
        textOf(QStringLiteral(TILESCOPE_SOURCES "/") + QString::fromLatin1(row.kernel));
    for (const auto &[before, after] : row.edits) {
      REQUIRE(kernel.contains(QString::fromLatin1(before)));
      kernel.replace(QString::fromLatin1(before), QString::fromLatin1(after));
    }
    fixture.openAndWait(fixture.write("kernel.py", kernel.toStdString()));
    const QString above = kernel.left(kernel.indexOf(QString::fromLatin1(row.at)));
    REQUIRE(above.size() < kernel.size());
    const qsizetype column = above.size() - above.lastIndexOf(u'\n') - 1;
    window.editor()->goTo(
        {static_cast<uint32_t>(above.count(u'\n')), static_cast<uint32_t>(column)});
    window.action(QStringLiteral("view.") + QString::fromLatin1(row.dock))->trigger();
    ViewDock &dock = *window.dock(QString::fromLatin1(row.dock));
    const auto isAssembled = [&] {
      return window.compileController()->latest()->result()->resources.registers >= 0;
    };
    if (row.dock == std::string_view("registers") &&
        !QTest::qWaitFor(isAssembled, 30000 * kSlowdown)) {
      WARN("skipped: this machine has no ptxas; scripts/setup gets it");
      continue;
    }
    if (const auto *picture = dock.findChild<views::PictureView *>())
      REQUIRE(QTest::qWaitFor([&] { return picture->hasContent(); }, 120000 * kSlowdown));
    if (*row.entry)
      REQUIRE(QTest::qWaitFor([&] { return choose(dock, QString::fromLatin1(row.entry)); },
                              120000 * kSlowdown));
    for (const char *key = row.keys; *key; ++key)
      QTest::keyClick(QApplication::focusWidget(), *key);
    const QString page = readAsText(
        textOf(QStringLiteral(TILESCOPE_GUIDE "/%1.md").arg(QString::fromLatin1(row.page))));
    for (const Claim &claim : row.claims) {
      const QString said = QString::fromUtf8(claim.page);
      const QString shown = *claim.view ? QString::fromUtf8(claim.view) : said;
      INFO("the page says: " << claim.page);
      CHECK(page.contains(said));
      const bool isShown =
          QTest::qWaitFor([&] { return shownIn(dock).contains(shown); }, 120000 * kSlowdown);
      INFO("the view says: " << shownIn(dock).toStdString());
      CHECK(isShown);
    }
  }
}
