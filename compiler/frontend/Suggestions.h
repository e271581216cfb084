// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a user probably meant: hints and quick fixes for errors.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Asks whether `replacement` was meant, and offers to put it at the diagnostic's place. Nothing
/// happens when it is empty.
void suggest(Diagnostic &diagnostic, std::string_view replacement);

/// Where the function assigns the name a value, or null.
const ast::Name *findAssignment(const ast::FunctionDef &function, std::string_view name);

/// A keyword argument that `callee`, in backticks, has no parameter for; `names` are those it has.
[[noreturn]] void failKeyword(Emitter &emitter, const CallArgument &argument,
                              const std::string &callee, std::span<const std::string_view> names,
                              std::vector<DiagnosticLabel> labels = {});

/// For a name that is defined nowhere: a similar name, the member of `tl` of this name, or where
/// the function assigns it a value on another path.
void explainUndefined(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// For a module, or a run-time value, that has no member of this name: a similar one, or what
/// kernels write for it.
void explainMember(Diagnostic &diagnostic, const Value &base, std::string_view name,
                   const Frame &frame);

/// For a value that must be known at compile time but is a variable or argument of the function:
/// how to make it a constexpr.
void explainNotConstexpr(Diagnostic &diagnostic, const Frame &frame);

} // namespace tilescope::compiler::frontend
