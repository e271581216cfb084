// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DebugPath.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

TEST_CASE("paths in debug information are ASCII without quotes, and come back", "[compiler]") {
  CHECK(encodeDebugPath("/home/u/k_1-2.py") == "/home/u/k_1-2.py");
  CHECK(encodeDebugPath("/home/josé/a b\"\n%.py") == "/home/jos%C3%A9/a%20b%22%0A%25.py");
  std::string all;
  for (int i = 1; i < 256; ++i)
    all += char(i);
  for (const std::string &path :
       {all, std::string("100%"), std::string("%4"), std::string("%zz%41")})
    CHECK(decodeDebugPath(encodeDebugPath(path)) == path);
  CHECK(decodeDebugPath("50% of %x") == "50% of %x");
}
