package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/** Something to do in the world on behalf of a slot. */
sealed interface Effect {
  /** Start the slot's program as the run with that id. */
  record Launch(String slot, String id) implements Effect {}

  /** Ask the program to end, once. */
  record Terminate(Run run, ProcessId process) implements Effect {}

  /** Kill the program and everything in its session; it had its time. */
  record Kill(Run run, ProcessId process) implements Effect {}

  /** Say in the log how the run ended and kill what it left behind. */
  record Sweep(Run run, Optional<ProcessId> process, Exit exit) implements Effect {}

  /** Make sure that a run which never showed a process never will. */
  record Annul(Run run) implements Effect {}

  /** Decide again then. */
  record Wake(String slot, Instant at) implements Effect {}
}
