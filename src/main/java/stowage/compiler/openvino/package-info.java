/**
 * The memory of OpenVINO's GPU plugin: which nodes may not share ({@link
 * stowage.compiler.openvino.RestrictionSets}), the pool that reuses allocations ({@link
 * stowage.compiler.openvino.MemoryPool}), and who allocates what, where and in which order ({@link
 * stowage.compiler.openvino.GpuAllocation}).
 */
package stowage.compiler.openvino;
