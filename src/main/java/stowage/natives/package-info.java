/** Native libraries in jars, unpacked once and kept; this package knows nothing of the others. */
package stowage.natives;
