// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_DIALECT_TD
#define TILESCOPE_TM_DIALECT_TD

include "mlir/IR/DialectBase.td"

def TM_Dialect : Dialect {
  let name = "tm";
  let cppNamespace = "::tilescope::tm";
  let summary = "Operations of a model on whole tensors";
  let description = [{
    The canonical form of a model, whatever format it comes from. Types carry symbolic extents; the location of an
    operation is the name of the node that it came from.

        func.func @main(%image: tensor<?x3x?x?xf32, #tm.extents<N, 3, H, W>> {tm.name = "image"}) -> … {
          %w = tm.weight "conv1.weight" in "" at 4096 : tensor<64x3x7x7xf32>
          %0 = tm.conv %image, %w strides [2, 2] pads [3, 3, 3, 3] …
          %1 = tm.relu %0 : …
          return %1 : …
        }
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let extraClassDeclaration = [{
    /// The symbolic extent of that name. Names mean the same everywhere in a context.
    ::mlir::AffineExpr symbol(::llvm::StringRef name);
    /// The name of a symbol, as its position in an expression says it.
    ::llvm::StringRef symbolName(unsigned position) const { return m_names[position]; }
    unsigned numSymbols() const { return static_cast<unsigned>(m_names.size()); }

  private:
    ::std::vector<::std::string> m_names;
    ::llvm::StringMap<unsigned> m_positions;

  public:
  }];
}

#endif
