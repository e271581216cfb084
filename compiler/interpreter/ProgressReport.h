// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include <atomic>
#include <thread>

namespace tilescope::compiler::interpreter {

/// Reports the progress of a run until it goes out of scope, if somebody wants to know.
class ProgressReport {
public:
  ProgressReport(const InterpreterOptions &options, const std::atomic<uint64_t> &done,
                 uint64_t total);

private:
  std::jthread m_thread;
};

} // namespace tilescope::compiler::interpreter
