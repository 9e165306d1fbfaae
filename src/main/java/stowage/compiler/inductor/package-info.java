/** PyTorch Inductor's planners. */
package stowage.compiler.inductor;
