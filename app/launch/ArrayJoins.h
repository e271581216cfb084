// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensors put together and moved along an axis, with NumPy's rules:
//
//     concatenate((a_ptr, b_ptr), axis=1)     stack((a_ptr, b_ptr))     roll(a_ptr, 2, axis=0)
//     repeat(s_ptr, 32, axis=1)
//
// And those whose elements come from elsewhere (ArrayGathers.h).
#pragma once

#include "app/launch/ArrayParts.h"

namespace tilescope::app {

/// Whether `joinOf` makes such parts.
bool isJoin(ArrayPart::Kind kind);

/// The part that a call is, without its place; nothing: it is another call.
std::optional<ArrayPart> joinOf(const compiler::ast::SyntaxTree &tree,
                                const compiler::ast::Call &call);

/// The name of a function of arrays that is called: `roll` of `roll(…)` and of `np.roll(…)`; empty
/// for what is called otherwise.
std::string_view arrayFunctionName(const compiler::ast::Call &call);

/// The names of these functions, between commas.
std::string joinNames();

/// What such a part makes of its tensors: of `roll` one. One without data has a result without
/// data. The error says what does not fit.
Result<profiler::Tensor> joined(const ArrayPart &part, std::vector<profiler::Tensor> tensors,
                                const IndexValue &valueOf);

} // namespace tilescope::app
