package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.service.ServiceFile;

/** The services of a configuration directory: files {@code roles/NAME.yaml}. */
final class ServiceDirectory {
  private static final String OPTION = "--config-dir";

  private final Path config;

  private ServiceDirectory(Path config) {
    this.config = config;
  }

  static OptionSpec option() {
    return Flags.text(
        "DIR", "The configuration directory of the agent; default: the current directory", OPTION);
  }

  /** The directory that the option names. */
  static ServiceDirectory of(ParseResult args) {
    var directory = Path.of(args.matchedOptionValue(OPTION, "."));
    if (!Files.isDirectory(directory)) {
      throw Failure.error(
          "there is no directory %s".formatted(directory), "create it: mkdir -p " + directory);
    }
    return new ServiceDirectory(directory);
  }

  /** The configuration directory, as it was given. */
  Path config() {
    return config;
  }

  /** The file of a service. */
  Path file(String name) {
    var roles = config.resolve("roles");
    return roles.resolve(name + ".yaml").normalize();
  }

  /**
   * Refuses a name that no service may have, and a service that exists.
   *
   * @param again the command with another name
   */
  void checkNew(String name, String again) {
    if (!ServiceFile.isName(name)) {
      throw Failure.usage("\"%s\" is no name: %s".formatted(name, ServiceFile.NAME_RULE), again);
    }
    for (var file : new Path[] {file(name), file(name).resolveSibling(name + ".yml")}) {
      if (Files.exists(file)) {
        throw exists(file, again);
      }
    }
  }

  /** Writes the file of a new service; never replaces one. Returns its path. */
  Path create(String name, String text, String again) throws IOException {
    var file = file(name);
    Files.createDirectories(config.resolve("roles"));
    // Hidden, so that an agent does not read it, and complete before it gets its name.
    var draft = file.resolveSibling("." + name + ".yaml.new");
    Files.write(draft, text.getBytes(StandardCharsets.UTF_8));
    try {
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      throw exists(file, again);
    } finally {
      Files.delete(draft);
    }
    return file;
  }

  private static Failure exists(Path file, String again) {
    return Failure.error(
        file + " exists already, and is not replaced",
        "edit it, which deploys it; or choose another name: " + again);
  }
}
