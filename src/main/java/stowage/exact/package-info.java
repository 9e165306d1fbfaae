/**
 * What proves: preprocessing ({@link stowage.exact.Normalizer}), lower bounds with certificates
 * ({@link stowage.exact.LowerBounds}), and the complete methods, each in a package of its own.
 */
package stowage.exact;
