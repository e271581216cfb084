// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Libdevice.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace tilescope::compiler {

Libdevice::Libdevice(std::string path) : m_path(std::move(path)) {}
Libdevice::~Libdevice() = default;

std::vector<std::string> unresolvedLibdeviceFunctions(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.getName().starts_with("__nv_"))
      names.push_back(function.getName().str());
  return names;
}

static std::string joinNames(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

Status Libdevice::linkInto(llvm::Module &module) {
  const std::vector<std::string> needed = unresolvedLibdeviceFunctions(module);
  if (needed.empty())
    return {};
  const Error missing{ErrorCode::Environment, "no libdevice for " + joinNames(needed),
                      "`libdevice.10.bc` of the CUDA Toolkit provides it (set CUDA_HOME or "
                      "TILESCOPE_LIBDEVICE)"};
  if (m_path.empty())
    return missing;
  if (m_bitcode == nullptr) {
    auto file = llvm::MemoryBuffer::getFile(m_path);
    if (!file)
      return missing;
    m_bitcode = std::move(*file);
  }
  // Lazily: of its 350 functions a kernel needs a few.
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getLazyBitcodeModule(m_bitcode->getMemBufferRef(), module.getContext());
  if (!library)
    return Error{ErrorCode::Environment,
                 "`" + m_path + "` is damaged: " + llvm::toString(library.takeError()), ""};
  // The library was written for an older data layout of the same target.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  const auto makePrivate = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&names](const llvm::GlobalValue &value) {
      return !value.hasName() || names.count(value.getName()) == 0;
    });
  };
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
                                makePrivate))
    return Error{ErrorCode::Internal, "libdevice cannot be linked", ""};
  if (const std::vector<std::string> left = unresolvedLibdeviceFunctions(module); !left.empty())
    return Error{ErrorCode::InvalidInput, "libdevice has no " + joinNames(left), ""};
  return {};
}

} // namespace tilescope::compiler
