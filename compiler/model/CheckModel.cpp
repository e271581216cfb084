// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/CheckModel.h"

#include "compiler/model/canonical/Canonicalize.h"
#include "compiler/model/canonical/ChannelsLast.h"
#include "compiler/model/canonical/Decompose.h"
#include "compiler/model/canonical/RepackWeights.h"
#include "compiler/model/emit/ProductTile.h"
#include "compiler/model/fusion/Fuse.h"
#include "compiler/model/onnx/GraphReader.h"
#include "compiler/model/plan/PlanText.h"
#include "compiler/model/torch_export/ExportReader.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Verifier.h"

#include <functional>

using namespace mlir;

namespace tilescope::model {

using compiler::ModelResult;
using compiler::Severity;

static constexpr int64_t kOldestVersion = 6, kNewestVersion = 24;

static void addError(ModelResult &result, const std::string &message) {
  result.ok = false;
  result.diagnostics.push_back({Severity::Error, "", "", message});
}

static void readHeader(const onnx::ModelProto &model, ModelResult &result) {
  result.format = "ONNX";
  result.producer = model.producer_name() +
                    (model.producer_version().empty() ? "" : " " + model.producer_version());
  result.formatVersion = model.ir_version();
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    result.operatorSets.emplace_back(set.domain() == "ai.onnx" ? "" : set.domain(), set.version());
}

/// Versions that are not known end or limit what can be said.
static bool checkVersion(ModelResult &result) {
  const auto standard =
      llvm::find_if(result.operatorSets, [](const auto &set) { return set.first.empty(); });
  // Without any the nodes say what is missing.
  if (standard == result.operatorSets.end())
    return true;
  const std::string version = std::to_string(standard->second);
  if (standard->second < kOldestVersion) {
    addError(result, "the model uses version " + version + " of the operators; " +
                         std::to_string(kOldestVersion) + " is the oldest that is supported");
    return false;
  }
  if (standard->second > kNewestVersion)
    result.diagnostics.push_back({Severity::Warning, "", "",
                                  "the model uses version " + version +
                                      " of the operators, and is read as one of version " +
                                      std::to_string(kNewestVersion)});
  return true;
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Each operation with the name of its node, large constants without their elements.
  module.print(stream,
               OpPrintingFlags().enableDebugInfo().useLocalScope().elideLargeElementsAttrs(64));
  return text;
}

/// Of an input, and without a number so far.
static std::vector<std::string> openExtents(const compiler::ModelRequest &request,
                                            const ModelResult &result) {
  std::vector<std::string> open;
  for (const std::string &symbol : result.symbols)
    if (llvm::none_of(request.extents, [&](const auto &each) { return each.first == symbol; }))
      open.push_back(symbol);
  return open;
}

/// Kernels are of one size. All that is open is told at once.
static bool hasNumbers(const compiler::ModelRequest &request, ModelResult &result) {
  const std::vector<std::string> open = openExtents(request, result);
  if (open.empty())
    return true;
  if (open.size() == 1)
    addError(result, "the extent `" + open.front() + "` is not a number: add `--dim " +
                         open.front() + "=VALUE`");
  else
    addError(result, "the extents `" + llvm::join(open, "`, `") +
                         "` are not numbers: add `--dim NAME=VALUE` for each, as in `--dim " +
                         open.front() + "=1`");
  return false;
}

namespace {
/// What each format does by itself.
struct ModelSource {
  /// Null after faults.
  std::function<func::FuncOp(OpBuilder &builder)> read;
  /// Elements of a weight.
  std::function<std::optional<std::string_view>(tm::WeightOp weight, uint64_t size)> bytes;
};
} // namespace

/// Tiles of several parts, and those of bulk copies, want the columns of the right factor.
static bool wantsColumns(int64_t rows, int64_t columns, int64_t depth, int64_t elementBytes,
                         bool hasBulkCopies) {
  ProductExtents product{1, rows, columns, depth, /*hasRightByColumns=*/true};
  product.fitsBulkCopies = hasBulkCopies && fitsBulkCopies(depth, elementBytes);
  const ProductTile tile = productTile(product, elementBytes);
  return tile.rest != 0 || tile.isInBulk;
}

static void readGraph(const ModelSource &source, const compiler::ModelRequest &request,
                      ModelResult &result) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tm::TMDialect, func::FuncDialect>();
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    addError(result, "the IR of the model is wrong: " + diagnostic.str());
    return success();
  });
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  builder.setInsertionPointToStart(module->getBody());
  func::FuncOp function = source.read(builder);
  if (!function || failed(verify(*module)))
    return;
  const bool wantsKernels =
      request.text == compiler::ModelText::Kernels || request.text == compiler::ModelText::Plan;
  if (wantsKernels || request.form != compiler::ModelForm::Read)
    decompose(function);
  if (request.form == compiler::ModelForm::Fused)
    countUnfused(function, result);
  if (request.form != compiler::ModelForm::Read) {
    canonicalize(function, source.bytes, result);
    if (failed(verify(*module)))
      return;
    result.numOperations = function.getBody().front().getOperations().size() - 1;
  }
  if (request.form == compiler::ModelForm::Fused) {
    layOutChannelsLast(function, source.bytes, result);
    repackForProducts(
        function, [&](int64_t rows, int64_t columns, int64_t depth, int64_t elementBytes) {
          return wantsColumns(rows, columns, depth, elementBytes, request.hasBulkCopies);
        });
    repackForWindows(function);
    if (failed(verify(*module)))
      return;
  }
  if (request.text == compiler::ModelText::Ir)
    result.text = textOf(*module);
  if (!wantsKernels || !hasNumbers(request, result))
    return;
  if (request.hasBulkCopies)
    module.get()->setAttr(kBulkCopiesAttr, UnitAttr::get(&context));
  const std::vector<Group> groups = request.form == compiler::ModelForm::Fused
                                        ? fuse(function, request.fusions, result)
                                        : singleGroups(function);
  const Emission emission = emitKernels(groups, result);
  const MemoryPlan memory = planMemory(function, emission);
  describeMemory(memory, emission, result);
  if (request.text == compiler::ModelText::Plan)
    result.text = planText(function, emission, memory);
  else if (!emission.steps.empty())
    result.text = moduleText(emission, std::filesystem::path(request.path).filename().string());
}

static void checkOnnx(MappedFile mapped, const compiler::ModelRequest &request,
                      const std::stop_token &stop, ModelResult &result) {
  Result<ModelFiles> files = ModelFiles::open(request.path, std::move(mapped));
  if (!files)
    return addError(result, files.error().message);
  readHeader(files->model(), result);
  if (!checkVersion(result))
    return;
  const ModelSource source{
      [&](OpBuilder &builder) { return GraphReader(*files, request, result, builder).read(stop); },
      [&](tm::WeightOp weight, uint64_t size) {
        return files->bytesAt(weight.getFile().str(), uint64_t(weight.getOffset()), size);
      }};
  readGraph(source, request, result);
}

static void checkExport(MappedFile mapped, const compiler::ModelRequest &request,
                        const std::stop_token &stop, ModelResult &result) {
  const Result<ExportFiles> files = ExportFiles::open(std::move(mapped));
  if (!files)
    return addError(result, files.error().message);
  const ExportedProgram &program = files->program();
  result.format = "PyTorch export";
  result.formatVersion = program.schemaMajor;
  if (!program.torchVersion.empty())
    result.producer = "PyTorch " + program.torchVersion;
  if (program.atenVersion > 0)
    result.operatorSets.emplace_back("", program.atenVersion);
  const ModelSource source{
      [&](OpBuilder &builder) { return ExportReader(*files, request, result, builder).read(stop); },
      [&](tm::WeightOp weight, uint64_t size) {
        return files->bytesAt(uint64_t(weight.getOffset()), size);
      }};
  readGraph(source, request, result);
}

ModelResult checkModel(const compiler::ModelRequest &request, std::stop_token stop) {
  ModelResult result;
  Result<MappedFile> file = MappedFile::open(request.path);
  if (!file)
    addError(result, file.error().message);
  else if (isZip(file->bytes()))
    checkExport(std::move(*file), request, stop, result);
  else
    checkOnnx(std::move(*file), request, stop, result);
  return result;
}

} // namespace tilescope::model
