/** Programs of ExecuTorch: the memory their methods plan, and other plans written back. */
package stowage.importer.executorch;
