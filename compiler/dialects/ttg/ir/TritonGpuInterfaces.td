// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How operations access buffers, and how they order accesses, where memory effects alone do not say it.
#ifndef TILESCOPE_TTG_INTERFACES_TD
#define TILESCOPE_TTG_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_SharedMemory : Resource<"::tilescope::ttg::SharedMemory">;

def TTG_BufferAccessOpInterface : OpInterface<"BufferAccessOpInterface"> {
  let cppNamespace = "::tilescope::ttg";
  let description = [{
    Accesses to buffers that are not what memory effects mean by themselves: done by all threads, through the path of
    loads and stores, and over when the operation is. See `BufferAccess.h`.
  }];
  let methods = [
    InterfaceMethod<"Which threads access, by which path, and what signals that they are done.",
      "::tilescope::ttg::AccessMode", "getAccessMode", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<[{
        Effects on the memory of buffers. A buffer that is not mutable is a value, and to use it is no memory effect;
        the memory in which it lies is accessed all the same.
      }], "void", "getBufferEffects",
      (ins "::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &":$effects), [{}], [{
        ::mlir::cast<::mlir::MemoryEffectOpInterface>($_op.getOperation()).getEffects(effects);
      }]>];
}

def TTG_AsyncWaitOpInterface : OpInterface<"AsyncWaitOpInterface"> {
  let cppNamespace = "::tilescope::ttg";
  let description = "Waits for accesses that go on behind the operations that began them.";
  let methods = [
    InterfaceMethod<"What is waited for, and how much of it may still be under way.",
      "::tilescope::ttg::AsyncWait", "getAsyncWait">];
}

// All threads meet at the operation: what they did before is over, and visible to all.
def TTG_ThreadsMeet : NativeOpTrait<"ThreadsMeetTrait"> { let cppNamespace = "::tilescope::ttg"; }

// For `extraClassDeclaration`: how the operation accesses, as enumerators of `Completion`, `Performer`, `MemoryProxy`.
class TTG_AccessMode<string completion, string performer, string proxy> {
  string declaration = "::tilescope::ttg::AccessMode getAccessMode() { return {::tilescope::ttg::Completion::" #
    completion # ", ::tilescope::ttg::Performer::" # performer # ", ::tilescope::ttg::MemoryProxy::" # proxy # "}; }";
}

// The same for waits: what for, and the expression of how much may still be under way.
class TTG_AsyncWait<string completion, string numPending> {
  string declaration = "::tilescope::ttg::AsyncWait getAsyncWait() { return {::tilescope::ttg::Completion::" #
    completion # ", " # numPending # "}; }";
}

// What orders accesses may not move across any of them.
def TTG_OrdersSharedMemory : MemoryEffects<[MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>;

#endif
