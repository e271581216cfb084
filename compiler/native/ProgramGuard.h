// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code has no place at which it looks aside, and no check in front of a fault. So a signal
// ends a program that is at fault or takes too long: its handler leaves the code for the call of it,
// as `longjmp` does. Code of kernels holds nothing that would have to be given back: its memory is
// its arguments and its scratch.
#pragma once

#include "compiler/native/NativeKernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <optional>
#include <pthread.h>

namespace tilescope::native {

/// Why a program ended before its end.
struct ProgramFault {
  /// As the system counts signals; 0: it was interrupted.
  int signal = 0;
  /// Where in the code.
  uint64_t code = 0;
};

/// While one of these lives, signals end programs. Outside of programs they do what they did before.
class ProgramGuard {
public:
  ProgramGuard();
  ~ProgramGuard();
  ProgramGuard(const ProgramGuard &) = delete;
  ProgramGuard &operator=(const ProgramGuard &) = delete;
};

/// Executes one program in the calling thread; nothing: to its end. Needs a guard. `shallEnd`: whether
/// `interruptProgram` ends it; an interruption may arrive late, in a program of another grid.
std::optional<ProgramFault> callGuarded(Program program, const uint64_t *arguments, int32_t *launch,
                                        std::byte *scratch, const std::atomic<bool> &shallEnd);

/// Called from within a program: executes a function that may take memory or locks, which no signal leaves in the
/// middle. A program that shall end ends behind it, at the address `code`.
void callWhole(const void *code, llvm::function_ref<void()> function);

/// Ends the program that a thread executes, if it shall end; does nothing where it executes none. The
/// thread must not have ended.
void interruptProgram(pthread_t thread);

} // namespace tilescope::native
