package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.importer.tpumlir.CompiledGroups;
import stowage.importer.tpumlir.TpuMlirModule;
import stowage.network.Chip;
import stowage.network.CompiledNetwork;

/** Real compiled networks: our sizes, slices and counts against what the compiler wrote. */
class FileGroupTest {
  private static final Map<String, Map<Integer, List<Long>>> CLASHES =
      Map.of(
          "bm1688",
          Map.of(1, List.of(1L, 1L), 4, List.of(1L, 1L), 10, List.of(1L, 1L)),
          "cv184x",
          Map.of(2, List.of(3L, 1L), 5, List.of(1L, 1L), 11, List.of(1L, 1L)));

  private static List<FileGroup> groups(String chipName) {
    Path data = Path.of(System.getProperty("stowage.data", "../shared/data"));
    Path file = data.resolve("networks/tpu-mlir/blazeface_" + chipName + "_final.mlir");
    assumeTrue(Files.exists(file), "no " + file);
    CompiledNetwork compiled = CompiledGroups.of(TpuMlirModule.read(file));
    assertEquals(chipName, compiled.chip());
    Chip chip = chipName.equals("bm1688") ? Chips.bm1688() : Chips.cv184x();
    return FileGroup.all(LayerGraph.of(compiled.network(), chip), compiled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void sizesAndSlicesAreTheCompilers(String chip) {
    List<FileGroup> groups = groups(chip);
    assertEquals(13, groups.size());
    for (FileGroup group : groups) {
      assertEquals(List.of(), group.differences());
      assertEquals(List.of(), group.violations());
    }
    if (chip.equals("cv184x")) {
      List<Integer> rows = groups.stream().map(g -> g.sliced().slicing().h()).toList();
      assertEquals(List.of(3, 2, 2, 2, 1, 1), rows.subList(0, 6));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void clashesAreCountedAsMeasured(String chip) {
    List<FileGroup> groups = groups(chip);
    for (int k = 0; k < groups.size(); k++) {
      LmemScore score = LmemScore.of(groups.get(k).problem(), groups.get(k).placement());
      List<Long> want = CLASHES.get(chip).getOrDefault(k, List.of(0L, 0L));
      assertEquals(want, List.of(score.clashes(), score.selfClashes()), "group " + k);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void scratchOfDepthwiseConvolutionsIsTheCompilers(String chip) {
    int compared = 0;
    for (FileGroup group : groups(chip)) {
      LmemProblem ours =
          LmemBuilder.problem(
              group.sliced(),
              group.table(),
              new boolean[group.group().tensorCount()],
              new boolean[group.group().weightCount()]);
      for (LmemBuffer buffer : ours.buffers()) {
        if (buffer.kind() == LmemBuffer.Kind.SCRATCH) {
          LmemBuffer theirs =
              group.problem().buffers().stream()
                  .filter(other -> other.id().equals(buffer.id()))
                  .findFirst()
                  .orElseThrow();
          assertEquals(theirs.size(), buffer.size(), buffer.id());
          compared++;
        }
      }
    }
    assertTrue(compared >= 15, "only " + compared);
  }
}
