/** Commands that plan, bound, verify, explain and compare. */
package stowage.cli.plan;
