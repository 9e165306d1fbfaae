/** TVM's unified static memory planners. */
package stowage.compiler.tvm;
