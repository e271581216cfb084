// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/native/RunNative.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/native/RunGrid.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <stdexcept>

namespace tilescope::tests {

static mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context, std::string_view text) {
  context.loadDialect<tt::TTDialect>();
  return mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text.data(), text.size()),
                                                 mlir::ParserConfig(&context), "kernel.ttir");
}

native::NativeKernel compiledKernel(std::string_view text, const native::NativeOptions &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  const mlir::OwningOpRef<mlir::ModuleOp> module = parse(context, text);
  if (!module)
    throw std::runtime_error("the test's TTIR does not parse");
  auto kernel = native::NativeKernel::compile(*module, options);
  if (!kernel)
    throw std::runtime_error(kernel.error().message);
  return std::move(*kernel);
}

NativeRun runNative(std::string_view text, std::array<int32_t, 3> grid,
                    const std::vector<uint64_t> &words, const native::NativeOptions &options,
                    native::GridOptions gridOptions) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  NativeRun run;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { run.errors += diagnostic.str() + "\n"; });
  const mlir::OwningOpRef<mlir::ModuleOp> module = parse(context, text);
  if (!module)
    throw std::runtime_error("the test's TTIR does not parse: " + run.errors);
  native::NativeTexts texts;
  auto kernel = native::NativeKernel::compile(*module, options, &texts);
  run.cpuIr = texts.cpuIr;
  run.assembly = texts.assembly;
  if (!kernel) {
    run.errors += kernel.error().message + "\n";
    return run;
  }
  gridOptions.grid = grid;
  const native::GridOutcome outcome = native::runGrid(*kernel, words, gridOptions);
  run.completed = outcome.completed;
  run.fault = outcome.fault;
  run.assertions = outcome.assertions;
  return run;
}

} // namespace tilescope::tests
