/**
 * The exact packing search and its companions, on primitive arrays and with nothing of ours below
 * it.
 *
 * <p>{@link stowage.exact.search.model.Component} is the problem, {@link
 * stowage.exact.search.SearchPortfolio} the door: it decides whether everything fits below a
 * capacity, or minimises the peak and proves it. {@link stowage.exact.search.tree.CanonicalSearch}
 * says in its opening comment how placements are enumerated and why the prunes are sound.
 */
package stowage.exact.search;
