/** Choco, a constraint solver in pure Java; the only package that imports it. */
package stowage.exact.choco;
