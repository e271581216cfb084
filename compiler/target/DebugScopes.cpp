// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/DebugScopes.h"

#include "compiler/artifacts/DebugPath.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace tilescope::compiler {

using namespace mlir;

namespace {

class DebugScopes : public PassWrapper<DebugScopes, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DebugScopes)

  StringRef getArgument() const override { return "tilescope-debug-scopes"; }
  StringRef getDescription() const override {
    return "Attach the debug information that line tables are made from";
  }
  void runOnOperation() override;

private:
  LLVM::DIFileAttr file(StringRef path);
  LLVM::DICompileUnitAttr unit(StringRef path);
  LLVM::DISubprogramAttr makeSubprogram(StringRef name, FileLineColRange place);
  /// The scope of places in `path` that were inlined from a function there.
  LLVM::DISubprogramAttr inlinedScope(FileLineColRange place);
  /// The same place in the terms of the translation to LLVM IR. Inside an inlined call every place
  /// names its scope; elsewhere it is the function's, unless the place is in another file.
  Location scoped(Location loc, bool inlined);
  /// Of an operation of the function. Many operations share each location.
  Location scopedOnce(Location loc, Location start);
  Location scopedLeaf(FileLineColRange place, bool inlined);
  void processFunction(LLVM::LLVMFuncOp function);

  LLVM::DICompileUnitAttr m_unit;
  llvm::StringMap<LLVM::DISubprogramAttr> m_inlinedScopes;
  LLVM::DISubprogramAttr m_function;
  llvm::DenseMap<Location, Location> m_scoped;
};

} // namespace

/// The first place in a file that a location mentions, callee before caller.
static FileLineColRange firstPlace(Location loc) {
  return llvm::TypeSwitch<LocationAttr, FileLineColRange>(loc)
      .Case([](FileLineColRange range) { return range; })
      .Case([](NameLoc name) { return firstPlace(name.getChildLoc()); })
      .Case([](CallSiteLoc call) {
        FileLineColRange callee = firstPlace(call.getCallee());
        return callee ? callee : firstPlace(call.getCaller());
      })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (FileLineColRange place = firstPlace(part))
            return place;
        return FileLineColRange();
      })
      .Default([](LocationAttr) { return FileLineColRange(); });
}

LLVM::DIFileAttr DebugScopes::file(StringRef path) {
  const std::string encoded = encodeDebugPath(path);
  return LLVM::DIFileAttr::get(&getContext(), llvm::sys::path::filename(encoded),
                               llvm::sys::path::parent_path(encoded));
}

LLVM::DICompileUnitAttr DebugScopes::unit(StringRef path) {
  if (!m_unit)
    m_unit = LLVM::DICompileUnitAttr::get(
        DistinctAttr::create(UnitAttr::get(&getContext())), llvm::dwarf::DW_LANG_C, file(path),
        StringAttr::get(&getContext(), "tilescope"), /*isOptimized=*/true,
        // Directives for the assembler, but no sections of debug information in the PTX text.
        LLVM::DIEmissionKind::DebugDirectivesOnly);
  return m_unit;
}

LLVM::DISubprogramAttr DebugScopes::makeSubprogram(StringRef name, FileLineColRange place) {
  MLIRContext *context = &getContext();
  const StringRef path = place.getFilename().getValue();
  const StringAttr nameAttr = StringAttr::get(context, name);
  return LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit(path), file(path), nameAttr,
      nameAttr, file(path), place.getStartLine(), place.getStartLine(),
      LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized,
      LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {}), {}, {});
}

LLVM::DISubprogramAttr DebugScopes::inlinedScope(FileLineColRange place) {
  const StringRef path = place.getFilename().getValue();
  LLVM::DISubprogramAttr &scope = m_inlinedScopes[path];
  if (!scope)
    scope = makeSubprogram(llvm::sys::path::stem(path), place);
  return scope;
}

Location DebugScopes::scopedLeaf(FileLineColRange place, bool inlined) {
  const Location start =
      FileLineColLoc::get(place.getFilename(), place.getStartLine(), place.getStartColumn());
  if (inlined)
    return FusedLoc::get({start}, inlinedScope(place), &getContext());
  const LLVM::DIFileAttr own = file(place.getFilename().getValue());
  if (own == m_function.getFile())
    return start;
  auto scope = LLVM::DILexicalBlockFileAttr::get(&getContext(), m_function, own, 0);
  return FusedLoc::get({start}, scope, &getContext());
}

Location DebugScopes::scoped(Location loc, bool inlined) {
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    const bool knowsCallee = firstPlace(call.getCallee()) != nullptr;
    const bool knowsCaller = firstPlace(call.getCaller()) != nullptr;
    if (knowsCallee && knowsCaller)
      return CallSiteLoc::get(scoped(call.getCallee(), true), scoped(call.getCaller(), inlined));
    return scoped(knowsCallee ? call.getCallee() : call.getCaller(), inlined);
  }
  if (auto name = dyn_cast<NameLoc>(loc))
    return scoped(name.getChildLoc(), inlined);
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    // LLVM would merge different places into line 0; the first one is where the result is made.
    for (Location part : fused.getLocations())
      if (firstPlace(part))
        return scoped(part, inlined);
  }
  if (auto place = dyn_cast<FileLineColRange>(loc))
    return scopedLeaf(place, inlined);
  return loc;
}

Location DebugScopes::scopedOnce(Location loc, Location start) {
  const auto known = m_scoped.find(loc);
  if (known != m_scoped.end())
    return known->second;
  // A call without a place cannot be inlined by LLVM's rules; the function's start serves.
  const Location made = firstPlace(loc) ? scoped(loc, false) : start;
  m_scoped.try_emplace(loc, made);
  return made;
}

void DebugScopes::processFunction(LLVM::LLVMFuncOp function) {
  const FileLineColRange place = firstPlace(function.getLoc());
  if (function.isExternal() || !place)
    return;
  if (auto fused = dyn_cast<FusedLoc>(function.getLoc());
      fused && isa_and_nonnull<LLVM::DISubprogramAttr>(fused.getMetadata()))
    return;
  m_function = makeSubprogram(function.getName(), place);
  const Location start =
      FileLineColLoc::get(place.getFilename(), place.getStartLine(), place.getStartColumn());
  function->setLoc(FusedLoc::get({start}, m_function, &getContext()));
  m_scoped.clear();
  function.getBody().walk([&](Operation *op) { op->setLoc(scopedOnce(op->getLoc(), start)); });
}

void DebugScopes::runOnOperation() {
  m_unit = {};
  m_inlinedScopes.clear();
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
    processFunction(function);
  // Locations are all that changes.
  markAllAnalysesPreserved();
}

std::unique_ptr<Pass> createDebugScopesPass() { return std::make_unique<DebugScopes>(); }

void registerDebugScopesPass() {
  registerPass([] { return createDebugScopesPass(); });
}

} // namespace tilescope::compiler
