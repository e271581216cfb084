// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StageCache.h"

#include "llvm/Support/xxhash.h"

namespace tilescope::compiler {

KeyBuilder &KeyBuilder::add(std::string_view text) {
  add(text.size());
  m_bytes.append(text);
  return *this;
}

KeyBuilder &KeyBuilder::add(uint64_t number) {
  m_bytes.append(reinterpret_cast<const char *>(&number), sizeof(number));
  return *this;
}

ContentKey KeyBuilder::key() const {
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(m_bytes));
  return {hash.low64, hash.high64};
}

} // namespace tilescope::compiler
