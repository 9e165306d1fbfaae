/**
 * What is to run: a network of ops and tensors with its execution order, and the chip it runs on.
 * This package knows nothing of the others.
 */
package stowage.network;
