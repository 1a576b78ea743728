package verwalter.controllers.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import verwalter.model.TemplateOutput;
import verwalter.render.Application;
import verwalter.render.ApplyFailed;
import verwalter.render.ProcessFiles;
import verwalter.render.Programs;

/** The templates in the configuration directory of this machine, applied to its disk. */
public final class RoleTemplates implements Templates {
  private final TemplateSource source;
  private final Path state;
  private final Programs programs;
  private final ProcessFiles processFiles;

  /**
   * Templates of a configuration directory.
   *
   * @param config the configuration directory
   * @param state where each role's own state is kept, one directory each
   */
  public RoleTemplates(Path config, Path state, Programs programs, ProcessFiles processFiles) {
    this.source = new TemplateSource(config);
    this.state = state;
    this.programs = programs;
    this.processFiles = processFiles;
  }

  @Override
  public Applied apply(
      String owner, String role, String template, Map<String, Object> variables, Before before)
      throws Failed {
    var rendered = source.render(template, role, variables);
    if (rendered.digest().equals(before.digest()) && inPlace(before.files())) {
      return new Applied(
          rendered.digest(),
          before.files(),
          before.processes(),
          rendered.ofSchedule(),
          false,
          "nothing to do");
    }
    try {
      var applied = application(owner).apply(rendered, before.files());
      return new Applied(
          rendered.digest(),
          applied.files(),
          applied.processes(),
          rendered.ofSchedule(),
          true,
          applied.log());
    } catch (ApplyFailed failure) {
      throw new Failed(
          "templates/%s/%s".formatted(template, failure.getMessage()), false, failure.log());
    }
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> files) throws Failed {
    try {
      application(owner).remove(files);
    } catch (ApplyFailed failure) {
      throw new Failed(String.valueOf(failure.getMessage()), false);
    }
  }

  private Application application(String owner) {
    return new Application(state.resolve(owner), programs, processFiles);
  }

  /** Whether every file on disk still is what was written. */
  private static boolean inPlace(List<TemplateOutput.File> files) {
    return files.stream().allMatch(RoleTemplates::inPlace);
  }

  private static boolean inPlace(TemplateOutput.File file) {
    var path = Path.of(file.path());
    try {
      return Files.size(path) == file.size()
          && mode(path) == Integer.parseInt(file.mode(), 8)
          && sha256(Files.readAllBytes(path)).equals(file.sha256());
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** The permission bits; {@code unix:mode} also holds the file's type. */
  private static int mode(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
