/** The planners of Vela, the Ethos-U compiler. */
package stowage.compiler.vela;
