// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PtxFacts.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static constexpr const char *kPtx = R"(//
.version 8.7
.target sm_90a
.address_size 64
	// .globl	softmax                 // -- Begin function softmax
.extern .shared .align 16 .b8 global_smem[];
.func helper(.param .b32 helper_param_0) { ret; }
.visible .entry softmax(
	.param .u64 .ptr .global .align 1 softmax_param_0,
	.param .u32 softmax_param_1,
	.param .f32 softmax_param_2,
	.param .align 64 .b8 softmax_param_3[128],
	.param .u64 softmax_param_4
)
.reqntid 256
{
	ret;
}
.entry second()
.maxntid 64, 1, 1
{ ret; }
.entry  third
(
	.param .b64 p
)
{ ret; }
)";

TEST_CASE("the entry functions of a PTX document are read", "[compiler]") {
  const std::vector<PtxEntry> kernels = ptxKernels(kPtx);
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].name == "softmax");
  CHECK(kernels[0].numThreads == 256);
  CHECK(kernels[0].parameters == std::vector<KernelParameter>{{"arg0", "*i8"},
                                                              {"arg1", "i32"},
                                                              {"arg2", "fp32"},
                                                              {"arg3", "bytes128"},
                                                              {"arg4", "i64"}});
  CHECK(kernels[1].name == "second");
  CHECK(kernels[1].numThreads == 64);
  CHECK(kernels[1].parameters.empty());
  CHECK(kernels[2].name == "third");
  CHECK(kernels[2].numThreads == 0);
  CHECK(kernels[2].parameters == std::vector<KernelParameter>{{"arg0", "i64"}});
}

TEST_CASE("text that is not PTX has no entry functions", "[compiler]") {
  CHECK(ptxKernels("").empty());
  CHECK(ptxKernels(".entry").empty());
  CHECK(ptxKernels(".entry (").empty());
  CHECK(ptxKernels(".entry k").size() == 1);
  CHECK(ptxKernels(".entry k(.param .u64").front().parameters.empty());
}

TEST_CASE("a document names its target", "[compiler]") {
  CHECK(documentTarget(kPtx) == "cuda:90");
  CHECK(documentTarget("module attributes {ttg.target = \"cuda:100\"} {}") == "cuda:100");
  CHECK(documentTarget("attributes #0 = { \"target-cpu\"=\"sm_86\" }") == "cuda:86");
  CHECK(documentTarget("call float @llvm.nvvm.redux.sync.fmax.NaN(float %1, i32 -1)") ==
        "cuda:100");
  CHECK(documentTarget("// .target sm_90").empty());
  CHECK(documentTarget("tt.func @k()").empty());
}
