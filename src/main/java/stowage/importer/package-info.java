/**
 * Files to networks or packing problems, one class a format, and plans written back in their
 * formats.
 */
package stowage.importer;
