package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Programs;

class CHeaderTest extends FolderTest {
  @Test
  void namesBecomeIdentifiersOfTheirOwn() {
    Map<String, CHeader.Extent> extents = new LinkedHashMap<>();
    extents.put("conv/out:0", new CHeader.Extent(0, 64, 0));
    extents.put("conv_out_0", new CHeader.Extent(64, 1L << 33, 0));
    extents.put("a */ b", new CHeader.Extent(128, 1, 0));
    String text = CHeader.of("my net", List.of(new CHeader.Arena("main", 192)), 16, extents);
    assertTrue(text.contains("#define MY_NET_ARENA_BYTES 192u\n"), text);
    assertTrue(text.contains("#define MY_NET_CONV_OUT_0_OFFSET 0u\n"), text);
    assertTrue(text.contains("#define MY_NET_CONV_OUT_0_2_OFFSET 64u\n"), text);
    assertTrue(text.contains("#define MY_NET_CONV_OUT_0_2_BYTES 8589934592ull\n"), text);
    assertTrue(text.contains("/* a * / b */\n"), text);
  }

  @Test
  void aCompilerTakesIt() throws IOException, InterruptedException {
    Path compiler = Path.of("/usr/bin/cc");
    Assumptions.assumeTrue(Files.isExecutable(compiler), "no C compiler");
    Map<String, CHeader.Extent> extents = new LinkedHashMap<>();
    extents.put("été \"x\"\\", new CHeader.Extent(16, 3, 0));
    file("arena.h", CHeader.of("1 net", List.of(new CHeader.Arena("main", 32)), 16, extents));
    compile(
        "#include \"arena.h\"\nstatic char arena[N1_NET_ARENA_BYTES];\n"
            + "char *at = arena + N1_NET_T_X_OFFSET;\n");
    file(
        "two.h",
        CHeader.of(
            "two",
            List.of(new CHeader.Arena("sram", 32), new CHeader.Arena("dram", 1L << 40)),
            16,
            Map.of("a", new CHeader.Extent(8, 4, 1))));
    file(
        "places.h",
        PlacesTables.c(
            "two",
            List.of("sram", "s ram", "s-ram"),
            List.of(
                new PlacesTables.Place("été \"x\"\\??/", 0, 1L << 33, 4, 0, 2),
                new PlacesTables.Place("b", 2, 0, 4, 1, 2)),
            List.of()));
    compile(
        "#include \"two.h\"\n#include \"places.h\"\n"
            + "int in = TWO_A_MEMORY == TWO_MEMORY_DRAM ? 1 : -1;\n"
            + "uint64_t last(void) { return TWO_PLACES[TWO_PLACES_COUNT - 1].address\n"
            + "    + (TWO_COPIES_COUNT ? TWO_COPIES[0].bytes : TWO_IN_S_RAM_2); }\n");
  }

  private void compile(String program) throws IOException, InterruptedException {
    String source = file("use.c", program).toString();
    Programs.output("/usr/bin/cc", "-Wall", "-Werror", "-std=c99", "-fsyntax-only", source);
  }
}
