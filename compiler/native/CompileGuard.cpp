// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/CompileGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <csignal>
#include <optional>

namespace tilescope::native {

namespace {
/// While it lives, signals of crashes end calls that are guarded. A handler that blocks more signals than LLVM
/// lets through again, as the thread sanitizer's does, which calls LLVM's, leaves none blocked.
class RecoveryHandlers {
public:
  RecoveryHandlers() {
    pthread_sigmask(SIG_SETMASK, nullptr, &m_blocked);
    llvm::CrashRecoveryContext::Enable();
  }
  ~RecoveryHandlers() {
    llvm::CrashRecoveryContext::Disable();
    pthread_sigmask(SIG_SETMASK, &m_blocked, nullptr);
  }
  RecoveryHandlers(const RecoveryHandlers &) = delete;
  RecoveryHandlers &operator=(const RecoveryHandlers &) = delete;

private:
  sigset_t m_blocked;
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
