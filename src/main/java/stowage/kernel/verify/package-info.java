/** Verifier of kernel plans; it shares no code with what makes the plans. */
package stowage.kernel.verify;
