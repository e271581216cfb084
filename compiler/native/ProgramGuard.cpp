// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/ProgramGuard.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <ucontext.h>

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif

namespace tilescope::native {

/// Sent to a thread to end its program.
static constexpr int kInterrupt = SIGUSR2;
static constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, kInterrupt};

namespace {

/// The call that a thread is in.
struct Call {
  sigjmp_buf exit;
  const std::atomic<bool> *shallEnd = nullptr;
  ProgramFault fault;
};

} // namespace

/// Null outside of programs. Read by handlers of the same thread.
static thread_local Call *volatile t_call = nullptr;

static std::mutex g_mutex;
static int g_numGuards = 0;
/// What signals do outside of programs, by place in `kSignals`.
static std::array<struct sigaction, kSignals.size()> g_previous;

static uint64_t codeAddress(const void *context) {
  const mcontext_t &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  return 0;
#endif
}

static void passOn(int number, siginfo_t *info, void *context) {
  // It came too late: the program has ended, and the grid perhaps, too.
  if (number == kInterrupt)
    return;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] != number)
      continue;
    const struct sigaction &previous = g_previous[i];
    if (previous.sa_flags & SA_SIGINFO)
      return previous.sa_sigaction(number, info, context);
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
      return previous.sa_handler(number);
    // It comes again as soon as this returns.
    sigaction(number, &previous, nullptr);
  }
}

[[noreturn]] static void leave(Call *call, const ProgramFault &fault) {
  t_call = nullptr;
  call->fault = fault;
  siglongjmp(call->exit, 1);
}

static void onSignal(int number, siginfo_t *info, void *context) {
  Call *call = t_call;
  if (!call || (number == kInterrupt && !*call->shallEnd))
    return passOn(number, info, context);
  leave(call, {number == kInterrupt ? 0 : number, codeAddress(context)});
}

ProgramGuard::ProgramGuard() {
  const std::scoped_lock lock(g_mutex);
  if (g_numGuards++ > 0)
    return;
  struct sigaction action{};
  action.sa_sigaction = &onSignal;
  // The handler does not return, and masks are not restored behind it.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &g_previous[i]);
}

ProgramGuard::~ProgramGuard() {
  const std::scoped_lock lock(g_mutex);
  if (--g_numGuards > 0)
    return;
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &g_previous[i], nullptr);
}

/// The thread sanitizer's own handler, which calls ours, blocks all signals meanwhile.
static constexpr int kRestoresMask = __has_feature(thread_sanitizer);

/// Compiled code has no type in front of it, which a sanitizer of calls would read.
__attribute__((no_sanitize("function"))) std::optional<ProgramFault>
callGuarded(Program program, const uint64_t *arguments, int32_t *launch, std::byte *scratch,
            const std::atomic<bool> &shallEnd) {
  Call call;
  call.shallEnd = &shallEnd;
  if (sigsetjmp(call.exit, kRestoresMask) != 0)
    return call.fault;
  t_call = &call;
  program(arguments, launch, scratch);
  t_call = nullptr;
  return std::nullopt;
}

void callWhole(const void *code, llvm::function_ref<void()> function) {
  Call *call = t_call;
  t_call = nullptr;
  function();
  t_call = call;
  // What follows the call may have another place.
  if (call && *call->shallEnd)
    leave(call, {0, reinterpret_cast<uint64_t>(code) - 1});
}

void interruptProgram(pthread_t thread) { pthread_kill(thread, kInterrupt); }

} // namespace tilescope::native
