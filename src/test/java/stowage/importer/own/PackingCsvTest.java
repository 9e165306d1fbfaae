package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.io.AtomicFiles;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

class PackingCsvTest extends FolderTest {
  private Path file(String text) throws IOException {
    return file("in.csv", text);
  }

  private PackingProblem read(String text) throws IOException {
    return PackingCsv.read(file(text));
  }

  @Test
  void readsEveryColumnInAnyOrder() throws IOException {
    PackingProblem problem =
        read(
            """
            size,gaps,id,upper,hint,lower,offset,alignment,memory,within_bank,note
            16,7-8 9-10@1:17,a,12,-1,3,64,32,sram dram,1,x
            17,,b,5,8,-2,-1,1,,0,
            0,,"c,""d""
            e",0,,0,,,dram,,"y"
            """
                .replace("16,7", "17,7"));
    assertEquals("in", problem.name());
    assertEquals(
        new Buffer("a", 17, 3, 12)
            .withAlignment(32)
            .withFixedOffset(64)
            .withGaps(List.of(Gap.empty(7, 8), new Gap(new LiveRange(9, 10), 1, 17)))
            .withMemories(List.of("sram", "dram"))
            .withinBank(true),
        problem.buffer(0));
    assertEquals(new Buffer("b", 17, -2, 5).withHint(8), problem.buffer(1));
    assertEquals(
        new Buffer("c,\"d\"\ne", 0, 0, 0).withMemories(List.of("dram")), problem.buffer(2));
    assertEquals(List.of("sram", "dram"), problem.memories().stream().map(Memory::name).toList());
  }

  @Test
  void endIsTheLastStepForLivesAndGaps() throws IOException {
    PackingProblem problem = read("buffer_id,begin,end,size,gaps\na,0,9,4,2-2 5-6@0:1\n");
    assertEquals(
        new Buffer("a", 4, 0, 10)
            .withGaps(List.of(Gap.empty(2, 3), new Gap(new LiveRange(5, 7), 0, 1))),
        problem.buffer(0));
    assertEquals(new LiveRange(3, 3), read("buffer,start,end,size\na,3,2,4\n").buffer(0).live());
  }

  @Test
  void toleratesByteOrderMarkCarriageReturnsAndAMissingLastLineEnd() throws IOException {
    PackingProblem problem = read("\ufeffid,lower,upper,size\r\na,0,1,4\r\n\"b\",0,1, 4");
    assertEquals(List.of(new Buffer("a", 4, 0, 1), new Buffer("b", 4, 0, 1)), problem.buffers());
  }

  @Test
  void stopsAtTheFirstEmptyLine() throws IOException {
    assertEquals(1, read("id,lower,upper,size\na,0,1,4\n\nnot,read\n").size());
    assertEquals(1, read("id,lower,upper,size\na,0,1,4\n\r\nnot,read\n").size());
    assertEquals(0, read("id,lower,upper,size\n").size());
  }

  @Test
  void offsetsFixUnlessIgnored() throws IOException {
    Path file = file("id,lower,upper,size,offset\na,0,1,4,8\nb,0,1,4,-1\n");
    assertEquals(8, PackingCsv.read(file).buffer(0).fixedOffset());
    assertFalse(PackingCsv.read(file).buffer(1).isFixed());
    assertFalse(PackingCsv.read(file, true).buffer(0).isFixed());
  }

  @Test
  void memoriesStandInTheOrderOfPreference() throws IOException {
    PackingProblem problem =
        read("id,lower,upper,size,memory\na,0,1,4,host\nb,0,1,4,sram dram\nc,0,1,4,dram host\n");
    assertEquals(
        List.of("sram", "dram", "host"), problem.memories().stream().map(Memory::name).toList());
    assertEquals(2, problem.preferredMemory(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '~',
      textBlock =
          """
          id,lower,upper\\na,0,1\\n => line 1: column "size" is missing
          # mine\\nHEAD\\n => columns "id", "lower", "upper", "size" are missing; id, lower, upper and size are needed; the first line should name
          a,0,3,4096\\n => the first line should name the columns, such as id,lower,upper,size
          name,start,end,bytes\\n => line 1: columns "id", "size" are missing
          ID,lower,upper,size\\n => column "id" is missing; id, lower, upper and size are needed; is "ID" meant to be "id"?
          id\tlower\tupper\tsize\\n => separated by tabs
          id,lower,upper,siez\\n => is "siez" meant to be "size"?
          id;lower;upper;size\\n => separated by semicolons
          id,lower,upper,size,aligment\\n => did you mean "alignment"
          id,lower,upper,size,size\\n => "size" is defined twice
          id,lower,start,upper,size\\n => "lower" and "start" mean the same
          HEAD\\na,0,1,-4\\n => line 2, column "size": -4 should be 0 or more
          HEAD\\na,5,1,4\\n => line 2, column "upper": 1 should not be before the
          id,lower,end,size\\na,5,3,4\\n => column "end": 3 should not be before
          HEAD\\na,0,1,4\\nb,1,2,4\\na,1,2,4\\n => line 4, column "id": id "a" is defined on line 2 already
          HEAD\\na,0,x,4\\n => line 2, column "upper": "x" should be a whole number
          HEAD\\na,0,,4\\n => is empty; it should be a whole number
          HEAD\\na,0,1,4.5\\n => "4.5" should be a whole number
          HEAD\\na,0,1,-\\n => "-" should be a whole number
          HEAD\\n,0,1,4\\n => every buffer needs an id
          HEAD\\na,0,1,99999999999999999999\\n => column "size": "99999999999999999999" does not fit 64 bits
          HEAD\\na,0,1,9223372036854775808\\n => does not fit 64 bits
          HEAD\\na,0,2147483648,1\\n => 2147483648 is not a valid step
          id,lower,end,size\\na,0,2147483647,1\\n => 2147483647 is not a valid step
          HEAD\\na,0,9,2000000000000000000\\nb,0,9,2000000000000000000\\n => line 3, column "size": 2000000000000000000 takes the sum of all sizes
          HEAD\\na,0,9,9223372036854775807\\n => line 2, column "size"
          ~~ => line 1: is empty
          \\nHEAD\\n => line 1: is empty
          HEAD\\na,0\\n => line 2: has 2 fields, but the first line names 4
          HEAD\\na,0,1,4,5\\n => line 2: has 5 fields
          NUL\u0001\u0002\u007fELF => line 1: holds a zero byte
          HEAD\\n"a,0,1,4\\n => line 2: a quotation mark is not closed
          HEAD\\n"a"b,0,1,4\\n => line 2: a closing quotation mark should be
          HEAD,alignment\\na,0,1,4,0\\n => column "alignment": 0 should be 1 or more
          HEAD,offset\\na,0,1,4,-2\\n => -2 should be 0 or more, or -1 for none
          HEAD,alignment,offset\\na,0,1,4,4,6\\n => 6 should be a multiple of the alignment 4
          HEAD,offset\\na,0,1,4,9223372036854775807\\n => "offset": 9223372036854775807
          HEAD,gaps\\na,0,9,4,5-\\n => column "gaps": "5-" should be lower-upper
          HEAD,gaps\\na,0,9,4,5-6@1\\n => "5-6@1" should be lower-upper
          HEAD,gaps\\na,0,9,4,6-6\\n => gap 6-6 should end after it starts
          HEAD,gaps\\na,0,9,4,6-10\\n => gap [6, 10) should be inside
          HEAD,gaps\\na,0,9,4,2-5 4-6\\n => overlap no other gap
          HEAD,gaps\\na,0,9,4,2-5@0:5\\n => window 0:5 should end within the size 4
          HEAD,memory\\na,0,9,4,x x\\n => column "memory": "x" is defined twice
          HEAD,within_bank\\na,0,9,4,2\\n => "2" should be 1, 0 or empty
          """)
  void refusesInOneLineThatSaysWhereAndWhat(String text, String expected) throws IOException {
    String head = text.replace("HEAD", "id,lower,upper,size").replace("NUL", "\0");
    Path file = file(head.replace("\\n", "\n"));
    String message = Refusals.file(file, () -> PackingCsv.read(file), expected);
    assertFalse(message.contains("Exception"), message);
  }

  @Test
  void refusesTextThatIsNotUtf8() throws IOException {
    byte[] latin = "id,lower,upper,size\n\u00e9,0,1,4\n".getBytes(StandardCharsets.ISO_8859_1);
    Path file = file("latin.csv", latin);
    Refusals.input(() -> PackingCsv.read(file), "line 2, column \"id\": is not UTF-8 text");
  }

  @Test
  void refusesFoldersAndMissingFiles() {
    Path absent = folder.resolve("absent.csv");
    String said = Refusals.input(() -> PackingCsv.read(absent)).getMessage();
    assertTrue(said.endsWith("absent.csv: no such file"), said);
    Refusals.input(() -> PackingCsv.read(folder), "is a folder");
  }

  @Test
  void planGoesRoundTrip() throws IOException {
    List<Buffer> buffers =
        List.of(
            new Buffer("a,\"b\"", 5, 0, 3).withAlignment(4),
            new Buffer(" spaced \u00e9\r\n", 6, 1, 4)
                .withGaps(List.of(Gap.empty(1, 2), new Gap(new LiveRange(2, 3), 1, 2))),
            new Buffer("c", 0, 2, 2).withinBank(true));
    PackingProblem problem = PackingProblem.of("p", buffers);
    Path file = folder.resolve("p.csv");
    PackingCsv.write(file, problem);
    assertEquals(buffers, PackingCsv.read(file).buffers());
    assertEquals(List.of(), PackingCsv.omissions(problem));

    Placement placement = Placement.of(new long[] {8, 13, 0});
    AtomicFiles.write(file, out -> PackingCsv.write(out, problem, placement, i -> "t" + i));
    assertEquals(
        """
        id,lower,upper,size,alignment,offset,gaps,within_bank,tensors
        "a,""b""\",0,3,5,4,8,,0,t0
        " spaced \u00e9\r
        ",1,4,6,1,13,1-2 2-3@1:2,0,t1
        c,2,2,0,1,0,,1,t2
        """,
        Files.readString(file));
    PackingProblem again = PackingCsv.read(file);
    assertEquals(13, again.buffer(1).fixedOffset());
    assertEquals(buffers, PackingCsv.read(file, true).buffers());
  }

  @Test
  void memoriesAndTheirAlignmentGoRoundTrip() throws IOException {
    List<Memory> memories =
        List.of(new Memory("sram", 64, 32, 0, 16), new Memory("dram", Memory.UNBOUNDED, 4, 64, 0));
    PackingProblem problem =
        new PackingProblem(
            "p",
            List.of(
                new Buffer("a", 5, 0, 3),
                new Buffer("b", 5, 0, 3).withMemories(List.of("dram")),
                new Buffer("c", 5, 0, 3).withMemories(List.of("sram", "dram")).withHint(32)),
            memories,
            ConflictPairs.of(3, List.of(new int[] {0, 1})));
    Path file = folder.resolve("p.csv");
    PackingCsv.write(file, problem);
    PackingProblem again = PackingCsv.read(file);
    assertEquals(problem.buffers(), again.buffers());
    assertEquals(List.of("sram", "dram"), again.memories().stream().map(Memory::name).toList());
    assertEquals(6, PackingCsv.omissions(problem).size());

    PackingCsv.write(file, problem, Placement.of(new long[] {32, 0, 0}, new int[] {0, 1, 0}));
    assertEquals(
        """
        id,lower,upper,size,alignment,offset,memory
        a,0,3,5,32,32,sram
        b,0,3,5,4,0,dram
        c,0,3,5,32,0,sram
        """,
        Files.readString(file));
  }

  @Test
  void readsPublicInstances() {
    PackingProblem problem = PackingCsv.read(PublicData.at("packing/minimalloc/C.1048576.csv"));
    assertEquals(203, problem.size());
    assertEquals(1039360, LoadProfile.of(problem).maxLoad());
  }
}
