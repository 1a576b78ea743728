package verwalter.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What rendering the templates of one role instance produced. Named like the instance. */
public final class TemplateOutput {
  public static final Kind<Spec, Status> KIND =
      Kind.of("TemplateOutput", "to", Spec.class, Status.class);

  /** Held until the files it wrote are gone. */
  public static final String FINALIZER = "verwalter.io/files";

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
   */
  public record Status(
      long observedGeneration,
      Optional<String> deployment,
      String input,
      List<File> files,
      List<ProcessFile> processes,
      List<Condition> conditions) {
    public Status {
      files = List.copyOf(files);
      processes = List.copyOf(processes);
      conditions = List.copyOf(conditions);
    }
  }

  /**
   * One file on disk.
   *
   * @param path where it is, absolute
   * @param sha256 of its content, lower-case hex
   * @param mode permission bits in octal, such as {@code 0644}
   * @param size in bytes
   */
  public record File(String path, String sha256, String mode, long size) {}

  /**
   * The process file of one sandbox, as the role's templates rendered it.
   *
   * @param sandbox which sandbox it is for
   * @param processes its entries, by name
   */
  public record ProcessFile(String sandbox, Map<String, ProcessEntry> processes) {
    public ProcessFile {
      processes = Json.freeze(processes);
    }
  }

  private TemplateOutput() {}
}
