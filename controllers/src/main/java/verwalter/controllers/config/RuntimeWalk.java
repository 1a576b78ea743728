package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.sides.LossPolicy;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.model.RoleConfig;
import verwalter.model.VersionMetadata;
import verwalter.model.codec.RuntimeYaml;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.model.json.Problem;

/** Reads the runtime directory once. Used by one thread. */
final class RuntimeWalk {
  /**
   * The limit of nesting. Deeper directories indicate an error, such as a tree that is mounted
   * inside itself.
   */
  private static final int DEEPEST = 100;

  private final Path root;
  private final RuntimeDirectory.Limits limits;
  private final Branch roles = new Branch(Map.of());
  private final Map<String, List<String>> problems = new TreeMap<>();
  private int files;
  private long bytes;

  /** An object built from directories. */
  private static final class Branch extends LinkedHashMap<String, @Nullable Object> {
    private static final long serialVersionUID = 1;

    Branch(Map<?, ?> entries) {
      entries.forEach((key, value) -> put((String) key, value));
    }

    /**
     * Returns the object at {@code key}. A value that is not an object is replaced by an empty
     * object.
     */
    Branch branch(String key) {
      if (get(key) instanceof Branch branch) {
        return branch;
      }
      var branch = new Branch(get(key) instanceof Map<?, ?> map ? map : Map.of());
      put(key, branch);
      return branch;
    }
  }

  RuntimeWalk(Path root, RuntimeDirectory.Limits limits) {
    this.root = root;
    this.limits = limits;
  }

  RuntimeReading read() throws IOException {
    directory(root, List.of());
    roles.forEach(
        (role, value) -> {
          if (value == null) {
            problem(role, root.resolve(role), "the role is null; remove its files to remove it");
          }
        });
    roles.forEach(this::checkSettings);
    roles.keySet().removeAll(problems.keySet());
    @SuppressWarnings("NullAway") // a role that is null is reported as a problem
    Map<String, Object> read = roles;
    return new RuntimeReading(read, problems);
  }

  /** Reports invalid settings for nodes that cannot be reached, and of versions. */
  private void checkSettings(String role, @Nullable Object value) {
    if (value instanceof Map<?, ?> entries) {
      var spec = RoleConfig.Spec.of(entries);
      try {
        LossPolicy.of(spec);
      } catch (LossPolicy.Invalid wrong) {
        problem(role, fileOf(role, LossPolicy.SETTING), Objects.toString(wrong.getMessage()));
      }
      try {
        MinorityPolicy.of(spec);
      } catch (MinorityPolicy.Invalid wrong) {
        problem(role, fileOf(role, MinorityPolicy.SETTING), Objects.toString(wrong.getMessage()));
      }
      spec.versions()
          .forEach(
              (version, metadata) ->
                  VersionMetadata.of(metadata)
                      .problems()
                      .forEach(
                          wrong ->
                              problem(
                                  role,
                                  fileOf(role, version, wrong.entry()),
                                  version + "." + wrong.message())));
    }
  }

  /** The file that a setting of a role is read from. */
  private Path fileOf(String role, String setting) {
    var directory = root.resolve(role);
    return first(directory, directory.resolve(setting), directory.resolve("settings"), directory);
  }

  /** The file that an entry of a version is read from. */
  private Path fileOf(String role, String version, String entry) {
    var directory = root.resolve(role);
    var its = directory.resolve(version);
    return first(directory, its.resolve(entry), its, directory);
  }

  /** The first of these that is a file with an extension; {@code otherwise} if there is none. */
  private static Path first(Path otherwise, Path... candidates) {
    return Stream.of(candidates)
        .flatMap(
            file ->
                Stream.of("yaml", "yml", "json", "txt")
                    .map(extension -> file.resolveSibling(name(file) + "." + extension)))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(otherwise);
  }

  private void directory(Path directory, List<String> keys) throws IOException {
    if (keys.size() > DEEPEST) {
      problem(keys.get(0), directory, "directories nest deeper than " + DEEPEST + " levels");
      return;
    }
    var inside = new ArrayList<Path>();
    for (var entry : list(directory, keys)) {
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        inside.add(entry);
      } else {
        file(entry, with(keys, name(entry)));
      }
    }
    for (var entry : inside) {
      directory(entry, with(keys, name(entry)));
    }
  }

  /** The entries to read, in order. */
  private List<Path> list(Path directory, List<String> keys) throws IOException {
    var entries = new TreeMap<String, Path>(FileNames.ORDER);
    try (var stream = Files.newDirectoryStream(directory)) {
      for (var entry : stream) {
        var name = name(entry);
        if (name.indexOf('\ufffd') >= 0) {
          problem(with(keys, name).get(0), entry, "the name is not UTF-8");
        } else if (!FileNames.isSkipped(name)) {
          entries.put(name, entry);
        }
        if (++files > limits.files()) {
          throw new IOException(root + " has more than " + limits.files() + " files");
        }
      }
    } catch (DirectoryIteratorException e) {
      unlisted(directory, keys, Objects.requireNonNull(e.getCause()));
    } catch (FileSystemException e) {
      unlisted(directory, keys, e);
    }
    return List.copyOf(entries.values());
  }

  private void unlisted(Path directory, List<String> keys, IOException e) throws IOException {
    if (keys.isEmpty()) {
      throw e;
    }
    problem(keys.get(0), directory, "cannot be listed: " + reason(e));
  }

  private void file(Path file, List<String> keys) throws IOException {
    var extension = FileNames.extension(name(file));
    switch (extension) {
      case "yaml", "yml", "json", "txt" -> {
        try {
          put(keys, value(extension, file));
        } catch (DecodeException e) {
          e.problems().forEach(each -> problem(keys.get(0), each.toString()));
        }
      }
      default -> {} // files of other extensions are ignored
    }
  }

  private @Nullable Object value(String extension, Path file) throws IOException, DecodeException {
    var text = text(file);
    return switch (extension) {
      case "json" -> Json.parse(text, file.toString());
      case "txt" -> text;
      default -> RuntimeYaml.parse(text, file.toString());
    };
  }

  private String text(Path file) throws IOException, DecodeException {
    byte[] content;
    try {
      if (Files.isDirectory(file)) {
        throw refusal(file, "links to directories are not followed");
      }
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw refusal(file, "is not a regular file");
      }
      if (KernelFiles.contain(file)) {
        throw refusal(file, "is a file of the kernel");
      }
      try (var in = Files.newInputStream(file)) {
        content = in.readNBytes(limits.fileBytes() + 1);
      }
    } catch (IOException e) {
      throw refusal(file, "cannot be read: " + reason(e));
    }
    if (content.length > limits.fileBytes()) {
      throw refusal(file, "has more than " + limits.fileBytes() + " bytes");
    }
    bytes += content.length;
    if (bytes > limits.bytes()) {
      throw new IOException(
          "the files below " + root + " have more than " + limits.bytes() + " bytes together");
    }
    return Utf8Files.decode(content, file.toString());
  }

  private void put(List<String> keys, @Nullable Object value) {
    var branch = roles;
    for (var key : keys.subList(0, keys.size() - 1)) {
      branch = branch.branch(key);
    }
    branch.put(keys.get(keys.size() - 1), value);
  }

  private void problem(String role, Path place, String message) {
    problem(role, Problem.at(place.toString(), 0, 0, message).toString());
  }

  private void problem(String role, String message) {
    problems.computeIfAbsent(role, each -> new ArrayList<>()).add(message);
  }

  private static DecodeException refusal(Path file, String message) {
    return new DecodeException(Problem.at(file.toString(), 0, 0, message));
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "");
  }

  private static String name(Path entry) {
    return String.valueOf(entry.getFileName());
  }

  private static List<String> with(List<String> keys, String name) {
    var longer = new ArrayList<>(keys);
    longer.add(FileNames.key(name));
    return longer;
  }
}
