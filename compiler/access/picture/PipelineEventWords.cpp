// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What is said about single events of a pipeline.
#include "compiler/access/picture/PipelineWords.h"
#include "compiler/support/Counted.h"

#include <algorithm>

namespace tilescope::compiler::access {

/// "`a`", or nothing.
static std::string quoted(const std::string &name) { return name.empty() ? "" : "`" + name + "`"; }

static std::string ofName(const std::string &words, const LoopOperation &operation) {
  return operation.name.empty() ? words : words + " of " + quoted(operation.name);
}

static std::string intoSlot(const LoopFacts &facts, const LoopEvent &event) {
  if (event.buffer < 0 || facts.buffers[static_cast<size_t>(event.buffer)].slots < 2)
    return "";
  return event.slot < 0 ? "" : " into slot " + std::to_string(event.slot);
}

static std::string copyTitle(const LoopFacts &facts, const LoopEvent &event) {
  const LoopOperation &operation = facts.operations[event.operation];
  const std::string what =
      ofName(operation.action == LoopAction::BulkCopy ? "bulk copy" : "copy", operation);
  if (event.isOff)
    return "no " + what + ": nothing is left to load";
  const std::string purpose =
      event.forIteration >= 0 ? " for " + iterationText(event.forIteration) : "";
  return what + purpose + intoSlot(facts, event);
}

static std::string waitTitle(const LoopFacts &facts, const LoopEvent &event) {
  const LoopOperation &operation = facts.operations[event.operation];
  const char *left = " may stay under way";
  switch (operation.action) {
  case LoopAction::CopyWait:
    return operation.pending == 0
               ? "wait for all copies"
               : "wait for copies: " + counted(operation.pending, "group") + left;
  case LoopAction::ProductWait:
    return operation.pending == 0
               ? "wait for all products"
               : "wait for products: " + counted(operation.pending, "product") + left;
  case LoopAction::StoreWait:
    return operation.pending == 0
               ? "wait for all bulk stores"
               : "wait for bulk stores: " + std::to_string(operation.pending) + left;
  default:
    break;
  }
  std::string text = "wait at barrier";
  if (event.buffer >= 0)
    text += " " + slotText(facts, event.buffer, event.slot);
  return text;
}

std::string eventTitle(const LoopFacts &facts, uint32_t number) {
  const LoopEvent &event = facts.events[number];
  const LoopOperation &operation = facts.operations[event.operation];
  if (isCopy(operation.action))
    return copyTitle(facts, event);
  if (isWait(operation.action))
    return waitTitle(facts, event);
  const std::string slot =
      event.buffer >= 0 && event.slot >= 0 ? slotText(facts, event.buffer, event.slot) : "";
  switch (operation.action) {
  case LoopAction::CloseGroup:
    return "the copies before become a group";
  case LoopAction::Expect:
    return "tells barrier " + slot + " how many bytes will come";
  case LoopAction::Arrive:
    return "tells barrier " + slot + " that it has come as far";
  case LoopAction::LocalLoad:
    return ofName("shared load", operation) + (slot.empty() ? "" : " from " + slot);
  case LoopAction::LocalStore:
    return "shared store to " + (slot.empty() ? "a buffer" : slot);
  case LoopAction::InnerLoop:
    return "another loop";
  default:
    return ofName(std::string(loopActionName(operation.action)), operation);
  }
}

/// `in iteration 3, line 52, default`.
static std::string whenText(const LoopFacts &facts, const LoopEvent &event) {
  const LoopOperation &operation = facts.operations[event.operation];
  std::string text = event.iteration < 0 || event.iteration == kBehindLoop ? "" : "in ";
  text += iterationText(event.iteration);
  if (!operation.range.empty() && operation.range.file == 0)
    text += ", line " + std::to_string(operation.range.begin.line + 1);
  const auto group = static_cast<size_t>(operation.partition);
  if (facts.partitions.size() > 1 && group < facts.partitions.size())
    text += ", " + facts.partitions[group].name;
  return text;
}

/// Titles of events, each once, at most three of them.
static std::string joined(const LoopFacts &facts, const std::vector<uint32_t> &events,
                          bool isWhen) {
  constexpr size_t kMost = 3;
  std::vector<std::string> titles;
  for (const uint32_t event : events) {
    std::string title = eventTitle(facts, event);
    if (isWhen)
      title += " (" + whenText(facts, facts.events[event]) + ")";
    if (std::ranges::find(titles, title) == titles.end())
      titles.push_back(std::move(title));
  }
  std::string text;
  for (size_t i = 0; i < std::min(titles.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + titles[i];
  if (titles.size() > kMost)
    text += " and " + std::to_string(titles.size() - kMost) + " more";
  return text;
}

static std::vector<uint32_t> linked(const LoopFacts &facts, uint32_t event, LoopLinkKind kind,
                                    uint32_t LoopLink::*own, uint32_t LoopLink::*other) {
  std::vector<uint32_t> found;
  for (const LoopLink &link : facts.links)
    if (link.kind == kind && link.*own == event)
      found.push_back(link.*other);
  return found;
}

std::string eventText(const LoopFacts &facts, uint32_t number) {
  const LoopEvent &event = facts.events[number];
  std::string text = eventTitle(facts, number) + " · " + whenText(facts, event);
  if (event.isOff)
    return text;
  const auto from = [&](LoopLinkKind kind) {
    return linked(facts, number, kind, &LoopLink::to, &LoopLink::from);
  };
  const auto to = [&](LoopLinkKind kind) {
    return linked(facts, number, kind, &LoopLink::from, &LoopLink::to);
  };
  const auto add = [&](const char *words, const std::vector<uint32_t> &events, bool isWhen) {
    if (!events.empty())
      text += std::string(" · ") + words + " " + joined(facts, events, isWhen);
  };
  if (event.time > event.begin)
    text += " · waits while others do " + counted(event.time - event.begin, "operation");
  if (event.end >= 0)
    text += " · waited for " + whenText(facts, facts.events[static_cast<size_t>(event.end)]);
  add("ends", from(LoopLinkKind::Ends), false);
  add("told by", from(LoopLinkKind::Signals), true);
  add("uses", from(LoopLinkKind::Feeds), false);
  add("read by", to(LoopLinkKind::Feeds), true);
  add("the slot was read before by", from(LoopLinkKind::Frees), true);
  add("wakes", to(LoopLinkKind::Signals), true);
  return text;
}

std::string eventLabel(const LoopFacts &facts, uint32_t number) {
  const LoopEvent &event = facts.events[number];
  const LoopAction action = facts.operations[event.operation].action;
  if (isCopy(action))
    return event.isOff || event.forIteration < 0 ? "" : std::to_string(event.forIteration);
  switch (action) {
  case LoopAction::Product:
    return event.iteration < 0 || event.iteration == kBehindLoop
               ? "×"
               : "×" + std::to_string(event.iteration);
  case LoopAction::CopyWait:
  case LoopAction::ProductWait:
  case LoopAction::StoreWait:
    return "≤" + std::to_string(facts.operations[event.operation].pending);
  case LoopAction::BarrierWait:
    return "wait";
  case LoopAction::CloseGroup:
    return "]";
  case LoopAction::Arrive:
    return "»";
  case LoopAction::Expect:
    return "bytes";
  case LoopAction::Load:
    return "load";
  case LoopAction::Store:
    return "store";
  case LoopAction::LocalLoad:
  case LoopAction::LocalStore:
    return facts.operations[event.operation].name;
  case LoopAction::Arithmetic:
    return "f";
  case LoopAction::Reduction:
    return "Σ";
  case LoopAction::Conversion:
    return "⇄";
  case LoopAction::InnerLoop:
    return "loop";
  default:
    return "";
  }
}

} // namespace tilescope::compiler::access
