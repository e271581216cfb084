// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/FusionOptions.h"
#include "compiler/service/WorkerClient.h"

#include <optional>
#include <stop_token>
#include <string_view>

namespace tilescope::app {

/// A request with numbers for extents, each `NAME=VALUE`, a name of a form, and choices of fusions, which only the
/// fused form has.
Result<compiler::ModelRequest> modelRequest(const std::vector<std::string> &extents,
                                            const std::string &form,
                                            const FusionOptions &fusions = {});

/// Whether kernels for a target may have bulk copies bring products their factors.
bool hasBulkCopies(std::string_view target);

/// What is known of a model; what ended the worker is among the diagnostics. The error is about the
/// worker program, or says that `stop` was asked for.
Result<compiler::ModelResult> readModel(compiler::WorkerClient &worker,
                                        const compiler::ModelRequest &request,
                                        const std::stop_token &stop = {});

/// The same of one file, with a text that is made of it, by a worker of its own. Diagnostics are
/// printed.
Result<compiler::ModelResult> readOneModel(const std::string &file,
                                           Result<compiler::ModelRequest> request,
                                           compiler::ModelText text,
                                           std::optional<double> timeLimit);

} // namespace tilescope::app
