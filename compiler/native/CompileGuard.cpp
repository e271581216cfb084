// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/CompileGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <optional>

namespace tilescope::native {

namespace {
/// While it lives, signals of crashes end calls that are guarded.
struct RecoveryHandlers {
  RecoveryHandlers() { llvm::CrashRecoveryContext::Enable(); }
  ~RecoveryHandlers() { llvm::CrashRecoveryContext::Disable(); }
};
} // namespace

Result<NativeKernel> compileGuarded(llvm::function_ref<Result<NativeKernel>()> compile) {
  std::optional<Result<NativeKernel>> kernel;
  const RecoveryHandlers handlers;
  llvm::CrashRecoveryContext context;
  if (!context.RunSafely([&] { kernel.emplace(compile()); }))
    return Error{ErrorCode::Internal, "LLVM crashed on the kernel", ""};
  return std::move(*kernel);
}

} // namespace tilescope::native
