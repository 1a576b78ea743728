package verwalter.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;

/**
 * The servers that an operator uses, each with a name: the file {@code verwalter/config.yaml} in
 * the user's configuration directory. Only its owner may read it, since it can hold tokens.
 *
 * @param current the name of the context in use; empty for none
 * @param all the settings of each context by name
 */
record Contexts(String current, Map<String, Map<String, String>> all) {
  /** The settings of a context, which are the names of options without hyphens before them. */
  static final List<String> SETTINGS =
      List.of(
          "server",
          "certificate-authority",
          "client-certificate",
          "client-key",
          "token",
          "token-file");

  private static final String CURRENT = "current-context";

  Contexts {
    all = new TreeMap<>(all);
  }

  /** The file; empty if the user has no home. */
  static Optional<Path> file(Environment environment) {
    var named = environment.variable("VERWALTER_CONFIG");
    if (!named.isEmpty()) {
      return Optional.of(Path.of(named));
    }
    var own = environment.variable("XDG_CONFIG_HOME");
    if (!own.isEmpty()) {
      return Optional.of(Path.of(own, "verwalter/config.yaml"));
    }
    var home = environment.variable("HOME");
    return home.isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(home, ".config/verwalter/config.yaml"));
  }

  /** Reads the file; without one there are no contexts. */
  static Contexts read(Environment environment) {
    var file = file(environment);
    if (file.isEmpty()) {
      return new Contexts("", Map.of());
    }
    try {
      Object tree =
          new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions()))
              .load(Files.readString(file.get()));
      var all = new TreeMap<String, Map<String, String>>();
      for (var each : PlainJson.list(tree, "contexts")) {
        var settings = new LinkedHashMap<String, String>();
        for (var setting : SETTINGS) {
          var value = PlainJson.text(each, setting);
          if (!value.isEmpty()) {
            settings.put(setting, value);
          }
        }
        all.put(PlainJson.text(each, "name"), settings);
      }
      return new Contexts(PlainJson.text(tree, CURRENT), all);
    } catch (NoSuchFileException none) {
      return new Contexts("", Map.of());
    } catch (IOException | YAMLException | ClassCastException unreadable) {
      throw Failure.error(
          "%s cannot be read: %s".formatted(file.get(), unreadable.getMessage()),
          "repair or remove the file");
    }
  }

  /** A context by its name. */
  Map<String, String> named(String name) {
    var found = all.get(name);
    if (found == null) {
      throw Failure.usage(
          "there is no context \"" + name + "\"", "list them: vw config get-contexts");
    }
    return found;
  }

  /** Writes the file completely, or leaves it as it is. */
  void write(Environment environment) throws IOException {
    var file =
        file(environment)
            .orElseThrow(
                () -> Failure.error("there is no home directory", "set HOME or VERWALTER_CONFIG"))
            .toAbsolutePath();
    var list = new ArrayList<Object>();
    all.forEach(
        (name, settings) -> {
          var each = new LinkedHashMap<String, Object>();
          each.put("name", name);
          each.putAll(settings);
          list.add(each);
        });
    var tree = new LinkedHashMap<String, Object>();
    if (!current.isEmpty()) {
      tree.put(CURRENT, current);
    }
    tree.put("contexts", list);
    var directory = file.getParent();
    Files.createDirectories(directory);
    var own = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var fresh = Files.createTempFile(directory, "config", ".yaml", own);
    try {
      Files.writeString(fresh, Yaml.text(tree));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
