// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any text as TTIR or TTGIR: what parses and verifies prints a text that parses to the same again.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "tests/fuzz/Check.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <string>

using namespace tilescope;

static mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text, mlir::MLIRContext &context) {
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  return mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
}

static std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context
      .loadDialect<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::gpu::GPUDialect,
                   mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                   mlir::ub::UBDialect, tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect>();
  const std::string text(reinterpret_cast<const char *>(data), size);
  const mlir::OwningOpRef<mlir::ModuleOp> module = parse(text, context);
  if (!module)
    return 0;
  const std::string printed = print(*module);
  const mlir::OwningOpRef<mlir::ModuleOp> again = parse(printed, context);
  fuzz::require(static_cast<bool>(again), "what is printed parses");
  fuzz::require(print(*again) == printed, "printing is stable");
  return 0;
}
