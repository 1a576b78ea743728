package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/** An operation on the machine for a slot. */
sealed interface SlotEffect {
  /** Start the slot's program as the run with that id. */
  record Launch(String slot, String id) implements SlotEffect {}

  /** Ask the program to end, once. */
  record Terminate(Run run, ProcessId process) implements SlotEffect {}

  /** Kill the program and everything in its session, after its time to end. */
  record Kill(Run run, ProcessId process) implements SlotEffect {}

  /** Log how the run ended, and kill its remaining processes. */
  record Sweep(Run run, Optional<ProcessId> process, Exit exit) implements SlotEffect {}

  /** Make sure that a run which never had a process never gets one. */
  record Annul(Run run) implements SlotEffect {}

  /** Decide again at that time. */
  record Wake(String slot, Instant at) implements SlotEffect {}
}
