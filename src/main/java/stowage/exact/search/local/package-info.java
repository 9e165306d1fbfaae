/** Local search: orders of placement improved by descents, perturbations and restarts. */
package stowage.exact.search.local;
