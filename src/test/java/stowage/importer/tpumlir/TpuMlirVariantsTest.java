package stowage.importer.tpumlir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static stowage.network.Graphs.types;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.network.Network;

/** Files with what only some networks and chips bring about. */
class TpuMlirVariantsTest extends ImporterTest {
  TpuMlirVariantsTest() {
    super("net.mlir");
  }

  private static String chain(String first, String second, String aliases) {
    return """
    module attributes {module.chip = "bm1684x"} {
      func.func @main(%arg0: tensor<4xf32> loc("x")) -> tensor<4xf32> {
        %0 = "tpu.Relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc(FIRST)
        %1 = "tpu.Tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32> loc(SECOND)
        return %1 : tensor<4xf32>
      }
    }
    """
            .replace("FIRST", first)
            .replace("SECOND", second)
        + aliases;
  }

  private List<String> names(String first, String second, String aliases) throws IOException {
    return List.copyOf(network(chain(first, second, aliases)).tensors().keySet());
  }

  @Test
  void namesAreFoundInNestedLocations() throws IOException {
    assertEquals(
        List.of("x", "a", "b"),
        names(
            "callsite(\"a\" at \"caller\")",
            "callsite(\"b\"(\"f.py\":1:2) at callsite(\"g.py\":3:4 at unknown))",
            ""));
    assertEquals(
        List.of("x", "a", "b"),
        names(
            "fused[fused<\"pass\">[\"a\", \"c\"], \"d\"]",
            "fused[#loc1, unknown]",
            "#loc1 = loc(\"b\")\n"));
    assertEquals(
        List.of("x", "a", "b"),
        names(
            "#loc3",
            "callsite(#loc2 at #loc1)",
            "#loc1 = loc(\"a\")\n#loc2 = loc(\"b\"(#loc1))\n#loc3 = loc(fused[#loc1, #loc2])\n"));
    refused(chain("callsite(\"a\" \"b\")", "\"b\"", ""), "after a call site");
  }

  @Test
  void locationsThatNameEachOtherGiveNoName() throws IOException {
    assertEquals(
        3,
        names("#loc1", "#loc2", "#loc1 = loc(fused[#loc2])\n#loc2 = loc(fused[#loc1])\n").size());
  }

  /** What a chip's cores run at once is one op; only the scratch memory it claims is planned. */
  @Test
  void codeForSeveralCoresIsOneOpWithItsScratch() throws IOException {
    Network network =
        network(
            """
            module @two attributes {module.chip = "bm1688", module.cores = 2 : i64} {
              func.func @main(%arg0: tensor<4xf32> loc("x")) -> tensor<4xf32> {
                %0 = call @subfunc_0(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc(unknown)
                %1 = call @subfunc_1(%0) : (tensor<4xf32>) -> tensor<4xf32> loc(unknown)
                return %1 : tensor<4xf32>
              }
              func.func @subfunc_0(%arg0: tensor<4xf32> loc("x")) -> tensor<4xf32> attributes {id = 0 : i64, mode = #tpu<run_mode TPU_STATIC>, next_index = array<i32: 1>} {
                %0 = "tpu.CoreParallel"(%arg0) ({
                  %9:2 = "tpu.Split"(%arg0) : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) loc(fused["s0", "s1"])
                  %8 = "tpu.Buffer"() : () -> tensor<16xf32> loc("scratch")
                  %10 = "tpu.Relu"(%9#0) : (tensor<2xf32>) -> tensor<2xf32> loc("r0")
                  %11 = "tpu.Lut"(%9#1, %8) : (tensor<2xf32>, tensor<16xf32>) -> tensor<2xf32> loc("r1")
                  %12 = "tpu.Join"(%10, %11) : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32> loc("joined")
                  "tpu.Yield"(%12) : (tensor<4xf32>) -> () loc(unknown)
                }) {offset = 0 : i64, size = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32> loc("par")
                return %0 : tensor<4xf32>
              }
              func.func @subfunc_1(%arg0: tensor<4xf32> loc("y")) -> tensor<4xf32> attributes {id = 1 : i64, mode = #tpu<run_mode CPU>, next_index = array<i32: -1>} {
                %0 = "tpu.Tanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc("out")
                return %0 : tensor<4xf32>
              }
            }
            """);
    assertEquals("tpu.Buffer tpu.CoreParallel tpu.Tanh", types(network));
    assertEquals(List.of("x", "scratch"), network.ops().get(1).inputs());
    assertEquals(List.of("out"), network.outputs());
    assertFalse(network.tensors().containsKey("s1"));
  }

  @Test
  void modulesForSeveralDevicesAreRefused() throws IOException {
    String device = "module @d { func.func @main%d(%%a: tensor<4xf32>) { return } }\n";
    String text = "module {\n" + device.formatted(0) + device.formatted(1) + "}\n";
    refused(text, "2 devices");
  }

  @Test
  void aStartAmongSeveralFunctionsMustBeClear() throws IOException {
    String text =
        """
        module {
          func.func @a(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> { return %x : tensor<4xf32> }
          func.func @b(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> { return %x : tensor<4xf32> }
        }
        """;
    refused(text, "2 functions that no other calls (a, b)");
    refused(text.replace("@b", "@a"), "is also defined in line 2");
  }
}
