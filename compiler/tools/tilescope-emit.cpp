// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Emits the TTIR of one kernel, before any pass: for tests and for looking at what the frontend
// does.
//
//   tilescope-emit FILE.py [--kernel NAME] [--signature a=*fp32:16,n=i32] [--constexpr BLOCK=128]
//                  [--option num_warps=8] [--target cuda:90] [--locations] [--values] [--time N]
#include "compiler/frontend/Frontend.h"
#include "compiler/syntax/Parser.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/AsmState.h"

#include <algorithm>
#include <chrono>

namespace cl = llvm::cl;
using namespace tilescope;
using namespace tilescope::compiler;

static cl::opt<std::string> inputPath(cl::Positional, cl::Required, cl::desc("FILE.py"));
static cl::opt<std::string> kernelName("kernel", cl::desc("which function"));
static cl::list<std::string> signatures("signature", cl::desc("NAME=TYPE,..."));
static cl::list<std::string> constants("constexpr", cl::desc("NAME=VALUE; may be repeated"));
static cl::list<std::string> options("option", cl::desc("NAME=VALUE; may be repeated"));
static cl::opt<std::string> target("target", cl::desc("cuda:90"));
static cl::opt<bool> withLocations("locations", cl::desc("print locations"));
static cl::opt<bool> withValues("values", cl::desc("print the types of expressions"));
static cl::opt<int> repetitions("time", cl::desc("measure that many emissions"));

static void addEntry(std::map<std::string, std::string> &map, llvm::StringRef entry) {
  auto [name, value] = entry.split('=');
  map[name.trim().str()] = value.trim().str();
}

static CompileRequest makeRequest(std::string text) {
  CompileRequest request;
  request.path = inputPath;
  request.text = std::move(text);
  request.selection.kernel = kernelName;
  request.selection.target = target;
  for (llvm::StringRef list : signatures) {
    llvm::SmallVector<llvm::StringRef> entries;
    list.split(entries, ',');
    for (llvm::StringRef entry : entries)
      addEntry(request.selection.signature, entry);
  }
  for (const std::string &entry : constants)
    addEntry(request.selection.constexprs, entry);
  for (const std::string &entry : options)
    addEntry(request.selection.options, entry);
  return request;
}

static std::string place(const SourceRange &range, const std::vector<SourceFile> &files) {
  std::string path = range.file < files.size() ? files[range.file].path : "?";
  return path + ":" + std::to_string(range.begin.line + 1) + ":" +
         std::to_string(range.begin.column + 1);
}

static void printDiagnostic(const Diagnostic &diagnostic, const std::vector<SourceFile> &files) {
  const char *severity = diagnostic.severity == Severity::Error     ? "error"
                         : diagnostic.severity == Severity::Warning ? "warning"
                                                                    : "note";
  llvm::errs() << place(diagnostic.range, files) << ": " << severity << ": " << diagnostic.message
               << " [" << diagnosticId(diagnostic.kind) << "]\n";
  for (const DiagnosticLabel &label : diagnostic.labels)
    llvm::errs() << "  " << place(label.range, files) << ": " << label.message << "\n";
  for (const std::string &note : diagnostic.notes)
    llvm::errs() << "  " << note << "\n";
}

/// Median time of emitting, parsing left out.
static void measure(mlir::MLIRContext &context, const CompileRequest &request) {
  std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(request.text);
  std::vector<double> microseconds;
  for (int i = 0; i < repetitions; ++i) {
    auto start = std::chrono::steady_clock::now();
    EmittedModule emitted = emitTtir(context, request, tree);
    auto end = std::chrono::steady_clock::now();
    microseconds.push_back(std::chrono::duration<double, std::micro>(end - start).count());
  }
  std::ranges::sort(microseconds);
  llvm::outs() << "median " << llvm::format("%.0f", microseconds[microseconds.size() / 2])
               << " us, first and slowest " << llvm::format("%.0f", microseconds.back()) << " us\n";
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "emits the TTIR of a kernel\n");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputPath);
  if (!buffer) {
    llvm::errs() << inputPath << ": " << buffer.getError().message() << "\n";
    return 3;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  CompileRequest request = makeRequest((*buffer)->getBuffer().str());
  if (repetitions > 0) {
    measure(context, request);
    return 0;
  }
  EmittedModule emitted = emitTtir(context, request);
  for (const Diagnostic &diagnostic : emitted.diagnostics)
    printDiagnostic(diagnostic, emitted.files);
  for (const Assumption &assumption : emitted.assumptions)
    llvm::errs() << "assumed: " << sentence(assumption) << "\n";
  if (withValues)
    for (const ValueFacts &facts : emitted.values)
      llvm::outs() << facts.range.begin.line + 1 << ":" << facts.range.begin.column + 1 << "-"
                   << facts.range.end.line + 1 << ":" << facts.range.end.column + 1
                   << (facts.isDefinition ? " = " : "   ") << facts.type << "\n";
  if (!emitted.module)
    return 1;
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(withLocations, false);
  flags.printNameLocAsPrefix();
  emitted.module->print(llvm::outs(), flags);
  return 0;
}
