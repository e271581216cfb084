// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/TritonVersion.h"

#include "compiler/dialects/tt/ir/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

std::optional<TritonVersion> parseTritonVersion(StringRef text) {
  if (text == "newest")
    return kNewestTriton;
  auto [major, minor] = text.split('.');
  TritonVersion version;
  if (major.getAsInteger(10, version.major) || minor.getAsInteger(10, version.minor) ||
      version < TritonVersion{3, 6} || version > kNewestTriton)
    return std::nullopt;
  return version;
}

static PrintedVersion *printedVersion(MLIRContext *context) {
  Dialect *dialect = context->getLoadedDialect<TTDialect>();
  return dialect ? dialect->getRegisteredInterface<PrintedVersion>() : nullptr;
}

TritonVersion PrintedVersion::of(MLIRContext *context) {
  const PrintedVersion *printed = printedVersion(context);
  return printed ? printed->m_version : TritonVersion();
}

void PrintedVersion::set(MLIRContext &context, TritonVersion version) {
  context.getOrLoadDialect<TTDialect>();
  printedVersion(&context)->m_version = version;
}

} // namespace tilescope::tt
