/**
 * ONNX files as networks: the graph by protobuf, shapes by ONNX Runtime in a process of its own.
 */
package stowage.importer.onnx;
