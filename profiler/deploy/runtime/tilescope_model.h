/* SPDX-License-Identifier: Apache-2.0 */
/* SPDX-FileCopyrightText: Tilescope contributors */
/*
 * Runs a model that `tilescope model export` wrote into a folder, on an NVIDIA GPU. It needs the GPU's driver
 * (libcuda.so.1, CUDA 12 or later) and a C++17 compiler, and nothing else:
 *
 *     char error[1024];
 *     tilescope_model *model = tilescope_model_open("folder", error, sizeof error);
 *     if (!model || tilescope_model_load(model, 0, error, sizeof error) != 0) ...
 *     tilescope_model_run(model, inputs, outputs, error, sizeof error);
 *     tilescope_model_close(model);
 *
 * Functions that can fail return null or a number that is not 0, and write one line of text into `error`, which may
 * be null. A model is used by one thread at a time; several models do not disturb one another.
 */
#ifndef TILESCOPE_MODEL_H
#define TILESCOPE_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tilescope_model tilescope_model;

/* An input or an output. Its elements lie row by row, the last axis fastest. */
typedef struct tilescope_tensor {
  const char *name;
  /* fp16, bf16, fp32, fp64, i8, i16, i32, i64, u8, u16, u32, u64, i1 (one byte, 0 or 1), ... */
  const char *dtype;
  size_t rank;
  const int64_t *shape;
  size_t bytes;
} tilescope_tensor;

/* Reads the folder's plan. No GPU is needed. Null: it is not there, or not what was exported. */
tilescope_model *tilescope_model_open(const char *folder, char *error, size_t error_size);

/* A model that was exported for several shapes has a set of inputs and outputs for each, numbered from 0, with the same
 * names and types. All functions below are about the set in use; at first that is set 0. */
size_t tilescope_model_num_sets(const tilescope_model *model);
/* Takes the set with this number into use. */
int tilescope_model_use_set(tilescope_model *model, size_t number, char *error, size_t error_size);
/* Takes the set into use whose inputs have these extents: ranks[i] of them in shapes[i], for each input. The error lists
 * the shapes that there are; the set in use is then the same as before. */
int tilescope_model_use_shapes(tilescope_model *model, const int64_t *const *shapes,
                               const size_t *ranks, char *error, size_t error_size);

size_t tilescope_model_num_inputs(const tilescope_model *model);
size_t tilescope_model_num_outputs(const tilescope_model *model);
/* Null where there are not so many. What it points to lives as long as the model. */
const tilescope_tensor *tilescope_model_input(const tilescope_model *model, size_t number);
const tilescope_tensor *tilescope_model_output(const tilescope_model *model, size_t number);
/* The name of the model's file. */
const char *tilescope_model_name(const tilescope_model *model);

/* Moves kernels and weights to a device, and makes the CUDA graphs of all sets. Call it once. */
int tilescope_model_load(tilescope_model *model, int device, char *error, size_t error_size);
/* The name of the device; empty before it is loaded. */
const char *tilescope_model_device(const tilescope_model *model);

/* One inference: the inputs are read from memory of this machine, the outputs are written there. Each is as large as
 * its tensor. An error of a kernel ends the use of the device in this process. */
int tilescope_model_run(tilescope_model *model, const void *const *inputs, void *const *outputs,
                        char *error, size_t error_size);

/* For tensors that are on the device already: where they lie (a CUdeviceptr; 0 before the model is loaded or where there
 * are not so many), and a launch in a stream of yours (a CUstream) that is not waited for. Outputs are valid until the
 * next launch. All sets have the same memory, at addresses of their own. */
uint64_t tilescope_model_input_address(const tilescope_model *model, size_t number);
uint64_t tilescope_model_output_address(const tilescope_model *model, size_t number);
int tilescope_model_launch(tilescope_model *model, void *stream, char *error, size_t error_size);

/* Frees all that it has; `model` may be null. */
void tilescope_model_close(tilescope_model *model);

#ifdef __cplusplus
}
#endif

#endif
