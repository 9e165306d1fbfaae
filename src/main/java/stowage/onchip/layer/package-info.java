/** Layers as a chip sees them: extents, tensor layouts, and each op's slicing rule. */
package stowage.onchip.layer;
