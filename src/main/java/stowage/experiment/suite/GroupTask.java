package stowage.experiment.suite;

import java.nio.file.Files;
import java.nio.file.Path;
import stowage.importer.io.InputFiles;
import stowage.importer.own.Chips;
import stowage.network.Chip;
import stowage.onchip.layer.Precision;
import stowage.onchip.search.GroupOptions.GroupObjective;

/**
 * What makes a network a problem of layer groups instead of one of its GMEM: a chip's name or file,
 * the figure that is to be low, and the precision that a float network runs in (null: its own).
 */
public record GroupTask(String chip, GroupObjective objective, Precision precision) {
  /** The chip; an unknown name or a wrong file is an {@code InputException}. */
  public Chip loadChip() {
    return Chips.load(chip);
  }

  /** What the network's name is followed by in tables: {@code bm1684x-int8-cycles}. */
  String label() {
    String name = Files.isRegularFile(Path.of(chip)) ? loadChip().name() : chip;
    return name + (precision == null ? "" : "-" + precision.label()) + "-" + objective.label();
  }

  /** All that decides the answer: a chip's file counts by what is in it. */
  String identity() {
    Path file = Path.of(chip);
    String which = Files.isRegularFile(file) ? Digests.of(InputFiles.readAllBytes(file)) : chip;
    return which + " " + objective + " " + precision;
  }
}
