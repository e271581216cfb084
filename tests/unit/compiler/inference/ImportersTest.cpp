// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Importers.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace tilescope::compiler::inference;

TEST_CASE("files that begin or cease to import a function are noticed", "[compiler]") {
  namespace fs = std::filesystem;
  // Two levels deep, so that what lies beside it is not part of the project.
  const fs::path top =
      fs::temp_directory_path() / ("tilescope-importers-" + std::to_string(getpid()));
  const fs::path folder = top / "outer" / "project";
  fs::remove_all(top);
  fs::create_directories(folder);
  const std::string importing = R"(
import triton
from helpers import scaled as times

@triton.jit
def kernel(x):
    times(x)
)";
  const std::string path = (folder / "helpers.py").string();
  std::ofstream(path) << "# functions\n";
  std::ofstream(folder / "one.py") << importing;
  ImporterMemory memory;
  auto importers = [&] {
    std::string names;
    for (const Importer &importer : memory.importersOf(path, "scaled"))
      names += fs::path(importer.path).stem().string() + ":" + importer.alias + " ";
    return names;
  };
  CHECK(importers() == "one:times ");
  CHECK(importers() == "one:times ");
  std::ofstream(folder / "another.py") << importing;
  CHECK(importers() == "another:times one:times ");
  std::ofstream(folder / "one.py") << "import triton\n";
  CHECK(importers() == "another:times ");
  fs::remove_all(folder);
}
