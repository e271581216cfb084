// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/NcuUnits.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

TEST_CASE("numbers of Nsight Compute have commas between groups of three digits", "[profiler]") {
  CHECK(ncuNumber("0") == 0);
  CHECK(ncuNumber("12.5") == 12.5);
  CHECK(ncuNumber("-3") == -3);
  CHECK(ncuNumber("-123,456") == -123456);
  CHECK(ncuNumber("1,234.56") == 1234.56);
  CHECK(ncuNumber("12,345,678") == 12345678);
  CHECK(ncuNumber("1.5e+09") == 1.5e9);
}

TEST_CASE("what is not such a number is none", "[profiler]") {
  for (const char *text : {"", "n/a", "(1, 2, 3)", "1,23", "1234,567", ",123", "1,,234",
                           "27.595.520", "1 234", "12x", "inf", "nan", "1,234,", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(ncuNumber(text).has_value());
  }
}

TEST_CASE("values are brought to seconds, bytes and hertz", "[profiler]") {
  CHECK(ncuUnitFactor("Mbyte") == 1e6);
  CHECK(ncuUnitFactor("Kbyte/block") == 1e3);
  CHECK(ncuUnitFactor("us") == 1e-6);
  CHECK(ncuUnitFactor("usecond") == 1e-6);
  CHECK(ncuUnitFactor("Ghz") == 1e9);
  CHECK(ncuUnitFactor("cycle/nsecond") == Approx(1e9));
  CHECK(ncuUnitFactor("Gbyte/second") == 1e9);
  CHECK(ncuUnitFactor("sector") == 1);
  CHECK(ncuUnitFactor("%") == 1);
  CHECK(ncuUnitFactor("") == 1);
  CHECK(ncuUnitFactor("us", MetricUnit::Nanoseconds) == Approx(1e3));
  CHECK(ncuUnitFactor("Mbyte", MetricUnit::Bytes) == 1e6);
}
