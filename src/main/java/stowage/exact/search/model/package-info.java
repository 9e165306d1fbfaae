/** The search's input and output on primitive arrays, its limits, and small array helpers. */
package stowage.exact.search.model;
