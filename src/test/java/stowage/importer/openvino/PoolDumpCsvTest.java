package stowage.importer.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.network.PoolDump;

class PoolDumpCsvTest extends FolderTest {
  private static final String HEADER =
      "pool_type,layout,mem_ptr,mem_type,mem_pool_size,prim_id,unique_id,mem_size\n";
  private static final String ROWS =
      "non_padded_pool,,0x7f10,usm_device,4096,convolution:a,3,4000\n"
          + "padded_pool,f16:bfyx:1x3x224x224:pad,0x8f10,usm_device,301056,b, with commas,4,5\n"
          + "no_reusable_pool,,0x9f10,usm_host,8,result:c,5,8\n";

  private PoolDump read(String text) throws IOException {
    return PoolDumpCsv.read(file("dump.csv", text));
  }

  @Test
  void everyFieldIsRead() throws IOException {
    PoolDump dump = read(HEADER + ROWS);
    String gpu = "usm_device";
    String layout = "f16:bfyx:1x3x224x224:pad";
    String pad = "padded_pool";
    assertEquals(
        List.of(
            new PoolDump.User("non_padded_pool", "", "0x7f10", gpu, 4096, "convolution:a", 3, 4000),
            new PoolDump.User(pad, layout, "0x8f10", gpu, 301056, "b, with commas", 4, 5),
            new PoolDump.User("no_reusable_pool", "", "0x9f10", "usm_host", 8, "result:c", 5, 8)),
        dump.users());
    assertEquals(3, dump.allocations().size());
    assertEquals(HEADER + ROWS, PoolDumpCsv.text(dump));
  }

  @Test
  void theMisspeltHeaderOfOlderVersionsAndWindowsLinesAreRead() throws IOException {
    PoolDump dump = read((HEADER.replace("size,prim", "szie,prim") + ROWS).replace("\n", "\r\n"));
    assertEquals(read(HEADER + ROWS), dump);
    assertEquals(List.of(), read(HEADER).users());
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() {
    refused("line 1", "should be pool_type,layout", "id,lower,upper,size\n");
    refused("line 1", "should be pool_type", "");
    refused("line 2", "has 3 fields", HEADER + "non_padded_pool,,0x1\n");
    refused(
        "line 2, column \"pool_type\"",
        "did you mean \"padded_pool\"",
        HEADER + "padded_pol,,0x1,usm_host,1,a,1,1\n");
    refused(
        "line 3, column \"mem_size\"",
        "\"-4\" should be a whole number",
        HEADER + "padded_pool,,0x1,usm_host,1,a,1,1\npadded_pool,,0x1,usm_host,1,a,1,-4\n");
    refused(
        "line 2, column \"mem_pool_size\"",
        "\"1e3\" should be",
        HEADER + "padded_pool,,0x1,usm_host,1e3,a,1,1\n");
    refused(
        "line 2, column \"mem_type\"",
        "\"device\" is not known",
        HEADER + "padded_pool,,0x1,device,1,a,1,1\n");
  }

  private void refused(String where, String what, String text) {
    Refusals.input(() -> read(text), "dump.csv: " + where + ":", what);
  }
}
