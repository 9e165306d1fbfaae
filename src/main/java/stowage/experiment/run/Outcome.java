package stowage.experiment.run;

import java.util.Locale;

/** How a run ended. What is known of the plan is the status's business. */
public enum Outcome {
  /** As it should, with a plan or without. */
  DONE,
  /** The planner's rules do not admit the problem. */
  REFUSED,
  /** The planner gave something that is no plan of the problem. */
  INVALID,
  /** An external planner ended well but wrote nothing. */
  NO_OUTPUT,
  /** The planner did not end in its time and had to be stopped from outside. */
  TIMEOUT,
  /** The worker ran out of memory, or took more than it may. */
  OUT_OF_MEMORY,
  /** The worker's process died. */
  CRASHED,
  /** The planner ended with an error. */
  FAILED;

  /** Whether something is wrong with the planner, or with the machine. */
  public boolean isFailure() {
    return this != DONE && this != REFUSED;
  }

  /** As tables write it: lower case, with hyphens. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
