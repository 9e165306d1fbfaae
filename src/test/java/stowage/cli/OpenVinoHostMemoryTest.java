package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.network.Graphs;

/** What OpenVINO's GPU plugin has on the host, and what moves it there. */
class OpenVinoHostMemoryTest extends FolderTest {
  /** Tensors of the sizes in the plugin's documentation; each lives as long as the next is made. */
  private static final String DOCUMENTED =
      "x:44621568; weight w:4812; p:58982400 = Upsample x w; t:14873856 = Pool x;"
          + " q:44236800 = Upsample t; -> p q";

  private Path network;

  @BeforeEach
  void write() throws IOException {
    network = Graphs.of(DOCUMENTED).write(folder.resolve("documented.json"));
  }

  private static List<String> history(Path network, Object... options) {
    List<Object> words = List.of("plan", network, "--planner", "openvino", "--alignment", 1);
    return Stowage.run(words, "--history", "-", options)
        .ends(0)
        .out()
        .lines()
        .filter(line -> line.startsWith("GPU_Debug"))
        .map(line -> line.replace("GPU_Debug: Allocate ", "").replace(" allocation type", ""))
        .toList();
  }

  @Test
  void theFourDocumentedLinesFollowFromTheApplicationsHostTensors() {
    List<String> lines = history(network, "--host-tensors", "58982400,4812");
    assertEquals(
        List.of(
            "58982400 bytes of usm_host (current=117969612; max=117969612)",
            "44621568 bytes of usm_device (current=44626380; max=44626380)",
            "44236800 bytes of usm_host (current=162206412; max=162206412)",
            "14873856 bytes of usm_device (current=59500236; max=59500236)"),
        lines.subList(lines.size() - 4, lines.size()));
  }

  @Test
  void eachRequestHasHostTensorsOfItsOwn() {
    List<String> lines = history(network, "--requests", 2);
    long host = 2L * (44621568 + 58982400 + 44236800) + 58982400 + 44236800;
    assertEquals(
        "44236800 bytes of usm_host (current=" + host + "; max=" + host + ")",
        lines.get(lines.size() - 1));
    assertEquals(6, lines.size() - history(network).size());
  }

  @Test
  void whatAnOpOnTheCpuReadsAndMakesStaysOnTheHost() {
    List<String> gpu = history(network);
    assertTrue(gpu.get(1).startsWith("4812 bytes of usm_device"), gpu.toString());
    for (String name : List.of("p", "Upsample")) {
      List<String> cpu = history(network, "--cpu-ops", name);
      assertTrue(cpu.get(0).startsWith("4812 bytes of usm_host"), cpu.toString());
      assertTrue(cpu.stream().noneMatch(l -> l.startsWith("4812 bytes of usm_device")));
      assertTrue(cpu.stream().anyMatch(line -> line.startsWith("44621568 bytes of usm_host")));
      assertEquals(
          name.equals("p"),
          cpu.stream().anyMatch(line -> line.startsWith("14873856 bytes of usm_device")));
    }
    Stowage.run("plan", network, "--planner", "openvino", "--cpu-ops", "Pol")
        .ends(2)
        .says("did you mean \"Pool\"?");
  }

  @Test
  void aDeviceThatReportsSharedMemoryHasItWhereTheHostReads() {
    List<String> lines = history(network, "--usm-shared");
    assertTrue(lines.stream().anyMatch(l -> l.startsWith("58982400 bytes of usm_shared")));
    assertTrue(lines.stream().noneMatch(l -> l.contains("usm_host")), lines.toString());
    Stowage.line("plan %s --planner openvino --usm-shared --no-usm", network).ends(2);
  }

  /** Larger than the device's memory by itself: on the host, as the first documented limit says. */
  @Test
  void oneObjectLargerThanTheDeviceGoesToTheHost() {
    List<String> lines = history(network, "--device-memory", 44621567);
    assertTrue(lines.stream().anyMatch(l -> l.startsWith("44621568 bytes of usm_host")));
  }

  @Test
  void kernelsOfDetectionHaveIntermediateMemory() throws IOException {
    Path detection = PublicData.network("openvino/face-detection-adas-0001.xml");
    Path pool = folder.resolve("pool.csv");
    List<Object> words =
        List.of("plan", detection, "--planner", "openvino", "--alignment", 1, "--pool-dump", pool);
    Stowage.run(words).ends(0);
    assertEquals(1, usersNamed("detection_out", pool).size());
    Stowage.run(words, "--kernel-scratch").ends(0);
    // 1 image, 2 classes, 40,448 / 4 priors of 10 bytes; 1 · (2 + 2) integers.
    assertEquals(
        List.of("202240", "16"),
        usersNamed("detection_out", pool).stream()
            .map(line -> line.substring(line.lastIndexOf(',') + 1))
            .filter(bytes -> !bytes.equals("5600"))
            .toList());
  }

  private static List<String> usersNamed(String name, Path pool) throws IOException {
    return Files.readAllLines(pool).stream().filter(l -> l.contains("," + name + ",")).toList();
  }
}
