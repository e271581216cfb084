// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/conversion/tt_to_cpu/Bounds.h"
#include "compiler/conversion/tt_to_cpu/Calls.h"
#include "compiler/conversion/tt_to_cpu/Nest.h"
#include "compiler/conversion/tt_to_cpu/NextProgram.h"
#include "compiler/conversion/tt_to_cpu/Patches.h"
#include "compiler/conversion/tt_to_cpu/Plan.h"
#include "compiler/conversion/tt_to_cpu/WholeTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tilescope::cpu {

/// Memory that holds all elements of a block, the last dimension fastest.
struct Buffer {
  mlir::Value base;
  mlir::RankedTensorType type;
};

/// Emits one kernel. Scalars are lowered where they stand; blocks inside the loops of their sinks.
class KernelLowering {
public:
  KernelLowering(mlir::OpBuilder &builder, const compiler::AxisInfoMap &axes, const Plan &plan,
                 const LoweringOptions &options);

  /// Emits the body of the function with these arguments: those that TtToCpu.h describes.
  void lower(tt::FuncOp kernel, mlir::ValueRange arguments);
  int64_t scratchBytes() const { return m_scratchBytes; }
  /// Of which bounds are checked, by number.
  llvm::ArrayRef<CheckedAccess> accesses() const { return m_accesses; }
  const NumberedOperations &numbered() const { return m_numbered; }

private:
  /// Of several blocks, rows, or parts.
  using Tiles = llvm::SmallVector<mlir::Value>;

  // Operations in their order (Lowering.cpp).
  void lowerArguments(tt::FuncOp kernel, mlir::Value words);
  void lowerBlock(mlir::Block &block);
  void lowerOperation(mlir::Operation *op);
  void lowerScalar(mlir::Operation *op);
  /// Of the next program where that is meant.
  mlir::Value scalar(mlir::Value value);
  mlir::Value launchWord(unsigned index);

  // Elements of blocks (Blocks.cpp).
  /// A tile of the block: a vector, or a scalar where all lanes are equal.
  mlir::Value at(mlir::Value block, const Place &place);
  mlir::Value compute(mlir::Value block, const Place &place);
  mlir::Value computeShaped(mlir::Operation *op, const Place &place);
  /// An operation that is a function of the interpreter's tables (TableFunctions.cpp).
  mlir::Value callTable(mlir::Operation *op, mlir::ValueRange operands);
  /// An elementwise operation on tiles, by code or by such a function.
  mlir::Value emitOnTiles(mlir::Operation *op, mlir::ValueRange operands);
  Place withoutUnitDims(mlir::RankedTensorType type, const Place &place) const;

  // Memory (Memory.cpp).
  /// Null: there is none, or it holds for all lanes.
  mlir::Value maskAt(mlir::Value mask, const Place &place);
  mlir::Value computeLoad(tt::LoadOp load, const Place &place);
  void lowerScalarLoad(tt::LoadOp load);
  void lowerStore(tt::StoreOp store);
  void storeTile(tt::StoreOp store, const Place &place);
  bool isStoredInRows(tt::StoreOp store, const Lanes &lanes) const;
  bool isContiguous(mlir::Value pointers, const Place &place) const;
  /// Whether the lanes are neighbors, at run time (Runs.h); null: not worth a look. `tile`: the pointers at that place, of
  /// elements of so many bytes. `mask` may be null.
  mlir::Value areNeighbors(mlir::Value pointers, const Place &place, mlir::Value tile,
                           mlir::Value mask, int64_t bytes);

  // What the next program loads (NextProgram.cpp).
  void lowerNextProgram();
  void lowerScalarOfNext(mlir::Operation *op);
  mlir::Value firstOfNext(mlir::Value pointers, const Place &place, int64_t bytes);
  /// Of lanes that are neighbors. `distance`: from made-up addresses to those in memory; may be null.
  void fetchForNext(tt::LoadOp load, const Place &place, int64_t bytes, mlir::Value distance);

  // Bounds, where they are checked (Bounds.cpp).
  void numberAccesses(tt::FuncOp kernel);
  mlir::Value lowerCheckedArgument(mlir::BlockArgument argument, mlir::Value words);
  Area areaByAddress(mlir::Value address);
  /// `tile`: what the access has of the block of pointers.
  CheckedTarget targetOf(mlir::Value pointers, mlir::Value tile);
  mlir::Value isInside(const CheckedTarget &target, int64_t bytes);
  /// As `checkElements`, for neighbors.
  mlir::Value insideOfRun(mlir::Operation *access, const CheckedTarget &first, mlir::Value mask);
  /// Notes the elements that are outside and not masked off; returns the mask of those inside. `mask` may be null.
  /// `times`: how many elements of the block each lane stands for.
  mlir::Value checkElements(mlir::Operation *access, const CheckedTarget &target, mlir::Value mask,
                            int64_t bytes, int64_t times = 1);
  /// Of one element: where it is, and whether it may be accessed.
  std::pair<CheckedTarget, mlir::Value> checkScalar(mlir::Operation *access, mlir::Value pointer,
                                                    mlir::Value mask);
  void noteOutside(mlir::Operation *access, mlir::Value addresses, mlir::Value outside,
                   int64_t times);
  /// The address of memory of the scratch that has the tile.
  mlir::Value keepTile(mlir::Value tile);

  // Doubts, where they are noted (Doubts.cpp). A store begins: its elements get a mark of their own.
  void beginStore();
  /// In front of a store of neighbors from `first` on; `mask` may be null. Returns where `markRun` puts their marks, or null.
  mlir::Value checkRun(const CheckedTarget &first, mlir::Value value, mlir::Value mask);
  void markRun(mlir::Value marks, int64_t lanes, mlir::Value mask);
  void fetchMarks(tt::StoreOp store, const Place &place, const CheckedTarget &first, int64_t lanes);
  /// In front of a store of other elements, or of one.
  void checkStored(const CheckedTarget &target, mlir::Value value, mlir::Value mask);
  void callCheckStore(llvm::StringRef function, const CheckedTarget &target, mlir::Value value,
                      mlir::Value offsets, mlir::Value mask);
  void noteUnknownStore();
  void noteLeftOut(tt::LoadOp load, mlir::Value mask);
  /// Who loads from an argument that is stored to, too; `target`: of each, or of the first of a run of `lanes` (or 0).
  void noteRead(const CheckedTarget &target, mlir::Value mask, int64_t bytes, int64_t lanes);
  void noteZeroDivisor(mlir::Operation *op, mlir::ValueRange operands);
  void noteInHead(mlir::Value isDoubtful, size_t offset);
  mlir::Value inHead(size_t offset);

  // Buffers (Buffers.cpp).
  Buffer allocate(mlir::RankedTensorType type);
  /// For a block that is computed where it is defined: the buffer that its only use copies it to, if there is one.
  Buffer allocateResult(mlir::Value block);
  mlir::Value readBuffer(const Buffer &buffer, const Place &place);
  /// With other indices along `axis`, one for each lane.
  mlir::Value readPicked(const Buffer &buffer, const Place &place, unsigned axis,
                         mlir::Value index);
  mlir::Value readAt(mlir::Value address, mlir::Type element, int64_t lanes);
  void writeBuffer(const Buffer &buffer, const Place &place, mlir::Value tile);
  mlir::Value bufferAddress(const Buffer &buffer, const Place &place);
  /// Computes and keeps all of the block now.
  void keep(mlir::Value block);
  void fill(const Buffer &buffer, mlir::Value block);
  /// Keeps what can be computed only once inside the loops, and is needed there otherwise than element by element.
  /// `canKeep`: the others are kept by these loops.
  void prepare(llvm::ArrayRef<mlir::Value> needed, bool canKeep = true);
  /// Behind the loops, what they have kept can be read.
  void finishKept();
  /// Emits loops over all dimensions around `body`, by patches where something is to be turned; maybe twice (WholeTiles.h).
  void forEachTile(llvm::ArrayRef<int64_t> shape, Lanes lanes, llvm::ArrayRef<mlir::Value> needed,
                   llvm::function_ref<void()> body);
  void openAll(llvm::ArrayRef<int64_t> shape, Lanes lanes, llvm::function_ref<void()> body);
  int64_t lanesPerTile() const;
  /// Along the dimension in which the elements of what is loaded or stored are neighbors.
  Lanes chooseLanes(llvm::ArrayRef<mlir::Value> blocks) const;

  // Tiles for whose lanes all masks hold (WholeTiles.cpp).
  mlir::Value uniformElement(mlir::Value block);
  WholeTiles wholeTiles(llvm::ArrayRef<int64_t> shape, const Lanes &lanes,
                        llvm::ArrayRef<mlir::Value> needed);
  /// The body emits code for tiles for whose lanes the conditions hold.
  void withoutMasks(const WholeTiles &whole, llvm::function_ref<void()> body);
  /// Emits the body for the case that all conditions hold, and for the others.
  void forEachCase(const WholeTiles &whole, llvm::function_ref<void()> body);

  // Neighbors along another dimension (Patches.cpp).
  /// The dimension along which the elements of a block that is loaded or kept are neighbors; -1: none, or it is neither.
  int neighborsOf(mlir::Value block) const;
  /// Nothing: all elements come from where they lie along the lanes, or cannot be turned.
  std::optional<Patches> patchesFor(llvm::ArrayRef<int64_t> shape, const Lanes &lanes,
                                    llvm::ArrayRef<mlir::Value> needed) const;
  void forEachPatch(llvm::ArrayRef<int64_t> shape, const Patches &patches,
                    llvm::function_ref<void()> body);
  /// Computes the blocks of a patch for its places.
  void turnPatch(const Patches &patches, llvm::ArrayRef<Place> places);
  Place behind(const Place &place, unsigned dim, int64_t distance);

  // Reductions (Reduce.cpp).
  void lowerReduce(tt::ReduceOp reduce);
  Tiles reduceTiles(tt::ReduceOp reduce, const WholeTiles &whole);
  Tiles firstValues(tt::ReduceOp reduce);
  Tiles sourcesAt(mlir::ValueRange sources, const Place &place);
  /// Opens loops along all dimensions but one, that of the lanes last; returns how many.
  unsigned openAround(unsigned axis);
  Tiles combine(mlir::Region &region, mlir::ValueRange left, mlir::ValueRange right);
  Tiles foldLanes(mlir::Region &region, Tiles tiles);

  // Functions of scalars (Map.cpp).
  void lowerMap(tt::MapElementwiseOp map);
  /// Emits the region's block for these scalars; returns what it yields.
  Tiles callRegion(mlir::Region &region, mlir::ValueRange arguments);
  /// None where the function that combines elements takes no lanes.
  Lanes chooseLanesFor(mlir::Region &region, llvm::ArrayRef<mlir::Value> blocks) const;

  // Scans (Scan.cpp).
  void lowerScan(tt::ScanOp scan);
  Tiles scanStep(tt::ScanOp scan, mlir::ValueRange carried, llvm::ArrayRef<Buffer> results);
  Tiles scanLanes(tt::ScanOp scan, Tiles tiles);
  Place scanPlace(tt::ScanOp scan);

  // Both in the interpreter's order (Exact.cpp).
  void lowerReduceInOrder(tt::ReduceOp reduce);
  llvm::SmallVector<Buffer> halve(tt::ReduceOp reduce, llvm::ArrayRef<Buffer> sources);
  void lowerScanInOrder(tt::ScanOp scan);
  Place movedAlong(const Place &place, unsigned axis, int64_t scale, int64_t offset);
  Tiles readAll(llvm::ArrayRef<Buffer> buffers, const Place &place);

  // Elements at other places (Rearrange.cpp).
  void lowerReshape(tt::ReshapeOp reshape);
  void lowerJoin(tt::JoinOp join);
  void lowerSplit(tt::SplitOp split);
  void lowerCat(tt::CatOp cat);
  void lowerGather(tt::GatherOp gather);
  void lowerHistogram(tt::HistogramOp histogram);

  // Products: of factors in the type of the sums (Dot.cpp), of pairs of them (DotPairs.cpp), and of tiles (DotTiles.cpp).
  void lowerDot(tt::DotOp dot);
  Buffer packFactor(mlir::Value factor, mlir::Type sum);
  Tiles sumProducts(const Buffer &a, const Buffer &b, llvm::ArrayRef<Place> rows, Tiles sums);
  /// The type of the factors as pairs; null: other instructions are to be used.
  mlir::Type pairedType(tt::DotOp dot) const;
  /// The factor in memory, in type `held`, each two or four rows as one; and each two rows of a buffer as one.
  Buffer interleaveFactor(mlir::Value factor, mlir::Type held, int64_t count);
  Buffer interleaveRows(const Buffer &factor);
  Tiles sumPairs(const Buffer &a, const Buffer &b, llvm::ArrayRef<Place> rows, Tiles sums);
  /// False: other instructions are to be used.
  bool lowerDotOfTiles(tt::DotOp dot);
  void multiplyTiles(const Buffer &a, const Buffer &b, const Buffer *first, const Buffer &target);
  // Atomic operations (Atomics.cpp).
  void lowerAtomic(mlir::Operation *op);
  void lowerPoll(tt::AtomicPollOp poll);
  /// Where bounds are checked, replaces both by where the element is, and whether it may be accessed.
  void checkAtomic(mlir::Operation *op, mlir::Value &pointer, mlir::Value &mask);

  // What the process does (Calls.cpp), and assertions (Assertions.cpp).
  void callProcess(llvm::StringRef function, size_t number, llvm::ArrayRef<mlir::Value> arrays);
  /// All elements now, as the interpreter holds them in blocks, or in the arguments' memory.
  Buffer copied(mlir::Value value, bool asInBlocks);
  void lowerPrint(tt::PrintOp print);
  void lowerAssembly(tt::ElementwiseInlineAsmOp assembly);
  void lowerAssert(tt::AssertOp assertion);
  /// Ends the program with the number of the assertion, and that of the element.
  void failUnless(mlir::Value holds, mlir::Value element, int64_t number);

  // Loops and branches (Control.cpp).
  void lowerFor(mlir::scf::ForOp loop);
  void lowerIf(mlir::scf::IfOp branch);
  void lowerWhile(mlir::scf::WhileOp loop);
  llvm::SmallVector<Buffer> allocateFor(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange scalars, llvm::ArrayRef<Buffer> buffers);
  void expectIn(mlir::ValueRange yielded, llvm::ArrayRef<Buffer> targets);
  void yieldInto(mlir::ValueRange values, llvm::ArrayRef<Buffer> targets,
                 llvm::SmallVectorImpl<mlir::Value> &scalars);

  mlir::OpBuilder &m_builder;
  mlir::Location m_loc;
  const compiler::AxisInfoMap &m_axes;
  const Plan &m_plan;
  LoweringOptions m_options;

  mlir::ModuleOp m_module; // Known from the beginning: bodies of loops are attached to it late.
  mlir::Value m_words, m_launch, m_scratch, m_zero;
  int64_t m_numArguments = 0, m_scratchBytes = 0, m_tileBytes = 0;
  NumberedOperations m_numbered;
  mlir::IRMapping m_scalars;
  llvm::DenseMap<mlir::Value, Buffer> m_buffers;
  /// Kept once computed, but not yet computed.
  llvm::SetVector<mlir::Value> m_pending;
  /// Where loops expect what they yield.
  llvm::DenseMap<mlir::Value, Buffer> m_destinations;
  /// Written by the loops that are being emitted.
  llvm::DenseMap<mlir::Value, Buffer> m_beingKept;
  llvm::DenseMap<mlir::Value, Area> m_areas;
  llvm::DenseMap<mlir::Operation *, int64_t> m_accessNumbers;
  llvm::DenseSet<mlir::Operation *> m_leakingLoads, m_streamedStores;
  NextProgram m_next;
  /// Arguments that are both loaded and stored to, where doubts are noted.
  llvm::DenseSet<mlir::Value> m_changedInPlace;
  /// Of the store that is being emitted.
  mlir::Value m_mark;
  llvm::SmallVector<CheckedAccess> m_accesses;
  Nest *m_nest = nullptr;
  /// Conditions that hold for what is being emitted.
  llvm::DenseSet<mlir::Value> m_known;
};

} // namespace tilescope::cpu
