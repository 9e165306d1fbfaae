package stowage.cli.terminal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Heading under which help lists options: on a class of options that commands share it is that of
 * all of them, on a field that of one. Options without it come under {@link #STANDARD}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface HelpGroup {
  /** Heading of options that belong to one command. */
  String STANDARD = "Options";

  /** Heading of options about what is planned. */
  String INPUT = "Input";

  /** Heading of options about how a run plans. */
  String PLANNING = "Planning";

  /** Heading of options about the memory that buffers are placed in. */
  String MEMORY = "Memory";

  /** Heading of options of {@code --memories}. */
  String MEMORY_MAP = "Memory maps";

  /** Heading of options about time, threads and solvers. */
  String LIMITS = "Limits and solvers";

  /** Group of hidden options that are keys of {@code --set}. */
  String SETTINGS = "Options of single planners";

  /** Heading of options about answers and progress. */
  String OUTPUT = "Output";

  /** The heading, without a colon. */
  String value();
}
