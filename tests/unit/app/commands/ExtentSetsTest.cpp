// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExtentSets.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

using Sets = std::vector<std::vector<std::string>>;

TEST_CASE("each number of an extent goes together with each of the others", "[commands]") {
  CHECK(*extentSets({}) == Sets{{}});
  CHECK(*extentSets({"batch=1"}) == Sets{{"batch=1"}});
  CHECK(*extentSets({"batch=1,8", "length=64,128"}) == Sets{{"batch=1", "length=64"},
                                                            {"batch=1", "length=128"},
                                                            {"batch=8", "length=64"},
                                                            {"batch=8", "length=128"}});
  // Reading the model refuses it.
  CHECK(*extentSets({"batch"}) == Sets{{"batch"}});
  CHECK(joinedTexts({"batch=1", "length=64"}) == "batch=1, length=64");
}

TEST_CASE("extents that are no sets are refused", "[commands]") {
  CHECK(extentSets({"batch=1,,8"}).error().message == "`--dim batch=1,,8`: a number is missing");
  CHECK(extentSets({"batch=1,"}).error().message == "`--dim batch=1,`: a number is missing");
  CHECK(extentSets({"batch="}).error().message == "`--dim batch=`: a number is missing");
  CHECK(extentSets({"n=2,3,2"}).error().message == "`--dim n=2,3,2`: `n=2` is there twice");
  const std::string nine = "=1,2,3,4,5,6,7,8,9";
  CHECK(extentSets({"a" + nine, "b" + nine}).error().message ==
        "`--dim` asks for more than 64 sets of shapes");
}
