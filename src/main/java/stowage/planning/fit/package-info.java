/** Making a network fit: order, sharing, splitting and recomputing, at the least extra compute. */
package stowage.planning.fit;
