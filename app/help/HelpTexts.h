// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace tilescope::app {

/// `resources/help/glossary.md`, `instructions.md`, `explanations.md` and `functions.md` beside it, and
/// `docs/guide/hints.md`.
extern const std::string_view kGlossaryText;
extern const std::string_view kInstructions;
extern const std::string_view kExplanations;
extern const std::string_view kFunctionExamples;
extern const std::string_view kHintGuide;

/// Kernels that show a kind of diagnostic each: the names of the files in `tests/diagnostics/cases`, and
/// their texts.
std::span<const std::pair<std::string_view, std::string_view>> diagnosticExamples();

/// The files that define the operations of the dialects.
std::span<const std::pair<std::string_view, std::string_view>> operationDefinitions();
/// Those that define their attributes, which are mostly layouts.
std::span<const std::pair<std::string_view, std::string_view>> layoutDefinitions();

} // namespace tilescope::app
