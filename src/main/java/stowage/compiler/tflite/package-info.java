/** The planners of TensorFlow Lite, its GPU delegate, and TensorFlow Lite Micro. */
package stowage.compiler.tflite;
