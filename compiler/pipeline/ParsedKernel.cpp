// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ParsedKernel.h"

#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/pipeline/Dialects.h"

#include "llvm/Support/SourceMgr.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilescope::compiler {

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

/// The only module of a text.
static ModuleOp parseWithPlaces(const std::string &text, MLIRContext &context,
                                AsmParserState &places) {
  llvm::SourceMgr source;
  source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "kernel"), llvm::SMLoc());
  Block block;
  if (failed(parseAsmSourceFile(source, &block, ParserConfig(&context), &places)) || block.empty())
    return nullptr;
  auto module = dyn_cast<ModuleOp>(block.front());
  if (module)
    module->remove();
  return module;
}

ParsedKernel::ParsedKernel(const std::string &text, AsmParserState *places)
    : m_context(makeRegistry()) {
  m_context.disableMultithreading();
  // What is built into a kernel that was read. The text loads the dialects that it uses; to load all,
  // those of LLVM among them, takes longer than to read most kernels.
  m_context.loadDialect<arith::ArithDialect, math::MathDialect, scf::SCFDialect, tt::TTDialect,
                        ttg::TTGDialect, ub::UBDialect>();
  m_handler.emplace(&m_context, [this](mlir::Diagnostic &diagnostic) {
    if (m_message.empty())
      m_message = diagnostic.str();
  });
  if (places)
    m_module = parseWithPlaces(text, m_context, *places);
  else
    m_module = parseSourceString<ModuleOp>(text, ParserConfig(&m_context), "kernel");
}

bool ParsedKernel::settle() {
  PassManager passes(&m_context);
  passes.addPass(createSettleScanLayouts());
  return succeeded(passes.run(module()));
}

std::optional<std::string> addArguments(const CompileResult &compiled,
                                        const LaunchArguments &arguments, const AddressNeeds &needs,
                                        InterpreterLaunch &launch) {
  for (const KernelParameter &parameter : compiled.metadata.parameters) {
    const auto number = static_cast<unsigned>(launch.arguments.size());
    std::optional<InterpreterArgument> argument = arguments(parameter, needs.dependOn(number));
    if (!argument)
      return "the launch has no argument `" + parameter.name + "` of type `" + parameter.type + "`";
    launch.arguments.push_back(std::move(*argument));
  }
  return std::nullopt;
}

} // namespace tilescope::compiler
