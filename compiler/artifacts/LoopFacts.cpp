// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/LoopFacts.h"

namespace tilescope::compiler {

std::string_view loopActionName(LoopAction action) {
  switch (action) {
  case LoopAction::AsyncCopy:
    return "async copy";
  case LoopAction::BulkCopy:
    return "bulk copy";
  case LoopAction::BulkStore:
    return "bulk store";
  case LoopAction::CloseGroup:
    return "close group";
  case LoopAction::CopyWait:
    return "copy wait";
  case LoopAction::BarrierWait:
    return "barrier wait";
  case LoopAction::ProductWait:
    return "product wait";
  case LoopAction::StoreWait:
    return "store wait";
  case LoopAction::Expect:
    return "expect";
  case LoopAction::Arrive:
    return "arrive";
  case LoopAction::Product:
    return "product";
  case LoopAction::LocalLoad:
    return "shared load";
  case LoopAction::LocalStore:
    return "shared store";
  case LoopAction::Load:
    return "load";
  case LoopAction::Store:
    return "store";
  case LoopAction::Conversion:
    return "conversion";
  case LoopAction::Reduction:
    return "reduction";
  case LoopAction::Arithmetic:
    return "arithmetic";
  case LoopAction::InnerLoop:
    return "inner loop";
  }
  return "";
}

std::string_view pipelineObstacleName(PipelineObstacle obstacle) {
  switch (obstacle) {
  case PipelineObstacle::None:
    return "none";
  case PipelineObstacle::NoCounter:
    return "no-counter";
  case PipelineObstacle::HoldsLoop:
    return "holds-loop";
  case PipelineObstacle::NoLoads:
    return "no-loads";
  case PipelineObstacle::NoProduct:
    return "no-product";
  case PipelineObstacle::OtherFactors:
    return "other-factors";
  case PipelineObstacle::Target:
    return "target";
  case PipelineObstacle::Loads:
    return "loads";
  }
  return "";
}

std::string_view loopObstacleText(LoopObstacle obstacle) {
  switch (obstacle) {
  case LoopObstacle::Stages:
    return "the loop has a single stage";
  case LoopObstacle::Effects:
    return "the loop holds another one, or something that must keep its order";
  case LoopObstacle::Stores:
    return "the loop stores to the argument that it loads from";
  case LoopObstacle::Narrow:
    return "an asynchronous copy moves at least 4 bytes a lane";
  case LoopObstacle::Other:
    return "asynchronous copies fill what is masked off with zeros, and its `other` is not";
  case LoopObstacle::Address:
    return "its address depends on what the loop computes";
  case LoopObstacle::SharedMemory:
    return "a second tile does not fit into shared memory";
  }
  return "";
}

std::string_view loopObstacleAdvice(LoopObstacle obstacle) {
  switch (obstacle) {
  case LoopObstacle::Stages:
    return "`num_stages = 3` loads two iterations ahead";
  case LoopObstacle::Effects:
    return "move what prints, asserts, waits or loops out of it";
  case LoopObstacle::Stores:
    return "store to another argument, or after the loop";
  case LoopObstacle::Narrow:
    return "let the address or the mask be known as a multiple of more elements";
  case LoopObstacle::Other:
    return "give it `other=0.0`, and replace the value after the load with `tl.where`";
  case LoopObstacle::Address:
    return "compute the address from the loop's counter";
  case LoopObstacle::SharedMemory:
    return "choose smaller tiles";
  }
  return "";
}

} // namespace tilescope::compiler
