/**
 * Native libraries that are in jars, unpacked once and kept for later runs. This package knows
 * nothing of the others.
 */
package stowage.natives;
