/** Verifiers of residency plans; they share no code with what makes the plans. */
package stowage.residency.verify;
