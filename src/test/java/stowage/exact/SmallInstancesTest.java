package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.PublicData;
import stowage.exact.choco.ChocoEngine;
import stowage.exact.cpsat.CpSatEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.importer.own.PackingCsv;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;
import stowage.packing.Status;

/** Problems whose optimum is above the max load: each solver alone proves them. */
class SmallInstancesTest {

  /** Work that each solver ends well within, many times over. */
  private static final long WORK = 60_000_000;

  static Stream<Engine> engines() {
    return Stream.of(new CpSatEngine(), new ChocoEngine());
  }

  @ParameterizedTest
  @MethodSource("engines")
  void provesTenBuffersAboveTheirMaxLoad(Engine engine) {
    proves(engine, HardProblems.aboveMaxLoad(), 25);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void provesThePublicOnes(Engine engine) throws IOException {
    for (Path file : PublicData.all("packing/small", ".csv")) {
      String name = file.getFileName().toString();
      long optimum = Long.parseLong(name.replaceAll(".*optimum(\\d+)\\.csv", "$1"));
      proves(engine, PackingCsv.read(file), optimum);
    }
  }

  private static void proves(Engine engine, PackingProblem problem, long optimum) {
    RunControl control = RunControl.ofWork(WORK, 1, 1);
    EngineOptions options = EngineOptions.defaults();
    Incumbent incumbent = EngineChecks.alone(engine, problem, control, options);
    assertEquals(Status.OPTIMAL, incumbent.status(), problem.name());
    assertEquals(optimum, incumbent.score().figure(0), problem.name());
    assertEquals(engine.kind(), incumbent.bound(0).kind(), problem.name());

    PackingProblem tight = problem.withCapacity(0, optimum - 1);
    for (boolean firstFit : new boolean[] {true, false}) {
      Incumbent refuted =
          EngineChecks.alone(engine, tight, control, options.withFirstFit(firstFit));
      assertEquals(Status.INFEASIBLE, refuted.status(), problem.name());
      assertEquals(engine.kind(), refuted.infeasibility().kind(), problem.name());
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aSecondEngineAgreesByName(Engine engine) {
    Engine other = engines().filter(e -> !e.name().equals(engine.name())).findFirst().orElseThrow();
    PackingProblem tight = HardProblems.aboveMaxLoad().withCapacity(0, 24);
    EngineOptions options = EngineOptions.defaults();
    Incumbent incumbent = EngineChecks.alone(engine, tight, RunControl.unlimited(), options);
    Incumbent apart = EngineChecks.alone(other, tight, RunControl.unlimited(), options);
    incumbent.provenInfeasible(apart.infeasibility(), other.name());
    SolverClaim word = (SolverClaim) incumbent.infeasibility();
    assertEquals(engine.kind(), word.kind());
    assertEquals(other.kind(), word.agreed());
  }
}
