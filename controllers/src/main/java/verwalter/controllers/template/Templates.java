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
 * Renders the templates of a role and applies what they give. Calls block and touch the disk: make
 * them off the loop, one at a time for each role.
 *
 * <p>Whatever is asked for, what a killed process has left half switched is put back first. Since
 * every role is applied once after the start of an agent, that needs no call of its own, and the
 * disk of one role delays no other.
 */
public interface Templates {
  /**
   * Renders and applies, or brings a release back.
   *
   * @param before what the last successful application left in place
   * @throws Failed if nothing was changed: the files of before are in place
   */
  Applied apply(Wanted wanted, Before before) throws Failed;

  /**
   * Looks at the files on disk, and puts them back if they are not as written and the role does not
   * say otherwise. Renders nothing anew as long as what was applied is on record.
   *
   * @throws Failed as for {@link #apply}
   */
  default Applied check(Wanted wanted, Before before) throws Failed {
    return apply(wanted, before);
  }

  /** Removes files that were written, and everything else kept for the owner. */
  void remove(String owner, List<TemplateOutput.File> files) throws Failed;

  /**
   * Keeps for the owner {@code to} what is kept for {@code from}: the same role of a machine that
   * has another name since. Nothing happens if there is nothing, or if {@code to} has some already.
   */
  default void move(String from, String to) throws Failed {}

  /**
   * What should be applied.
   *
   * @param owner the name of the template output, under which the role's own state is kept
   * @param template directory below {@code templates/}
   * @param input hash of what was asked for; together with what a guard holds it tells one held
   *     rendering from every other
   * @param deployment id of this application
   * @param at when it is made
   * @param release the deployment whose release is held in place; templates then do not matter
   * @param allowed the held rendering that may go through
   * @param repairs whether files that somebody else changed may be put back now
   * @param needs what stands in the way of roles that need others; safe from any thread
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
    /** What stands in the way of this role, whose recipes need these others. */
    Optional<Needs.Obstacle> obstacle(List<String> others) {
      // Most roles need no other, and the picture of all roles is dear.
      return others.isEmpty() ? Optional.empty() : needs.get().obstacle(role, others);
    }
  }

  /**
   * What the last successful application left in place; see {@link Applied}.
   *
   * @param digest empty if there was none
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
   * What is in place now.
   *
   * @param digest equal as long as applying again would do the same
   * @param releases what can be brought back, the oldest first
   * @param drifted the files that were found different from what was written
   * @param repaired whether these are as they were again
   * @param overruled what guards said and was allowed all the same
   * @param needs the roles that the recipes need
   * @param ofSchedule whether the templates may look at the whole schedule, so that another
   *     schedule may give something else
   * @param changed whether anything was written or run
   * @param log what was done, in its order
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

    /** The same, after these files were put back, since an application before had no end. */
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

    /** An application that met no drift and no guard. */
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

  /** Nothing was applied. */
  final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final Why why;
    private final transient Optional<TemplateOutput.Held> held;
    private final transient List<String> needs;
    private final transient List<LogPiece> log;

    /** What kind of a failure it is. */
    public enum Why {
      /** It stays until the input changes, so that trying again is no use. */
      INPUT(Reason.RENDER_FAILED),
      /** It may pass by itself. */
      MACHINE(Reason.RENDER_FAILED),
      /** A guard holds it until somebody allows it, or the input changes. */
      HELD(Reason.HELD),
      /** A role that is needed is not done yet. */
      WAITING(Reason.WAITING),
      /** Roles need each other in a circle. */
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
     * A failure.
     *
     * @param message file, line and why, for people
     * @param lasting whether it stays until the input changes, so that trying again is no use
     */
    public Failed(String message, boolean lasting) {
      this(message, lasting, List.of());
    }

    /**
     * A failure of what was begun.
     *
     * @param log what was done until then, in its order
     */
    public Failed(String message, boolean lasting, List<LogPiece> log) {
      this(lasting ? Why.INPUT : Why.MACHINE, message, Optional.empty(), List.of(), log);
    }

    /** What was done until then, in its order. */
    public List<LogPiece> log() {
      return log;
    }

    /** A guard objects. */
    public static Failed held(TemplateOutput.Held held, String message) {
      return new Failed(Why.HELD, message, Optional.of(held), List.of(), List.of());
    }

    /** Roles that are needed are in the way. */
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

    /** The roles that the recipes need, if that is why. */
    public List<String> needs() {
      return needs;
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
