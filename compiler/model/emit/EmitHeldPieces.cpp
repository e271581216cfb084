// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rows that fit into the registers of a program, but not into one block of a power of 2. A program holds its row in pieces
// and reads it from memory once:
//
//   rows of 20,480, pieces of 4096     piece 0 … piece 4     one block would have 32,768 places, two fifths of them empty
//
// Whatever a reduction needs is combined of all pieces, and what follows is computed of each. A softmax of elements of two
// bytes holds its row as it was loaded, and then its powers in the same type: two rows, rather than one, are on a
// multiprocessor at once, and one is loaded while the other one is stored.
#include "compiler/model/emit/RowKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

/// Elements of a piece; of a narrow softmax, whose threads have a vector of each.
static constexpr int64_t kHeldPiece = 4096, kNarrowPiece = 2048;

/// A program with registers for so many elements of each thread. On an H200 as many as possible are on a multiprocessor.
struct Holder {
  int64_t mostElements, warps, registers;
};
static constexpr Holder kHolders[] = {{52, 8, 80}, {80, 8, 128}, {104, 16, 128}};
/// Two elements of these are in a register.
static constexpr Holder kNarrowHolders[] = {{88, 8, 80}, {208, 8, 128}};

/// The values of a row's elements that a reduction is made of, and their number behind it: those are held.
static int64_t heldOver(Operation *reduction, const Group &group, int64_t elements) {
  SmallVector<Value> open(reduction->getOperands()), seen;
  const std::vector<Value> outputs = group.outputs();
  // A softmax holds its powers.
  int64_t held = isa<tm::SoftmaxOp, tm::LogSoftmaxOp>(reduction) ? 1 : 0;
  while (!open.empty()) {
    const Value value = open.pop_back_val();
    if (llvm::is_contained(seen, value) || tensorType(value).getNumElements() != elements)
      continue;
    seen.push_back(value);
    held +=
        llvm::is_contained(outputs, value) || llvm::any_of(value.getUsers(), [&](Operation *user) {
          return user != reduction && group.contains(user) &&
                 dependsOn(user->getResult(0), reduction, group);
        });
    if (Operation *maker = value.getDefiningOp(); maker && group.contains(maker))
      llvm::append_range(open, maker->getOperands());
  }
  return held;
}

/// Whether a group is a softmax whose elements are needed as they are loaded, and only for it.
static bool isNarrowSoftmax(const Group &group, const RowKernel &row,
                            ArrayRef<Operation *> reductions) {
  if (reductions.size() != 1 || !isa<tm::SoftmaxOp>(reductions.front()))
    return false;
  const Value operand = reductions.front()->getOperand(0);
  return tensorType(operand).getElementTypeBitWidth() == 16 &&
         !(operand.getDefiningOp() && group.contains(operand.getDefiningOp())) &&
         heldOver(reductions.front(), group, row.rows.count(true) * row.rows.count(false)) == 1;
}

/// The first program that holds a row in pieces; null: none does.
static const Holder *holderOf(const Group &group, const RowKernel &row,
                              ArrayRef<Operation *> reductions) {
  const int64_t length = row.rows.count(true);
  const auto view = viewAround(row.rows.shape, row.rows.axes);
  int64_t held = 1;
  for (Operation *reduction : reductions) {
    if (!isa<tm::ReduceOp, tm::SoftmaxOp, tm::LogSoftmaxOp>(reduction) ||
        !isSmallReal(tensorType(reduction->getOperand(0)).getElementType()))
      return nullptr;
    held = std::max(held, heldOver(reduction, group, length * row.rows.count(false)));
  }
  if (!view || view->inner != 1)
    return nullptr;
  const ArrayRef<Holder> holders = isNarrowSoftmax(group, row, reductions)
                                       ? ArrayRef<Holder>(kNarrowHolders)
                                       : ArrayRef<Holder>(kHolders);
  const auto *const found = llvm::find_if(holders, [&](const Holder &each) {
    return held * length <= each.mostElements * each.warps * 32;
  });
  return found == holders.end() ? nullptr : found;
}

namespace {
class HeldPieces {
public:
  /// `vector`: elements of one, where rows begin in the middle of vectors; else 0. `isNarrow`: elements are held as they
  /// were loaded.
  HeldPieces(const Group &group, RowKernel &row, int64_t vector, bool isNarrow);

  bool add(Operation *reduction);
  bool store();
  const std::string &reason() const { return m_expressions.reason(); }
  std::string takeBody() { return m_begin + m_expressions.takeLines(); }
  size_t numPieces() const { return m_pieces.size(); }
  int64_t elementsOfPiece() const { return m_piece; }

private:
  struct Piece {
    size_t space;
    std::string index, mask;
  };
  using Names = std::vector<std::string>;

  void addPiece(const std::string &index, const std::string &mask,
                std::vector<Coordinate> coordinates = {});
  void enter(const Piece &piece);
  Names elementsOf(Value value);
  std::string combine(tm::ReduceKind kind, const Names &elements, Type type,
                      const std::string &wanted);
  bool addSoftmax(Operation *softmax);
  bool addNarrowSoftmax(Operation *softmax);
  void provideSoftmax(Operation *softmax, const Names &values);

  const Group &m_group;
  RowKernel &m_row;
  Expressions m_expressions;
  std::string m_begin = "    row = tl.program_id(0)\n";
  /// Where rows have ends of their own, these are the last ones.
  std::vector<Piece> m_pieces;
  bool m_hasEnds, m_isNarrow;
  int64_t m_piece;
};
} // namespace

HeldPieces::HeldPieces(const Group &group, RowKernel &row, int64_t vector, bool isNarrow)
    : m_group(group), m_row(row), m_expressions(group, row.kernel), m_hasEnds(vector != 0),
      m_isNarrow(isNarrow), m_piece(isNarrow ? kNarrowPiece : kHeldPiece) {
  const int64_t length = row.rows.count(true);
  const int64_t least = length - (m_hasEnds ? 2 * (vector - 1) : 0);
  row.perRow = m_expressions.add({row.rows.kept(), "row", "", {}, true});
  // Where it begins is one number, so the places of its pieces differ by numbers that the code has.
  m_begin += m_hasEnds ? kEndsLines : "    first = row * reduced\n";
  for (int64_t k = 0; k * m_piece < length; ++k) {
    const std::string place = "place" + std::to_string(k), at = "first + " + place;
    m_begin += "    " + place + " = " +
               (k == 0   ? ""
                : k == 1 ? "BLOCK + "
                         : std::to_string(k) + " * BLOCK + ") +
               "tl.arange(0, BLOCK)\n";
    const std::string mask = (k + 1) * m_piece <= least ? "" : "mask" + std::to_string(k);
    if (!mask.empty())
      m_begin += "    " + mask + " = " + (m_hasEnds ? at + " < last\n" : place + " < reduced\n");
    std::vector<Coordinate> coordinates;
    if (!m_hasEnds)
      coordinates = {{1, length, place, false, mask}, {length, row.rows.count(false), "row", true}};
    addPiece(at, mask, std::move(coordinates));
  }
  if (m_hasEnds)
    addPiece("end", "is_end");
}

void HeldPieces::addPiece(const std::string &index, const std::string &mask,
                          std::vector<Coordinate> coordinates) {
  const size_t space = m_expressions.add(
      {m_row.rows.shape, index, mask, std::move(coordinates), true, false, m_isNarrow});
  m_pieces.push_back({space, index, mask});
}

/// What follows is computed of the elements of this piece.
void HeldPieces::enter(const Piece &piece) {
  m_row.elements = piece.space;
  m_row.index = piece.index;
  m_row.elementMask = piece.mask;
}

/// Its elements in each piece; empty: they cannot be computed.
HeldPieces::Names HeldPieces::elementsOf(Value value) {
  Names names;
  for (const Piece &piece : m_pieces) {
    names.push_back(
        m_expressions.evaluate(value, m_expressions.whole(piece.space, m_row.rows.shape)));
    if (names.back().empty())
      return {};
  }
  return names;
}

std::string HeldPieces::combine(tm::ReduceKind kind, const Names &elements, Type type,
                                const std::string &wanted) {
  const std::string name = m_expressions.unusedName(wanted), part = name + "_part";
  const std::string other = neutralText(kind, type);
  const auto inside = [&](size_t i) {
    const std::string &mask = m_pieces[i].mask;
    return mask.empty() ? elements[i]
                        : "tl.where(" + mask + ", " + elements[i] + ", " + other + ")";
  };
  const size_t numWhole = m_pieces.size() - (m_hasEnds ? 1 : 0);
  m_expressions.line(part + " = " + inside(0));
  for (size_t i = 1; i < numWhole; ++i)
    m_expressions.line(part + " = " + accumulated(kind, part, inside(i)));
  std::string result = combined(kind, part, m_row.axis);
  if (m_hasEnds)
    result = accumulated(kind, result, combined(kind, inside(numWhole), m_row.axis));
  m_expressions.line(name + " = " + result);
  return name;
}

static constexpr const char *kLog2OfE = "1.4426950408889634";

/// One multiply-add and a power of 2; `base`: the largest element in units of those.
static std::string powerText(const std::string &element, const std::string &base) {
  return std::string("tl.exp2(tl.fma(") + element + ", " + kLog2OfE + ", -" + base + "))";
}

void HeldPieces::provideSoftmax(Operation *softmax, const Names &values) {
  for (const auto &[value, piece] : llvm::zip_equal(values, m_pieces)) {
    const std::string name = m_expressions.unusedName(softmax->getName().stripDialect().str());
    m_expressions.line(name + " = " + value);
    m_expressions.provide(softmax->getResult(0), m_expressions.whole(piece.space, m_row.rows.shape),
                          name);
  }
}

/// Elements as they were loaded are compared, and become powers of their own type, whose total is that of the powers before
/// they were rounded.
bool HeldPieces::addNarrowSoftmax(Operation *softmax) {
  const Value operand = softmax->getOperand(0);
  const Type type = tensorType(operand).getElementType();
  const Names elements = elementsOf(operand);
  if (elements.empty())
    return false;
  Names loaded, values;
  for (const std::string &each : elements)
    loaded.push_back(each.substr(0, each.size() - widened(operand).size()));
  const std::string largest = combine(tm::ReduceKind::Max, loaded, type, "largest");
  const std::string base = m_expressions.unusedName("base"),
                    power = m_expressions.unusedName("power");
  const std::string total = m_expressions.unusedName("total"), part = total + "_part";
  const std::string share = m_expressions.unusedName("share");
  m_expressions.line(base + " = " + largest + " * " + kLog2OfE);
  std::string ofEnds;
  const size_t numWhole = m_pieces.size() - (m_hasEnds ? 1 : 0);
  values.resize(m_pieces.size());
  for (size_t step = 0; step < m_pieces.size(); ++step) {
    // From the piece that was loaded last on: in the other order, the assembler keeps more powers in registers of their own.
    const size_t i = step < numWhole ? numWhole - 1 - step : step;
    const Piece &piece = m_pieces[i];
    m_expressions.line(power + " = " + powerText(elements[i], base));
    const std::string inside =
        piece.mask.empty() ? power : "tl.where(" + piece.mask + ", " + power + ", 0.0)";
    if (i == numWhole)
      ofEnds = " + tl.sum(" + inside + ", " + m_row.axis + ")";
    else
      m_expressions.line(part + " = " + (step == 0 ? "" : part + " + ") + inside);
    const std::string held = m_expressions.unusedName("powers");
    m_expressions.line(held + " = " + power +
                       (type.isBF16() ? ".to(tl.bfloat16)" : ".to(tl.float16)"));
    values[i] = held + ".to(tl.float32) * " + share;
  }
  m_expressions.line(total + " = tl.sum(" + part + ", " + m_row.axis + ")" + ofEnds);
  m_expressions.line(share + " = 1.0 / " + total);
  provideSoftmax(softmax, values);
  return true;
}

bool HeldPieces::addSoftmax(Operation *softmax) {
  if (m_isNarrow)
    return addNarrowSoftmax(softmax);
  const Value operand = softmax->getOperand(0);
  const Type type = tensorType(operand).getElementType();
  const bool isLog = isa<tm::LogSoftmaxOp>(softmax);
  const Names elements = elementsOf(operand);
  if (elements.empty())
    return false;
  const std::string largest = combine(tm::ReduceKind::Max, elements, type, "largest");
  if (const std::string finite = softmaxBase(softmax, largest); finite != largest)
    m_expressions.line(largest + " = " + finite);
  // One multiply-add for each. What rounding `base` changes is the same factor for all powers, and so for their total; in
  // fp32 the rounding of its result would be seen.
  const bool isNarrow = type.getIntOrFloatBitWidth() == 16;
  const std::string base = isNarrow ? m_expressions.unusedName("base") : "";
  if (isNarrow)
    m_expressions.line(base + " = " + largest + " * " + kLog2OfE);
  Names powers;
  for (const std::string &x : elements) {
    powers.push_back(m_expressions.unusedName("powers"));
    m_expressions.line(powers.back() + " = " +
                       (isNarrow ? powerText(x, base) : "tl.exp(" + x + " - " + largest + ")"));
  }
  const std::string total = combine(tm::ReduceKind::Sum, powers, type, "total");
  // One division for all elements.
  const std::string share = m_expressions.unusedName(isLog ? "shift" : "share");
  m_expressions.line(share + " = " +
                     (isLog ? "tl.log(" + total + ")" : "1.0 / " + softmaxTotal(softmax, total)));
  Names values;
  for (const auto &[x, power] : llvm::zip_equal(elements, powers))
    values.push_back(isLog ? x + " - " + largest + " - " + share : power + " * " + share);
  provideSoftmax(softmax, values);
  return true;
}

bool HeldPieces::add(Operation *reduction) {
  auto op = dyn_cast<tm::ReduceOp>(reduction);
  if (!op)
    return addSoftmax(reduction);
  const Names elements = elementsOf(op.getOperand());
  if (elements.empty())
    return false;
  const std::string name =
      combine(op.getKind(), elements, tensorType(op.getOperand()).getElementType(),
              nameOfKind(op.getKind()));
  for (const Piece &piece : m_pieces) {
    enter(piece);
    provideRow(m_expressions, m_row, op.getResult(), name);
  }
  return true;
}

bool HeldPieces::store() {
  std::vector<Value> whole, ofRows;
  for (const Value output : m_group.outputs())
    (isWhole(m_row, output, true) ? whole : ofRows).push_back(output);
  for (const Piece &piece : m_pieces) {
    enter(piece);
    if (!storeRows(m_group, whole, m_expressions, m_row, true))
      return false;
  }
  return storeRows(m_group, ofRows, m_expressions, m_row, false);
}

std::optional<GroupKernel> emitHeldPieces(const Group &group, RowKernel &row,
                                          ArrayRef<Operation *> reductions, int64_t vector) {
  const Holder *const holder = holderOf(group, row, reductions);
  if (!holder)
    return std::nullopt;
  HeldPieces pieces(group, row, vector, isNarrowSoftmax(group, row, reductions));
  for (Operation *reduction : reductions)
    if (!pieces.add(reduction))
      return GroupKernel{std::nullopt, pieces.reason()};
  if (!pieces.store())
    return GroupKernel{std::nullopt, pieces.reason()};
  EmittedKernel &kernel = row.kernel;
  kernel.body = pieces.takeBody();
  kernel.constexprs = {{"BLOCK", pieces.elementsOfPiece()}};
  if (vector != 0)
    kernel.constexprs.emplace_back("VECTOR", vector);
  kernel.numBlocks = pieces.numPieces();
  kernel.options = {{"num_warps", holder->warps}, {"maxnreg", holder->registers}};
  return GroupKernel{std::move(kernel), ""};
}

} // namespace tilescope::model
