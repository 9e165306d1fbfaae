/** ONNX files as networks: the graph by protobuf, shapes by ONNX Runtime in its own process. */
package stowage.importer.onnx;
