/** Help of the command line: pages on the terminal, manual pages, examples. */
package stowage.cli.help;
