package stowage.importer.tpumlir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.liveness.BaselineCheck;
import stowage.liveness.LivenessOptions;
import stowage.network.Baseline;
import stowage.network.CompiledNetwork.Part;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Tensor;

class TpuMlirFormatTest extends ImporterTest {
  TpuMlirFormatTest() {
    super("net.mlir");
  }

  /** A convolution and a pool in a group, then a reshape; all with addresses, base 8192. */
  static final String SMALL =
      """
      #loc = loc(unknown)
      module @small attributes {module.chip = "bm1684x", module.name = "small"} {
        module @small attributes {module.coeff_addr = 0 : i64, module.coeff_size = 8192 : i64, module.neuron_addr = 8192 : i64, module.neuron_size = 16384 : i64} {
          func.func @main(%arg0: tensor<1x4x8x8xf32> loc(unknown)) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64>) {
            %0 = "top.Input"(%arg0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32, 8192 : i64> loc(#loc1)
            %1:2 = call @subfunc_0(%0) : (tensor<1x4x8x8xf32, 8192 : i64>) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64>) loc(#loc)
            return %1#0, %1#1 : tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64> loc(#loc)
          } loc(#loc)
          func.func @subfunc_0(%arg0: tensor<1x4x8x8xf32, 8192 : i64> loc("in \\C3\\A4")) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64>) attributes {id = 0 : i64, mode = #tpu<run_mode TPU_STATIC>, next_index = array<i32: -1>} {
            %0 = "top.None"() : () -> none loc(#loc)
            %1 = "top.Weight"() : () -> tensor<32x4x3x3xf32, 0 : i64> loc(#loc2)
            // the group yields what both ops computed
            %2:2 = "tpu.Group"(%arg0) ({
              %9 = "tpu.Load"(%arg0) {ginfo = #tpu.lg<out_addr = 0, out_size = 256, buffer_addr = 0, buffer_size = 0, eu_align = true, h_idx = [0, 4], h_slice = [5, 4], id = 0, stage = 0>} : (tensor<1x4x8x8xf32, 8192 : i64>) -> tensor<1x4x8x8xf32> loc(#loc4)
              %10 = "tpu.Load"(%1) {ginfo = #tpu.lg<out_addr = 2048, out_size = 144, buffer_addr = 0, buffer_size = 0, eu_align = false, id = 1, stage = 0>} : (tensor<32x4x3x3xf32, 0 : i64>) -> tensor<32x4x3x3xf32> loc(#loc4)
              %11 = "tpu.Conv2D"(%9, %10, %0) {ginfo = #tpu.lg<out_addr = 256, out_size = 16, buffer_addr = 1024, buffer_size = 77, eu_align = true, id = 2, stage = 1>, kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [4, 4]} : (tensor<1x4x8x8xf32>, tensor<32x4x3x3xf32>, none) -> tensor<1x32x2x2xf32> loc(#loc3)
              %12 = "tpu.Store"(%11, %0) {ginfo = #tpu.lg<out_addr = 256, out_size = 16, buffer_addr = 0, buffer_size = 0, eu_align = true, id = 3, stage = 2>} : (tensor<1x32x2x2xf32>, none) -> tensor<1x32x2x2xf32, 12288 : i64> loc(#loc3)
              %13 = "tpu.MaxPool2D"(%9) {ginfo = #tpu.lg<out_addr = 768, out_size = 64, buffer_addr = 0, buffer_size = 0, eu_align = true, id = 4, stage = 1>, kernel_shape = [2, 2], pads = [0, 0, 0, 0], strides = [2, 2]} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> loc(#loc5)
              %14 = "tpu.Store"(%13, %0) {ginfo = #tpu.lg<out_addr = 768, out_size = 64, buffer_addr = 0, buffer_size = 0, eu_align = true, id = 5, stage = 2>} : (tensor<1x4x4x4xf32>, none) -> tensor<1x4x4x4xf32, 16384 : i64> loc(#loc5)
              "tpu.Yield"(%12, %14) : (tensor<1x32x2x2xf32, 12288 : i64>, tensor<1x4x4x4xf32, 16384 : i64>) -> () loc(#loc6)
            }) {flow = [-1, 3, -2, 2, 5, -3, 4, -4, 0, 1], hsecs = 2 : i64, nsecs = 1 : i64, swpipl_stage_num = 3 : i64} : (tensor<1x4x8x8xf32, 8192 : i64>) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<1x4x4x4xf32, 16384 : i64>) loc(#loc6)
            %3 = "tpu.Reshape"(%2#1) {shape = [64], scale = -1.5e-1 : f64, "odd key" = dense<[1, 2]> : tensor<2xi64>} : (tensor<1x4x4x4xf32, 16384 : i64>) -> tensor<64xf32, 16384 : i64> loc(#loc7)
            return %2#0, %3 : tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64> loc(#loc)
          } loc(#loc)
        } loc(#loc)
      } loc(#loc)
      #loc1 = loc("in \\C3\\A4")
      #loc2 = loc("filter")
      #loc3 = loc("conv")
      #loc4 = loc("load")
      #loc5 = loc("part")
      #loc6 = loc(fused[#loc3, #loc5])
      #loc7 = loc("flat")
      """;

  @Test
  void groupsAreOneOpAndCallsVanish() throws IOException {
    Network network = network(SMALL);
    assertEquals("small", network.name());
    assertEquals(List.of("in ä"), network.inputs());
    assertEquals(List.of("conv", "flat"), network.outputs());
    assertEquals(
        List.of("in ä", "filter", "conv", "part", "flat"), List.copyOf(network.tensors().keySet()));
    assertEquals("tpu.Group tpu.Reshape", types(network));
    assertEquals(List.of("in ä", "filter"), network.ops().get(0).inputs());
    assertEquals(-0.15, network.ops().get(1).attributes().get("scale"));
    assertEquals(32 * 4 * 9 * 4, network.weightBytes());
  }

  @Test
  void aGroupsScheduleAndPlacesAreKept() throws IOException {
    String fields = "out_addr = 2048 : i64, eu_align = false, id = 1 : i64, stage = 0 : i64";
    String dictionary = SMALL.replaceFirst("#tpu.lg<out_addr = 2048.*?>", "{" + fields + "}");
    TpuMlirModule module = TpuMlirFile.open(write(dictionary)).module();
    assertEquals("bm1684x", module.chip());
    assertEquals(16384, module.neuronBytes().getAsLong());
    TpuGroup group = module.groups().get(0);
    assertEquals(module.ops().get(0), group.op());
    assertEquals(List.of(List.of(3), List.of(2, 5), List.of(4), List.of(0, 1)), group.rows());
    assertEquals(2, group.slices("h"));
    assertEquals(1, group.slices("w"));
    assertEquals(3, group.pipelineStages());
    assertEquals(6, group.body().size());
    TpuGroup.GroupOp load = group.body().get(0);
    assertEquals(Map.of("h", List.of(new Part(0, 5), new Part(4, 4))), load.slices());
    TpuGroup.GroupOp weight = group.body().get(1);
    assertEquals(2048, weight.field("out_addr"));
    assertEquals(1, weight.id());
    TpuGroup.GroupOp conv = group.body().get(2);
    assertEquals(1024, conv.field("buffer_addr"));
    assertEquals(77, conv.field("buffer_size"));
    assertEquals(group.op().outputs().get(1), group.body().get(5).op().outputs().get(0));
    assertEquals(
        group.body().get(4).op().outputs().get(0), group.body().get(5).op().inputs().get(0));
    assertTrue(group.body().get(5).isStore());
    assertEquals(TpuValue.ABSENT, group.body().get(2).op().inputs().get(2));
  }

  private static BaselineCheck valid(long bytes) {
    return new BaselineCheck("TPU-MLIR", bytes, LivenessOptions.Inputs.KEEP, "VALID");
  }

  @Test
  void addressesAreAPlanToCompareWith() throws IOException {
    Input.Graph graph = graph(SMALL);
    assertEquals(8192, graph.baseline().orElseThrow().offsets().get("flat"));
    assertEquals(valid(12288), check(graph));
    // The reshape's operand may be where its result is, but conv may not.
    BaselineCheck clash = check(graph(SMALL.replace("12288 : i64", "16384 : i64")));
    assertTrue(clash.status().contains("conv"), clash.status());
  }

  @Test
  void regionsFarApartAreLaidEndToEnd() throws IOException {
    Input.Graph graph = graph(SMALL.replace("8x8xf32, 8192 :", "8x8xf32, 3298534883328 :"));
    assertEquals(valid(16384), check(graph));
    assertTrue(graph.network().notes().toString().contains("2 regions"));
  }

  @Test
  void todaysGenericFormOfEverythingIsRead() throws IOException {
    Network network =
        network(
            """
            "builtin.module"() <{sym_name = "g"}> ({
              "func.func"() <{function_type = (tensor<8xi4>) -> tensor<8xi4>, sym_name = "main"}> ({
              ^bb0(%arg0: tensor<8xi4> loc("x")):
                %0:2 = "func.call"(%arg0) <{callee = @f}> : (tensor<8xi4>) -> (tensor<8xi4>, tensor<3x!quant.uniform<u8:f32, 0.5>>) loc("unused name")
                "func.return"(%0#0) : (tensor<8xi4>) -> () loc(unknown)
              }) : () -> () loc(unknown)
              "func.func"() <{function_type = (tensor<8xi4>) -> (tensor<8xi4>, tensor<3x!quant.uniform<u8:f32, 0.5>>), sym_name = "f"}> ({
              ^bb0(%a: tensor<8xi4>):
                %0, %b = "tpu.Two"(%a) <{v = [1 : si32, 2], u}> {w = 0xFF : i32} : (tensor<8xi4>) -> (tensor<8xi4>, tensor<3x!quant.uniform<u8:f32, 0.5>>) loc(fused<"m">["y", "f.cc":3:4])
                "func.return"(%0, %b) : (tensor<8xi4>, tensor<3x!quant.uniform<u8:f32, 0.5>>) -> ()
              }) : () -> ()
            }) : () -> ()
            """);
    assertEquals(
        new Tensor("y", List.of(8L), ElementType.I4, Tensor.Kind.ACTIVATION), network.tensor("y"));
    assertEquals(ElementType.U8, network.tensor("y#1").type());
    assertEquals(List.of(1L, 2L), network.ops().get(0).integers("v"));
    assertEquals(255, network.ops().get(0).integer("w", 0));
    assertTrue(network.ops().get(0).flag("u"));
  }

  @Test
  void typesMayHaveNames() throws IOException {
    Network network =
        network(
            """
            !u8 = !quant.uniform<u8:f32, 0.5>
            !same = !u8
            !image = tensor<2x3x!same>
            module {
              func.func @main(%arg0: !image loc("x")) -> tensor<6x!u8> {
                %0 = "top.Relu"(%arg0) : (!image) -> !image loc("r")
                %1 = "top.Reshape"(%0) : (!image) -> tensor<6x!u8> loc("y")
                return %1 : tensor<6x!u8>
              }
            }
            """);
    assertEquals("U8[2, 3] U8[2, 3] U8[6]", values(network, "x", "r", "y"));
  }

  @Test
  void nestedCodeIsLaidOutBeforeItsOp() throws IOException {
    Network network =
        network(
            """
            module {
              func.func @main(%arg0: tensor<4xf32> loc("x"), %arg1: tensor<1xi1> loc("c")) -> tensor<4xf32> {
                %0 = "top.Relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc("far")
                %1 = "tpu.Loop"(%arg1, %arg0) ({
                ^bb0(%i: tensor<1xi1> loc("turn"), %s: tensor<4xf32> loc("state")):
                  %9 = "tpu.Add"(%s, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("sum")
                  "tpu.Yield"(%i, %9) : (tensor<1xi1>, tensor<4xf32>) -> ()
                }) : (tensor<1xi1>, tensor<4xf32>) -> tensor<4xf32> loc("y")
                return %1 : tensor<4xf32>
              }
            }
            """);
    assertEquals("top.Relu tpu.Loop.enter tpu.Add tpu.Loop", types(network));
    assertEquals(List.of("c", "x", "turn", "state", "sum", "far"), network.ops().get(3).inputs());
  }

  /** Both branches name their argument alike. */
  @Test
  void regionsHaveArgumentsOfTheirOwn() throws IOException {
    Network network =
        network(
            """
            module {
              func.func @main(%arg0: tensor<4xf32> loc("x")) -> tensor<4xf32> {
                %1 = "tpu.If"(%arg0) ({
                ^bb0(%s: tensor<4xf32> loc("first")):
                  %9 = "top.Relu"(%s) : (tensor<4xf32>) -> tensor<4xf32> loc("then")
                  "tpu.Yield"(%9) : (tensor<4xf32>) -> ()
                }, {
                ^bb0(%s: tensor<4xf32> loc("second")):
                  %9 = "top.Relu"(%s) : (tensor<4xf32>) -> tensor<4xf32> loc("else")
                  "tpu.Yield"(%9) : (tensor<4xf32>) -> ()
                }) : (tensor<4xf32>) -> tensor<4xf32> loc("y")
                return %1 : tensor<4xf32>
              }
            }
            """);
    assertEquals(List.of("first"), Graphs.op(network, "then").inputs());
    assertEquals(List.of("second"), Graphs.op(network, "else").inputs());
  }

  private void faulty(String from, String to, String fault) throws IOException {
    refusedSaying(SMALL.replace(from, to), fault);
  }

  @Test
  void faultsNameTheLineAndWhatWouldBeRight() throws IOException {
    faulty("Input\"(%arg0)", "Input\"(%7)", "line 5: %7 is not defined before \"top.Input\"");
    faulty("@subfunc_0(%0)", "@none(%0)", "line 6: calls @none, which is not defined");
    faulty(
        "() -> tensor<32x4x3x3xf32",
        "() -> tensor<1xf31",
        "line 11: element type \"f31\" is not known");
    refusedSaying(
        SMALL.substring(0, SMALL.indexOf("#loc7 = ")),
        "line 22: location #loc7 is not defined; it should be, at the file's end");
    refused("", "has no function");
    refused("module {", "file ends there");
    refused("module { func.func @main() { call @main() : () -> () return } }", "calls itself");
    refused(
        "module { func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a :"
            + " tensor<?xf32> } }",
        "extent that is not known");
    refused("module { x = [", "generic form");
    refused("module attributes {a = " + "[".repeat(10_000), "nesting is deeper");
    refused("module attributes {a = #x.y<" + "<".repeat(10_000), "should end");
  }

  @Test
  void opsWithoutResultsOrOperandsAreNoFailure() throws IOException {
    assertEquals(
        2,
        network(
                SMALL
                    .replaceFirst("%0 = (.*)-> none", "$1-> ()")
                    .replaceFirst(", %0\\)(.*), none\\)", ")$1)")
                    .replace(", %0)", ")")
                    .replace(", none)", ")"))
            .ops()
            .size());
    String conv = "group \"conv\": ";
    compiledFaulty(
        "Load\"\\(%arg0\\)(.*)\\(tensor.*?\\) ->",
        "Load\"()$1() ->", conv + "tpu.Load at line 14 has no operand");
    compiledFaulty(
        "Store\"\\(%11, %0\\)(.*)\\(tensor.*?\\) ->",
        "Store\"()$1() ->", conv + "tpu.Store at line 17 has no operand");
    compiledFaulty(
        "%12 = (.*) -> tensor.*? loc", "$1 -> () loc", conv + "tpu.Store at line 17 has no result");
  }

  @Test
  void opsOfAFunctionThatIsCalledTwiceHaveNoOrder() throws IOException {
    Path file =
        write(
            """
            module {
              func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
                %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
                %1 = call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
                return %1 : tensor<4xf32>
              }
              func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
                %0 = "top.Relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
                return %0 : tensor<4xf32>
              }
            }
            """);
    Refusals.file(
        file,
        () -> TpuMlirFile.open(file).withOrder(Map.of()),
        "line 8: is several ops of the network",
        "its function is called more than once");
  }

  private void compiledFaulty(String from, String to, String fault) throws IOException {
    String text = SMALL.replaceFirst(from, to).replace("Yield\"(%12, ", "Yield\"(%11, ");
    Path file = write(text);
    Refusals.file(file, () -> TpuMlirFile.open(file).compiled(), fault);
  }

  @Test
  void functionsThatMultiplyByCallingAreRefused() throws IOException {
    StringBuilder text = new StringBuilder("module {\n");
    for (int level = 0; level < 60; level++) {
      String call = "call @f" + (level + 1) + "() : () -> ()\n";
      text.append("func.func @").append(level == 0 ? "main" : "f" + level);
      text.append("() {\n").append(call).append(call).append("return\n}\n");
    }
    text.append("func.func @f60() { return }\n}\n");
    refused(text.toString(), "too often");
  }

  @Test
  void aFileCutShortIsRefusedWhereverItIsCut() throws IOException {
    cutShort(SMALL.strip().getBytes(StandardCharsets.UTF_8), 7);
  }

  @ParameterizedTest
  @CsvSource({
    "blazeface_bm1688_final.mlir, 13, 909312",
    "blazeface_cv184x_final.mlir, 13, 909312",
    "resnet18_int8_addr_bm1684.mlir, 0, 16801792"
  })
  void realFilesCarryAValidPlan(String name, int groups, long peak) {
    Path file = PublicData.network("tpu-mlir/" + name);
    Input.Graph graph = graph(file);
    assertEquals(peak, graph.baseline().orElseThrow().bytes());
    assertEquals(valid(peak), check(graph));
    TpuMlirModule module = TpuMlirFile.open(file).module();
    assertEquals(groups, module.groups().size());
    for (TpuGroup group : module.groups()) {
      assertEquals(
          group.body().stream().map(op -> op.id()).sorted().toList(),
          group.rows().stream().flatMap(List::stream).sorted().toList());
    }
  }

  // What only some networks and chips bring about.

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

  private void named(String first, String second, String aliases) throws IOException {
    Network network = network(chain(first, second, aliases));
    assertEquals(List.of("x", "a", "b"), List.copyOf(network.tensors().keySet()));
  }

  @Test
  void namesAreFoundInNestedLocations() throws IOException {
    named(
        "callsite(\"a\" at \"caller\")",
        "callsite(\"b\"(\"f.py\":1:2) at callsite(\"g.py\":3:4 at unknown))",
        "");
    named(
        "fused[fused<\"pass\">[\"a\", \"c\"], \"d\"]",
        "fused[#loc1, unknown]",
        "#loc1 = loc(\"b\")\n");
    named(
        "#loc3",
        "callsite(#loc2 at #loc1)",
        "#loc1 = loc(\"a\")\n#loc2 = loc(\"b\"(#loc1))\n#loc3 = loc(fused[#loc1, #loc2])\n");
    refused(chain("callsite(\"a\" \"b\")", "\"b\"", ""), "after a call site");
  }

  @Test
  void locationsThatNameEachOtherGiveNoName() throws IOException {
    String aliases = "#loc1 = loc(fused[#loc2])\n#loc2 = loc(fused[#loc1])\n";
    assertEquals(3, network(chain("#loc1", "#loc2", aliases)).tensors().size());
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

  // Plans that are written into files.

  @Test
  void addressesAreReplacedWhereverTheyStand() throws IOException {
    Path model = write(TpuMlirFormatTest.SMALL);
    Path planned = folder.resolve("planned.mlir");
    Map<String, Long> offsets = Map.of("in ä", 20480L, "conv", 0L, "part", 24576L, "flat", 24576L);
    plan(model, offsets, 28672, planned);
    Input.Graph graph = graph(planned);
    assertEquals(offsets, graph.baseline().orElseThrow().offsets());
    assertEquals(28672, graph.baseline().get().bytes());
    assertEquals("VALID", check(graph).status());
    String text = Files.readString(planned);
    assertFalse(text.contains("12288 : i64>"), "conv's old address is gone everywhere");
    assertTrue(text.contains("tensor<1x4x8x8xf32> loc(unknown)"), "no address where none was");
    assertEquals(TpuMlirFormatTest.SMALL.lines().count(), text.lines().count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"blazeface_bm1688_final.mlir", "resnet18_int8_addr_bm1684.mlir"})
  void theSamePlanWrittenBackGivesTheSameFile(String name) throws IOException {
    Path model = PublicData.network("tpu-mlir/" + name);
    Baseline given = graph(model).baseline().orElseThrow();
    Path planned = folder.resolve(name);
    plan(model, given.offsets(), given.bytes(), planned);
    assertEquals(Files.readString(model), Files.readString(planned));

    Map<String, Long> moved = new HashMap<>();
    given.offsets().forEach((tensor, at) -> moved.put(tensor, at + 65536));
    plan(model, moved, given.bytes() + 65536, planned);
    assertEquals(moved, graph(planned).baseline().orElseThrow().offsets());
  }

  @Test
  void filesWithoutAddressesAreRefused() throws IOException {
    Path model = PublicData.network("tpu-mlir/resnet18_top.mlir");
    Refusals.input(
        () -> plan(model, Map.of(), 0, folder.resolve("x.mlir")), "carries no addresses");
    Path other = Files.writeString(folder.resolve("net.xml"), "");
    Refusals.input(
        () -> InputFormats.checkCopy(other, folder.resolve("x.xml")), "has no place for a plan");
  }
}
