// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Text.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

TEST_CASE("well-formed UTF-8 is told from the rest", "[profiler]") {
  for (const char *text : {"", "abc", "größe", "日本", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
    CHECK_FALSE(firstInvalidUtf8(text));
  CHECK(firstInvalidUtf8("caf\xe9") == 3);
  for (const char *text : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8", "\xe6\x97", "\xff"})
    CHECK(firstInvalidUtf8(text) == 0);
}

TEST_CASE("a terminal obeys nothing of what is printed", "[profiler]") {
  CHECK(printable("größe: 日本\n\ttab") == "größe: 日本\n\ttab");
  CHECK(printable("\x1b[2J\x07\x7f\r") == "\\x1b[2J\\x07\\x7f\\x0d");
  CHECK(printable("\xc2\x9b"
                  "2J") == "\\u009b2J");
  CHECK(printable("a\xe2\x80\xae"
                  "b") == "a\\u202eb");
  CHECK(printable("caf\xe9!") == "caf\\xe9!");
  CHECK(printableLine("a\nb\tc") == "a\\x0ab\\x09c");
}
