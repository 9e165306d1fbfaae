/** A walk over the sets of values held at first computations: bounds where these sets are few. */
package stowage.rewrite.recompute.walk;
