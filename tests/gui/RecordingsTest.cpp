// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reports and files of other tools, opened in the window.
#include "app/ide/page/NoticeBar.h"
#include "app/ide/profile/ProfileController.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/formats/NcuCsv.h"
#include "profiler/report/ReportData.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/RunWindow.h"
#include "views/profile/ProfileView.h"
#include "views/run/ResultsView.h"

#include <QInputDialog>
#include <QListView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static profiler::Measurement measured() {
  profiler::Measurement measurement;
  measurement.kernel = "vector_add";
  measurement.device.name = "Far GPU";
  measurement.timeUs = profiler::TimeStats{12.5, 12, 13, 100, 0.001, {}};
  measurement.gbPerS = 1234;
  return measurement;
}

static profiler::ReportData recordedReport() {
  profiler::ReportData data;
  data.title = "vector_add";
  data.generator = "Tilescope";
  data.created = "2026-01-31 12:00 UTC";
  profiler::ReportKernel &kernel = data.kernels.emplace_back();
  kernel.kernel = "vector_add";
  kernel.path = "/elsewhere/vector_add.py";
  kernel.source = sampleSource();
  kernel.isPython = true;
  kernel.target = "cuda:80";
  kernel.compiled = true;
  kernel.measurement = measured();
  profiler::ReportStage &sass = kernel.stages.emplace_back();
  sass.id = "sass";
  sass.text = "MOV";
  return data;
}

namespace {
struct RecordingsWindow : RunWindow {
  QString refusal() const {
    for (const NoticeBar *bar : window.findChildren<NoticeBar *>())
      if (bar->isVisibleTo(&window) && !bar->text().isEmpty())
        return bar->text();
    return {};
  }
  views::ResultsView &results() { return view.results(); }
  views::ProfileView &profile() { return *window.findChild<views::ProfileView *>(); }
};
} // namespace

TEST_CASE_METHOD(RecordingsWindow, "a report opens as its kernel, with its results", "[gui]") {
  fixture.openAndWait(fixture.write("r.html", profiler::htmlReport(recordedReport())));
  EditorPage &page = *window.currentPage();
  CHECK(page.editor().utf8Text() == sampleSource());
  // A text beside the report, in no file yet, and not the report itself.
  CHECK(page.path() == fixture.folder.filePath(QStringLiteral("vector_add.py")));
  CHECK_FALSE(QFile::exists(page.path()));
  CHECK(page.isModified());
  CHECK(results().statusText().startsWith(
      QStringLiteral("12.50 µs (median of 100, 12.00 to 13.00) · 1234 GB/s · Far GPU")));
  CHECK(results().stampText().contains(QStringLiteral("recorded in r.html")));
  CHECK(results().stampText().contains(QStringLiteral("Far GPU")));
  CHECK(results().stampText().contains(QStringLiteral("2026-01-31 12:00 UTC")));
  // That this window compiles for another target than the report's is no matter.
  CHECK(results().outdatedReason().isEmpty());
  CHECK(results().numOutputs() == 0);
  REQUIRE(profile().content());
  CHECK(profile().isVisible());
  CHECK(profile().content()->profile.measurement == measured());
  CHECK(profile().content()->profile.machineCode == profiler::textDigest("MOV"));
  CHECK(profile().content()->time == QDateTime(QDate(2026, 1, 31), QTime(12, 0), Qt::UTC));
  CHECK_FALSE(window.findChild<ProfileController *>()->isOutdated());
}

TEST_CASE_METHOD(RecordingsWindow, "a report of a run on the CPU says that it is one", "[gui]") {
  profiler::ReportData data = recordedReport();
  data.kernels[0].measurement->timeSource = profiler::TimeSource::Interpreter;
  fixture.openAndWait(fixture.write("r.html", profiler::htmlReport(data)));
  CHECK(results().stampText().contains(
      QStringLiteral("recorded in r.html · interpreter · 2026-01-31 12:00 UTC")));
}

TEST_CASE_METHOD(RecordingsWindow, "results of a report are of its text", "[gui]") {
  fixture.openAndWait(fixture.write("r.json", profiler::jsonReport(recordedReport())));
  fixture.type("x");
  QTRY_COMPARE(results().outdatedReason(), QStringLiteral("the text has changed"));
}

TEST_CASE_METHOD(RecordingsWindow, "an opened report does not take the place of a file", "[gui]") {
  const QString path = fixture.write("vector_add.py", "# mine\n");
  fixture.openAndWait(fixture.write("r.html", profiler::htmlReport(recordedReport())));
  CHECK(window.currentPage()->path() == fixture.folder.filePath(QStringLiteral("vector_add-2.py")));
}

TEST_CASE_METHOD(RecordingsWindow, "a profile is opened as such", "[gui]") {
  open();
  EditorPage *page = window.currentPage();
  CHECK(window.openFile(fixture.write("p.json", profiler::measurementToText(measured()))) == page);
  REQUIRE(profile().content());
  CHECK(profile().content()->profile.measurement == measured());
}

TEST_CASE_METHOD(RecordingsWindow, "a table of another tool is shown with the kernel that it is of",
                 "[gui]") {
  profiler::ReportData data = recordedReport();
  const QString table = fixture.write("ncu.csv", profiler::ncuCsv(data));
  CHECK(window.openFile(table) == nullptr);
  CHECK(refusal().contains(QStringLiteral("measurements of `vector_add` and not its source")));
  open();
  EditorPage *page = window.currentPage();
  CHECK(window.openFile(table) == page);
  CHECK(results().statusText().contains(QStringLiteral("12.50 µs")));
  CHECK(results().stampText().contains(QStringLiteral("recorded in ncu.csv")));
  REQUIRE(profile().content());
  CHECK(profile().content()->profile.measurement.timeUs->median == 12.5);
}

TEST_CASE_METHOD(RecordingsWindow, "a tab's own results come back from behind those of a report",
                 "[gui]") {
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  EditorPage *page = window.currentPage();
  press(Qt::Key_F5);
  REQUIRE(runs.requests.size() == 1);
  runs.finish(runWith({profiler::Dtype::Fp32, {4}, profiler::TensorBytes(16)}, 1));
  REQUIRE(results().numOutputs() == 1);
  CHECK_FALSE(results().stampText().contains(QStringLiteral("recorded")));
  const auto link = [&]() -> QLabel * {
    for (QLabel *label : results().findChildren<QLabel *>())
      if (label->isVisibleTo(&window) && label->text().contains(QStringLiteral("href=\"other\"")))
        return label;
    return nullptr;
  };
  CHECK_FALSE(link());
  CHECK(window.openFile(fixture.write("r.html", profiler::htmlReport(recordedReport()))) == page);
  CHECK(results().stampText().contains(QStringLiteral("recorded in r.html")));
  CHECK(results().numOutputs() == 0);
  REQUIRE(link());
  CHECK(link()->text().contains(QStringLiteral("Show the results of this tab's own run of ")));
  Q_EMIT link()->linkActivated(QStringLiteral("other"));
  CHECK(results().numOutputs() == 1);
  CHECK_FALSE(results().stampText().contains(QStringLiteral("recorded")));
  REQUIRE(link());
  CHECK(link()->text().contains(QStringLiteral("Show what is recorded in r.html")));
  Q_EMIT link()->linkActivated(QStringLiteral("other"));
  CHECK(results().stampText().contains(QStringLiteral("recorded in r.html")));
}

TEST_CASE_METHOD(RecordingsWindow, "of several recorded kernels one is chosen", "[gui]") {
  profiler::ReportData data = recordedReport();
  data.kernels.push_back(data.kernels.front());
  data.kernels.back().measurement->timeUs->median = 99;
  QStringList offered;
  const InDialog<QInputDialog> answer([&](QInputDialog &dialog) {
    offered = dialog.comboBoxItems();
    dialog.setTextValue(offered.last());
    QTest::keyClick(&dialog, Qt::Key_Return);
  });
  fixture.openAndWait(fixture.write("two.json", profiler::jsonReport(data)));
  CHECK(offered == QStringList{QStringLiteral("1. vector_add, cuda:80"),
                               QStringLiteral("2. vector_add, cuda:80")});
  CHECK(results().statusText().contains(QStringLiteral("99.00 µs")));
}

TEST_CASE_METHOD(RecordingsWindow, "a broken report is refused with its place", "[gui]") {
  std::string text = profiler::jsonReport(recordedReport());
  const std::string version = "\"version\": 2";
  text.replace(text.find(version), version.size(), "\"version\": 9");
  CHECK(window.openFile(fixture.write("new.json", text)) == nullptr);
  CHECK(refusal().contains(QStringLiteral("version 9 of its format")));
  CHECK(refusal().contains(QStringLiteral("a newer one")));
}

TEST_CASE_METHOD(RecordingsWindow, "other JSON is a text as before", "[gui]") {
  EditorPage *page = window.openFile(fixture.write("other.json", "{\"a\": 1}\n"));
  REQUIRE(page);
  CHECK(page->editor().utf8Text() == "{\"a\": 1}\n");
}
