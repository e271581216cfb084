// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Adds the calls that led to `frame` to a diagnostic. Its place is moved out of the functions that
/// come along with the compiler to what the user wrote: the argument that they stumbled over if
/// there is one, else the call.
void addCallers(Diagnostic &diagnostic, const Frame *frame);

/// The function as the user called it: outside functions bundled with the compiler, `name`; inside,
/// the one of them that was called from outside.
std::string_view calledName(const Frame &frame, std::string_view name);

/// An argument of a call, and the function that it is written in.
struct GivenArgument {
  const Frame *frame = nullptr;
  /// Null: there is none.
  const ast::Expr *expr = nullptr;
};

/// The first argument of the call that left the user's code; none outside of functions bundled with
/// the compiler.
GivenArgument firstGiven(const Frame &frame);

/// The same, where its source is a name; else empty.
std::string_view firstArgument(const Frame &frame);

} // namespace tilescope::compiler::frontend
