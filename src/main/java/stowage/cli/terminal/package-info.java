/** The terminal: exit codes, errors of use, output streams, signals. */
package stowage.cli.terminal;
