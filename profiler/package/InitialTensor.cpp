// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/InitialTensor.h"

#include "profiler/data/Npy.h"

#include <filesystem>
#include <new>
#include <sys/resource.h>

namespace tilescope::profiler {

static std::string describe(Dtype dtype, const std::vector<int64_t> &shape) {
  std::string text = std::string(dtypeName(dtype)) + "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

/// Whether this process may take so much at all; a worker has a limit, and ends when it exceeds it.
static bool mayTake(int64_t bytes) {
  rlimit limit = {};
  return getrlimit(RLIMIT_AS, &limit) != 0 || uint64_t(bytes) <= limit.rlim_cur;
}

static Result<Tensor> madeTensor(const PlanArgument &argument) {
  const PlanTensor &plan = *argument.tensor();
  try {
    if (mayTake(tensorBytes(plan.dtype, plan.shape).value_or(INT64_MAX)))
      return makeTensor(plan.dtype, plan.shape, plan.init);
  } catch (const std::bad_alloc &) {
  }
  return Error{ErrorCode::InvalidInput,
               "tensor `" + argument.name + "`, " + describe(plan.dtype, plan.shape) +
                   ", does not fit into this machine's memory",
               "make the sizes smaller"};
}

Result<Tensor> initialTensor(const PlanArgument &argument, const std::string &folder) {
  const PlanTensor &plan = *argument.tensor();
  if (folder.empty())
    return madeTensor(argument);
  if (Status status = checkFileName("argument", argument.name); !status)
    return status.error();
  const std::string path = folder + "/" + argument.name + ".npy";
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    return madeTensor(argument);
  Result<Tensor> tensor = readNpy(path);
  if (!tensor)
    return tensor;
  if (tensor->dtype != plan.dtype || tensor->shape != plan.shape)
    return Error{ErrorCode::InvalidInput,
                 "`" + path + "` holds " + describe(tensor->dtype, tensor->shape) +
                     ", but the launch block says " + describe(plan.dtype, plan.shape),
                 "sizes are set with `--set NAME=VALUE`"};
  return tensor;
}

} // namespace tilescope::profiler
