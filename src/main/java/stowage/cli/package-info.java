/** The command line: commands read their options, call the library and print what it answers. */
package stowage.cli;
