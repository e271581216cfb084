#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Writes the converted TensorFlow models beside this file, with inputs and TensorFlow's outputs, for export_test.py.

Usage: make_tensorflow.py [DIR]. It needs tensorflow-cpu 2.21 and tf2onnx 1.17, which Tilescope's tests do not.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

DIR = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent / "exports"
layers = tf.keras.layers


def image_model():
    """Channels last, as TensorFlow has them, with a squeeze and excitation; the batch is open."""
    image = tf.keras.Input((24, 20, 3), name="image")
    y = layers.ReLU(6.0)(layers.BatchNormalization()(layers.Conv2D(8, 3, strides=2, padding="same")(image)))
    y = layers.Conv2D(16, 1, activation="swish")(layers.DepthwiseConv2D(3, padding="same")(y))
    y = layers.MaxPooling2D(2)(y)
    y = y * layers.Dense(16, activation="sigmoid")(layers.GlobalAveragePooling2D(keepdims=True)(y))
    return tf.keras.Model(image, layers.Dense(10, activation="softmax")(layers.Flatten()(y)))


def gelu(x):
    # tf2onnx has no `Erfc`, which the exact form takes.
    return tf.keras.activations.gelu(x, approximate=True)


def text_model():
    tokens = tf.keras.Input((12,), dtype=tf.int32, name="tokens")
    y = layers.Embedding(50, 16)(tokens)
    y = layers.LayerNormalization()(y + layers.MultiHeadAttention(2, 8)(y, y))
    y = layers.LayerNormalization()(y + layers.Dense(16)(layers.Dense(32, activation=gelu)(y)))
    return tf.keras.Model(tokens, layers.Dense(4)(layers.GlobalAveragePooling1D()(y)))


def write(name, model, data):
    for weight in model.weights:
        if weight.shape.rank == 1:
            weight.assign(tf.abs(tf.random.normal(weight.shape)) + 0.5)
    folder = DIR / name
    for part in ("in", "out"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as saved:
        tf.saved_model.save(model, saved)
        subprocess.run([sys.executable, "-m", "tf2onnx.convert", "--saved-model", saved, "--output", folder / "model.onnx", "--opset", "17"],
                       check=True)
    # The converter's names.
    np.save(folder / "in" / "inputs.npy", data)
    np.save(folder / "out" / "output_0.npy", model(data).numpy())


tf.keras.utils.set_random_seed(3)
random = np.random.default_rng(0)
write("tensorflow-image", image_model(), random.standard_normal((2, 24, 20, 3)).astype(np.float32))
write("tensorflow-text", text_model(), random.integers(0, 50, (3, 12)).astype(np.int32))
