// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CommandLine.h"
#include "profiler/data/ProgramMain.h"

#ifdef TILESCOPE_WITH_IDE
#include "app/ide/Ide.h"
#endif

using namespace tilescope::app;

int main(int argc, char **argv) {
  OpenIde openIde;
#ifdef TILESCOPE_WITH_IDE
  openIde = runIde;
#endif
  return tilescope::profiler::runProgram("tilescope",
                                         [&] { return runCommandLine(argc, argv, openIde); });
}
