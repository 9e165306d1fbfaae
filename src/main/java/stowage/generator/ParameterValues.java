package stowage.generator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.Suggestion;

/** The values of one generator's parameters, all known and of the right type. */
public final class ParameterValues {
  private final String generator;
  private final Map<String, Object> values = new LinkedHashMap<>();

  /**
   * Checks values against a generator's parameters; absent ones are standard, and a fault names the
   * generator and what is unknown or of another type.
   */
  public ParameterValues(String generator, List<Parameter> declared, Map<String, ?> given) {
    this.generator = generator;
    List<String> names = new ArrayList<>();
    for (Parameter parameter : declared) {
      names.add(parameter.name());
      Object value = given.get(parameter.name());
      values.put(
          parameter.name(), value == null ? parameter.standard() : converted(parameter, value));
    }
    for (String name : given.keySet()) {
      if (!names.contains(name)) {
        throw new InvalidParameterException(
            generator, "parameter \"" + name + "\" is not known" + Suggestion.advice(name, names));
      }
    }
  }

  /** Takes what JSON and the command line give: numbers of any type, and texts. */
  private Object converted(Parameter parameter, Object value) {
    String text = String.valueOf(value);
    try {
      if (parameter.standard() instanceof Number && !text.matches("[-+0-9.eE]+")) {
        throw new NumberFormatException(text); // Java reads 5f, 0x1p3 and digits of every script
      }
      if (parameter.standard() instanceof Long) {
        boolean whole =
            value instanceof Double number
                && number == Math.rint(number)
                && Math.abs(number) < 0x1p63;
        return whole ? (Object) ((Double) value).longValue() : Long.parseLong(text);
      }
      if (parameter.standard() instanceof Double) {
        double number = Double.parseDouble(text);
        if (!Double.isFinite(number)) {
          throw new NumberFormatException(text);
        }
        return number;
      }
    } catch (NumberFormatException failure) {
      boolean whole = parameter.standard() instanceof Long;
      throw wrong(parameter.name(), text, whole ? "a whole number" : "a number");
    }
    if (parameter.standard() instanceof Boolean) {
      if (!text.equals("true") && !text.equals("false")) {
        throw wrong(parameter.name(), text, "true or false");
      }
      return Boolean.valueOf(text);
    }
    return text;
  }

  private InvalidParameterException wrong(String name, Object value, String right) {
    return new InvalidParameterException(
        generator, "parameter " + name + " is " + value + "; it should be " + right);
  }

  /** A whole number of at least {@code least}. */
  public long whole(String name, long least) {
    return whole(name, least, Long.MAX_VALUE);
  }

  /** A whole number of a range, both ends included. */
  public long whole(String name, long least, long most) {
    long value = (Long) values.get(name);
    if (value < least || value > most) {
      throw wrong(
          name,
          value,
          most == Long.MAX_VALUE ? least + " or more" : "between " + least + " and " + most);
    }
    return value;
  }

  /** A whole number of a range that is a multiple of another one, called {@code what}. */
  public long multiple(String name, String what, long unit, long least, long most) {
    long value = whole(name, least, most);
    if (value % unit != 0) {
      throw contradiction(name, "a multiple of " + what);
    }
    return value;
  }

  /** A whole number that counts things: of a range within an {@code int}, both ends included. */
  public int count(String name, int least, int most) {
    return (int) whole(name, least, most);
  }

  /** A number of a range, both ends included. */
  public double real(String name, double least, double most) {
    double value = (Double) values.get(name);
    if (value < least || value > most) {
      throw wrong(name, value, "between " + least + " and " + most);
    }
    return value;
  }

  public boolean flag(String name) {
    return (Boolean) values.get(name);
  }

  /** A text as it was given. */
  public String text(String name) {
    return (String) values.get(name);
  }

  /** One of an enumeration's values, written in lower case with hyphens. */
  public <E extends Enum<E>> E oneOf(String name, Class<E> type) {
    List<String> known = new ArrayList<>();
    for (E value : type.getEnumConstants()) {
      String label = value.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (label.equals(values.get(name))) {
        return value;
      }
      known.add(label);
    }
    throw wrong(name, values.get(name), "one of " + String.join(", ", known));
  }

  /** An error of one parameter against another. */
  public InvalidParameterException contradiction(String name, String right) {
    return wrong(name, values.get(name), right);
  }

  /** A source of random choices from the parameter {@code seed}. */
  public Draws draws() {
    return new Draws(whole("seed", Long.MIN_VALUE));
  }
}
