// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a profile says in words and numbers, and where it lies on its page; no window.
#include "views/profile/ProfilePage.h"

#include "tests/gui/RecordedProfile.h"
#include "views/profile/ProfileContent.h"

using namespace tilescope;
using namespace tilescope::views;
using compiler::access::Step;
using profiler::ProfileDocument;
using tests::recordedProfile;

static const ProfileSection &sectionOf(const std::vector<ProfileSection> &sections,
                                       ProfilePart part) {
  return sections[static_cast<size_t>(part)];
}

static const ProfileRow *rowOf(const ProfileSection &section, const QString &name) {
  const auto found = std::ranges::find(section.rows, name, &ProfileRow::name);
  return found == section.rows.end() ? nullptr : &*found;
}

/// Eight pixels for each letter.
static double widthOf(const QString &text) { return 8.0 * static_cast<double>(text.size()); }

TEST_CASE("a full profile fills all parts", "[profile]") {
  const auto sections = profileSections(recordedProfile("matmul"));
  REQUIRE(sections.size() == kNumProfileParts);
  for (const ProfileSection &section : sections) {
    INFO(profilePartTitle(section.part).toStdString());
    // The recording is older than predictions.
    CHECK(section.isEmpty() == (section.part == ProfilePart::Prediction));
  }
  const ProfileSection &times = sectionOf(sections, ProfilePart::Times);
  CHECK(rowOf(times, QStringLiteral("Median"))->value == u"239.08 µs");
  CHECK(rowOf(times, QStringLiteral("95 % interval"))->value ==
        u"237.96 µs to 240.20 µs (± 0.47 %)");
  CHECK(rowOf(times, QStringLiteral("Runs"))->value == u"81");
  CHECK(rowOf(times, QStringLiteral("L2 cache"))->value == u"cold: emptied before each run");
  CHECK(rowOf(times, QStringLiteral("Throttling"))->value == u"none");
  int counted = 0;
  for (const auto &bin : std::get<profiler::TimePicture>(times.picture).bins)
    counted += bin.count;
  CHECK(counted == 81);
  const ProfileSection &occupancy = sectionOf(sections, ProfilePart::Occupancy);
  CHECK(rowOf(occupancy, QStringLiteral("Theoretical"))->value == u"16 of 64 warps");
  CHECK(std::get<profiler::BarPicture>(occupancy.picture).rows.size() == 2);
  const ProfileSection &lines = sectionOf(sections, ProfilePart::HotLines);
  REQUIRE(lines.rows.front().line);
  CHECK(lines.rows.front().name.startsWith(u"line 80  "));
  CHECK(lines.rows.front().name.contains(u"tl.load"));
  CHECK(lines.remarks.join(u' ').contains(u"100.0 % of them belong to a line"));
}

TEST_CASE("predicted stands beside measured, of the whole and of each line", "[profile]") {
  ProfileDocument profile = recordedProfile("matmul");
  const auto none = profileSections(profile);
  CHECK(sectionOf(none, ProfilePart::Prediction).remarks.front().startsWith(u"Nothing was"));
  profile.measurement.prediction =
      profiler::Prediction{"H100 SXM", 230, "tensor cores", false, {{79, 0.6}, {80, 0.1}}};
  const auto sections = profileSections(profile);
  const ProfileSection &section = sectionOf(sections, ProfilePart::Prediction);
  CHECK(section.remarks.front() == u"Predicted 230.00 µs on the H100 SXM, limited by tensor cores; "
                                   u"measured 239.08 µs, 1.04 times that.");
  CHECK(section.remarks.join(u' ').contains(u"line 80 has 26.4 % of the samples, and 60.0 %"));
  REQUIRE_FALSE(section.rows.empty());
  const ProfileRow &first = section.rows.front();
  CHECK(first.line == 79u);
  CHECK(first.name.startsWith(u"line 80  "));
  CHECK(first.value == u"60.0 % | 26.4 %");
  profile.measurement.samples.reset();
  profile.measurement.trace.reset();
  const auto timed = profileSections(profile);
  CHECK(sectionOf(timed, ProfilePart::Prediction).rows.front().value == u"60.0 % | –");
}

TEST_CASE("hot lines say what was counted there", "[profile]") {
  ProfileDocument profile = recordedProfile("matmul");
  profile.measurement.executions.emplace();
  profile.measurement.executions->lines = {{79, {4096, 131072, 131072, 32768, 8192, {}, {}}}};
  const auto sampled = profileSections(profile);
  CHECK(sectionOf(sampled, ProfilePart::HotLines)
            .rows.front()
            .description.endsWith(
                u"; 4,096 executions by warps, 32,768 sectors where 8,192 would do"));
  profile.measurement.samples.reset();
  const auto counted = profileSections(profile);
  const ProfileSection &section = sectionOf(counted, ProfilePart::HotLines);
  REQUIRE(section.rows.size() == 1);
  CHECK(section.rows.front().line == 79u);
  CHECK(section.rows.front().value.startsWith(u"4,096 executions by warps"));
}

TEST_CASE("what was not measured is said to be missing, never zero", "[profile]") {
  ProfileDocument profile = recordedProfile("matmul");
  profiler::Measurement &measurement = profile.measurement;
  measurement.conditions.reset();
  measurement.samples.reset();
  measurement.gbPerS.reset();
  std::erase_if(measurement.counters->values, [](const auto &value) {
    return !value.first.starts_with("dram__bytes") && value.first != "gpu__time_duration.sum";
  });
  measurement.counters->isFull = false;
  const auto sections = profileSections(profile);
  const ProfileSection &times = sectionOf(sections, ProfilePart::Times);
  for (const char *name : {"Power, between runs", "SM clock, between runs",
                           "SM clock, while it was counted", "Throttling", "Stated bytes"}) {
    INFO(name);
    CHECK(rowOf(times, QString::fromLatin1(name))->value == u"not measured");
    CHECK(rowOf(times, QString::fromLatin1(name))->isMissing);
  }
  const ProfileSection &memory = sectionOf(sections, ProfilePart::Memory);
  CHECK(rowOf(memory, QStringLiteral("DRAM reads"))->value.endsWith(u"MB"));
  CHECK(rowOf(memory, QStringLiteral("L2 to L1"))->value == u"not measured");
  const ProfileSection &states = sectionOf(sections, ProfilePart::WarpStates);
  CHECK(states.isEmpty());
  CHECK(states.remarks.front().contains(u"the quick set of counters has none of it"));
  CHECK(sectionOf(sections, ProfilePart::HotLines).remarks.front().contains(u"not asked for"));
  for (const ProfileSection &section : sections)
    for (const ProfileRow &row : section.rows)
      if (row.isMissing)
        CHECK(row.value == u"not measured");
}

TEST_CASE("the ladder names its rungs, why one is refused and what helps", "[profile]") {
  ProfileDocument profile = recordedProfile("transpose");
  const QString all = ladderLines(profile.measurement).join(u'\n');
  CHECK(all.contains(u"✓ Counters"));
  CHECK(all.contains(u"✓ Static estimate"));
  CHECK_FALSE(all.contains(u"What helps"));
  profile.measurement.counters.reset();
  profile.measurement.refusals = {{profiler::ProfileRung::Counters,
                                   profiler::RefusalKind::NotPermitted,
                                   "the driver lets only administrators use them",
                                   "NVreg_RestrictProfilingToAdminUsers=0 <on the host>"}};
  const QString refused = ladderLines(profile.measurement).join(u'\n');
  CHECK(refused.contains(u"✗ Counters"));
  CHECK(refused.contains(u"No counters: the driver lets only administrators use them."));
  CHECK(refused.contains(u"What helps: NVreg_RestrictProfilingToAdminUsers=0 <on the host>."));
  const auto sections = profileSections(profile);
  CHECK(sectionOf(sections, ProfilePart::Roofline)
            .remarks.front()
            .contains(u"the driver lets only administrators"));
}

TEST_CASE("blocks lie beside each other where they fit, and never over each other", "[profile]") {
  const auto sections = profileSections(recordedProfile("matmul"));
  for (const double width : {400.0, 800.0, 1100.0, 1900.0}) {
    const ProfilePage page = layOutProfile(sections, width, widthOf);
    INFO(width);
    CHECK(page.width == std::max(width, ProfilePage::kLeastWidth));
    REQUIRE(page.blocks.size() == sections.size());
    for (size_t i = 0; i < page.blocks.size(); ++i) {
      const QRectF rect = page.blocks[i].rect;
      CHECK(QRectF(0, 0, page.width, page.height).contains(rect));
      for (size_t j = 0; j < i; ++j)
        CHECK_FALSE(rect.intersects(page.blocks[j].rect));
      // In order: none begins above the one before.
      if (i > 0)
        CHECK(rect.top() >= page.blocks[i - 1].rect.top());
    }
    for (const ProfilePage::Place &place : page.places)
      CHECK(page.blocks[place.section].rect.adjusted(-1, -1, 1, 1).contains(place.rect.center()));
  }
  CHECK(layOutProfile(sections, 1900, widthOf).height <
        layOutProfile(sections, 800, widthOf).height);
}

TEST_CASE("keys lead through all places and from part to part", "[profile]") {
  ProfileDocument profile = recordedProfile("fused_softmax");
  profile.measurement.prediction = profiler::Prediction{"H100 SXM", 80, "DRAM", false, {{44, 0.6}}};
  const auto sections = profileSections(profile);
  const ProfilePage page = layOutProfile(sections, 1100, widthOf);
  const int last = static_cast<int>(page.places.size()) - 1;
  CHECK(page.placeFrom(0, Step::Up) == 0);
  CHECK(page.placeFrom(last, Step::Down) == last);
  CHECK(page.placeFrom(3, Step::Last) == last);
  std::vector<size_t> parts{0};
  int at = 0;
  for (int next = page.placeFrom(at, Step::Right); next != at && next != last;
       next = page.placeFrom(at, Step::Right)) {
    parts.push_back(page.places[static_cast<size_t>(next)].section);
    at = next;
    if (parts.size() > sections.size())
      break;
  }
  CHECK(parts == std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  // And back, each time to the first place of a part.
  for (size_t part = 9; part-- > 0;) {
    at = page.placeFrom(at, Step::Left);
    CHECK(page.places[static_cast<size_t>(at)].section == part);
    CHECK(page.placeFrom(at, Step::RowStart) == at);
  }
  for (int place = 0; place <= last; ++place) {
    const ProfilePage::Place &each = page.places[static_cast<size_t>(place)];
    CHECK_FALSE(placeWords(sections[each.section], each).isEmpty());
  }
}
