/** Complete tree searches: over bottom-left placements, and over orders of conflicting pairs. */
package stowage.exact.search.tree;
