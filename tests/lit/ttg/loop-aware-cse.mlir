// RUN: tilescope-opt %s --tilescope-loop-aware-cse | FileCheck %s

// Two arguments that start equal and step equally are one.
// CHECK-LABEL: @equal_arguments
// CHECK: scf.for {{.*}} iter_args(%[[A:.+]] = %{{.*}}, %[[S:.+]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[N:.+]] = arith.addi %[[A]], %{{.*}}
// CHECK: %[[T:.+]] = arith.muli %[[A]], %[[A]]
// CHECK: scf.yield %[[N]]
tt.func @equal_arguments(%x: i32, %step: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %s = %c0) -> (i32, i32, i32) : i32 {
    %a1 = arith.addi %a, %step : i32
    %b1 = arith.addi %b, %step : i32
    %t = arith.muli %a, %b : i32
    %s1 = arith.addi %s, %t : i32
    scf.yield %a1, %b1, %s1 : i32, i32, i32
  }
  %u = arith.addi %r#1, %r#2 : i32
  tt.return %u : i32
}

// Arguments that are swapped are equal as well; ones that step differently are not.
// CHECK-LABEL: @different_steps
// CHECK: scf.for {{.*}} -> (i32, i32)
tt.func @different_steps(%x: i32, %step: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) : i32 {
    %a1 = arith.addi %a, %step : i32
    %b1 = arith.addi %b, %c1 : i32
    scf.yield %a1, %b1 : i32, i32
  }
  %u = arith.addi %r#0, %r#1 : i32
  tt.return %u : i32
}

// An argument that is carried only for itself goes.
// CHECK-LABEL: @swapped
// CHECK: scf.for {{.*}} iter_args(%[[A:.+]] = %{{.*}}) -> (i32)
tt.func @swapped(%x: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) : i32 {
    %a1 = arith.addi %b, %i : i32
    %b1 = arith.addi %a, %i : i32
    scf.yield %a1, %b1 : i32, i32
  }
  %u = arith.addi %r#0, %r#1 : i32
  tt.return %u : i32
}
