/** Documents of dsa-solver: problems and solutions of its structured schema, version 1. */
package stowage.importer.dsa;
