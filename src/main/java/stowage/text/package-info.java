/**
 * Forms of text that do not depend on plans: JSON as it is laid out in all answers and files, and
 * commands as a shell reads them.
 */
package stowage.text;
