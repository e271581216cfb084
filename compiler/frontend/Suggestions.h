// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a person probably meant: hints and quick fixes for errors.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <span>
#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// The candidate that `name` is most likely a misspelling of; empty when none is near.
std::string_view closestName(std::string_view name, std::span<const std::string_view> candidates);

/// Asks whether `replacement` was meant, and offers to put it at the diagnostic's place. Nothing
/// happens when it is empty.
void suggest(Diagnostic &diagnostic, std::string_view replacement);

/// For a name that is defined nowhere: a similar name, the member of `tl` of this name, or where
/// the function gives it a value on another path.
void explainUndefined(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// For a module, or a run-time value, that has no member of this name: a similar one.
void explainMember(Diagnostic &diagnostic, const Value &base, std::string_view name);

/// For a value that must be known at compile time but is an argument of the function: how to make
/// the parameter a constexpr.
void explainNotConstexpr(Diagnostic &diagnostic, const Frame &frame);

} // namespace tilescope::compiler::frontend
