package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnitsTest {
  private static PackingProblem of(long... sizesAndAlignments) {
    Buffer first = new Buffer("a", sizesAndAlignments[0], 0, 2);
    Buffer second = new Buffer("b", sizesAndAlignments[1], 0, 2);
    return PackingProblem.of(
        "units",
        List.of(
            first.withAlignment(sizesAndAlignments[2]),
            second.withAlignment(sizesAndAlignments[3])));
  }

  @Test
  void everyAlignmentDividesTheUnitOrIsAMultipleOfIt() {
    assertEquals(12, Units.of(of(12, 24, 1, 4), 0, false));
    assertEquals(2, Units.of(of(12, 24, 6, 8), 0, false), "8 leaves 4, which 6 does not divide");
    assertEquals(2, Units.of(of(12, 24, 8, 6), 0, false));
    assertEquals(4, Units.of(of(12, 24, 1, 1), 8, false), "12 and 8");
    assertEquals(1, Units.of(of(0, 0, 1, 1), 0, false));
  }

  @Test
  void banksAndDistancesCountWhereTheyMatter() {
    PackingProblem plain =
        of(12, 24, 1, 1).withMemories(List.of(new Memory("m", Memory.UNBOUNDED, 1, 0, 10)));
    assertEquals(12, Units.of(plain, 0, false));
    assertEquals(2, Units.of(plain, 0, true));
    Relations.Together apart = new Relations.Together(0, 1, 9);
    assertEquals(
        3, Units.of(plain.withRelations(Relations.none().withTogether(List.of(apart))), 0, false));
  }
}
