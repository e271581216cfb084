// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Result.h"

#include <catch2/catch.hpp>
#include <type_traits>

using namespace tilescope;

static const Error kFull{ErrorCode::Environment, "the disk is full", "remove files"};

static Status save(bool fails) {
  if (fails)
    return kFull;
  return {};
}

static Result<int> savedSize(bool fails) {
  if (Status status = save(fails); !status)
    return status.error();
  return 7;
}

TEST_CASE("a status is true on success, like a result", "[compiler]") {
  CHECK(save(false));
  CHECK_FALSE(save(true));
  CHECK(save(true).error().message == "the disk is full");
  CHECK(savedSize(false));
  CHECK(*savedSize(false) == 7);
  CHECK_FALSE(savedSize(true));
  CHECK(savedSize(true).error().hint == "remove files");
}

TEST_CASE("neither becomes a number or a flag by accident", "[compiler]") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Status, bool>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Result<int>, bool>);
}
