package stowage.compiler;

import java.util.List;
import stowage.compiler.core.SystemPlanner;
import stowage.compiler.dsa.CanonicalGreedy;
import stowage.compiler.dsa.CypressRelaxation;
import stowage.compiler.dsa.PromoteRepair;
import stowage.compiler.inductor.InductorReuse;
import stowage.compiler.inductor.InductorTree;
import stowage.compiler.openvino.OpenVino;
import stowage.compiler.tflite.TfliteArena;
import stowage.compiler.tflite.TfliteGpuGreedyByBreadth;
import stowage.compiler.tflite.TfliteGpuMinCostFlow;
import stowage.compiler.tflite.TfliteGpuSizeDistance;
import stowage.compiler.tflite.TflmGreedy;
import stowage.compiler.tpumlir.TpuMlir;
import stowage.compiler.tpumlir.TpuMlir2022;
import stowage.compiler.tvm.TvmGreedy;
import stowage.compiler.tvm.TvmHillClimb;
import stowage.compiler.vela.VelaHillClimb;

/** All planners of real systems: the list that the command line shows. */
public final class CompilerPlanners {
  private static final List<SystemPlanner> ALL =
      List.of(
          new TflmGreedy(),
          new TfliteArena(),
          OrderedFit.TFLITE_GPU_GREEDY_BY_SIZE,
          new TfliteGpuGreedyByBreadth(),
          new TfliteGpuSizeDistance(),
          new TfliteGpuMinCostFlow(),
          new InductorTree(InductorTree.Mode.INTERMEDIATES),
          new InductorTree(InductorTree.Mode.NONE),
          new InductorTree(InductorTree.Mode.OUTPUTS),
          new InductorTree(InductorTree.Mode.COMBINED),
          new ExecutorchGreedy(true),
          new ExecutorchGreedy(false),
          OrderedFit.VELA_GREEDY,
          new VelaHillClimb(),
          new InductorReuse(false),
          new InductorReuse(true),
          new TvmGreedy(false),
          new TvmGreedy(true),
          new TvmHillClimb(),
          new XlaHeap(XlaHeap.Search.DEFAULT),
          new XlaHeap(XlaHeap.Search.SPATIAL),
          new XlaHeap(XlaHeap.Search.TEMPORAL),
          new XlaHeap(XlaHeap.Search.NEWEST),
          new OnnxRuntimePlanner(),
          OrderedFit.IREE,
          new Idealloc(),
          new SomasSolver(),
          new Ggml(),
          new Xnnpack(true),
          new Xnnpack(false),
          new NntrainerV1(),
          OrderedFit.NNTRAINER_V3,
          new Tinygrad(),
          OrderedFit.ONNXSIM,
          new MlirBestFit(),
          new PaddleLite(),
          new Relax(),
          new OpenVino(),
          new CanonicalGreedy(),
          new PromoteRepair(),
          new CypressRelaxation(),
          new TpuMlir2022(),
          new TpuMlir(TpuMlir.AddressMode.BASIC),
          new TpuMlir(TpuMlir.AddressMode.IO_ALONE),
          new TpuMlir(TpuMlir.AddressMode.IO_TAG));

  private CompilerPlanners() {}

  public static List<SystemPlanner> all() {
    return ALL;
  }

  /** The planner of a name, or null. */
  public static SystemPlanner named(String name) {
    return ALL.stream().filter(planner -> planner.name().equals(name)).findFirst().orElse(null);
  }
}
