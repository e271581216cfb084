// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/PipelineWords.h"

#include "compiler/access/picture/PipelinePicture.h"
#include "compiler/support/Counted.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::access {

static std::string lineText(const SourceRange &range) {
  return range.empty() || range.file != 0 ? "" : "line " + std::to_string(range.begin.line + 1);
}

/// How many iterations later the blocks are needed that copies of the loop bring.
static int32_t distanceOf(const LoopFacts &facts) {
  int32_t distance = 0;
  for (const LoopOperation &operation : facts.operations)
    distance = std::max(distance, operation.distance);
  return distance;
}

/// Products that a wait of the next iteration ends.
static size_t productsRunningOn(const LoopFacts &facts) {
  std::set<uint32_t> found;
  for (const LoopEvent &event : facts.events)
    if (facts.operations[event.operation].action == LoopAction::Product && event.end >= 0 &&
        event.iteration >= 0 &&
        facts.events[static_cast<size_t>(event.end)].iteration == event.iteration + 1)
      found.insert(event.operation);
  return found.size();
}

std::string loopTitle(const LoopFacts &facts) {
  std::vector<std::string> parts;
  const PipelineFacts &pipeline = facts.pipeline;
  if (facts.partitions.size() > 1)
    parts.push_back(counted(facts.partitions.size(), "group") + " of warps");
  if (!facts.isPipelined())
    parts.push_back("not pipelined");
  if (pipeline.stages > 0)
    parts.push_back(counted(pipeline.stages, "slot"));
  if (pipeline.copies > 0)
    parts.push_back(
        (pipeline.copies == 1 ? "1 copy" : std::to_string(pipeline.copies) + " copies") +
        " an iteration");
  if (const int32_t distance = distanceOf(facts); distance > 0)
    parts.push_back(counted(distance, "iteration") + " ahead");
  if (pipeline.asyncProducts > 0)
    parts.push_back(counted(pipeline.asyncProducts, "asynchronous product"));
  std::string text = lineText(facts.range);
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i > 0 ? ", " : text.empty() ? "" : ": ") + parts[i];
  return text;
}

/// The loads that are not copied ahead, a cause once.
static std::string waitingText(const LoopFacts &facts) {
  std::string text;
  for (size_t i = 0; i < facts.waiting.size(); ++i) {
    const WaitingLoad &load = facts.waiting[i];
    const bool isSaid = i > 0 && load.obstacle == facts.waiting[i - 1].obstacle;
    if (isSaid)
      continue;
    const std::string line = lineText(load.range);
    text += text.empty() ? "" : "; ";
    text += "the product waits for the load" + (line.empty() ? "" : " of " + line) + ": ";
    text += loopObstacleText(load.obstacle);
    text += " (" + std::string(loopObstacleAdvice(load.obstacle)) + ")";
  }
  return text;
}

static std::string obstacleSentence(const LoopFacts &facts) {
  switch (facts.obstacle) {
  case PipelineObstacle::None:
    return "";
  case PipelineObstacle::NoCounter:
    return "it goes on by a condition, and only loops that count are pipelined";
  case PipelineObstacle::HoldsLoop:
    return "it holds another loop, and only innermost ones are pipelined";
  case PipelineObstacle::NoLoads:
    return "it loads no blocks, so there is nothing to load ahead";
  case PipelineObstacle::NoProduct:
    return "only what a product of blocks uses is loaded ahead, and the loop has no product; its "
           "loads overlap with those of other warps";
  case PipelineObstacle::OtherFactors:
    return "its products use nothing that the loop loads";
  case PipelineObstacle::Target:
    return "the target has no asynchronous copies";
  case PipelineObstacle::Loads:
    return waitingText(facts);
  }
  return "";
}

/// What is under way while iteration k multiplies.
static std::string overlapSentence(const LoopFacts &facts) {
  const int32_t distance = distanceOf(facts);
  if (facts.partitions.size() > 1)
    return "Groups of warps execute different loops at the same time; barriers in shared memory "
           "tell them when a slot is full and when it is free again.";
  std::string text;
  if (distance > 0) {
    const std::string next = distance == 1 ? "iteration k + 1"
                             : distance == 2
                                 ? "iterations k + 1 and k + 2"
                                 : "iterations k + 1 to k + " + std::to_string(distance);
    text = "While iteration k computes, copies for " + next + " are under way.";
  }
  if (const size_t products = productsRunningOn(facts); products > 0) {
    text += text.empty() ? "" : " ";
    text += products == 1 ? "A product runs on into the next iteration, where a wait ends it."
                          : counted(products, "product") +
                                " run on into the next iteration, where waits end them.";
  }
  return text;
}

std::string loopSentence(const LoopFacts &facts) {
  if (!facts.isPipelined())
    return "Not pipelined: " + obstacleSentence(facts) + ".";
  const std::string overlap = overlapSentence(facts), waiting = waitingText(facts);
  if (waiting.empty())
    return overlap;
  return overlap + (overlap.empty() ? "" : " ") + "In every iteration, " + waiting + ".";
}

std::string followedSentence(const LoopFacts &facts) {
  if (facts.events.empty())
    return "";
  const std::string followed = counted(facts.numFollowed, "iteration");
  if (facts.numIterations < 0)
    return std::string("How many iterations there are depends on the ") +
           (facts.isLaunchKnown ? "program or on data" : "launch") + ": drawn as if there were " +
           std::to_string(facts.numFollowed) + ".";
  if (facts.numIterations > facts.numFollowed)
    return "The first " + std::to_string(facts.numFollowed) + " of " +
           counted(facts.numIterations, "iteration") + " are drawn.";
  if (iterationsOf(facts).size() < static_cast<size_t>(facts.numFollowed))
    return "The first and last of " + followed + " are drawn.";
  if (facts.numFollowed == 1)
    return "Its only iteration is drawn.";
  return (facts.numFollowed == 2 ? "Both iterations" : "All " + followed) + " are drawn.";
}

std::string loopsSentence(const std::vector<LoopFacts> &loops) {
  if (loops.empty())
    return "This kernel has no loop, so there is nothing to pipeline: each program does its work "
           "once, and what it waits for is hidden by other programs and warps.";
  const auto pipelined = static_cast<size_t>(std::ranges::count_if(loops, &LoopFacts::isPipelined));
  const std::string some = loops.size() == 1 ? pipelined == 0 ? "not " : ""
                           : pipelined == 0  ? "none "
                                             : std::to_string(pipelined) + " ";
  return counted(loops.size(), "loop") + ", " + some + "pipelined";
}

std::string iterationText(int32_t iteration) {
  if (iteration == kBehindLoop)
    return "after the loop";
  return iteration < 0 ? "before the loop" : "iteration " + std::to_string(iteration);
}

std::string iterationLabel(int32_t iteration) {
  if (iteration == kBehindLoop)
    return "after";
  return iteration < 0 ? "before" : std::to_string(iteration);
}

std::string slotText(const LoopFacts &facts, int32_t number, int32_t slot) {
  const LoopBuffer &buffer = facts.buffers[static_cast<size_t>(number)];
  std::string name = buffer.name;
  if (name.empty()) {
    for (const int64_t extent : buffer.shape)
      name += std::to_string(extent) + "x";
    name += buffer.elementType;
  }
  return buffer.slots < 2 ? name : name + ", slot " + std::to_string(slot);
}

std::string partitionText(const LoopPartition &partition) {
  const std::string warps = counted(partition.numWarps, "warp");
  return partition.name.empty() ? warps : partition.name + ", " + warps;
}

} // namespace tilescope::compiler::access
