package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.PoolDump;

class PoolAuditTest {
  /** x → a → b → c → d, each of 100 bytes, d the output. */
  private static final PlanningCase CHAIN = chain(ElementType.U8);

  private static PlanningCase chain(ElementType type) {
    return Graphs.of(type, "x:100; a:100 = Conv x name=op/a; b:100 = Conv a name=op/b;")
        .and("c:100 = Conv b name=op/c; d:100 = Conv c name=op/d; -> d")
        .planningCase();
  }

  private static PoolDump.User use(String address, long poolBytes, String name, int id, long size) {
    return new PoolDump.User(PoolDump.PLAIN, "", address, "usm_device", poolBytes, name, id, size);
  }

  private static List<String> faults(PlanningCase given, PoolDump.User... users) {
    PoolAudit audit = PoolAudit.of(new PoolDump(List.of(users)), given);
    assertEquals(audit.faults().isEmpty(), audit.holds());
    return audit.faults().stream().map(fault -> fault.kind() + " " + fault.text()).toList();
  }

  @Test
  void aPoolThatTakesTurnsHolds() {
    PoolAudit audit =
        PoolAudit.of(
            new PoolDump(
                List.of(
                    use("0x1000", 120, "convolution:op/a", 1, 100),
                    use("0x1000", 120, "convolution:op/c", 3, 60),
                    use("0x2000", 100, "parameter:x", 0, 100),
                    use("0x2000", 100, "convolution:op/b", 2, 100),
                    use("0x3000", 50, "reorder:added", 9, 50))),
            chain(ElementType.I4));
    assertTrue(audit.holds(), audit.faults().toString());
    assertEquals(5, audit.users());
    assertEquals(4, audit.known());
    assertEquals(3, audit.allocations());
    assertEquals(List.of(), audit.warnings());
    PoolAudit.Pool pool = audit.pools().get(0);
    assertEquals(270, pool.bytes());
    assertEquals(410, pool.requested());
    assertEquals(0.5, pool.least());
    assertEquals(410.0 / 270, pool.efficiency());
    assertEquals(Map.of("usm_device", 270L), audit.memories());
  }

  @Test
  void usersAliveAtOnceAreToldWithTheStep() {
    // a is read by b's op while b is written, at step 1.
    assertEquals(
        List.of(
            "OVERLAP \"op/a\" and \"op/b\" share usm_device 0x1000, and are both alive at step 1"),
        faults(CHAIN, use("0x1000", 100, "op/a", 1, 100), use("0x1000", 100, "op/b", 2, 100)));
    // Without the network no one knows.
    assertEquals(
        List.of(),
        faults(null, use("0x1000", 100, "op/a", 1, 100), use("0x1000", 100, "op/b", 2, 100)));
  }

  @Test
  void sizesAreHeldAgainstTheAllocationAndTheNetwork() {
    assertEquals(
        List.of("SIZE \"op/a\" asked for 100 bytes of usm_device 0x1000, which has 90"),
        faults(CHAIN, use("0x1000", 90, "op/a", 1, 100)));
    assertEquals(
        List.of("SIZE \"op/a\" asked for 90 bytes, but needs 100"),
        faults(CHAIN, use("0x1000", 90, "op/a", 1, 90)));
    // 100 floats of 32 bits take 400 bytes, or 200 where the plugin runs them in 16.
    PlanningCase floats = chain(ElementType.F32);
    assertEquals(List.of(), faults(floats, use("0x1000", 200, "op/a", 1, 200)));
    assertEquals(
        List.of("SIZE \"op/a\" asked for 199 bytes, but needs 200"),
        faults(floats, use("0x1000", 200, "op/a", 1, 199)));
  }

  @Test
  void linesThatContradictEachOtherAreTold() {
    assertEquals(
        List.of(
            "CONTRADICTION usm_device 0x1000 is of non_padded_pool with 100 bytes for \"p\", of"
                + " non_padded_pool with 80 for \"q\""),
        faults(null, use("0x1000", 100, "p", 1, 10), use("0x1000", 80, "q", 2, 10)));
    assertEquals(
        List.of("OVERLAP \"p\" uses usm_device 0x1000 twice"),
        faults(null, use("0x1000", 100, "p", 1, 10), use("0x1000", 100, "p", 1, 20)));
    assertEquals(
        List.of("OVERLAP usm_device 0x1000 has 4097 bytes and reaches into usm_device 0x2000"),
        faults(null, use("0x2000", 100, "p", 1, 10), use("0x1000", 4097, "q", 2, 10)));
    String kept = PoolDump.NOT_REUSED;
    assertEquals(
        List.of("OVERLAP usm_host 0x1 is not reused, and has 2 users"),
        faults(
            null,
            new PoolDump.User(kept, "", "0x1", "usm_host", 10, "p", 1, 10),
            new PoolDump.User(kept, "", "0x1", "usm_host", 10, "q", 2, 10)));
  }

  @Test
  void whatThePassesForbidIsAWarning() {
    // x → a → l, a → r, (m after l), s: l is over before r is made, but may run beside it.
    String ops = "a:8 = Conv x; l:8 = Conv a; m:8 = Conv l; r:8 = Conv a; s:8 = Conv m r";
    Network network = Graphs.of("x:8; " + ops + "; -> s").network();
    LivenessOptions options = LivenessOptions.defaults().withAlignments(1, 1);
    PoolDump dump = new PoolDump(List.of(use("0x1000", 8, "l", 2, 8), use("0x1000", 8, "r", 4, 8)));
    PoolAudit inOrder = PoolAudit.of(dump, Liveness.of(network, options));
    assertTrue(inOrder.holds());
    assertEquals(
        List.of(
            "\"l\" and \"r\" share usm_device 0x1000, which the plugin's passes forbid on this"
                + " network"),
        inOrder.warnings());
    PoolAudit parallel =
        PoolAudit.of(
            dump, Liveness.of(network, options.withOrder(LivenessOptions.Order.OUT_OF_ORDER)));
    assertEquals(
        List.of("\"l\" and \"r\" share usm_device 0x1000, and may be in use at once"),
        parallel.faults().stream().map(PoolAudit.Fault::text).toList());
  }

  @Test
  void ourOwnDumpsHoldAndOneUserMovedUponAnotherIsFound() {
    int moved = 0;
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Graphs graph = Graphs.of("t0:5");
      int count = 3 + random.nextInt(12);
      for (int k = 1; k <= count; k++) {
        String made = "t" + k + ":" + (1 + random.nextInt(9));
        String read = " = Op t" + random.nextInt(k) + " t" + random.nextInt(k);
        graph.and(made + read + " +" + random.nextInt(3));
      }
      PlanningCase given = graph.and("-> t" + count).planningCase();
      PoolDump dump = GpuAllocation.of(given, GpuDevice.unlimited(), GpuUse.ofStreams(1)).dump();
      PoolAudit audit = PoolAudit.of(dump, given);
      assertEquals(List.of(), audit.faults(), "seed " + seed);
      assertEquals(List.of(), audit.warnings(), "seed " + seed);
      assertEquals(dump.users().size(), audit.known());
      moved += moveOneUpon(dump, given);
    }
    assertTrue(moved > 30, "only " + moved + " tried");
  }

  /** Puts the result of an op on an operand of it, which must be found. */
  private static int moveOneUpon(PoolDump dump, PlanningCase given) {
    Op last = given.network().ops().get(given.order()[given.order().length - 1]);
    List<PoolDump.User> users = new ArrayList<>(dump.users());
    PoolDump.User operand =
        users.stream()
            .filter(user -> user.primitive().equals(last.inputs().get(0)))
            .max(Comparator.comparingLong(PoolDump.User::bytes))
            .orElseThrow();
    long size = given.network().tensor(last.inputs().get(0)).bytes();
    if (operand.bytes() != size || given.network().producer(operand.primitive()) < 0) {
      return 0;
    }
    users.removeIf(user -> user.primitive().equals(last.name()));
    long made = given.network().tensor(last.name()).bytes();
    users.add(use(operand.address(), operand.poolBytes(), last.name(), 99, made));
    PoolAudit audit = PoolAudit.of(new PoolDump(users), given);
    boolean scratch =
        given.network().ops().stream().anyMatch(op -> op.scratchBytes() == operand.bytes());
    assertTrue(!audit.holds() || scratch, dump.toString());
    return 1;
  }
}
