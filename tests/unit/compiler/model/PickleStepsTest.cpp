// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/PickleSteps.h"

#include <catch2/catch.hpp>

using namespace tilescope::model;
using Kind = PickleValue::Kind;
using namespace std::string_literals;

TEST_CASE("a pickle's values are followed, and nothing is called", "[compiler]") {
  // {"w": os.system("id")}
  const auto pickle = followPickle("\x80\2}X\1\0\0\0wcos\nsystem\nX\2\0\0\0id\x85Rs."s);
  REQUIRE(pickle);
  const PickleValue &top = pickle->at(pickle->top);
  REQUIRE(top.kind == Kind::Dictionary);
  REQUIRE(top.items.size() == 2);
  CHECK(pickle->at(top.items[0]).text == "w");
  const PickleValue &call = pickle->at(top.items[1]);
  REQUIRE(call.kind == Kind::Call);
  CHECK(pickle->at(call.items[0]).text == "os system");
  CHECK(pickle->at(pickle->at(call.items[1]).items[0]).text == "id");
}

TEST_CASE("numbers of a pickle have their signs and widths", "[compiler]") {
  const auto number = [](const std::string &steps) {
    const auto pickle = followPickle(steps + ".");
    REQUIRE(pickle);
    return pickle->at(pickle->top).number;
  };
  CHECK(number("K\xff"s) == 255);
  CHECK(number("M\0\1"s) == 256);
  CHECK(number("J\xfe\xff\xff\xff"s) == -2);
  CHECK(number("\x8a\0"s) == 0);
  CHECK(number("\x8a\1\xff"s) == -1);
  CHECK(number("\x8a\5\0\0\0\0\1"s) == int64_t{1} << 32);
  CHECK(number("\x88"s) == 1);
}

TEST_CASE("a value that is used again is there once", "[compiler]") {
  // Each tuple holds the one before twice.
  std::string steps = "K\1q\0"s;
  for (int i = 1; i < 200; ++i)
    steps += "h"s + char(i - 1) + "h" + char(i - 1) + "\x86q" + char(i);
  const auto pickle = followPickle(steps + ".");
  REQUIRE(pickle);
  CHECK(pickle->values.size() == 200);
}

TEST_CASE("steps that tensors do not need, and what is damaged, are errors with their place",
          "[compiler]") {
  const auto fault = [](const std::string &steps) {
    const auto pickle = followPickle(steps);
    return pickle ? "" : pickle.error().message;
  };
  CHECK(fault("") == "the pickle at byte 0: it ends too soon");
  CHECK(fault("}") == "the pickle at byte 1: it ends too soon");
  CHECK(fault(".") == "the pickle at byte 0: it has no value");
  CHECK(fault("}0.") == "the pickle at byte 2: it has no value");
  CHECK(fault("NK\1K\2s."s) == "the pickle at byte 5: it adds to a value that takes none");
  CHECK(fault("R.") == "the pickle at byte 0: a value is missing");
  CHECK(fault("Nt.") == "the pickle at byte 1: a mark is missing");
  CHECK(fault("h\7."s) == "the pickle at byte 0: a value of its memo is missing");
  CHECK(fault("N\x93.") == "the pickle at byte 1: a step of kind 147 is not one that tensors need");
  CHECK(fault("X\xff\xff\xff\xffw.") == "the pickle at byte 0: it ends too soon");
}
