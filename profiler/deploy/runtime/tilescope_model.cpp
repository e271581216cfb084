// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "tilescope_model.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "tilescope_device.h"

using namespace tilescope_deploy;

struct tilescope_model {
  std::string folder;
  Plan plan;
  struct Tensors {
    std::vector<tilescope_tensor> inputs, outputs;
  };
  /// Of each set of shapes.
  std::vector<Tensors> tensors;
  /// The set in use.
  size_t set = 0;
  /// Null until it is loaded.
  std::unique_ptr<DeviceModel> device;

  DeviceModel &loaded() const {
    if (!device)
      throw Failure("the model is not loaded: call `tilescope_model_load` first");
    return *device;
  }
  const Tensors &used() const { return tensors[set]; }
  const ShapeSet &shapes() const { return plan.sets[set]; }
};

static std::vector<tilescope_tensor> tensorsOf(const std::vector<Port> &ports) {
  std::vector<tilescope_tensor> tensors;
  for (const Port &port : ports)
    tensors.push_back({port.name.c_str(), port.dtype.c_str(), port.shape.size(), port.shape.data(),
                       static_cast<size_t>(port.bytes)});
  return tensors;
}

static const tilescope_tensor *tensorAt(const std::vector<tilescope_tensor> &tensors,
                                        size_t number) {
  return number < tensors.size() ? &tensors[number] : nullptr;
}

static uint64_t addressAt(const tilescope_model &model, const std::vector<Port> &ports,
                          size_t number) {
  return model.device && number < ports.size() ? model.device->addressOf(ports[number].at) : 0;
}

/// `x [8, 16], k [8]`; `shapeOf` has the extents of each input.
template <typename ShapeOf>
static std::string shapesText(const std::vector<Port> &inputs, ShapeOf shapeOf) {
  std::string text;
  for (size_t i = 0; i < inputs.size(); ++i) {
    text += (i ? ", " : "") + inputs[i].name + " [";
    const std::vector<int64_t> shape = shapeOf(i);
    for (size_t axis = 0; axis < shape.size(); ++axis)
      text += (axis ? ", " : "") + std::to_string(shape[axis]);
    text += "]";
  }
  return text;
}

static size_t setWith(const Plan &plan, const std::vector<std::vector<int64_t>> &shapes) {
  std::string known;
  for (size_t number = 0; number < plan.sets.size(); ++number) {
    const std::vector<Port> &inputs = plan.sets[number].inputs;
    if (std::equal(inputs.begin(), inputs.end(), shapes.begin(), shapes.end(),
                   [](const Port &port, const auto &shape) { return port.shape == shape; }))
      return number;
    known += (number ? "; " : "") + shapesText(inputs, [&](size_t i) { return inputs[i].shape; });
  }
  throw Failure("the model is not exported for " +
                shapesText(plan.sets.front().inputs, [&](size_t i) { return shapes[i]; }) +
                ", but for " + known);
}

/// Runs `work`; what it throws becomes the text in `error`, and 1.
template <typename Work> static int guarded(char *error, size_t errorSize, Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception &failure) {
    if (error && errorSize > 0)
      std::snprintf(error, errorSize, "%s", failure.what());
    return 1;
  }
}

extern "C" {

tilescope_model *tilescope_model_open(const char *folder, char *error, size_t error_size) {
  std::unique_ptr<tilescope_model> model;
  const int failed = guarded(error, error_size, [&] {
    model = std::make_unique<tilescope_model>();
    model->folder = folder ? folder : ".";
    model->plan = readPlan(model->folder);
    for (const ShapeSet &set : model->plan.sets)
      model->tensors.push_back({tensorsOf(set.inputs), tensorsOf(set.outputs)});
  });
  return failed ? nullptr : model.release();
}

size_t tilescope_model_num_sets(const tilescope_model *model) { return model->plan.sets.size(); }

int tilescope_model_use_set(tilescope_model *model, size_t number, char *error, size_t error_size) {
  return guarded(error, error_size, [&] {
    if (number >= model->plan.sets.size())
      throw Failure("there is no set " + std::to_string(number) +
                    " of shapes; the number of sets is " + std::to_string(model->plan.sets.size()));
    model->set = number;
  });
}

int tilescope_model_use_shapes(tilescope_model *model, const int64_t *const *shapes,
                               const size_t *ranks, char *error, size_t error_size) {
  return guarded(error, error_size, [&] {
    std::vector<std::vector<int64_t>> all;
    for (size_t i = 0; i < model->plan.sets.front().inputs.size(); ++i)
      all.emplace_back(shapes[i], shapes[i] + ranks[i]);
    model->set = setWith(model->plan, all);
  });
}

size_t tilescope_model_num_inputs(const tilescope_model *model) {
  return model->used().inputs.size();
}
size_t tilescope_model_num_outputs(const tilescope_model *model) {
  return model->used().outputs.size();
}

const tilescope_tensor *tilescope_model_input(const tilescope_model *model, size_t number) {
  return tensorAt(model->used().inputs, number);
}

const tilescope_tensor *tilescope_model_output(const tilescope_model *model, size_t number) {
  return tensorAt(model->used().outputs, number);
}

const char *tilescope_model_name(const tilescope_model *model) { return model->plan.model.c_str(); }

int tilescope_model_load(tilescope_model *model, int device, char *error, size_t error_size) {
  return guarded(error, error_size, [&] {
    if (model->device)
      throw Failure("the model is loaded already");
    model->device = std::make_unique<DeviceModel>(model->folder, model->plan, device);
  });
}

const char *tilescope_model_device(const tilescope_model *model) {
  return model->device ? model->device->name().c_str() : "";
}

int tilescope_model_run(tilescope_model *model, const void *const *inputs, void *const *outputs,
                        char *error, size_t error_size) {
  return guarded(error, error_size, [&] { model->loaded().run(model->set, inputs, outputs); });
}

uint64_t tilescope_model_input_address(const tilescope_model *model, size_t number) {
  return addressAt(*model, model->shapes().inputs, number);
}

uint64_t tilescope_model_output_address(const tilescope_model *model, size_t number) {
  return addressAt(*model, model->shapes().outputs, number);
}

int tilescope_model_launch(tilescope_model *model, void *stream, char *error, size_t error_size) {
  return guarded(error, error_size,
                 [&] { model->loaded().launch(model->set, static_cast<cuda::Stream>(stream)); });
}

void tilescope_model_close(tilescope_model *model) { delete model; }

} // extern "C"
