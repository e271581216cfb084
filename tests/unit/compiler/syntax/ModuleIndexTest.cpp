// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ModuleIndex.h"

#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::ast;

TEST_CASE("imports are followed under every alias", "[compiler]") {
  auto tree = parseModule(R"(
import triton
import triton.language as tl, numpy as np
from triton.language.extra.cuda import libdevice as ld
from triton.language import load as fetch, *
try:
    from triton import language
except ImportError:
    pass
from pack.compat import triton as compat_triton, tl as compat
core = tl
a = core.store
b = ld.tanh
c = fetch
d = np.zeros
e = unknown.f
f = compat.load
g = compat_triton.cdiv
)");
  ModuleIndex index = indexModule(*tree);
  auto resolved = [&](std::string_view name) {
    const ModuleConstant *constant = index.findConstant(name);
    REQUIRE(constant);
    return index.resolve(*constant->value);
  };
  CHECK(resolved("a") == "triton.language.store");
  CHECK(libdeviceMember(resolved("b")) == "tanh");
  CHECK(languageMember(resolved("c")) == "load");
  CHECK(resolved("d") == "numpy.zeros");
  CHECK(resolved("e").empty());
  CHECK(resolved("f") == "triton.language.load");
  CHECK(resolved("g") == "triton.cdiv");
  CHECK(index.imports.at("language") == "triton.language");
}

TEST_CASE("kernels are described by their parameters and decorators", "[compiler]") {
  auto tree = parseModule(R"(
import triton
import triton.language as tl

SIZE: tl.constexpr = 16
SCALE = tl.constexpr(2.0)
PLAIN = 3

@triton.autotune(configs=[triton.Config({'BLOCK': 64})], key=['n'])
@triton.heuristics({'EVEN': lambda args: args['n'] % args['BLOCK'] == 0})
@other
@triton.jit(noinline=True)
def kernel(x_ptr, y: tl.const, n: tl.int64, p: "*fp16", q: tl.pointer_type(tl.float16), s=1.5,
           BLOCK: tl.constexpr = 64, EVEN: tl.constexpr = True, *, extra: int):
    helper(x_ptr)
    return

@triton.jit
def helper(x):
    def inner():
        return 1
    return x

def host():
    return 1
)");
  REQUIRE(tree->diagnostics.empty());
  ModuleIndex index = indexModule(*tree);
  REQUIRE(index.functions.size() == 2);
  const JitFunction &kernel = index.functions[0];
  CHECK(kernel.isKernel());
  CHECK(kernel.noinline);
  CHECK(kernel.autotuneConfigs);
  REQUIRE(kernel.heuristics.size() == 1);
  CHECK(kernel.heuristics[0].first == "EVEN");
  CHECK(kernel.unknownDecorators.size() == 1);
  REQUIRE(kernel.parameters.size() == 9);
  CHECK(kernel.parameters[0].annotationKind == AnnotationKind::None);
  CHECK(kernel.parameters[1].annotationKind == AnnotationKind::ConstPointer);
  CHECK(kernel.parameters[2].dtype == "i64");
  CHECK(kernel.parameters[3].dtype == "*fp16");
  CHECK(kernel.parameters[4].dtype == "*fp16");
  CHECK(kernel.parameters[5].defaultValue);
  CHECK(kernel.parameters[6].annotationKind == AnnotationKind::Constexpr);
  CHECK(kernel.parameters[8].annotationKind == AnnotationKind::Other);
  CHECK_FALSE(kernel.usedByOthers);
  const JitFunction &helper = index.functions[1];
  CHECK(helper.usedByOthers);
  CHECK(helper.returnsValue);
  CHECK(index.otherDefinitions.size() == 1);
  CHECK(index.findConstant("SIZE")->isConstexpr);
  CHECK(index.findConstant("SCALE")->isConstexpr);
  CHECK_FALSE(index.findConstant("PLAIN")->isConstexpr);
}
