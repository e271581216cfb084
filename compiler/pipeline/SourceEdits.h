// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Small changes of a kernel's text. Each returns nothing where the source does not show what it
// takes in the form that is expected.
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// Leaves out those of the named arguments that the call at `place` has: neighbors, of which one is
/// there at least.
///
///     tl.load(p + i, mask=i < n, other=0.0)     without `mask` and `other`:  tl.load(p + i)
std::optional<DiagnosticFix> dropArguments(const std::string &text, const SourceRange &place,
                                           const std::vector<std::string> &names);

/// Gives another value to the argument `name`, or else to the second one, of the call at `place`.
///
///     tl.sum(x, axis=1)     with `axis` 0:     tl.sum(x, axis=0)
std::optional<DiagnosticFix> setArgument(const std::string &text, const SourceRange &place,
                                         const std::string &name, const std::string &value);

/// Replaces the call at `place` by the name that the result of the call at `earlier` was given.
///
///     x = tl.load(p); …; y = tl.load(p) + 1     becomes     x = tl.load(p); …; y = x + 1
std::optional<DiagnosticFix> reuseResult(const std::string &text, const SourceRange &place,
                                         const SourceRange &earlier);

/// Moves the assignment of the result of the call at `place` before the loop whose body it is a
/// statement of.
std::optional<DiagnosticFix> hoistAssignment(const std::string &text, const SourceRange &place);

/// Makes a parameter without an annotation a `tl.constexpr`.
std::optional<DiagnosticFix> makeConstexpr(const std::string &text, const std::string &kernel,
                                           const std::string &parameter);

/// Takes a parameter out of the list `do_not_specialize` of the kernel's decorator.
std::optional<DiagnosticFix> specialize(const std::string &text, const std::string &kernel,
                                        const std::string &parameter);

} // namespace tilescope::compiler
