/**
 * What a run found, for people and programs: tables, JSON, pictures, and how plans differ.
 *
 * <p>Everything here writes text to a string, a stream or a printer that the caller gives; which
 * files they become, and how these are replaced, is not decided here. Numbers are written the same
 * way in every locale.
 */
package stowage.report;
