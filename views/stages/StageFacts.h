// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QString>
#include <QStringList>

namespace tilescope::views {

/// How a stage was made, in a few words each: `made in 0.8 ms`, `88 lines`.
QStringList stageFacts(const compiler::CompileResult &result, compiler::StageId stage);
/// Of machine code, what the assembler says of it: `32 registers`, `48 B spilled`.
QStringList machineFacts(const compiler::CompileResult &result, compiler::StageId stage);

/// `0.84 ms`, `12 ms`, `1.2 s`.
QString durationText(int64_t nanoseconds);
/// `812 B`, `4.1 KiB`, `64 KiB`.
QString sizeText(int64_t bytes);

/// Whether the diagnostic is about a tool that this machine lacks, and not about the kernel.
bool isMachineLack(const compiler::Diagnostic &diagnostic);

/// Why there is not all of the kernel: `the launch block has an error`, `syntax error`, `PTX
/// failed`; empty when nothing is wrong with it.
QString whyFailed(const compiler::CompileResult &result);

} // namespace tilescope::views
