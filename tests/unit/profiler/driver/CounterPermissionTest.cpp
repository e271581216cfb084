// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CounterPermission.h"

#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <fstream>

using namespace tilescope::profiler;
using Catch::Matchers::Contains;

TEST_CASE("the driver's parameters say whether only administrators may profile", "[profiler]") {
  CHECK(parseAdminOnly("EnableMSI: 1\nRmProfilingAdminOnly: 1\nOther: 0\n") == true);
  CHECK(parseAdminOnly("RmProfilingAdminOnly: 0") == false);
  CHECK_FALSE(parseAdminOnly("EnableMSI: 1\n"));
  CHECK_FALSE(parseAdminOnly(""));
}

TEST_CASE("capabilities are read as bits", "[profiler]") {
  CHECK(parseCapabilities("Name:\tx\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n") == 0x1ffffffffff);
  CHECK(parseCapabilities("CapEff:\t0000000000000000\n") == 0);
  CHECK(parseCapabilities("nothing") == 0);
}

TEST_CASE("programs that hold counters are known by name", "[profiler]") {
  CHECK(holdsCounters("nv-hostengine"));
  CHECK(holdsCounters("nv-nsight-cu-cl"));
  CHECK(holdsCounters("ncu"));
  CHECK(holdsCounters("tilescope-runne"));
  CHECK_FALSE(holdsCounters("ncurses"));
  CHECK_FALSE(holdsCounters(""));
}

TEST_CASE("holders of counters are those that run and do not belong to who asks", "[profiler]") {
  const tilescope::tests::TestFolder folder;
  const auto add = [&](int process, const std::string &name, char state, int parent) {
    const std::filesystem::path at = folder.path / std::to_string(process);
    std::filesystem::create_directory(at);
    std::ofstream(at / "comm") << name << '\n';
    std::ofstream(at / "stat") << process << " (" << name << ") " << state << ' ' << parent
                               << " 1 1";
  };
  add(1, "init) S 20", 'S', 0);
  add(20, "tilescope-runne", 'S', 1);
  add(21, "tilescope-runne", 'R', 20);
  add(22, "tilescope-runne", 'S', 21);
  add(30, "tilescope-runne", 'Z', 1);
  add(31, "python3", 'S', 1);
  // Of a process that has gone, and processes that name each other.
  add(32, "ncurses", 'S', 99);
  add(33, "a", 'S', 34);
  add(34, "b", 'S', 33);
  std::filesystem::create_directory(folder.path / "self");
  CHECK(counterHolders(folder.path, 20) == std::vector<std::string>{});
  CHECK(counterHolders(folder.path, 31) == std::vector<std::string>{"tilescope-runne"});
  add(40, "ncu", 'S', 33);
  add(41, "nv-hostengine", 'S', 1);
  CHECK(counterHolders(folder.path, 20) == std::vector<std::string>{"ncu", "nv-hostengine"});
  CHECK(counterHolders(folder.path / "none", 20) == std::vector<std::string>{});
}

TEST_CASE("CUPTI's results mean kinds of refusal", "[profiler]") {
  CHECK(refusalKind(35) == RefusalKind::NotPermitted);
  CHECK(refusalKind(26) == RefusalKind::Busy);
  CHECK(refusalKind(33) == RefusalKind::DeviceUnsupported);
  CHECK(refusalKind(45) == RefusalKind::DeviceUnsupported);
  CHECK(refusalKind(8) == RefusalKind::OutOfMemory);
  CHECK(refusalKind(11) == RefusalKind::LibraryTooOld);
  CHECK(refusalKind(999) == RefusalKind::Other);
}

static Refusal explain(RefusalKind kind, const CounterSurroundings &surroundings) {
  return explainRefusal(ProfileRung::Counters, {kind, "cuptiX failed: words"}, surroundings);
}

TEST_CASE("a missing permission names the setting that is in the way", "[profiler]") {
  CounterSurroundings surroundings;
  surroundings.adminOnly = true;
  const Refusal user = explain(RefusalKind::NotPermitted, surroundings);
  CHECK(user.rung == ProfileRung::Counters);
  CHECK_THAT(user.reason, Contains("RmProfilingAdminOnly: 1"));
  CHECK_THAT(user.cure, Contains("run as root"));
  CHECK_THAT(user.cure, Contains("NVreg_RestrictProfilingToAdminUsers=0"));
  surroundings.isContainer = true;
  const Refusal contained = explain(RefusalKind::NotPermitted, surroundings);
  CHECK_THAT(contained.cure, Contains("--cap-add=SYS_ADMIN"));
  surroundings.isContainer = false;
  surroundings.hasSysAdmin = true;
  CHECK_THAT(explain(RefusalKind::NotPermitted, surroundings).cure, Contains("on the host"));
  surroundings.adminOnly.reset();
  CHECK_THAT(explain(RefusalKind::NotPermitted, surroundings).reason,
             Contains("cuptiX failed: words"));
}

TEST_CASE("counters that are held name who may hold them", "[profiler]") {
  CounterSurroundings surroundings;
  CHECK_THAT(explain(RefusalKind::Busy, surroundings).cure, Contains("dcgmi profile --pause"));
  surroundings.holders = {"ncu"};
  CHECK_THAT(explain(RefusalKind::Busy, surroundings).cure, Contains("`ncu` may hold them: wait"));
  surroundings.holders = {"ncu", "nv-hostengine"};
  CHECK_THAT(explain(RefusalKind::Busy, surroundings).cure,
             Contains("`ncu`, `nv-hostengine` may hold them: `dcgmi profile --pause`"));
}

TEST_CASE("every kind of refusal has words", "[profiler]") {
  for (const RefusalKind kind :
       {RefusalKind::NotPermitted, RefusalKind::Busy, RefusalKind::DeviceUnsupported,
        RefusalKind::OutOfMemory, RefusalKind::LibraryMissing, RefusalKind::LibraryTooOld,
        RefusalKind::Interrupted, RefusalKind::Other}) {
    const Refusal refusal = explain(kind, {});
    CHECK(refusal.kind == kind);
    CHECK_FALSE(refusal.reason.empty());
    CHECK(refusal.cure.empty() == (kind == RefusalKind::Interrupted || kind == RefusalKind::Other));
  }
}
