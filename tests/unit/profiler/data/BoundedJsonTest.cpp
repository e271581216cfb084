// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/BoundedJson.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope;
using namespace tilescope::profiler;
using nlohmann::json;

static std::string nested(const std::string &open, const std::string &close, size_t depth) {
  std::string text;
  for (size_t i = 0; i < depth; ++i)
    text += open;
  text += "1";
  for (size_t i = 0; i < depth; ++i)
    text += close;
  return text;
}

TEST_CASE("JSON is bounded before it is parsed", "[profiler]") {
  CHECK(parseJson(nested("[", "]", 64)));
  for (const std::string &text :
       {nested("[", "]", 65), nested("[", "]", 3'000'000), nested("{\"a\":", "}", 100'000),
        std::string(1'000'000, '['), nested("[\"]]]\\\"]\",", "]", 65)}) {
    const Result<json> document = parseJson(text);
    REQUIRE_FALSE(document);
    CHECK(document.error().message == "the JSON is nested more than 64 deep");
  }
  CHECK(parseJson("\"" + std::string(100, '[') + "\""));
  CHECK(parseJson("[\"\\\"" + std::string(100, '{') + "\"]"));
  CHECK_FALSE(parseJson("[1, 2]", {.maxBytes = 5}));
}

TEST_CASE("what is not JSON is refused with its place", "[profiler]") {
  for (const std::string &text :
       {std::string(), std::string("{"), std::string("nul"), std::string("[1,]"),
        std::string("\xff"), std::string(10, '\0')}) {
    const Result<json> document = parseJson(text);
    REQUIRE_FALSE(document);
    CHECK(document.error().message.starts_with("not JSON: parse error at line 1"));
  }
}

TEST_CASE("numbers fit the place that they go to", "[profiler]") {
  CHECK(jsonAs<int32_t>(json(7)) == 7);
  CHECK(jsonAs<int64_t>(json(-7)) == -7);
  CHECK(jsonAs<uint64_t>(json(UINT64_MAX)) == UINT64_MAX);
  CHECK_THROWS(jsonAs<int32_t>(json(int64_t(1) << 31)));
  CHECK_THROWS(jsonAs<int64_t>(json(UINT64_MAX)));
  CHECK_THROWS(jsonAs<uint64_t>(json(-1)));
  CHECK_THROWS(jsonAs<int64_t>(json(1e300)));
  CHECK_THROWS(jsonAs<int64_t>(json(1.5)));
  CHECK_THROWS(jsonAs<int32_t>(json(true)));
  CHECK_THROWS(jsonAs<int32_t>(json("7")));
  CHECK_THROWS(jsonAs<bool>(json(1)));
  CHECK(jsonOr(json::object(), "a", 5) == 5);
  CHECK_THROWS(jsonOr(json{{"a", "x"}}, "a", 5));
}

TEST_CASE("lists have the length that is wanted, and real numbers need not be finite",
          "[profiler]") {
  CHECK(jsonAs<std::array<int64_t, 3>>(json{1, 2, 3}) == std::array<int64_t, 3>{1, 2, 3});
  CHECK_THROWS(jsonAs<std::array<int64_t, 3>>(json{1, 2}));
  CHECK_THROWS(jsonAs<std::vector<int64_t>>(json::object()));
  CHECK_THROWS(jsonAs<std::vector<int64_t>>(json{1, "2"}));
  CHECK(jsonAs<double>(json(3)) == 3);
  for (double value : {1.5, HUGE_VAL, -HUGE_VAL})
    CHECK(jsonAs<double>(realToJson(value)) == value);
  CHECK(std::isnan(jsonAs<double>(realToJson(NAN))));
  CHECK_THROWS(jsonAs<double>(json("1e5")));
}
