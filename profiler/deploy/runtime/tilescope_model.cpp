// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "tilescope_model.h"

#include <cstdio>
#include <memory>

#include "tilescope_device.h"

using namespace tilescope_deploy;

struct tilescope_model {
  std::string folder;
  Plan plan;
  std::vector<tilescope_tensor> inputs, outputs;
  /// Null until it is loaded.
  std::unique_ptr<DeviceModel> device;

  DeviceModel &loaded() const {
    if (!device)
      throw Failure("the model is not loaded: call `tilescope_model_load` first");
    return *device;
  }
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
    model->inputs = tensorsOf(model->plan.inputs);
    model->outputs = tensorsOf(model->plan.outputs);
  });
  return failed ? nullptr : model.release();
}

size_t tilescope_model_num_inputs(const tilescope_model *model) { return model->inputs.size(); }
size_t tilescope_model_num_outputs(const tilescope_model *model) { return model->outputs.size(); }

const tilescope_tensor *tilescope_model_input(const tilescope_model *model, size_t number) {
  return tensorAt(model->inputs, number);
}

const tilescope_tensor *tilescope_model_output(const tilescope_model *model, size_t number) {
  return tensorAt(model->outputs, number);
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
  return guarded(error, error_size, [&] { model->loaded().run(inputs, outputs); });
}

uint64_t tilescope_model_input_address(const tilescope_model *model, size_t number) {
  return addressAt(*model, model->plan.inputs, number);
}

uint64_t tilescope_model_output_address(const tilescope_model *model, size_t number) {
  return addressAt(*model, model->plan.outputs, number);
}

int tilescope_model_launch(tilescope_model *model, void *stream, char *error, size_t error_size) {
  return guarded(error, error_size,
                 [&] { model->loaded().launch(static_cast<cuda::Stream>(stream)); });
}

void tilescope_model_close(tilescope_model *model) { delete model; }

} // extern "C"
