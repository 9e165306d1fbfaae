/** Planners of dsa-solver (github.com/tonibohnlein/dsa-solver), which weighs the price of reuse. */
package stowage.compiler.dsa;
