package stowage.exact.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.search.model.SearchModel;

/**
 * Made-up buffers that fill what a capacity leaves free in every section.
 *
 * <p>With them every address is taken at every step. So when some buffers end, those that begin
 * take exactly their room, and the rules of {@link stowage.exact.search.clause.LearningSearch} say
 * far more than with a few bytes to spare. A placement with fillers is one without them. The
 * reverse is false: a filler says that so many neighbouring bytes are free for so long, which is a
 * guess. Where there is no placement with them, a filler that took part in the failures is cut into
 * two at some section, or taken out.
 *
 * <p>The guess follows the free bytes over the sections: where they grow a filler begins, where
 * they shrink one ends, of the very size if there is one. Example: free are 0, 5, 8, 3 and 0 bytes.
 * Fillers of 5 and 3 begin at the second and third section; the 5 end at the fourth, the 3 at the
 * last. A memory that was full until some buffers were left out is filled in this way by just
 * these, but where they begin or end together.
 */
final class Fillers {
  /** How the filler to end is chosen where none has the size. */
  enum Choice {
    LATEST,
    EARLIEST,
    DRAWN
  }

  private record Filler(long size, int start, int end) {}

  /** Of the fillers to be weakened, this share is taken out, others are cut. */
  private static final double TAKEN_OUT = 0.5;

  /** The logarithm of blame is changed by up to so much, so that choices differ. */
  private static final double NOISE = 2;

  private final SearchModel model;
  private final List<Filler> fillers = new ArrayList<>();

  private Fillers(SearchModel model) {
    this.model = model;
  }

  /** What a capacity leaves free in each section. O(pieces + sections). */
  static long[] free(SearchModel model, long capacity) {
    return Arrays.stream(model.problem.loads()).map(load -> capacity - load).toArray();
  }

  /** Guesses fillers for what is free in each section, nowhere below 0. */
  static Fillers guess(SearchModel model, long[] free, Choice choice, SplittableRandom random) {
    Fillers made = new Fillers(model);
    List<Filler> open = new ArrayList<>();
    long before = 0;
    for (int section = 0; section <= free.length; section++) {
      long now = section == free.length ? 0 : free[section];
      if (now > before) {
        open.add(new Filler(now - before, section, -1));
      }
      for (long left = before - now; left > 0; ) {
        int at = ending(open, left, choice, random);
        Filler chosen = open.remove(at);
        long size = Math.min(chosen.size, left);
        made.fillers.add(new Filler(size, chosen.start, section));
        left -= size;
        if (chosen.size > size) {
          open.add(at, new Filler(chosen.size - size, chosen.start, -1));
        }
      }
      before = now;
    }
    return made;
  }

  private static int ending(List<Filler> open, long size, Choice choice, SplittableRandom random) {
    for (int at = open.size() - 1; at >= 0; at--) {
      if (open.get(at).size == size) {
        return at;
      }
    }
    for (int one = 0; one < open.size(); one++) {
      for (int other = one + 1; other < open.size(); other++) {
        if (open.get(one).size + open.get(other).size == size) {
          return one;
        }
      }
    }
    return switch (choice) {
      case LATEST -> open.size() - 1;
      case EARLIEST -> 0;
      case DRAWN -> random.nextInt(open.size());
    };
  }

  int count() {
    return fillers.size();
  }

  /** The buffers of the model and, after them, the fillers. */
  Component component() {
    ComponentBuilder builder = model.copy(IntStream.range(0, model.count).toArray());
    for (Filler filler : fillers) {
      builder.add(filler.size, filler.start, filler.end);
    }
    return builder.build();
  }

  /** Takes out or cuts a filler, likelier one whose buffer of {@link #component} has more blame. */
  void weaken(double[] blame, SplittableRandom random) {
    int chosen = 0;
    double most = -1;
    for (int k = 0; k < fillers.size(); k++) {
      double own = (blame[model.count + k] + 1e-9) * StrictMath.exp(NOISE * random.nextDouble());
      if (own > most) {
        most = own;
        chosen = k;
      }
    }
    Filler old = fillers.remove(chosen);
    if (old.end - old.start > 1 && random.nextDouble() >= TAKEN_OUT) {
      int cut = old.start + 1 + random.nextInt(old.end - old.start - 1);
      fillers.add(new Filler(old.size, old.start, cut));
      fillers.add(new Filler(old.size, cut, old.end));
    }
  }
}
