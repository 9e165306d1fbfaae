/** What every reader and writer of files shares: formats, errors, names, JSON and CSV. */
package stowage.importer.io;
