// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_DIALECT_TD
#define TILESCOPE_TT_DIALECT_TD

include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tilescope::tt";
  let summary = "Programs over blocks of values";
  let description = [{
    The dialect in which a kernel is written: each operation works on a scalar or on a whole block
    (a ranked tensor), and one program of the grid executes the function once. Arithmetic comes
    from `arith` and `math`, control flow from `scf` and `cf`.

    ```mlir
    tt.func public @double(%x: !tt.ptr<f32>) {
      %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %b = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
      %p = tt.addptr %b, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %v = tt.load %p : tensor<8x!tt.ptr<f32>>
      %d = arith.addf %v, %v : tensor<8xf32>
      tt.store %p, %d : tensor<8x!tt.ptr<f32>>
      tt.return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::ub::UBDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::gpu::GPUDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    void registerOps();
  }];
}

#endif
