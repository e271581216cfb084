// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What belongs to one kind of device: its registers, the dependences between launches, and
// questions about the target that are answered while compiling.
#include "compiler/frontend/Builtins.h"

namespace tilescope::compiler::frontend {

static Value readSpecialRegister(BuiltinCall &call, const char *assembly, const char *constraints,
                                 DType type, bool isPure) {
  mlir::OpBuilder &builder = call.ops.builder;
  auto op = call.ops.create<tt::ElementwiseInlineAsmOp>(
      llvm::SmallVector<mlir::Type>{call.ops.mlirType(type)}, builder.getStringAttr(assembly),
      builder.getStringAttr(constraints), builder.getBoolAttr(isPure), builder.getI32IntegerAttr(1),
      mlir::ValueRange{});
  return Tensor{op.getResult().front(), type};
}
static Value globalTimer(BuiltinCall &call) {
  return readSpecialRegister(call, "mov.u64 $0, %globaltimer;", "=l", DType::Int64, false);
}
static Value smId(BuiltinCall &call) {
  return readSpecialRegister(call, "mov.u32 $0, %smid;", "=r", DType::Int32, true);
}

static Value numThreads(BuiltinCall &call) {
  const auto &options = call.emitter.kernelOptions();
  return Value::integer(32 * options.at("num_warps").constant()->toInt64().value_or(4));
}
static Value numWarps(BuiltinCall &call) { return call.emitter.kernelOptions().at("num_warps"); }

static Value waitForLaunches(BuiltinCall &call) {
  call.ops.create<tt::GridDependencyWaitOp>();
  return {};
}
static Value letDependentsStart(BuiltinCall &call) {
  call.ops.create<tt::GridDependencyLaunchDependentsOp>();
  return {};
}

static Value isCuda(BuiltinCall &) { return Value::boolean(true); }
static Value isOther(BuiltinCall &) { return Value::boolean(false); }
static Value capabilityAtLeast(BuiltinCall &call) {
  return Value::boolean(call.ops.rules().capability >= 10 * call.integer(0) + call.integer(1));
}

std::span<const Builtin> targetBuiltins() {
  static const Builtin builtins[] = {
      {"cuda.globaltimer", "", globalTimer},
      {"cuda.smid", "", smId},
      {"cuda.num_threads", "", numThreads},
      {"cuda.num_warps", "", numWarps},
      {"cuda.gdc_wait", "", waitForLaunches},
      {"cuda.gdc_launch_dependents", "", letDependentsStart},
      {"target_info.is_cuda", "", isCuda},
      {"target_info.is_hip", "", isOther},
      {"target_info.is_hip_cdna3", "", isOther},
      {"target_info.is_hip_cdna4", "", isOther},
      {"target_info.cuda_capability_geq", "major, minor=0", capabilityAtLeast},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
