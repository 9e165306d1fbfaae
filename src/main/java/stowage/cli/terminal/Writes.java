package stowage.cli.terminal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Output of a command: on an option, which names a file, or a folder where its label is {@code
 * DIR}; on a command's class, with the names of the files that the command writes into such a
 * folder. {@link OutputGuard} keeps inputs safe from both.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface Writes {
  /** Names of all files of a plan's folder. */
  String PLAN = "{plan.csv,plan.json,plan.svg,plan.html,solver.log}";

  /** Patterns of the files in the folder, relative to it, as {@code glob:} has them. */
  String[] value() default {};
}
