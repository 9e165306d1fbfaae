/** Commands that show, convert, export and audit networks, and that form layer groups. */
package stowage.cli.network;
