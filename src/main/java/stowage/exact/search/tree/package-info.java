/**
 * Complete tree searches: over bottom-left justified placements, and over the order of conflicting
 * pairs.
 */
package stowage.exact.search.tree;
