// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/Session.h"
#include "compiler/service/WorkerClient.h"
#include "profiler/package/KernelPackage.h"

namespace tilescope::app {

/// A document, what became of it, and the package that a runner takes.
struct Packaged {
  compiler::CompileResult result;
  profiler::KernelPackage package;
};

/// Compiles to machine code (or PTX where no assembler is) and puts it together with the plan.
/// Diagnostics of the kernel are printed; the error then says only that there were some.
Result<Packaged> packageDocument(const Document &document, compiler::WorkerClient &client);

/// The error of a document without a launch.
Error noLaunch(const Document &document);

} // namespace tilescope::app
