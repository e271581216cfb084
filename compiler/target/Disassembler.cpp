// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Disassembler.h"

#include "compiler/support/ChildProcess.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <charconv>

namespace tilescope::compiler {

/// `/*0070*/              @!P0 EXIT ;` with room for the longest guard alone: columns are narrow.
static std::string compactLine(std::string_view line) {
  constexpr size_t kGuard = 6;
  const size_t end = line.find("*/");
  const size_t code = line.find_first_not_of(" \t", end == std::string_view::npos ? end : end + 2);
  if (code == std::string_view::npos)
    return std::string(line);
  size_t guard = 0;
  if (line[code] == '@')
    guard = std::min(line.find(' ', code), line.size()) - code;
  std::string text(line.substr(0, end + 2));
  text.append(1 + (guard < kGuard ? (guard > 0 ? kGuard - guard - 1 : kGuard) : 0), ' ');
  return text.append(line.substr(code));
}

Disassembly parseDisassembly(std::string_view output) {
  Disassembly result;
  constexpr std::string_view kMark = "//## File \"";
  constexpr std::string_view kLine = "\", line ";
  int32_t current = -1;
  bool lastEmpty = true;
  for (const std::string_view line : splitLines(output)) {
    if (const size_t mark = line.find(kMark); mark != std::string_view::npos) {
      const size_t at = line.find(kLine, mark);
      int number = 0;
      const bool isPtx = line.find("ptx", mark) != std::string_view::npos;
      if (isPtx && at != std::string_view::npos &&
          std::from_chars(line.data() + at + kLine.size(), line.data() + line.size(), number).ec ==
              std::errc())
        current = number - 1;
      continue;
    }
    const size_t first = line.find_first_not_of(" \t");
    const bool empty = first == std::string_view::npos;
    if (empty && lastEmpty)
      continue;
    lastEmpty = empty;
    // `//---- .text.kernel ----` begins a section: what follows has its own marks.
    if (!empty && line.substr(first).starts_with("//---"))
      current = -1;
    // Instructions begin with their address, `/*0010*/`; labels and directives have no origin.
    const bool instruction = !empty && line.substr(first).starts_with("/*");
    const bool padding = line.find(" NOP;") != std::string_view::npos;
    result.text.append(instruction ? compactLine(line.substr(first)) : std::string(line));
    result.text.push_back('\n');
    result.ptxLines.push_back(instruction && !padding ? current : -1);
  }
  return result;
}

static Result<std::string> runDisassembler(const CudaToolkit &toolkit,
                                           const std::vector<std::string> &arguments,
                                           std::chrono::milliseconds timeout,
                                           const std::stop_token &stop) {
  Result<ChildOutput> child = runChild(toolkit.nvdisasm, arguments, timeout, stop);
  if (!child)
    return child.error();
  if (child->stopped)
    return Error{ErrorCode::Environment, "`nvdisasm` was stopped", ""};
  if (child->timedOut)
    return Error{ErrorCode::Environment, "`nvdisasm` was stopped because it took too long", ""};
  if (child->status != 0)
    return Error{ErrorCode::Environment, "`nvdisasm` failed: " + child->standardError,
                 "a newer CUDA Toolkit may know this target"};
  return std::move(child->standardOutput);
}

Result<Disassembly> disassemble(const CudaToolkit &toolkit, std::string_view cubin,
                                std::chrono::milliseconds timeout, const std::stop_token &stop) {
  if (toolkit.nvdisasm.empty())
    return Error{ErrorCode::Environment, "`nvdisasm` was not found",
                 "the CUDA Toolkit provides it (set CUDA_HOME or TILESCOPE_NVDISASM)"};
  const MemoryFile input(cubin);
  if (!input.valid())
    return Error{ErrorCode::Environment, "no memory for the disassembler's input", ""};
  // The analysis of data flow takes a third of the time, and adds the targets of indirect branches.
  Result<std::string> output =
      runDisassembler(toolkit, {"-ndf", "-c", "-gp", input.path()}, timeout, stop);
  if (output &&
      (output->find(" BRX") != std::string::npos || output->find(" JMX") != std::string::npos))
    output = runDisassembler(toolkit, {"-c", "-gp", input.path()}, timeout, stop);
  if (!output)
    return output.error();
  return parseDisassembly(*output);
}

} // namespace tilescope::compiler
