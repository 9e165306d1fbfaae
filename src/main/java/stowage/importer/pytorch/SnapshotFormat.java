package stowage.importer.pytorch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.ToolDump;

/**
 * Memory snapshots of PyTorch: for each pool of the caching allocator what it held at most against
 * what was alive, see {@link PoolProblem}. {@link PickleReader} reads it, and looks up no class.
 */
public final class SnapshotFormat extends DumpFormat {
  public SnapshotFormat() {
    super("a memory snapshot of PyTorch", Set.of(Feature.MODULES), ".pickle", ".pkl");
  }

  @Override
  public ToolDump open(Path file, Options options) {
    Map<String, MemorySnapshot.Pool> pools = MemorySnapshot.read(file).pools();
    List<String> names = List.copyOf(pools.keySet());
    List<ToolDump.Part> parts = new ArrayList<>();
    pools.forEach((name, pool) -> parts.add(part(name, pool)));
    return new ToolDump(
        "pool", parts, k -> PoolProblem.of(file, names.get(k), pools.get(names.get(k))));
  }

  private static ToolDump.Part part(String name, MemorySnapshot.Pool pool) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("events", (long) pool.events().size());
    counts.put("segments", (long) pool.segments().size());
    counts.put("blocks", (long) pool.blocks().size());
    long weight = pool.events().size() + pool.blocks().size();
    return new ToolDump.Part(name, name, weight, counts);
  }
}
