/**
 * The command line: commands that read their options, call the library and print its answer; no
 * logic of their own.
 */
package stowage.cli;
