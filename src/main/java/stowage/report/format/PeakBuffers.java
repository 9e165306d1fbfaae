package stowage.report.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;

/** The step at which most bytes are alive, and what is alive there, the largest first. */
public final class PeakBuffers {
  private static final int SHOWN = 12;

  private final PackingProblem problem;
  private final IntFunction<List<String>> tensors;
  private final LoadProfile profile;
  private final int[] alive;

  /** Finds them. O(n log n). What buffers carry is null where that is not known. */
  public PeakBuffers(PackingProblem problem, IntFunction<List<String>> tensors) {
    this.problem = problem;
    this.tensors = tensors;
    this.profile = LoadProfile.of(problem);
    int step = profile.maxLoadStep();
    this.alive =
        IntStream.range(0, problem.size())
            .filter(i -> problem.buffer(i).bytesAt(step) > 0)
            .boxed()
            .sorted(Comparator.comparingLong((Integer i) -> -problem.buffer(i).size()))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  /** The step; the first of several. */
  public int step() {
    return profile.maxLoadStep();
  }

  /** Bytes alive there. */
  public long load() {
    return profile.maxLoad();
  }

  /** The largest of them as a table. */
  public String plain() {
    AlignedText table =
        tensors == null
            ? new AlignedText("lrr").row("buffer", "bytes", "alive")
            : new AlignedText("lrrl").row("buffer", "bytes", "alive", "carries");
    for (int k = 0; k < Math.min(SHOWN, alive.length); k++) {
      Buffer buffer = problem.buffer(alive[k]);
      String name = NameText.shortened(buffer.id());
      String bytes = ByteText.human(buffer.size());
      if (tensors == null) {
        table.row(name, bytes, buffer.live());
      } else {
        String carried = NameText.shortened(String.join(" ", tensors.apply(alive[k])));
        table.row(name, bytes, buffer.live(), carried);
      }
    }
    int more = alive.length - SHOWN;
    return table.text("  ") + (more > 0 ? "and " + more + " more\n" : "");
  }

  /** All of them as objects of an array. */
  public void addTo(ArrayNode list) {
    for (int i : alive) {
      Buffer buffer = problem.buffer(i);
      ObjectNode entry = list.addObject();
      entry.put("id", buffer.id()).put("bytes", buffer.size()).put("start", buffer.live().start());
      entry.put("end", buffer.live().end());
      if (tensors != null) {
        tensors.apply(i).forEach(entry.withArray("tensors")::add);
      }
    }
  }
}
