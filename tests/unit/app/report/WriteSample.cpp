// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Writes the sample report to the file that is named; the test of the page opens it in a browser.
#include "profiler/data/FileIo.h"
#include "tests/unit/app/report/SampleInputs.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const std::string text = tilescope::profiler::htmlReport(tilescope::app::test::sampleReport());
  if (auto status = tilescope::profiler::writeFile(argv[1], text); !status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  return 0;
}
