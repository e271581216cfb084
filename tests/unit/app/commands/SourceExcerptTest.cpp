// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SourceExcerpt.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("an excerpt marks the place below its line", "[app]") {
  const char *source = "a = 1\nb = foo(a)\n";
  CHECK(sourceExcerpt({{1, 4}, {1, 7}, 0}, source) == "    2 | b = foo(a)\n"
                                                      "      |     ^~~\n");
  CHECK(sourceExcerpt({{1, 8}, {1, 9}, 0}, source) == "    2 | b = foo(a)\n"
                                                      "      |         ^\n");
  // Behind the line, and of several lines.
  CHECK(sourceExcerpt({{1, 10}, {1, 10}, 0}, source) == "    2 | b = foo(a)\n"
                                                        "      |           ^\n");
  CHECK(sourceExcerpt({{0, 4}, {1, 3}, 0}, source) == "    1 | a = 1\n"
                                                      "      |     ^\n");
  CHECK(sourceExcerpt({{7, 0}, {7, 1}, 0}, source).empty());
  CHECK(sourceExcerpt({{0, 0}, {0, 1}, 0}, "").empty());
  CHECK(sourceExcerpt({}, source).empty());
}

TEST_CASE("marks stand below characters of every width", "[app]") {
  CHECK(sourceExcerpt({{0, 1}, {0, 2}, 0}, "\tx\r\n") == "    1 |     x\n"
                                                         "      |     ^\n");
  // Two bytes and one column; three bytes and two columns.
  CHECK(sourceExcerpt({{0, 5}, {0, 6}, 0}, "\u00e9 = x\n") == "    1 | \u00e9 = x\n"
                                                              "      |     ^\n");
  CHECK(sourceExcerpt({{0, 7}, {0, 13}, 0}, "\u5909 + (\u5909\u6570)\n") ==
        "    1 | \u5909 + (\u5909\u6570)\n"
        "      |       ^~~~\n");
}

TEST_CASE("bytes that are not UTF-8 are shown as question marks", "[app]") {
  CHECK(sourceExcerpt({{0, 1}, {0, 2}, 0}, "\xC3"
                                           "b\x02\xE9") == "    1 | ?b??\n"
                                                           "      |  ^\n");
}

TEST_CASE("of a long line the part around the place is shown", "[app]") {
  const std::string source = std::string(300, 'a') + " + b + " + std::string(300, 'c');
  const std::string text = sourceExcerpt({{0, 303}, {0, 304}, 0}, source);
  const std::string line = text.substr(0, text.find('\n'));
  const std::string marks = text.substr(line.size() + 1);
  CHECK(line.size() < 130);
  CHECK(line.find("\u2026aa") == 8);
  CHECK(line.ends_with("cc\u2026"));
  // The sign for what is left out has three bytes and one column.
  CHECK(line[marks.find('^') + 2] == 'b');
}
