// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PtxFacts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace tilescope::compiler {

static constexpr std::string_view kBlanks = " \t\r\n";

static bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%';
}

/// The text after its leading blanks and line comments.
static std::string_view skipBlanks(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (!text.starts_with("//"))
      return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

static std::string_view leadingName(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && isNameCharacter(text[length]))
    ++length;
  return text.substr(0, length);
}

static int32_t leadingNumber(std::string_view text) {
  text = skipBlanks(text);
  int32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// `.param .u64 .ptr .global .align 1 k_param_0`
static std::string parameterType(std::string_view declaration) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTypes{{
      {".f32 ", "fp32"},
      {".f64 ", "fp64"},
      {".f16 ", "fp16"},
      {".u8 ", "i8"},
      {".s8 ", "i8"},
      {".b8 ", "i8"},
      {".u16 ", "i16"},
      {".s16 ", "i16"},
      {".b16 ", "i16"},
      {".u32 ", "i32"},
      {".s32 ", "i32"},
      {".b32 ", "i32"},
      {".u64 ", "i64"},
      {".s64 ", "i64"},
      {".b64 ", "i64"},
      {".pred ", "u1"},
  }};
  if (declaration.find(".ptr") != std::string_view::npos)
    return "*i8";
  // `.align 64 .b8 k_param_0[128]`
  if (const size_t open = declaration.find('['); open != std::string_view::npos)
    return "bytes" + std::to_string(leadingNumber(declaration.substr(open + 1)));
  for (const auto &[ptx, type] : kTypes)
    if (declaration.find(ptx) != std::string_view::npos)
      return std::string(type);
  return "i64";
}

static std::vector<KernelParameter> parameters(std::string_view list) {
  std::vector<KernelParameter> result;
  while (!skipBlanks(list).empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    result.push_back({"arg" + std::to_string(result.size()), parameterType(list.substr(0, comma))});
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return result;
}

static PtxEntry readKernel(std::string_view text) {
  PtxEntry kernel;
  text = skipBlanks(text);
  kernel.name = leadingName(text);
  const std::string_view head = text.substr(0, std::min(text.find('{'), text.size()));
  const size_t open = head.find('(');
  const size_t close = head.find(')');
  if (open != std::string_view::npos && close != std::string_view::npos && open < close)
    kernel.parameters = parameters(head.substr(open + 1, close - open - 1));
  for (const std::string_view directive : {".reqntid", ".maxntid"})
    if (const size_t at = head.find(directive); at != std::string_view::npos)
      if (kernel.numThreads == 0)
        kernel.numThreads = leadingNumber(head.substr(at + directive.size()));
  constexpr std::string_view kCluster = ".reqnctapercluster";
  if (const size_t at = head.find(kCluster); at != std::string_view::npos)
    kernel.numBlocks = leadingNumber(head.substr(at + kCluster.size()));
  return kernel;
}

std::vector<PtxEntry> ptxKernels(std::string_view text) {
  constexpr std::string_view kEntry = ".entry";
  std::vector<PtxEntry> kernels;
  for (size_t at = text.find(kEntry); at != std::string_view::npos; at = text.find(kEntry, at)) {
    at += kEntry.size();
    PtxEntry kernel = readKernel(text.substr(at));
    if (!kernel.name.empty())
      kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::string documentTarget(std::string_view text) {
  for (const std::string_view mark :
       {"ttg.target = \"cuda:", "\n.target sm_", "\"target-cpu\"=\"sm_", "chip = \"sm_"}) {
    const size_t at = text.find(mark);
    if (at == std::string_view::npos)
      continue;
    if (const int32_t capability = leadingNumber(text.substr(at + mark.size())); capability > 0)
      return "cuda:" + std::to_string(capability);
  }
  // Instructions of one generation only, in text that names none.
  for (const std::string_view mark : {"tcgen05.", "redux.sync.fm"})
    if (text.find(mark) != std::string_view::npos)
      return "cuda:100";
  return {};
}

} // namespace tilescope::compiler
