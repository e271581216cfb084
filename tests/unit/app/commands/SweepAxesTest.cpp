// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepAxes.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using profiler::SweepAxis;

static void check(const std::string &text, const SweepAxis &expected) {
  INFO(text);
  const Result<SweepAxis> axis = parseOver(text);
  REQUIRE(axis);
  CHECK(axis->names == expected.names);
  CHECK(axis->values == expected.values);
}

static void checkRefused(const std::string &text, const std::string &why) {
  INFO(text);
  const Result<SweepAxis> axis = parseOver(text);
  REQUIRE_FALSE(axis);
  INFO(axis.error().message);
  CHECK(axis.error().message.find(why) != std::string::npos);
}

TEST_CASE("axes are lists, ranges and tuples", "[app]") {
  check("BLOCK=128, 256", {{"BLOCK"}, {{"128"}, {"256"}}});
  check("ACT=\"relu\",None", {{"ACT"}, {{"\"relu\""}, {"None"}}});
  check("n=4:6", {{"n"}, {{"4"}, {"5"}, {"6"}}});
  check("n=256:1000:256", {{"n"}, {{"256"}, {"512"}, {"768"}}});
  check("n=7,1024:16384:*4", {{"n"}, {{"7"}, {"1024"}, {"4096"}, {"16384"}}});
  check("n=9223372036854775806:9223372036854775807",
        {{"n"}, {{"9223372036854775806"}, {"9223372036854775807"}}});
  // A value is measured once.
  check("num_stages=1,3,3,2:4", {{"num_stages"}, {{"1"}, {"3"}, {"2"}, {"4"}}});
  check("A, B=(64, 32),(128, max(1, 2))", {{"A", "B"}, {{"64", "32"}, {"128", "max(1, 2)"}}});
}

TEST_CASE("what is no axis is refused", "[app]") {
  checkRefused("BLOCK", "not of the form NAME=LIST");
  checkRefused("=1", "not a list of names");
  checkRefused("A,A=(1,2)", "not a list of names");
  checkRefused("BLOCK=", "empty value");
  checkRefused("BLOCK=1,,2", "empty value");
  checkRefused("n=8:4", "not a range");
  checkRefused("n=1:4:0", "not a range");
  checkRefused("n=1:4:*1", "not a range");
  checkRefused("n=0:4:*2", "not a range");
  checkRefused("n=0:1000000", "more than 10000 values");
  checkRefused("A,B=(1,2),3", "not a value for each of 2 names");
}

TEST_CASE("axes come from the block, the command line and the tuner", "[app]") {
  profiler::LaunchSweep sizes, warps;
  sizes.name = "n";
  sizes.values = {{"64", {}, {}}, {"128:256:*2", {}, {}}};
  warps.name = "num_warps";
  warps.values = {{"4", {}, {}}};
  const SweepAxis over{{"num_warps"}, {{"1"}, {"2"}}};
  const std::vector<compiler::Configuration> tuned = {{{{"BLOCK", "64"}}, {}},
                                                      {{{"BLOCK", "128"}}, {{"num_stages", "3"}}},
                                                      {{{"BLOCK", "64"}}, {}}};
  const auto axes = axesOf({sizes, warps}, {over}, tuned);
  REQUIRE(axes);
  REQUIRE(axes->size() == 3);
  CHECK((*axes)[0].values == std::vector<std::vector<std::string>>{{"64"}, {"128"}, {"256"}});
  CHECK((*axes)[1] == over);
  CHECK((*axes)[2] == SweepAxis{{"BLOCK", "num_stages"}, {{"64", ""}, {"128", "3"}}});
  // An axis of one of the tuner's names takes the place of all its configurations.
  const auto chosen = axesOf({}, {{{"BLOCK"}, {{"32"}}}}, tuned);
  REQUIRE(chosen);
  CHECK(chosen->size() == 1);
  CHECK_FALSE(axesOf({}, {over, over}, {}));
  // Configurations that differ in nothing that is swept are none.
  const auto same = axesOf({}, {}, {{}, {}});
  REQUIRE(same);
  CHECK(same->empty());
  const auto none = axesOf({}, {}, {});
  REQUIRE(none);
  CHECK(none->empty());
}
