/** What else could run: ops split into pieces or computed again, with every op's origin. */
package stowage.rewrite;
