/**
 * Files to networks or packing problems, one class per format, and plans written back in their
 * formats.
 */
package stowage.importer;
