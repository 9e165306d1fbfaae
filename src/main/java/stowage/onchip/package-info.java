/**
 * Layer groups: which ops run together inside the on-chip memory (LMEM), how they are sliced, in
 * which steps they compute and move data, and where in a lane each buffer lies.
 *
 * <p>The way through the package: a {@link stowage.onchip.LayerGraph} is the network as a chip sees
 * it; a {@link stowage.onchip.GroupModel} is a stretch of it; a {@link stowage.onchip.Slicing} cuts
 * the group's results and {@link stowage.onchip.BackwardSlicer} everything before them; a {@link
 * stowage.onchip.TimeTable} gives each op, load and store its step; an {@link
 * stowage.onchip.LmemProblem} asks for addresses and an {@link stowage.onchip.LmemAllocator}
 * answers; a {@link stowage.onchip.CostModel} tells what it costs; a {@link
 * stowage.onchip.Partitioner} chooses the groups.
 */
package stowage.onchip;
