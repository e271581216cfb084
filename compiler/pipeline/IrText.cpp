// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/IrText.h"

#include "compiler/artifacts/DebugPath.h"
#include "compiler/dialects/ttg/ir/LayoutFactsOf.h"

#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormattedStream.h"
#include "mlir/IR/AsmState.h"

#include <algorithm>

namespace tilescope::compiler {

/// A line of a stage points to no more places: the innermost ones, which come first, are enough.
static constexpr size_t kMaxPlaces = 256;

static void addUnique(std::vector<SourceRange> &ranges, const SourceRange &range) {
  if (std::find(ranges.begin(), ranges.end(), range) == ranges.end())
    ranges.push_back(range);
}

static Position position(unsigned line, unsigned column) {
  return {line > 0 ? line - 1 : 0, column > 0 ? column - 1 : 0};
}

static void collectRanges(mlir::Location loc, FileTable &files, std::vector<SourceRange> &ranges) {
  if (ranges.size() >= kMaxPlaces)
    return;
  llvm::TypeSwitch<mlir::LocationAttr>(loc)
      .Case([&](mlir::FileLineColRange place) {
        const uint32_t file = files.indexOf(place.getFilename().getValue());
        const Position begin = position(place.getStartLine(), place.getStartColumn());
        const Position end = position(place.getEndLine(), place.getEndColumn());
        addUnique(ranges,
                  end > begin ? SourceRange{begin, end, file} : files.restOfLine(file, begin));
      })
      .Case([&](mlir::NameLoc name) { collectRanges(name.getChildLoc(), files, ranges); })
      .Case([&](mlir::CallSiteLoc call) {
        collectRanges(call.getCallee(), files, ranges);
        collectRanges(call.getCaller(), files, ranges);
      })
      .Case([&](mlir::FusedLoc fused) {
        for (mlir::Location part : fused.getLocations())
          collectRanges(part, files, ranges);
      })
      .Default([](mlir::LocationAttr) {});
}

std::vector<SourceRange> sourceRanges(mlir::Location loc, FileTable &files) {
  std::vector<SourceRange> ranges;
  collectRanges(loc, files, ranges);
  return ranges;
}

SourceRange documentPlace(mlir::Location loc, FileTable &files) {
  const std::vector<SourceRange> ranges = sourceRanges(loc, files);
  // What an inlined function of the library made stands for its call: `tl.zeros((M, N))`.
  const auto own = std::ranges::find(ranges, 0u, &SourceRange::file);
  return own != ranges.end() ? *own : ranges.empty() ? SourceRange() : ranges.front();
}

/// The layouts of a module that was printed with `state`.
static std::vector<LayoutFacts> printedLayouts(mlir::Operation *op, mlir::AsmState &state,
                                               const mlir::AsmState::LocationMap &places,
                                               FileTable &files) {
  const auto nameOf = [&](mlir::Value value) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    value.printAsOperand(stream, state);
    return name;
  };
  const auto textOf = [&](mlir::Type type) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    type.print(stream, state);
    return text;
  };
  const auto lineOf = [&](mlir::Value value) {
    mlir::Operation *owner = value.getDefiningOp();
    const auto place = places.find(owner ? owner : value.getParentBlock()->getParentOp());
    return place == places.end() ? 0 : place->second.first - 1;
  };
  const auto sourceOf = [&](mlir::Value value) { return documentPlace(value.getLoc(), files); };
  return ttg::layoutFactsOf(op, {nameOf, textOf, lineOf, sourceOf});
}

IrText printIr(mlir::Operation *op, FileTable &files, std::vector<LayoutFacts> *layouts) {
  IrText result;
  mlir::AsmState::LocationMap places;
  // Arguments and values have the names of the source: `%x_ptr`, `%offsets`.
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  mlir::AsmState state(op, flags, &places);
  llvm::raw_string_ostream stream(result.text);
  op->print(stream, state);
  if (result.text.empty() || result.text.back() != '\n')
    stream << '\n';

  for (const auto &[printed, place] : places) {
    // The module itself stands for the whole file.
    if (printed == op)
      continue;
    std::vector<SourceRange> ranges = sourceRanges(printed->getLoc(), files);
    if (!ranges.empty())
      result.sourceMap.lines.push_back({place.first - 1, std::move(ranges)});
  }
  std::sort(result.sourceMap.lines.begin(), result.sourceMap.lines.end(),
            [](const LineMapping &a, const LineMapping &b) { return a.line < b.line; });
  if (layouts != nullptr)
    *layouts = printedLayouts(op, state, places, files);
  return result;
}

void indexRanges(mlir::Operation *op, FileTable &files, SourceIndex &index) {
  op->walk([&](mlir::Operation *nested) {
    for (const SourceRange &range : sourceRanges(nested->getLoc(), files))
      index.add(range);
  });
}

namespace {

/// What debug information says of places.
class DebugPlaces {
public:
  DebugPlaces(FileTable &files, const SourceIndex &index) : m_files(files), m_index(index) {}

  /// The place and those that it was inlined at; none of null.
  const std::vector<SourceRange> &rangesOf(const llvm::DILocation *place) {
    const auto [known, isNew] = m_ranges.try_emplace(place);
    if (isNew)
      for (const llvm::DILocation *at = place; at != nullptr; at = at->getInlinedAt())
        if (at->getLine() > 0)
          addUnique(known->second, range(*at));
    return known->second;
  }

private:
  SourceRange range(const llvm::DILocation &at) {
    llvm::StringRef folder = at.getDirectory();
    std::string path =
        folder.empty() ? at.getFilename().str() : (folder + "/" + at.getFilename()).str();
    const uint32_t file = m_files.indexOf(decodeDebugPath(path));
    const Position begin = position(at.getLine(), at.getColumn());
    if (auto whole = m_index.startingAt(file, begin))
      return *whole;
    return at.getColumn() > 0 ? m_files.restOfLine(file, begin)
                              : m_files.wholeLine(file, begin.line);
  }

  FileTable &m_files;
  const SourceIndex &m_index;
  /// Unrolled code has many instructions of each place.
  llvm::DenseMap<const llvm::DILocation *, std::vector<SourceRange>> m_ranges;
};

/// Notes the line on which each instruction is printed.
class LineRecorder : public llvm::AssemblyAnnotationWriter {
public:
  LineRecorder(DebugPlaces &places, SourceMap &map) : m_places(places), m_map(map) {}

  void emitInstructionAnnot(const llvm::Instruction *instruction,
                            llvm::formatted_raw_ostream &stream) override {
    const std::vector<SourceRange> &ranges = m_places.rangesOf(instruction->getDebugLoc().get());
    if (!ranges.empty())
      m_map.lines.push_back({stream.getLine(), ranges});
  }

private:
  DebugPlaces &m_places;
  SourceMap &m_map;
};

} // namespace

SourceMap placesOfLines(const std::vector<const llvm::DILocation *> &lines, FileTable &files,
                        const SourceIndex &index) {
  SourceMap map;
  DebugPlaces places(files, index);
  for (size_t line = 0; line < lines.size(); ++line)
    if (const std::vector<SourceRange> &ranges = places.rangesOf(lines[line]); !ranges.empty())
      map.lines.push_back({static_cast<uint32_t>(line), ranges});
  return map;
}

IrText printLlvmIr(const llvm::Module &module, FileTable &files, const SourceIndex &index) {
  IrText result;
  llvm::raw_string_ostream stream(result.text);
  llvm::formatted_raw_ostream formatted(stream);
  DebugPlaces places(files, index);
  LineRecorder recorder(places, result.sourceMap);
  module.print(formatted, &recorder);
  formatted.flush();
  return result;
}

} // namespace tilescope::compiler
