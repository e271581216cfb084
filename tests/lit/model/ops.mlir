// RUN: tilescope-opt %s | tilescope-opt | FileCheck %s

// CHECK-LABEL: func.func @extents
// CHECK-SAME: tensor<?x?x?xf32, #tm.extents<N, H floordiv 2 + 1, (W - 3) floordiv 2>>
// CHECK-SAME: tensor<?x4xf32, #tm.extents<"batch size" * 4, 4>>
func.func @extents(%a: tensor<?x?x?xf32, #tm.extents<N, H floordiv 2 + 1, (W - 3) floordiv 2>>,
                   %b: tensor<?x4xf32, #tm.extents<"batch size" * 4, 4>>) {
  return
}

// CHECK-LABEL: func.func @operations
// CHECK: tm.weight "w" in "data.bin" at 64 : tensor<4x4xf32>
// CHECK: tm.matmul
// CHECK: tm.compare lt,
// CHECK: tm.reduce mean, %{{.*}} over [1] :
// CHECK: tm.slice %{{.*}} from <0, 1> steps [1, 2] :
// CHECK: tm.pad reflect,
func.func @operations(%x: tensor<?x4xf32, #tm.extents<N, 4>>) -> tensor<?xf32, #tm.extents<N>> {
  %w = tm.weight "w" in "data.bin" at 64 : tensor<4x4xf32>
  %0 = tm.matmul %x, %w : (tensor<?x4xf32, #tm.extents<N, 4>>, tensor<4x4xf32>) -> tensor<?x4xf32, #tm.extents<N, 4>>
  %1 = tm.compare lt, %0, %x : (tensor<?x4xf32, #tm.extents<N, 4>>, tensor<?x4xf32, #tm.extents<N, 4>>) -> tensor<?x4xi1, #tm.extents<N, 4>>
  %2 = tm.reduce mean, %0 over [1] : (tensor<?x4xf32, #tm.extents<N, 4>>) -> tensor<?xf32, #tm.extents<N>>
  %3 = tm.slice %0 from <0, 1> steps [1, 2] : (tensor<?x4xf32, #tm.extents<N, 4>>) -> tensor<?x2xf32, #tm.extents<N, 2>>
  %4 = tm.pad reflect, %0 pads <0, 1, 0, 1> : (tensor<?x4xf32, #tm.extents<N, 4>>) -> tensor<?x6xf32, #tm.extents<N, 6>>
  return %2 : tensor<?xf32, #tm.extents<N>>
}
