package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** The rendered templates of one role instance. It has the name of the instance. */
public final class TemplateOutput {
  /** The finalizer that is removed once the written files are removed. */
  public static final String FINALIZER = "verwalter.io/files";

  public static final Kind<Spec, Status> KIND =
      Kind.of("TemplateOutput", "to", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.INSTANCE)
          .removedByItsWriters()
          .statusBy(Writer.TEMPLATE)
          .finalizedBy(FINALIZER, Writer.TEMPLATE);

  /** The annotation that pins a release; its value is the id of the release's deployment. */
  public static final String PIN = "verwalter.io/release";

  /** The annotation that allows one held rendering; its value is {@link Held#input}. */
  public static final String ALLOW = "verwalter.io/allow";

  /**
   * The templates to render and their input.
   *
   * @param role name of the role
   * @param node name of the node
   * @param template directory below {@code templates/}
   * @param variables the input of the templates
   * @param release the programs that the files are for, which templates see as {@code release}
   * @param next what will be rendered next: it is checked, and not put in place
   */
  public record Spec(
      String role,
      String node,
      String template,
      Map<String, Object> variables,
      Optional<UsedRelease> release,
      Optional<Next> next) {
    public Spec {
      variables = Json.freeze(variables);
    }

    /** Templates without a release. */
    public Spec(String role, String node, String template, Map<String, Object> variables) {
      this(role, node, template, variables, Optional.empty(), Optional.empty());
    }

    /** A copy with something else to check. */
    public Spec withNext(Optional<Next> other) {
      return new Spec(role, node, template, variables, release, other);
    }

    /** What this renders, without what comes next. */
    public Next present() {
      return new Next(template, variables, release);
    }

    /** A copy that renders this. */
    public Spec switchedTo(Next other) {
      return new Spec(role, node, other.template, other.variables, other.release, Optional.empty());
    }
  }

  /**
   * Templates and their input, as in {@link Spec}.
   *
   * @param template directory below {@code templates/}
   * @param variables the input of the templates
   * @param release the programs that the files are for
   */
  public record Next(
      String template, Map<String, Object> variables, Optional<UsedRelease> release) {
    public Next {
      variables = Json.freeze(variables);
    }

    /** The version of the release, or the variable {@code version} if there is no release. */
    public Optional<String> version() {
      return release.isPresent()
          ? release.get().version()
          : Optional.ofNullable(variables.get("version"))
              .filter(String.class::isInstance)
              .map(String.class::cast);
    }
  }

  /**
   * A release that is complete on the disk.
   *
   * @param ref name of its {@link DeploymentRef}
   * @param path directory with its files
   * @param digest of its archive; absent for a directory that is used in place
   * @param version name of the version
   */
  public record UsedRelease(
      String ref, String path, Optional<String> digest, Optional<String> version) {}

  /**
   * The result of the last rendering.
   *
   * @param deployment id of the last deployment that changed anything
   * @param input hash of the variables and of the template directory
   * @param files all written files, by absolute path
   * @param processes all process files for the supervisor
   * @param releases the releases that can be restored, the oldest first
   * @param held the rendering that a guard holds
   * @param drift the last detected changes of written files
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

    /** Creates a status with files only. */
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
   * A written file.
   *
   * @param path absolute path
   * @param sha256 SHA-256 of its content, lower-case hex
   * @param mode permission bits in octal, such as {@code 0644}
   * @param size size in bytes
   * @param owner numeric user and group, such as {@code 0:0}; absent in statuses of versions that
   *     did not record owners, and then not compared
   */
  public record File(String path, String sha256, String mode, long size, Optional<String> owner) {
    /** Creates a file without an owner. */
    public File(String path, String sha256, String mode, long size) {
      this(path, sha256, mode, size, Optional.empty());
    }
  }

  /**
   * The rendered process file of one sandbox.
   *
   * @param sandbox name of the sandbox
   * @param processes the processes by name
   */
  public record ProcessFile(String sandbox, Map<String, ProcessSpec> processes) {
    public ProcessFile {
      processes = Json.freeze(processes);
    }
  }

  /**
   * A successful application that can be restored.
   *
   * @param deployment the id of its deployment
   * @param at when it was applied
   * @param digest hash of its texts and commands; equal for equal releases
   */
  public record Release(String deployment, Instant at, String digest) {}

  /**
   * A rendering that a guard holds.
   *
   * @param input identifies this rendering; the value that {@link #ALLOW} needs
   * @param figures the counts of each guard, one line each
   */
  public record Held(String input, List<String> figures) {
    public Held {
      figures = List.copyOf(figures);
    }
  }

  /**
   * Changes of written files that Verwalter did not make.
   *
   * @param noticed when the changes were detected
   * @param repaired whether the files were restored
   * @param files the changed files
   */
  public record Drift(Instant noticed, boolean repaired, List<Changed> files) {
    public Drift {
      files = List.copyOf(files);
    }
  }

  /**
   * A file that differs from the written one.
   *
   * @param path absolute path
   * @param what description of the difference
   * @param sha256 SHA-256 of the file on disk, lower-case hex; absent if it is missing or not
   *     readable
   * @param mode permission bits of the file on disk, in octal
   * @param owner numeric user and group of the file on disk
   * @param patch unified diff from the written file to the file on disk, shortened; absent for
   *     files that are not readable by all users of the machine
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
