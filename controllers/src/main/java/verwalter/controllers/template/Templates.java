package verwalter.controllers.template;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.model.Reason;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;

/**
 * Renders the templates of a role and applies the result. Calls block: make them off the loop, one
 * at a time for each role.
 *
 * <p>Every call first restores files that an interrupted application has left partly switched.
 * Every role is applied once after the start of an agent, so the recovery needs no call of its own.
 */
public interface Templates {
  /**
   * Renders and applies, or restores a release.
   *
   * @param before the result of the last successful application
   * @throws Failed if nothing was changed; the previous files are in place
   */
  Applied apply(Wanted wanted, Before before) throws Failed;

  /**
   * Checks the files on disk and restores drifted ones, unless the role only reports drift. Does
   * not render as long as the applied release is stored.
   *
   * @throws Failed as for {@link #apply}
   */
  default Applied check(Wanted wanted, Before before) throws Failed {
    return apply(wanted, before);
  }

  /**
   * Renders, asks the guards, runs the checks of the recipes, and validates the process files,
   * without putting anything in place.
   *
   * @throws Failed if {@link #apply} would fail
   */
  void prepare(Wanted wanted, Before before) throws Failed;

  /** Removes the written files and all state of the owner. */
  void remove(String owner, List<TemplateOutput.File> files) throws Failed;

  /**
   * Moves the state of the owner {@code from} to {@code to}, the same role of a renamed machine.
   * Does nothing if there is no state, or if {@code to} has state already.
   */
  default void move(String from, String to) throws Failed {}

  /**
   * The input of an application.
   *
   * @param owner the name of the template output, under which the role's state is stored
   * @param template directory below {@code templates/}
   * @param input hash of the spec; together with the guard's message it identifies a held rendering
   * @param deployment the id of this application
   * @param at the time of this application
   * @param release the deployment whose release is pinned; templates are not used then
   * @param allowed the held rendering that is allowed
   * @param repairs whether drifted files may be restored now
   * @param needs supplies the dependencies between roles; safe to call from any thread
   */
  record Wanted(
      String owner,
      String role,
      String template,
      Map<String, Object> variables,
      String input,
      String deployment,
      Instant at,
      Optional<String> release,
      Optional<String> allowed,
      boolean repairs,
      Supplier<Needs> needs) {
    /** Returns why this role, whose recipes need {@code others}, cannot be applied. */
    Optional<Needs.Obstacle> obstacle(List<String> others) {
      // Most roles need no other role, and computing the needs of all roles is expensive.
      return others.isEmpty() ? Optional.empty() : needs.get().obstacle(role, others);
    }
  }

  /**
   * The result of the last successful application; see {@link Applied}.
   *
   * @param digest empty if there was no application
   */
  record Before(
      String digest,
      List<TemplateOutput.File> files,
      List<TemplateOutput.ProcessFile> processes,
      List<TemplateOutput.Release> releases) {
    /** Nothing was ever applied. */
    public static final Before NOTHING = new Before("", List.of(), List.of(), List.of());

    public Before {
      files = List.copyOf(files);
      processes = List.copyOf(processes);
      releases = List.copyOf(releases);
    }
  }

  /**
   * The result of an application.
   *
   * @param digest equal for applications with the same result
   * @param releases the stored releases, the oldest first
   * @param drifted the files that differed from the written ones
   * @param repaired whether the drifted files were restored
   * @param overruled the messages of guards that were overruled
   * @param needs the roles that the recipes need
   * @param ofSchedule whether the templates may read the whole schedule, so that the result may
   *     change with the schedule
   * @param changed whether anything was written or run
   * @param log the log of the application, in order
   */
  record Applied(
      String digest,
      List<TemplateOutput.File> files,
      List<TemplateOutput.ProcessFile> processes,
      List<TemplateOutput.Release> releases,
      List<TemplateOutput.Changed> drifted,
      boolean repaired,
      boolean reportsOnly,
      List<String> overruled,
      List<String> needs,
      boolean ofSchedule,
      boolean changed,
      List<LogPiece> log) {
    public Applied {
      files = List.copyOf(files);
      processes = List.copyOf(processes);
      releases = List.copyOf(releases);
      drifted = List.copyOf(drifted);
      overruled = List.copyOf(overruled);
      needs = List.copyOf(needs);
      log = List.copyOf(log);
    }

    /** Returns a copy after these files of an unfinished application were restored. */
    Applied after(List<String> restored) {
      if (restored.isEmpty()) {
        return this;
      }
      var text = new StringBuilder();
      restored.forEach(path -> text.append(path).append(": put back after an unfinished run\n"));
      var all = new ArrayList<>(List.of(LogPiece.ofRun(text.toString())));
      all.addAll(log);
      return new Applied(
          digest,
          files,
          processes,
          releases,
          drifted,
          repaired,
          reportsOnly,
          overruled,
          needs,
          ofSchedule,
          true,
          all);
    }

    /** The result of an application without drift and without an overruled guard. */
    public static Applied of(
        String digest,
        List<TemplateOutput.File> files,
        List<TemplateOutput.ProcessFile> processes,
        boolean ofSchedule,
        boolean changed,
        List<LogPiece> log) {
      return new Applied(
          digest,
          files,
          processes,
          List.of(),
          List.of(),
          false,
          false,
          List.of(),
          List.of(),
          ofSchedule,
          changed,
          log);
    }
  }

  /** An application failed and changed nothing. */
  final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final Why why;
    private final transient Optional<TemplateOutput.Held> held;
    private final transient List<String> needs;
    private final transient List<LogPiece> log;

    /** The kind of a failure. */
    public enum Why {
      /** A lasting failure: it is not retried until the input changes. */
      INPUT(Reason.RENDER_FAILED),
      /** A temporary failure, which is retried. */
      MACHINE(Reason.MACHINE_FAILED),
      /** A guard holds the rendering until an operator allows it or the input changes. */
      HELD(Reason.HELD),
      /** A role that this role needs is not done yet. */
      WAITING(Reason.WAITING),
      /** Roles need each other in a cycle. */
      CYCLE(Reason.NEEDS_CYCLE);

      private final Reason reason;

      Why(Reason reason) {
        this.reason = reason;
      }

      /** The reason in the condition. */
      public Reason reason() {
        return reason;
      }
    }

    private Failed(
        Why why,
        String message,
        Optional<TemplateOutput.Held> held,
        List<String> needs,
        List<LogPiece> log) {
      super(message, null, false, false);
      this.log = List.copyOf(log);
      this.why = why;
      this.held = held;
      this.needs = List.copyOf(needs);
    }

    /**
     * Creates a failure.
     *
     * @param message file, line and reason, for operators
     * @param lasting whether it is not retried until the input changes
     */
    public Failed(String message, boolean lasting) {
      this(message, lasting, List.of());
    }

    /**
     * Creates a failure of an application that was begun.
     *
     * @param log the log of the application until the failure, in order
     */
    public Failed(String message, boolean lasting, List<LogPiece> log) {
      this(lasting ? Why.INPUT : Why.MACHINE, message, Optional.empty(), List.of(), log);
    }

    /** The log of the application until the failure, in order. */
    public List<LogPiece> log() {
      return log;
    }

    /** Creates a failure caused by a guard. */
    public static Failed held(TemplateOutput.Held held, String message) {
      return new Failed(Why.HELD, message, Optional.of(held), List.of(), List.of());
    }

    /** Creates a failure caused by a role that is needed. */
    public static Failed needing(Needs.Obstacle obstacle, List<String> needs) {
      return new Failed(
          obstacle.cycle() ? Why.CYCLE : Why.WAITING,
          obstacle.text(),
          Optional.empty(),
          needs,
          List.of());
    }

    public Why why() {
      return why;
    }

    public Optional<TemplateOutput.Held> held() {
      return held;
    }

    /** The roles that the recipes need, if they caused the failure. */
    public List<String> needs() {
      return needs;
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
