/**
 * The networks under {@code models/networks}, written from the papers that describe them, and the
 * builder they are written with.
 */
package stowage.experiment.networks;
