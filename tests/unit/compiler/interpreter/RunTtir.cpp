// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <stdexcept>

namespace tilescope::tests {

compiler::Interpretation runTtir(std::string_view text, const compiler::InterpreterLaunch &launch,
                                 const compiler::InterpreterOptions &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tt::TTDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(
      llvm::StringRef(text.data(), text.size()), mlir::ParserConfig(&context), "kernel.ttir");
  if (!module)
    throw std::runtime_error("the test's TTIR does not parse");
  return compiler::interpret(*module, launch, options);
}

compiler::InterpreterArgument scalar(std::string name, int64_t value) {
  compiler::InterpreterArgument argument;
  argument.name = std::move(name);
  argument.bits = static_cast<uint64_t>(value);
  return argument;
}

} // namespace tilescope::tests
