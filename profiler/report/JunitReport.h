// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <vector>

namespace tilescope::profiler {

/// A test as servers of continuous integration show it.
struct JunitCase {
  enum class Outcome { Passed, Failed, Error, Skipped };
  std::string classname;
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::Passed;
  /// One line.
  std::string message;
  /// What is worth reading of a test that passed, too.
  std::string output;
};

/// The document in the form of JUnit's Ant task, which all of them read.
std::string renderJunit(const std::string &suite, const std::vector<JunitCase> &cases);

} // namespace tilescope::profiler
