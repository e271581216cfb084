// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QString>

namespace tilescope::views {

/// What bounds the registers of a thread.
struct RegisterLimit {
  enum class Kind {
    /// No instruction can name more.
    Hardware,
    /// The registers of a multiprocessor, divided by the threads of a program.
    Threads,
    /// The option `maxnreg`.
    Option,
  };
  Kind kind = Kind::Hardware;
  int64_t registers = 255;
  int64_t threads = 0;
};

/// `threads`: of a program. The tightest of the three; of equal ones the one that the user chose.
RegisterLimit registerLimit(const compiler::CompileResult &result, int64_t threads);

/// "At most 128 are possible: the 65,536 of a multiprocessor among the 512 threads of num_warps = 16."
QString limitSentence(const RegisterLimit &limit);

/// What values cost that lie in memory for want of registers.
QString spillSentence();

} // namespace tilescope::views
