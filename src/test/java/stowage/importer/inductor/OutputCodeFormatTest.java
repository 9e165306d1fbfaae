package stowage.importer.inductor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static stowage.network.Graphs.op;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.compiler.inductor.InductorReuse;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.liveness.BaselineCheck;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;

class OutputCodeFormatTest extends ImporterTest {
  OutputCodeFormatTest() {
    super("output_code.py");
  }

  /** Kernels as Inductor names their parameters; the bodies do not matter. */
  private static final String KERNELS =
      """
      # AOT ID: ['0_inference']
      from torch._inductor.async_compile import AsyncCompile
      triton_make_0 = async_compile.triton('triton_make_0', '''
      @triton.jit
      def triton_make_0(in_ptr0, out_ptr0, xnumel, XBLOCK : tl.constexpr):
          pass
      ''', device_str='cuda')
      triton_change_1 = async_compile.triton('triton_change_1', '''
      @triton.jit
      def triton_change_1(in_out_ptr0, in_ptr0, xnumel, XBLOCK : tl.constexpr):
          pass
      ''', device_str='cuda')
      cpp_make_2 = async_compile.cpp_pybinding(['const float*', 'float*'], '''
      #include <cmath>
      extern "C" void kernel(const float* in_ptr0,
                             float* out_ptr0)
      {
      }
      ''')

      """;

  private static final String SAMPLES =
      """

      def benchmark_compiled_module(times=10, repeat=10):
          from torch._dynamo.testing import rand_strided
          x = rand_strided((4, 8), (8, 1), device='cuda:0', dtype=torch.float32)
          w = rand_strided((8, 16), (16, 1), device='cuda:0', dtype=torch.float32)
          fn = lambda: call([x, w])
      """;

  private Input.Graph whole(String code) throws IOException {
    return graph(KERNELS + code + SAMPLES);
  }

  private static void holds(Input.Graph graph) {
    assertEquals(BaselineCheck.VALID, check(graph).status());
  }

  /**
   * A product, changed in place; its memory is taken again, and a call returns memory of its own.
   */
  private static final String REUSE =
      """
      def call(args):
          x, w = args
          args.clear()
          assert_size_stride(x, (4, 8), (8, 1))
          with torch.cuda._DeviceGuard(0):
              torch.cuda.set_device(0)
              buf0 = empty_strided_cuda((4, 16), (16, 1), torch.float32)
              # Topologically Sorted Source Nodes: [mm], Original ATen: [aten.mm]
              extern_kernels.mm(x, w, out=buf0)
              del w
              buf1 = buf0; del buf0  # reuse
              stream0 = get_raw_stream(0)
              triton_change_1.run(buf1, x, 64, grid=grid(64), stream=stream0)
              buf2 = extern_kernels.convolution(buf1, x, stride=(1,), bias=None)
              assert_size_stride(buf2, (4, 16), (16, 1))
              buf3 = buf1; del buf1  # reuse
              triton_make_0[grid(64)](buf2, buf3, 64, stream=stream0)
              del buf2
              buf4 = empty_strided_cpu((4, 16), (16, 1), torch.float32)
              cpp_make_2(buf3, buf4)
          return (buf3, reinterpret_tensor(buf4, (64, ), (1, ), 0), )
      """;

  @Test
  void whatEachKernelReadsAndWritesFollowsFromItsParameters() throws IOException {
    Input.Graph graph = whole(REUSE);
    Network network = graph.network();
    assertEquals(
        List.of("mm", "triton_change_1", "convolution", "triton_make_0", "cpp_make_2"),
        network.ops().stream().map(Op::name).toList());
    assertEquals(List.of("x", "w"), network.inputs());
    assertEquals(List.of("buf3", "buf4"), network.outputs());
    assertEquals(List.of("x", "w"), op(network, "mm").inputs());
    assertEquals(List.of("buf0"), op(network, "mm").outputs());
    assertEquals(List.of("x", "buf0"), op(network, "triton_change_1").inputs());
    assertEquals(List.of("buf0#written"), op(network, "triton_change_1").outputs());
    assertEquals(List.of("buf0", "buf0#written", "x"), op(network, "convolution").inputs());
    assertEquals(List.of("buf2"), op(network, "triton_make_0").inputs());
    assertEquals(List.of("buf3"), op(network, "triton_make_0").outputs());
    assertEquals(256, network.tensor("buf2").bytes());
    assertEquals("cuda:0", op(network, "mm").text("device", ""));
    assertEquals("cpu", op(network, "cpp_make_2").text("device", ""));
    Map<String, Long> offsets = graph.baseline().orElseThrow().offsets();
    assertEquals(offsets.get("buf0"), offsets.get("buf3"));
    // x, w, one allocation for buf0 and buf3, the call's own, and one on the CPU.
    assertEquals(128 + 512 + 3 * 256, graph.baseline().orElseThrow().bytes());
    holds(graph);
  }

  @Test
  void partsWrittenOneByOneAreOneTensor() throws IOException {
    Input.Graph graph =
        whole(
            """
            def call(args):
                x, = args
                buf2 = empty_strided_cuda((8, 8), (8, 1), torch.float16)
                buf0 = reinterpret_tensor(buf2, (4, 8), (8, 1), 0)  # alias
                triton_make_0.run(x, buf0, 32)
                buf1 = reinterpret_tensor(buf2, (4, 8), (8, 1), 32)  # alias
                triton_make_0.run(x, buf1, 32)
                buf3 = empty_strided_cuda((8, 8), (8, 1), torch.float16)
                triton_make_0.run(buf2, buf3, 64)
                return (buf3, )
            """);
    Network network = graph.network();
    assertEquals(List.of("buf2"), network.ops().get(0).outputs());
    assertEquals(List.of("x", "buf2"), network.ops().get(1).inputs());
    assertEquals(List.of("buf2", "buf2#written"), network.ops().get(2).inputs());
    assertEquals(128, network.tensor("buf2").bytes());
    holds(graph);
  }

  @Test
  void severalResultsOfACallAreItsTensors() throws IOException {
    Input.Graph graph =
        whole(
            """
            def call(args):
                x, = args
                buf0 = torch.ops.aten.sort.default(x)
                buf1 = buf0[0]
                assert_size_stride(buf1, (4, 8), (8, 1))
                buf2 = buf0[1]
                assert_size_stride(buf2, (4, 8), (8, 1))
                del buf0
                return (buf1, buf2, )
            """);
    Op sort = graph.network().ops().get(0);
    assertEquals(List.of("buf0", "buf1", "buf2"), sort.outputs());
    assertEquals(0, graph.network().tensor("buf0").bytes());
    assertEquals(128, graph.network().tensor("buf1").bytes());
    holds(graph);
  }

  private static final String POOL =
      """
      def call(args):
          s0, x = args
          pool1 = empty_strided_cuda((align(32*s0) + 64, ), (1, ), torch.uint8)
          buf0 = alloc_from_pool(pool1, 0, torch.float32, (s0, 8), (8, 1))
          triton_make_0.run(x, buf0, 32)
          buf1 = alloc_from_pool(pool1, align(32*s0), torch.float32, (16, ), (1, ))
          triton_make_0.run(buf0, buf1, 32)
          buf2 = alloc_from_pool(pool1, 0, torch.float32, (s0, 8), (8, 1))
          triton_make_0.run(buf1, buf2, 32)
          return (buf2, )
      """;

  @Test
  void poolsAreReadWithTheirOffsetsAndFreeDimensions() throws IOException {
    InputFormat.Options five = new InputFormat.Options(false, Map.of("s0", 5L));
    Input.Graph graph = (Input.Graph) InputFormats.read(write(KERNELS + POOL + SAMPLES), five);
    Map<String, Long> offsets = graph.baseline().orElseThrow().offsets();
    long pool = offsets.get("buf0");
    assertEquals(192, offsets.get("buf1") - pool);
    assertEquals(pool, offsets.get("buf2"));
    assertEquals(160, graph.network().tensor("buf0").bytes());
    assertEquals(128 + 256, graph.baseline().orElseThrow().bytes());
    holds(graph);
    refused(KERNELS + POOL, "leaves the dimensions s0 free; --dim NAME=VALUE");
  }

  @Test
  void faultsNameTheirLine() throws IOException {
    String call = KERNELS + "def call(args):\n    buf0 = empty_strided_cuda((4, ), ";
    refused(call + "torch.int4)\n", "line 22: should give a shape, strides and a type");
    refused(call + "(1, ), torch.int4)\n", "type torch.int4 is not known");
    graph(call + "(1, ), torch.float32, device=')\n"); // cut short, and not needed
    String args = KERNELS + "def call(args):\n    x, = args\n";
    String sample =
        "def benchmark():\n    x = rand_strided((4, 8, device='cpu', dtype=torch.int8)\n";
    refused(args + sample, "line 22: the sample of x should give a shape and strides");
    refused(KERNELS + "x = 1\n", "has no function call(args)");
  }

  /** Equal sizes and types on two devices: never one allocation. */
  @Test
  void memoryIsReusedOnOneDeviceAlone() throws IOException {
    String chain =
        """
        def call(args):
            x, = args
            buf0 = empty_strided_cuda((4, 16), (16, 1), torch.float32)
            triton_make_0.run(x, buf0, 64)
            buf1 = empty_strided_cuda((4, 8), (8, 1), torch.float32)
            triton_make_0.run(buf0, buf1, 64)
            buf2 = empty_strided_DEVICE((4, 16), (16, 1), torch.float32)
            triton_make_0.run(buf1, buf2, 64)
            return (buf2, )
        """;
    for (String device : List.of("cuda", "cpu")) {
      Network network = whole(chain.replace("DEVICE", device)).network();
      PlanningCase given = Liveness.of(network, LivenessOptions.defaults().withAlignments(1, 1));
      List<String> trace = new InductorReuse(true).trace(given);
      assertEquals(device.equals("cuda"), trace.contains("reuse buf0 as buf2"), trace.toString());
    }
  }

  /** A word or a gap of a million characters is passed once, not once from each of its letters. */
  @Test
  void longWordsAndGapsTakeNoLonger() throws IOException {
    String body = "def call(args):\n    x, = args\n    return (x, )\n";
    for (String unit : List.of("x", "\n", "def f(\n")) {
      String text = KERNELS + body + SAMPLES + "# " + unit.repeat(1_000_000 / unit.length());
      assertTimeoutPreemptively(Duration.ofMinutes(1), () -> whole(text));
    }
  }
}
