/** FlatBuffers whose content no one vouches for. */
package stowage.importer.flat;
