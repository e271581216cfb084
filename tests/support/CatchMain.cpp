// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
