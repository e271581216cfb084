// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LoopsJson.h"

#include "app/commands/DiagnosticText.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using namespace compiler;
using nlohmann::json;
using Files = std::vector<SourceFile>;

/// `before`, `behind`, or the number of an iteration.
static json iterationJson(int32_t iteration) {
  if (iteration == kBehindLoop)
    return "behind";
  return iteration < 0 ? json("before") : json(iteration);
}

static std::string word(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, ' ', '_');
  return text;
}

static json operationJson(const LoopOperation &operation, const LoopFacts &loop,
                          const Files &files) {
  json object = operation.range.empty() ? json::object() : rangeJson(operation.range, files);
  object["does"] = word(loopActionName(operation.action));
  object["operation"] = operation.operation;
  if (!operation.name.empty())
    object["name"] = operation.name;
  if (operation.pending >= 0)
    object["may_stay_under_way"] = operation.pending;
  if (isCopy(operation.action))
    object["iterations_ahead"] = operation.distance;
  object["async"] = operation.isAsync;
  if (loop.partitions.size() > 1)
    object["partition"] = operation.partition;
  return object;
}

static json eventJson(const LoopEvent &event, const LoopFacts &loop) {
  json object = {{"operation", event.operation},
                 {"iteration", iterationJson(event.iteration)},
                 {"time", event.time}};
  if (event.begin != event.time)
    object["waits_since"] = event.begin;
  if (event.buffer >= 0)
    object["buffer"] = event.buffer;
  if (event.slot >= 0)
    object["slot"] = event.slot;
  if (event.end >= 0)
    object["ended_by"] = event.end;
  if (isCopy(loop.operations[event.operation].action) && event.forIteration >= 0)
    object["for_iteration"] = event.forIteration;
  if (event.isOff)
    object["off"] = true;
  return object;
}

static const char *linkName(LoopLinkKind kind) {
  switch (kind) {
  case LoopLinkKind::Ends:
    return "ends";
  case LoopLinkKind::Feeds:
    return "feeds";
  case LoopLinkKind::Frees:
    return "frees";
  case LoopLinkKind::Signals:
    return "signals";
  }
  return "";
}

static void addParts(const LoopFacts &loop, const Files &files, json &object) {
  for (const char *list : {"buffers", "operations", "events", "links"})
    object[list] = json::array();
  for (const LoopBuffer &buffer : loop.buffers) {
    json each = buffer.range.empty() ? json::object() : rangeJson(buffer.range, files);
    each["name"] = buffer.name;
    each["slots"] = buffer.slots;
    each["shape"] = buffer.shape;
    each["type"] = buffer.elementType;
    each["holds_barriers"] = buffer.isBarrier;
    object["buffers"].push_back(std::move(each));
  }
  for (const LoopOperation &operation : loop.operations)
    object["operations"].push_back(operationJson(operation, loop, files));
  for (const LoopEvent &event : loop.events)
    object["events"].push_back(eventJson(event, loop));
  for (const LoopLink &link : loop.links)
    object["links"].push_back(
        {{"from", link.from}, {"to", link.to}, {"kind", linkName(link.kind)}});
  if (loop.partitions.size() > 1)
    for (const LoopPartition &partition : loop.partitions)
      object["partitions"].push_back({{"name", partition.name}, {"warps", partition.numWarps}});
}

static json pipelineJson(const LoopFacts &loop, const Files &files) {
  json object = loop.range.empty() ? json::object() : rangeJson(loop.range, files);
  object["pipelined"] = loop.isPipelined();
  if (!loop.isPipelined())
    object["why_not"] = pipelineObstacleName(loop.obstacle);
  for (const WaitingLoad &load : loop.waiting) {
    json each = rangeJson(load.range, files);
    each["text"] = loopObstacleText(load.obstacle);
    object["waiting_loads"].push_back(std::move(each));
  }
  const PipelineFacts &pipeline = loop.pipeline;
  object["stages"] = pipeline.stages;
  object["copies"] = pipeline.copies;
  object["copies_under_way"] = pipeline.copiesUnderWay;
  object["copy_waits"] = pipeline.copyWaits;
  object["async_products"] = pipeline.asyncProducts;
  object["product_waits"] = pipeline.productWaits;
  if (loop.numIterations >= 0)
    object["iterations"] = loop.numIterations;
  object["followed_iterations"] = loop.numFollowed;
  addParts(loop, files, object);
  return object;
}

json pipelinesJson(const std::vector<LoopFacts> &loops, const Files &files) {
  json list = json::array();
  for (const LoopFacts &loop : loops)
    list.push_back(pipelineJson(loop, files));
  return list;
}

} // namespace tilescope::app
