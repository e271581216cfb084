// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names that stand where others are meant: an argument's name that is compared, a number of the program that
// was never asked for, a module that is misspelled or hidden by a variable.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::frontend {

/// `tl.load(p, mask == m)`, where `mask` is not defined: an argument by its name. False: it is none.
bool explainComparedArgument(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// `pid * BLOCK`, where `pid` is not defined: offers to ask for the number of the program.
void offerProgramNumber(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// `random.random()`: Python's module. False: the name is another.
bool explainRandom(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// Of a module of Triton that there is none of, `triton.lang`, the import in the user's file.
std::optional<Diagnostic> misspelledModule(const Frame &frame, std::string_view path);

/// The type that `tl.name` at a place means, `int32` for `int`; empty: it means none, or is called.
std::string_view meantType(const Frame &frame, const SourceRange &range, std::string_view name);

/// `tl = 3` in a function that needs the module below.
void checkHiddenModule(Emitter &emitter, const ast::Assign &statement);

} // namespace tilescope::compiler::frontend
