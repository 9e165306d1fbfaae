/**
 * The exact packing search and its companions, on primitive arrays.
 *
 * <p>{@link stowage.exact.presolve.Component} is the problem, {@link
 * stowage.exact.search.SearchTeam} the way in: it decides whether everything fits below a capacity,
 * or minimises the peak and proves it. {@link stowage.exact.search.tree.CanonicalSearch} says in
 * its opening comment how placements are enumerated and why the prunes are sound.
 */
package stowage.exact.search;
