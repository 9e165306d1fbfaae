/** TFLite files as networks, the plan of memory they may carry, and plans written into them. */
package stowage.importer.tflite;
