// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/TraceScopes.h"

#include "compiler/dialects/trace/ir/Dialect.h"
#include "compiler/dialects/trace/ir/TraceAttributes.h"
#include "compiler/pipeline/IrText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope::compiler {

static constexpr int kVersion = 1;

static llvm::json::Object describe(trace::ScopeOp scope, FileTable &files) {
  llvm::json::Object object{
      {"id", int64_t(scope.getId())}, {"kind", scope.getKind()}, {"operation", scope.getSubject()}};
  const auto add = [&](llvm::StringRef key, std::optional<uint32_t> number) {
    if (number)
      object[key] = int64_t(*number);
  };
  add("queue", scope.getQueue());
  add("starts", scope.getStarts());
  add("leaves", scope.getLeaves());
  // The user's own line: the innermost place in the document, else the innermost one.
  const std::vector<SourceRange> ranges = sourceRanges(scope.getLoc(), files);
  const SourceRange *place = ranges.empty() ? nullptr : &ranges.front();
  for (const SourceRange &range : ranges)
    if (range.file == 0) {
      place = &range;
      break;
    }
  if (place) {
    object["file"] = llvm::json::fixUTF8(files.files()[place->file].path);
    object["line"] = int64_t(place->begin.line) + 1;
    object["column"] = int64_t(place->begin.column) + 1;
  }
  return object;
}

template <typename Number> static llvm::json::Array listOf(llvm::ArrayRef<Number> numbers) {
  llvm::json::Array list;
  for (Number number : numbers)
    list.push_back(int64_t(number));
  return list;
}

std::string takeTraceScopes(mlir::ModuleOp module, FileTable &files) {
  const auto programs = module->getAttrOfType<mlir::DenseI64ArrayAttr>(trace::kProgramsAttr);
  const auto warps = module->getAttrOfType<mlir::DenseI32ArrayAttr>(trace::kWarpsAttr);
  const auto records = module->getAttrOfType<mlir::IntegerAttr>(trace::kRecordsAttr);
  if (!programs || !warps || !records)
    return {};
  llvm::json::Array scopes;
  for (mlir::Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (auto scope = mlir::dyn_cast<trace::ScopeOp>(op)) {
      scopes.push_back(describe(scope, files));
      scope.erase();
    }
  for (llvm::StringRef name : {trace::kProgramsAttr, trace::kWarpsAttr, trace::kRecordsAttr})
    module->removeAttr(name);
  std::string text;
  llvm::raw_string_ostream(text) << "// tilescope.trace "
                                 << llvm::json::Value(llvm::json::Object{
                                        {"version", kVersion},
                                        {"scopes", std::move(scopes)},
                                        {"programs", listOf(programs.asArrayRef())},
                                        {"warps", listOf(warps.asArrayRef())},
                                        {"records", records.getInt()}})
                                 << "\n";
  return text;
}

} // namespace tilescope::compiler
