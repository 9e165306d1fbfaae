/** The command {@code stowage fit}. */
package stowage.cli.fit;
