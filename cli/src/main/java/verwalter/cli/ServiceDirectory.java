package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
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

  /** The file that a service has, or would get. */
  Path present(String name) throws IOException {
    var other = file(name).resolveSibling(name + ".yml");
    var file = !Files.exists(file(name)) && Files.exists(other) ? other : file(name);
    return Files.exists(file) ? file.toRealPath() : file;
  }

  /** The text of a service; empty if it has no file. */
  Optional<String> read(String name) throws IOException {
    var file = present(name);
    return Files.exists(file)
        ? Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Writes the file of a service in one step, with the mode of the former one. */
  Path replace(String name, String text) throws IOException {
    if (read(name).equals(Optional.of(text))) {
      return present(name);
    }
    Files.createDirectories(config.resolve("roles"));
    var file = present(name);
    var draft = file.resolveSibling("." + name + ".yaml.new");
    Files.deleteIfExists(draft);
    if (Files.exists(file)) {
      var modes = Files.getPosixFilePermissions(file);
      Files.createFile(draft, PosixFilePermissions.asFileAttribute(modes));
    }
    Files.write(draft, text.getBytes(StandardCharsets.UTF_8));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return file;
  }

  private static Failure exists(Path file, String again) {
    return Failure.error(
        file + " exists already, and is not replaced",
        "edit it, which deploys it; or choose another name: " + again);
  }
}
