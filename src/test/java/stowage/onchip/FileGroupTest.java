package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.PublicData;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.network.Chip;
import stowage.network.CompiledNetwork;
import stowage.network.InvalidNetworkException;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.slice.Staying;
import stowage.packing.RunControl;

/** Real compiled networks: our sizes, slices and counts against what the compiler wrote. */
class FileGroupTest {
  private static final Map<String, Map<Integer, List<Long>>> CLASHES =
      Map.of(
          "bm1688",
          Map.of(1, List.of(1L, 1L), 4, List.of(1L, 1L), 10, List.of(1L, 1L)),
          "cv184x",
          Map.of(2, List.of(3L, 1L), 5, List.of(1L, 1L), 11, List.of(1L, 1L)));

  private static List<FileGroup> groups(String chipName) {
    return groups(chipName, chipName.equals("bm1688") ? Chips.bm1688() : Chips.cv184x());
  }

  private static Path file(String chipName) {
    return PublicData.network("tpu-mlir/blazeface_" + chipName + "_final.mlir");
  }

  private static List<FileGroup> groups(String chipName, Chip chip) {
    CompiledNetwork compiled = TpuMlirFile.open(file(chipName)).compiled();
    assertEquals(chipName, compiled.chip());
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

  @Test
  void aLaneTooSmallForTheFilesStepsIsProven() {
    Chip half = Chips.chip("cv184x", 8, 16, 32768, 8, 256, false);
    List<FileGroup> files = groups("cv184x", half);
    GroupOptions options =
        RandomNets.traffic(GroupOptions.Lmem.EXACT, GroupOptions.SlicingSearch.QUICK);
    GroupPlanner planner =
        new GroupPlanner(
            files.get(0).group().graph(), options, new CpSatLmem(), RunControl.ofSeconds(10, 1, 1));
    // The audit shows the file's own addresses, beyond the lane as they are.
    Grouping baseline = planner.baseline(files);
    assertEquals(65536, baseline.lmemPeak());
    assertTrue(baseline.groups().stream().anyMatch(group -> !group.violations().isEmpty()));
    String why =
        assertThrows(InvalidNetworkException.class, () -> planner.plan(files)).getMessage();
    assertTrue(why.matches("group of op \"x.180_Relu_bf16\".* step \\d+ needs .*"), why);
    long needed = Long.parseLong(why.replaceFirst(".* needs (\\d+) bytes a lane of 32768.*", "$1"));
    long sum = 0;
    for (String part : why.substring(why.indexOf('(') + 1, why.lastIndexOf(')')).split(", ")) {
      sum += LaneSize.alignUp(Long.parseLong(part.substring(part.lastIndexOf(' ') + 1)), 16);
    }
    assertTrue(needed > 32768 && sum >= needed, why);
  }

  @Test
  void stepsOutOfOrderAreViolations() throws IOException {
    String first = "-1, 5, 3, 4, 11, -2, 8, 6, 7, -3, 9, 10, 0, 1, 2";
    String constant = "81_Convblaze_face.backbone1.2.convs.0.weight_f16";
    Map<String, String> wrong =
        Map.of(
            "-1, 5, 4, 11, -2, 8, 6, 7, -3, 9, 10, 0, 1, 2, 3", // the constant comes last
            "81_Conv reads " + constant + " before it is there, in step 1",
            "-1, 5, 3, 4, 11, -2, 9, 6, 7, -3, 8, 10, 0, 1, 2", // two convolutions change places
            "82_Conv reads 81_Conv before it is there, in step 1",
            first,
            "");
    String text = Files.readString(file("bm1688"));
    assertTrue(text.contains(first));
    for (String flow : wrong.keySet()) {
      CompiledNetwork compiled =
          TpuMlirFile.of(file("bm1688"), text.replace(first, flow)).compiled();
      List<FileGroup> files =
          FileGroup.all(LayerGraph.of(compiled.network(), Chips.bm1688()), compiled);
      List<String> faults = files.get(0).violations();
      assertEquals(wrong.get(flow), faults.isEmpty() ? "" : faults.get(0));
      GroupPlanner planner =
          new GroupPlanner(
              files.get(0).group().graph(),
              RandomNets.traffic(GroupOptions.Lmem.TODAY, GroupOptions.SlicingSearch.QUICK),
              new CpSatLmem(),
              RunControl.ofSeconds(10, 1, 1));
      if (!faults.isEmpty()) {
        assertThrows(InvalidNetworkException.class, () -> planner.plan(files), faults.get(0));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void scratchOfDepthwiseConvolutionsIsTheCompilers(String chip) {
    int compared = 0;
    for (FileGroup group : groups(chip)) {
      LmemProblem ours = group.run().with(Staying.nothing(group.sliced())).problem();
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
