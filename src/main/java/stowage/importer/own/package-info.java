/** Stowage's own file formats: packing problems, plans, networks, chips. */
package stowage.importer.own;
