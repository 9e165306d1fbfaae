/**
 * Layer groups: which ops run together inside the on-chip memory (LMEM), how they are sliced, in
 * which steps they compute and move data, and where in a lane each buffer is.
 *
 * <p>The way through the package: a {@link stowage.onchip.layer.LayerGraph} is the network as a
 * chip sees it; a {@link stowage.onchip.slice.GroupModel} is a stretch of it; a {@link
 * stowage.onchip.slice.Slicing} cuts the group's results and {@link
 * stowage.onchip.slice.BackwardSlicer} everything before them; a {@link
 * stowage.onchip.schedule.TimeTable} gives each op, load and store its step; an {@link
 * stowage.onchip.lmem.LmemProblem} asks for addresses and an {@link
 * stowage.onchip.lmem.LmemAllocator} answers; a {@link stowage.onchip.schedule.CostModel} says what
 * it costs; a {@link stowage.onchip.partition.Partitioner} chooses the groups.
 */
package stowage.onchip;
