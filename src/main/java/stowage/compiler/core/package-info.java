/** What the planners of real systems share: their interface, rectangles, objects, arenas. */
package stowage.compiler.core;
