package stowage.importer.inductor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the kernels of a wrapper's file do with their arguments. Inductor names the parameters of
 * its kernels {@code in_ptr0} (read), {@code out_ptr0} (written) and {@code in_out_ptr0} (changed
 * in place), in Triton's {@code def} and in the signature of C++ code.
 */
final class KernelSignatures {
  private static final Pattern TRITON = Pattern.compile("(?m)^def (\\w++)\\(([^()]*)\\)");
  private static final Pattern CPP =
      Pattern.compile(
          "(?s)\\b(\\w++) = async_compile\\.cpp\\w*\\(.*?\\bvoid\\s+\\w+\\s*\\(([^()]*)\\)");
  private static final Pattern PARAMETER = Pattern.compile("(in_out|in|out)_ptr\\d+");

  enum Use {
    READ,
    WRITTEN,
    CHANGED,
    UNKNOWN
  }

  private final Map<String, List<Use>> uses = new HashMap<>();

  KernelSignatures(String text) {
    for (Pattern pattern : List.of(TRITON, CPP)) {
      Matcher found = pattern.matcher(text);
      while (found.find()) {
        String[] parameters = found.group(2).split(",");
        uses.put(found.group(1), Stream.of(parameters).map(KernelSignatures::use).toList());
      }
    }
  }

  private static Use use(String parameter) {
    Matcher named = PARAMETER.matcher(parameter);
    return switch (named.find() ? named.group(1) : "") {
      case "in" -> Use.READ;
      case "out" -> Use.WRITTEN;
      case "in_out" -> Use.CHANGED;
      default -> Use.UNKNOWN;
    };
  }

  /** What a kernel does with an argument of a number. */
  Use of(String kernel, int argument) {
    List<Use> parameters = uses.getOrDefault(kernel, List.of());
    return argument < parameters.size() ? parameters.get(argument) : Use.UNKNOWN;
  }
}
