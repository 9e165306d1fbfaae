/** Files to networks or packing problems, a class a format, and plans written back in theirs. */
package stowage.importer;
