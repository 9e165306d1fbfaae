package stowage.exact.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static stowage.exact.search.Searches.fault;
import static stowage.exact.search.Searches.least;
import static stowage.exact.search.Searches.read;
import static stowage.exact.search.Searches.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.SearchResult;
import stowage.packing.RunControl;

/** Public instances whose optimum is known. */
class PublicInstancesTest {
  @Test
  void optimaAboveTheMaxLoadAreProven() throws IOException {
    for (Path file : PublicData.all("packing/small", ".csv")) {
      Component problem = read(file);
      String name = file.getFileName().toString();
      long optimum = Long.parseLong(name.replaceAll(".*optimum(\\d+).*", "$1"));
      SearchResult result = least(true, problem);
      assertEquals(SearchResult.Status.OPTIMAL, result.status(), name);
      assertEquals(optimum, problem.bytes(result.peak()), name);
      SearchResult below = within(true, problem, problem.unitsBelow(optimum - 1));
      assertEquals(SearchResult.Status.INFEASIBLE, below.status(), name);
    }
  }

  @Test
  void theSetThatDiscriminatesIsSolvedAtItsCapacity() throws IOException {
    for (Path file : PublicData.all("packing/minimalloc", ".csv")) {
      Component problem = read(file);
      long given = file.toString().contains("C.") ? 0 : problem.unitsBelow(1 << 20);
      long capacity = Math.max(problem.maxLoad(), given);
      SearchResult result =
          new SearchTeam(1, 1, true).search(problem, capacity, RunControl.ofWork(200_000, 1, 1));
      assertNull(fault(problem, result.offsets(), capacity), file.toString());
    }
  }

  @Test
  void poolsOfKernelsAreProven() throws IOException {
    for (Path file : PublicData.all("packing/pypto", ".csv")) {
      Component problem = read(file);
      SearchResult result =
          least(new SearchTeam(1, 1, true), problem, RunControl.ofWork(1_000_000, 1, 1));
      assertEquals(SearchResult.Status.OPTIMAL, result.status(), file.toString());
      assertNull(fault(problem, result.offsets(), result.peak()), file.toString());
    }
  }
}
