// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>
#include <new>

namespace tilescope::compiler {

static void onFatalError(void *handler, const char *reason, bool) {
  reinterpret_cast<void (*)(const char *)>(handler)(reason);
  std::abort();
}

/// Allocations that LLVM makes without `new` fail as all others do.
static void onBadAllocation(void *, const char *, bool) {
  if (const std::new_handler handler = std::get_new_handler())
    handler();
  std::abort();
}

void installFatalErrorHandler(void (*handler)(const char *reason)) {
  void *data = reinterpret_cast<void *>(handler);
  llvm::install_fatal_error_handler(&onFatalError, data);
  llvm::install_bad_alloc_error_handler(&onBadAllocation);
}

} // namespace tilescope::compiler
