// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the notations of encodings have in common: reading `{key = value, ...}`, and printing lists.
#pragma once

#include "compiler/dialects/ttg/ir/Encodings.h"

#include "mlir/IR/OpImplementation.h"

namespace tilescope::ttg {

using Bases = std::vector<std::vector<int32_t>>;

/// Reads the entries of a dictionary; after the first mistake everything reads as empty.
class EncodingFields {
public:
  /// Reads `{...}`, and the angle brackets around it if they are still to come.
  explicit EncodingFields(mlir::AsmParser &parser, bool inBrackets = true);

  bool failed() const { return m_failed; }
  bool has(llvm::StringRef name) const { return m_dictionary && m_dictionary.contains(name); }

  unsigned number(llvm::StringRef name);
  unsigned numberOr(llvm::StringRef name, unsigned fallback);
  bool flag(llvm::StringRef name);
  mlir::Attribute attribute(llvm::StringRef name);
  llvm::SmallVector<unsigned> numbers(llvm::StringRef name);
  Bases bases(llvm::StringRef name);
  /// The cluster, as `CGALayout` says, or the three lists in which Triton said it up to 3.5.
  CgaLayoutAttr cga(unsigned rank);

  void fail(const llvm::Twine &message);

  /// The attribute from its parameters, or null after a mistake.
  template <typename Attr, typename... Parameters> Attr make(Parameters &&...parameters) {
    if (m_failed)
      return {};
    return m_parser.getChecked<Attr>(m_start, m_parser.getContext(),
                                     std::forward<Parameters>(parameters)...);
  }

private:
  template <typename Attr> Attr get(llvm::StringRef name, const char *what);
  int64_t toNumber(mlir::Attribute attribute);
  llvm::SmallVector<int32_t> clusterBases(unsigned rank);
  llvm::SmallVector<int32_t> olderClusterBases(unsigned rank);

  mlir::AsmParser &m_parser;
  mlir::SMLoc m_start;
  mlir::DictionaryAttr m_dictionary;
  bool m_failed = false;
};

using NamedInputs = llvm::ArrayRef<std::pair<llvm::StringRef, compiler::Dim>>;
/// A layout from the bases of its inputs; extents are the smallest that hold all of them.
compiler::LinearLayout layoutFromBases(EncodingFields &fields, NamedInputs inputs, int rank = 0);

/// `name = [[…], …]`.
void printBases(mlir::AsmPrinter &printer, llvm::StringRef name,
                const compiler::LinearLayout &layout, compiler::Dim dim);
/// `name = […]`.
void printNumbers(mlir::AsmPrinter &printer, llvm::StringRef name, llvm::ArrayRef<unsigned> values);
/// `, CGALayout = [[…], …]`; nothing for one thread block.
void printCga(mlir::AsmPrinter &printer, CgaLayoutAttr cga);
/// `[[…], …]`, read and printed.
mlir::ParseResult parseCgaBases(mlir::AsmParser &parser, llvm::SmallVectorImpl<int32_t> &bases,
                                unsigned rank);
void printCgaBases(mlir::AsmPrinter &printer, CgaLayoutAttr cga);

} // namespace tilescope::ttg
