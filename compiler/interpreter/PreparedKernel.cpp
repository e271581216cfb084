// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/PreparedKernel.h"

#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/AtomicRaces.h"
#include "compiler/interpreter/Definedness.h"
#include "compiler/interpreter/RaceRecords.h"
#include "compiler/interpreter/ReadRaces.h"
#include "compiler/interpreter/SourceLocations.h"
#include "compiler/interpreter/kernels/FloatFormats.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// The module without descriptors: itself, or a copy in which they are pointers; null if that
/// fails.
static ModuleOp withoutDescriptors(ModuleOp module, OwningOpRef<ModuleOp> &copy) {
  bool hasDescriptors =
      module
          ->walk([](Operation *op) {
            return isa<tt::MakeTensorDescOp, tt::DescriptorLoadOp, tt::DescriptorStoreOp,
                       tt::DescriptorReduceOp, tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasDescriptors)
    return module;
  copy = module.clone();
  PassManager passes(module.getContext());
  passes.addPass(tt::createRewriteTensorDescriptorToPointer());
  return succeeded(passes.run(*copy)) ? *copy : ModuleOp();
}

tt::FuncOp findKernel(ModuleOp module, const std::string &name) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getName() == name)
      return function;
  return nullptr;
}

std::array<int32_t, 3> programAt(uint64_t index, const std::array<int32_t, 3> &grid) {
  auto x = static_cast<uint64_t>(grid[0]), y = static_cast<uint64_t>(grid[1]);
  return {static_cast<int32_t>(index % x), static_cast<int32_t>(index / x % y),
          static_cast<int32_t>(index / x / y)};
}

uint64_t indexOf(const std::array<int32_t, 3> &id, const std::array<int32_t, 3> &grid) {
  return static_cast<uint64_t>(id[0]) +
         static_cast<uint64_t>(grid[0]) *
             (static_cast<uint64_t>(id[1]) +
              static_cast<uint64_t>(grid[1]) * static_cast<uint64_t>(id[2]));
}

uint64_t numPrograms(const std::array<int32_t, 3> &grid) {
  uint64_t all = 1;
  for (const int32_t extent : grid)
    all *= static_cast<uint64_t>(extent);
  return all;
}

/// Sets a scalar argument from its bits.
static void setScalar(Slot &value, Element element, uint64_t bits) {
  switch (element) {
  case Element::F8E5M2:
    return value.set(decodeF8E5M2(static_cast<uint8_t>(bits)));
  case Element::F8E4M3:
    return value.set(decodeF8E4M3(static_cast<uint8_t>(bits)));
  case Element::F8E5M2FNUZ:
    return value.set(decodeFnuz<kF8E5M2FNUZ>(static_cast<uint8_t>(bits)));
  case Element::F8E4M3FNUZ:
    return value.set(decodeFnuz<kF8E4M3FNUZ>(static_cast<uint8_t>(bits)));
  case Element::F16:
    return value.set(decodeF16(static_cast<uint16_t>(bits)));
  case Element::BF16:
    return value.set(decodeBF16(static_cast<uint16_t>(bits)));
  default:
    std::memcpy(value.scalar.data(), &bits, storageSize(element));
  }
}

void PreparedKernel::setArguments(Frame &frame) const {
  for (size_t i = 0; i < program->arguments.size(); ++i) {
    uint32_t id = program->arguments[i];
    Slot &value = frame.makeUniform(id);
    if (frame.info(id).element == Element::Pointer)
      value.setBase(areaAddress(i));
    else
      setScalar(value, frame.info(id).element, arguments[i].bits);
  }
}

/// A table of zeros, of which pages that are never touched cost nothing; null where there is no room.
template <typename T>
static T *makeTable(std::vector<std::unique_ptr<void, decltype(&std::free)>> &tables,
                    size_t count) {
  void *table = std::calloc(count, sizeof(T));
  if (table)
    tables.emplace_back(table, &std::free);
  return static_cast<T *>(table);
}

void PreparedKernel::makeWriterTables(const std::vector<ArgumentUse> &uses) {
  for (auto [type, area, use] : llvm::zip(kernel.getArgumentTypes(), execution.areas, uses)) {
    auto pointer = dyn_cast<tt::PointerType>(type);
    std::optional<Element> element =
        pointer && area.size ? getElement(pointer.getPointeeType()) : std::nullopt;
    if (!element)
      continue;
    area.elementSize = area.granule = interpreter::memorySize(*element);
    if (use.smallestBytes != 0)
      area.granule = std::min(area.granule, use.smallestBytes);
    area.writers = makeTable<uint32_t>(m_tables, area.size / area.granule + 1);
  }
}

void PreparedKernel::noteShared(const std::vector<ArgumentUse> &uses) {
  for (auto [area, use] : llvm::zip(execution.areas, uses))
    area.isShared =
        numPrograms(execution.grid) > 1 && use.isLoaded && (use.isStored || use.isUpdated);
}

void PreparedKernel::makeAccessTables(const std::vector<ArgumentUse> &uses) {
  // Of all arguments together.
  size_t leftBytes = size_t{1} << 30;
  const auto make = [&]<typename T>(T *&table, size_t count) {
    if (count == 0 || count > leftBytes / sizeof(T))
      return;
    table = makeTable<T>(m_tables, count);
    leftBytes -= table ? count * sizeof(T) : 0;
  };
  const uint64_t programs = numPrograms(execution.grid);
  if (programs > 1 && programs <= kMostOrderedPrograms &&
      llvm::any_of(uses, [](const ArgumentUse &use) { return use.isAwaited; }))
    execution.releases = std::make_unique<ReleaseClocks>(programs);
  for (auto [area, use] : llvm::zip(execution.areas, uses)) {
    area.isAwaited = use.isAwaited;
    area.isLookedAt = use.isLookedAt;
    const size_t count = area.writers ? area.size / area.granule + 1 : 0;
    if (programs < 2 || context.locations.size() >= kMostLocations)
      continue;
    if (use.isStored && execution.releases)
      make(area.stores, count);
    if (use.isUpdated && (use.isLoaded || use.isStored || use.isReadAsData))
      make(area.atomics, count);
    if (use.isUpdatedByBlocks)
      make(area.scopes, count);
    if (use.isReadAsData || (use.isLoaded && (use.isStored || use.isUpdated)))
      make(area.accesses, count);
  }
  for (auto [area, use] : llvm::zip(execution.areas, uses))
    if (!execution.accessLocations.empty() && use.isStored && area.writers)
      make(area.warps, area.size / area.granule + 1);
}

/// The elements whose last writer is asked for, by the area that they lie in.
static std::vector<Watch> makeWatches(const InterpreterLaunch &launch,
                                      std::vector<MemoryArea> &areas) {
  std::vector<Watch> watches;
  for (const ArgumentElement &watched : launch.watches)
    for (const MemoryArea &area : areas)
      if (area.writers && area.name == watched.argument) {
        const auto size = static_cast<int64_t>(area.elementSize);
        watches.push_back({&area, watched.element * size, (watched.element + 1) * size});
        break;
      }
  return watches;
}

/// Why the launch does not fit the kernel; empty when it does.
static std::string misfitOf(tt::FuncOp kernel, const InterpreterLaunch &launch) {
  if (kernel.getNumArguments() != launch.arguments.size())
    return "the kernel takes " + std::to_string(kernel.getNumArguments()) +
           " arguments, but the launch passes " + std::to_string(launch.arguments.size());
  if (*std::min_element(launch.grid.begin(), launch.grid.end()) < 0)
    return "the grid has a negative extent";
  return {};
}

/// What the caller says about every program.
static void takeOptions(Execution &execution, const InterpreterOptions &options) {
  execution.findConflicts = options.findRaces;
  execution.maxFindings = options.maxFindings;
  execution.maxPrints = options.maxPrints;
  execution.maxInstructionsPerProgram = options.maxInstructionsPerProgram;
  execution.maxProgramDuration = options.maxProgramDuration;
  execution.truncateToTf32 = options.truncateToTf32;
  execution.isOutsideUndefined = options.isOutsideUndefined;
  execution.stop = options.stop;
}

std::optional<TranslationError> PreparedKernel::prepare(ModuleOp module,
                                                        const InterpreterLaunch &launch,
                                                        const InterpreterOptions &options,
                                                        const PrepareOptions &more) {
  ModuleOp executed = withoutDescriptors(module, m_copy);
  if (!executed)
    return TranslationError{module.getLoc(),
                            "the tensor descriptors of the kernel cannot be executed on the CPU"};
  kernel = findKernel(executed, options.kernel);
  if (!kernel)
    return TranslationError{module.getLoc(), options.kernel.empty()
                                                 ? "there is no kernel"
                                                 : "there is no kernel `" + options.kernel + "`"};
  if (std::string problem = misfitOf(kernel, launch); !problem.empty())
    return TranslationError{kernel.getLoc(), std::move(problem)};

  std::optional<AddressSlice> slice;
  if (more.addressesOnly)
    slice = findAddressSlice(kernel);
  context.slice = slice ? &*slice : nullptr;
  context.notes = more.notes;
  context.warps = options.findRaces && !more.notes ? &options.warps : nullptr;
  program = Translator(context).translateKernel(kernel);
  context.slice = nullptr;
  context.warps = nullptr;
  if (!program)
    return context.error;
  execution.accessLocations = context.accessLocations;
  execution.writes.begin(context.locations.size());
  execution.reads.begin(context.locations.size());
  execution.filledLoads.begin(context.locations.size());

  arguments = launch.arguments;
  execution.program = program.get();
  execution.grid = launch.grid;
  if (options.onlyUndefined) {
    std::vector<std::string> files = options.files;
    for (const Location location : context.locations)
      execution.takenAsDefined.push_back(getSourceRange(location, files) != *options.onlyUndefined);
  }
  if (options.findUndefined)
    definedness = trackDefinedness(*program, options.isOutsideUndefined);
  execution.definedness = definedness.get();
  if (options.findsLostNumbers) {
    execution.lostNumbers.begin(context.locations.size());
    watchLostNumbers(*program);
  }
  for (const InterpreterArgument &argument : arguments)
    execution.areas.push_back(
        {argument.data, argument.data ? argument.sizeBytes : 0, argument.name, argument.shape});
  if (options.findRaces) {
    const std::vector<ArgumentUse> uses = argumentUses(kernel, executed);
    makeWriterTables(uses);
    noteShared(uses);
    // Steps back would leave what later steps have recorded.
    if (!more.notes)
      makeAccessTables(uses);
  }
  execution.watches = makeWatches(launch, execution.areas);
  takeOptions(execution, options);
  return std::nullopt;
}

} // namespace tilescope::compiler::interpreter
