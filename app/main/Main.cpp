// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CommandLine.h"

int main(int argc, char **argv) { return tilescope::app::runCommandLine(argc, argv); }
