package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** What rendering the templates of one role instance produced. Named like the instance. */
public final class TemplateOutput {
  /** Held until the files it wrote are gone. */
  public static final String FINALIZER = "verwalter.io/files";

  public static final Kind<Spec, Status> KIND =
      Kind.of("TemplateOutput", "to", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.INSTANCE)
          .statusBy(Writer.TEMPLATE)
          .finalizedBy(FINALIZER, Writer.TEMPLATE);

  /** The annotation that holds a release in place: the deployment that brought it. */
  public static final String PIN = "verwalter.io/release";

  /** The annotation that lets one held rendering through: its {@link Held#input}. */
  public static final String ALLOW = "verwalter.io/allow";

  /**
   * What to render, with what.
   *
   * @param role name of the role
   * @param node name of the node
   * @param template directory below {@code templates/}
   * @param variables everything the templates see
   */
  public record Spec(String role, String node, String template, Map<String, Object> variables) {
    public Spec {
      variables = Json.freeze(variables);
    }
  }

  /**
   * What was rendered last.
   *
   * @param deployment id of the last deployment that changed anything
   * @param input hash of everything that went in: variables and template directory
   * @param files every file written, by absolute path
   * @param processes every process file handed to the supervisor
   * @param releases what can be brought back, the oldest first
   * @param held what a guard holds back
   * @param drift the last changes of the files by others
   */
  public record Status(
      long observedGeneration,
      Optional<String> deployment,
      String input,
      List<File> files,
      List<ProcessFile> processes,
      List<Release> releases,
      Optional<Held> held,
      Optional<Drift> drift,
      List<Condition> conditions) {
    public Status {
      files = List.copyOf(files);
      processes = List.copyOf(processes);
      releases = List.copyOf(releases);
      conditions = List.copyOf(conditions);
    }

    /** A status with files and nothing else. */
    public static Status of(
        long observedGeneration,
        Optional<String> deployment,
        String input,
        List<File> files,
        List<ProcessFile> processes,
        List<Condition> conditions) {
      return new Status(
          observedGeneration,
          deployment,
          input,
          files,
          processes,
          List.of(),
          Optional.empty(),
          Optional.empty(),
          conditions);
    }
  }

  /**
   * One file on disk.
   *
   * @param path where it is, absolute
   * @param sha256 of its content, lower-case hex
   * @param mode permission bits in octal, such as {@code 0644}
   * @param size in bytes
   * @param owner numeric user and group, such as {@code 0:0}; absent in what was written down
   *     before owners were, and then not compared
   */
  public record File(String path, String sha256, String mode, long size, Optional<String> owner) {
    /** A file without a recorded owner. */
    public File(String path, String sha256, String mode, long size) {
      this(path, sha256, mode, size, Optional.empty());
    }
  }

  /**
   * The process file of one sandbox, as the role's templates rendered it.
   *
   * @param sandbox which sandbox it is for
   * @param processes what to run, by name
   */
  public record ProcessFile(String sandbox, Map<String, ProcessSpec> processes) {
    public ProcessFile {
      processes = Json.freeze(processes);
    }
  }

  /**
   * One application that succeeded and can be brought back.
   *
   * @param deployment its id
   * @param at when it was applied
   * @param digest of its texts and commands; equal for equal releases
   */
  public record Release(String deployment, Instant at, String digest) {}

  /**
   * A rendering that a guard holds back.
   *
   * @param input identifies this rendering; the value that {@link #ALLOW} needs
   * @param figures what each guard has counted, one line each
   */
  public record Held(String input, List<String> figures) {
    public Held {
      figures = List.copyOf(figures);
    }
  }

  /**
   * Changes of the files of the role that others made.
   *
   * @param noticed when
   * @param repaired whether the files are as they were again
   * @param files those that were different
   */
  public record Drift(Instant noticed, boolean repaired, List<Changed> files) {
    public Drift {
      files = List.copyOf(files);
    }
  }

  /**
   * One file that was not as written.
   *
   * @param path where it is, absolute
   * @param what in words
   * @param sha256 of what was found, lower-case hex; absent if nothing readable was there
   * @param mode that was found, in octal
   * @param owner that was found, numeric user and group
   * @param patch from what was written to what was found, as a unified diff, shortened; absent for
   *     files that not everybody on the machine may read
   */
  public record Changed(
      String path,
      String what,
      Optional<String> sha256,
      Optional<String> mode,
      Optional<String> owner,
      Optional<String> patch) {}

  private TemplateOutput() {}
}
