// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/TensorAliases.h"

#include "llvm/ADT/StringSet.h"

namespace tilescope::model {

OperatorName::OperatorName(llvm::StringRef target) {
  target.consume_front("torch.ops.");
  shown = target.str();
  // `_operator.mul` and `torch.sym_max` have no overloads.
  const bool hasOverload = target.count('.') == 2;
  auto [name, rest] = hasOverload ? target.rsplit('.') : std::pair(target, llvm::StringRef());
  overload = rest.str();
  if (overload == "default")
    shown = name.str();
  isInPlace = hasOverload && name.ends_with("_") && !name.ends_with("__");
  base = (isInPlace ? name.drop_back() : name).str();
}

/// Whether results may share elements with the first operand.
static bool isView(const OperatorName &name) {
  static const llvm::StringSet<> kViews{
      "aten.alias",       "aten.chunk",   "aten.contiguous",       "aten.detach",  "aten.diagonal",
      "aten.dropout",     "aten.expand",  "aten.expand_as",        "aten.flatten", "aten.movedim",
      "aten.narrow",      "aten.numpy_T", "aten.permute",          "aten.reshape", "aten.select",
      "aten.slice",       "aten.split",   "aten.split_with_sizes", "aten.squeeze", "aten.swapaxes",
      "aten.t",           "aten.to",      "aten.transpose",        "aten.type_as", "aten.unbind",
      "aten.unflatten",   "aten.unfold",  "aten.unsqueeze",        "aten.view",    "aten.view_as",
      "aten._unsafe_view"};
  return name.isInPlace || kViews.contains(name.base);
}

TensorAliases::TensorAliases(const ExportedProgram &program) {
  for (const auto &[position, node] : llvm::enumerate(program.nodes))
    for (const ExportedOperand &operand : node.operands) {
      if (operand.value.kind == ExportedArgument::Kind::Tensor)
        use(operand.value.text, position);
      for (const std::string &name : operand.value.texts)
        use(name, position);
    }
  for (const ExportedOutput &output : program.outputs)
    use(output.name, program.nodes.size());
}

void TensorAliases::follow(const ExportedNode &node) {
  const bool hasFirst =
      !node.operands.empty() && node.operands.front().value.kind == ExportedArgument::Kind::Tensor;
  const OperatorName operation(node.target);
  if (!hasFirst || !isView(operation))
    return;
  if ((operation.base == "aten.slice" || operation.base == "aten.select") &&
      node.outputs.size() == 1)
    m_slices[node.outputs.front().text] = &node;
  const std::string &first = node.operands.front().value.text;
  const auto [found, isNew] = m_groups.try_emplace(first, m_names.size());
  if (isNew)
    m_names.push_back({first});
  const size_t group = found->second;
  for (const ExportedArgument &output : node.outputs) {
    std::vector<std::string> names = output.texts;
    if (output.kind == ExportedArgument::Kind::Tensor)
      names.push_back(output.text);
    for (const std::string &name : names)
      if (m_groups.try_emplace(name, group).second)
        m_names[group].push_back(name);
  }
}

std::string TensorAliases::usedBehind(llvm::ArrayRef<std::string> known, size_t position) {
  const auto group = m_groups.find(known.front());
  if (group == m_groups.end())
    return "";
  std::vector<std::string> &names = m_names[group->second];
  std::erase_if(names, [&](const std::string &other) {
    return !llvm::is_contained(known, other) && !isUsedBehind(other, position);
  });
  const auto other = llvm::find_if(
      names, [&](const std::string &each) { return !llvm::is_contained(known, each); });
  return other == names.end() ? "" : *other;
}

} // namespace tilescope::model
