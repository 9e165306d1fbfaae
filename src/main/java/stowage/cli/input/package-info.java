/** Options that several commands share, and the loading of their inputs. */
package stowage.cli.input;
