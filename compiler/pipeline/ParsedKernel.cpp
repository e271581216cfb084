// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ParsedKernel.h"

#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/pipeline/Dialects.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilescope::compiler {

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

ParsedKernel::ParsedKernel(const std::string &text) : m_context(makeRegistry()) {
  m_context.disableMultithreading();
  m_context.loadAllAvailableDialects();
  m_handler.emplace(&m_context, [this](mlir::Diagnostic &diagnostic) {
    if (m_message.empty())
      m_message = diagnostic.str();
  });
  m_module = parseSourceString<ModuleOp>(text, ParserConfig(&m_context), "kernel");
}

bool ParsedKernel::settle() {
  PassManager passes(&m_context);
  passes.addPass(createSettleScanLayouts());
  return succeeded(passes.run(module()));
}

std::optional<std::string> addArguments(const CompileResult &compiled,
                                        const LaunchArguments &arguments, bool withData,
                                        InterpreterLaunch &launch) {
  for (const KernelParameter &parameter : compiled.metadata.parameters) {
    std::optional<InterpreterArgument> argument = arguments(parameter, withData);
    if (!argument)
      return "the launch has no argument `" + parameter.name + "` of type `" + parameter.type + "`";
    launch.arguments.push_back(std::move(*argument));
  }
  return std::nullopt;
}

} // namespace tilescope::compiler
