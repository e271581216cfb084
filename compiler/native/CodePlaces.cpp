// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/CodePlaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace tilescope::native {

std::vector<const DILocation *> numberPlaces(Module &module, bool inObject) {
  if (NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu"))
    module.eraseNamedMetadata(units);
  DIBuilder builder(module, false);
  DIFile *file = builder.createFile("places", "");
  builder.createCompileUnit(
      DISourceLanguageName(dwarf::DW_LANG_C), file, "tilescope", true, "", 0, "",
      inObject ? DICompileUnit::LineTablesOnly : DICompileUnit::DebugDirectivesOnly);
  DISubroutineType *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  MapVector<const DILocation *, unsigned> numbers;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DISubprogram *scope = builder.createFunction(
        file, function.getName(), function.getName(), file, 1, type, 1, DINode::FlagZero,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
    function.setSubprogram(scope);
    for (Instruction &instruction : instructions(function)) {
      const DILocation *place = instruction.getDebugLoc().get();
      const unsigned next = static_cast<unsigned>(numbers.size()) + 1;
      // Line 0 is no line.
      const unsigned number =
          place && place->getLine() > 0 ? numbers.try_emplace(place, next).first->second : 0;
      instruction.setDebugLoc(DILocation::get(module.getContext(), number, 0, scope));
    }
  }
  builder.finalize();
  constexpr StringLiteral kVersion = "Debug Info Version";
  if (!module.getModuleFlag(kVersion))
    module.addModuleFlag(Module::Warning, kVersion, DEBUG_METADATA_VERSION);
  std::vector<const DILocation *> places;
  for (const auto &[place, number] : numbers)
    places.push_back(place);
  return places;
}

static uint64_t symbolAddress(const object::ObjectFile &object, StringRef name) {
  for (const object::SymbolRef &symbol : object.symbols()) {
    Expected<StringRef> known = symbol.getName();
    if (!known) {
      consumeError(known.takeError());
      continue;
    }
    if (*known != name)
      continue;
    if (Expected<uint64_t> address = symbol.getAddress())
      return *address;
  }
  return 0;
}

uint32_t placeNumber(const MemoryBuffer &object, const std::string &symbol, uint64_t offset) {
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(object.getMemBufferRef());
  if (!file) {
    consumeError(file.takeError());
    return 0;
  }
  const uint64_t address = symbolAddress(**file, symbol) + offset;
  const std::unique_ptr<DWARFContext> debug = DWARFContext::create(**file);
  for (const std::unique_ptr<DWARFUnit> &unit : debug->compile_units()) {
    const DWARFDebugLine::LineTable *table = debug->getLineTableForUnit(unit.get());
    for (size_t row = 0; table && row + 1 < table->Rows.size(); ++row)
      if (!table->Rows[row].EndSequence && table->Rows[row].Address.Address <= address &&
          address < table->Rows[row + 1].Address.Address)
        return table->Rows[row].Line;
  }
  return 0;
}

std::vector<CodePlace> placesOf(const DILocation *place) {
  std::vector<CodePlace> places;
  for (; place; place = place->getInlinedAt()) {
    const StringRef folder = place->getDirectory(), name = place->getFilename();
    places.push_back({folder.empty() ? name.str() : (folder + "/" + name).str(), place->getLine(),
                      place->getColumn()});
  }
  return places;
}

} // namespace tilescope::native
