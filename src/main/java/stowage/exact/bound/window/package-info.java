/** Bounds from windows of time: sections of the problem solved on their own. */
package stowage.exact.bound.window;
