// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Blocks of rows and of columns that are combined as if both had one axis:
//
//     rows * N + cols               rows[:, None] * N + cols[None, :]
//     (rows < M) & (cols < N)       (rows[:, None] < M) & (cols[None, :] < N)
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Completes the diagnostic of an operation on two blocks with one axis each, whose extents differ.
void explainAxes(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                 const ast::BinOp &operation);
/// The same of `and` and `or`, which become `&` and `|`.
void explainAxes(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                 const ast::BoolOp &operation);

/// Completes the diagnostic of an operation on a matrix and a vector that has an element for each row of
/// it, which it is combined with as if it had one for each column:
///
///     t - tl.sum(t, axis=1)                 t - tl.sum(t, axis=1)[:, None]
void explainRows(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                 const ast::BinOp &operation, const Value &left, const Value &right);

/// Completes the diagnostic of an operation on a matrix and a vector that was made a column and fits as a row
/// alone, or the other way round:
///
///     a * x[:, None]     [128, 64] and [64, 1]         a * x[None, :]
void explainTurned(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                   const ast::BinOp &operation, const Value &left, const Value &right);

/// For a block that lacks an axis: how it gets one, if it was loaded at a sum of blocks. `name`: of
/// the variable.
std::vector<std::string> matrixNotes(const Frame &frame, std::string_view name);

} // namespace tilescope::compiler::frontend
