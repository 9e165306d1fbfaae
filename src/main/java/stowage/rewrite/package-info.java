/**
 * What else could run instead of a network: ops split into pieces, ops computed again; with the
 * origin of every op and tensor.
 */
package stowage.rewrite;
