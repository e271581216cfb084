// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/Assembly.h"

#include "compiler/native/CodePlaces.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tilescope::native {

static std::string emit(Module &module, TargetMachine &machine) {
  SmallVector<char> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return {};
  passes.run(module);
  return std::string(text.begin(), text.end());
}

/// What a person has no use for: unwinding, debugging, and labels of both.
static bool isForTools(StringRef line) {
  static constexpr StringLiteral kDirectives[] = {".file", ".loc", ".cfi_", ".ident", ".addrsig"};
  for (StringRef directive : kDirectives)
    if (line.starts_with(directive))
      return true;
  return line.starts_with(".Ltmp") || line.starts_with(".Lfunc_") ||
         line.starts_with(".section\t\".note");
}

Assembly printAssembly(const Module &module, TargetMachine &machine) {
  // Code generation changes its input.
  const std::unique_ptr<Module> copy = CloneModule(module);
  const std::vector<const DILocation *> places = numberPlaces(*copy, /*inObject=*/false);
  const std::string printed = emit(*copy, machine);
  Assembly result;
  if (machine.getTargetTriple().isX86() && !printed.empty()) {
    result.text = "\t.intel_syntax noprefix\n";
    result.places.push_back(nullptr);
  }
  const DILocation *current = nullptr;
  StringRef rest = printed;
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    StringRef words = line.ltrim();
    if (words.starts_with(".section\t.debug"))
      break;
    if (words.consume_front(".loc\t")) {
      unsigned file = 0, number = 0;
      words.consumeInteger(10, file);
      words = words.ltrim();
      words.consumeInteger(10, number);
      current = number > 0 && number <= places.size() ? places[number - 1] : nullptr;
    } else if (!isForTools(words)) {
      const bool isInstruction = line.starts_with("\t") && !words.starts_with(".");
      result.text.append(line).append("\n");
      result.places.push_back(isInstruction ? current : nullptr);
    }
  }
  return result;
}

} // namespace tilescope::native
