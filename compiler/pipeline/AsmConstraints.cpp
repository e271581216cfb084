// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AsmConstraints.h"

#include "llvm/AsmParser/LLLexer.h"
#include "llvm/IR/LLVMContext.h"

namespace tilescope::compiler {

bool areReadableConstraints(llvm::StringRef constraints) {
  bool inBraces = false;
  for (const char c : constraints) {
    if (!inBraces && (c == '@' || c == '^'))
      return false;
    inBraces = c == '{' || (inBraces && c != '}');
  }
  return true;
}

namespace {
/// `asm`, flags, the code, a comma, the constraints.
enum class AsmPart { None, Flags, Code, Comma };
} // namespace

static AsmPart nextPart(AsmPart part, llvm::lltok::Kind token) {
  if (token == llvm::lltok::kw_asm)
    return AsmPart::Flags;
  if (part == AsmPart::Flags)
    return token == llvm::lltok::StringConstant ? AsmPart::Code : AsmPart::Flags;
  return part == AsmPart::Code && token == llvm::lltok::comma ? AsmPart::Comma : AsmPart::None;
}

std::optional<llvm::SMDiagnostic> unreadableConstraints(llvm::StringRef text,
                                                        llvm::StringRef path) {
  if (!text.contains("asm"))
    return std::nullopt;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path), llvm::SMLoc());
  llvm::SMDiagnostic ignored;
  llvm::LLVMContext context;
  llvm::LLLexer lexer(sources.getMemoryBuffer(1)->getBuffer(), sources, ignored, context);
  AsmPart part = AsmPart::None;
  while (true) {
    const llvm::lltok::Kind token = lexer.Lex();
    if (token == llvm::lltok::Eof || token == llvm::lltok::Error)
      return std::nullopt;
    const bool areConstraints = part == AsmPart::Comma && token == llvm::lltok::StringConstant;
    if (areConstraints && !areReadableConstraints(lexer.getStrVal()))
      return sources.GetMessage(
          lexer.getLoc(), llvm::SourceMgr::DK_Error,
          "LLVM cannot read the constraints of this inline assembly: those of "
          "a GPU have no `@` and no `^`");
    part = nextPart(part, token);
  }
}

} // namespace tilescope::compiler
