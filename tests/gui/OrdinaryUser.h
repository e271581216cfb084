// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <catch2/catch.hpp>
#include <unistd.h>

namespace tilescope::tests {

/// While it lives, the process has no more rights than an ordinary user, whom modes of files bind.
struct OrdinaryUser {
  OrdinaryUser() {
    if (getuid() == 0)
      REQUIRE(seteuid(65534) == 0);
  }
  ~OrdinaryUser() {
    if (getuid() == 0)
      REQUIRE(seteuid(0) == 0);
  }
  OrdinaryUser(const OrdinaryUser &) = delete;
  OrdinaryUser &operator=(const OrdinaryUser &) = delete;
};

} // namespace tilescope::tests
