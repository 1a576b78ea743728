package verwalter.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A configuration directory for tests: a scheduler that runs all roles in {@code runtime/},
 * templates with a process file and another file, and an image with a small program.
 */
final class Site {
  /**
   * A scheduler that runs {@code count} processes of the newest version of each role on this host.
   */
  private static final String SCHEDULER =
      """
      local json = require "verwalter/json"

      local function newest(versions)
        local best
        for name in pairs(versions) do
          if name:match("^v%d") and (best == nil or name > best) then best = name end
        end
        return best
      end

      local function schedule(input)
        local roles, mine = json.object{}, json.object{}
        for role, metadata in pairs(input.runtime) do
          local version = newest(metadata)
          if version then
            local wanted = metadata[version]
            roles[role] = json.object{}
            mine[role] = {
              template = wanted.template or "app/v1",
              version = version,
              image = wanted.image,
              count = wanted.count,
              out = metadata.settings.out,
            }
          end
        end
        return json.encode{
          roles = roles,
          nodes = { [input.current_host] = { roles = mine } },
          state = json.object{},
        }, "scheduled for " .. input.current_host
      end

      return { scheduler = schedule }
      """;

  private static final String RECIPE =
      """
      templates:
        processes: processes.yaml.j2
        settings: settings.txt.j2
      commands:
      - !Cmd [grep, -q, "^version=", "{{ files.settings }}"]
      - !Copy {src: "{{ files.settings }}", dest: "%s/{{ role }}.txt", mode: 0o640}
      - !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
      """;

  private static final String PROCESSES =
      """
      worker:
        kind: Daemon
        image: "{{ image }}"
        config: /config/worker.yaml
        instances: {{ count }}
        variables:
          version: "{{ version }}"
      """;

  private static final String SETTINGS = "version={{ version }}\ncount={{ count }}\n";

  private static final String SANDBOX =
      """
      image-dir: %s
      allow-users: [0-65534]
      allow-groups: [0-65534]
      default-user: 0
      """;

  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "exec sleep 86400", "@{version}"]
      restart-timeout: 1
      kill-timeout: 2
      variables:
        version: !DottedName
      """;

  private final Path config;
  private final Path out;

  private Site(Path root) {
    this.config = root.resolve("config");
    this.out = root.resolve("out");
  }

  /** Writes the directory below {@code root}. */
  static Site in(Path root) throws IOException {
    var site = new Site(root);
    Files.createDirectories(site.out);
    Files.createDirectories(site.config.resolve("sandbox"));
    Files.createDirectories(site.config.resolve("runtime"));
    site.write("scheduler/v1/main.lua", SCHEDULER);
    site.write("templates/app/v1/app.render.yaml", RECIPE.formatted(site.out));
    site.write("templates/app/v1/processes.yaml.j2", PROCESSES);
    site.write("templates/app/v1/settings.txt.j2", SETTINGS);
    return site;
  }

  /** The directory below {@code root} as it is. */
  static Site reopened(Path root) {
    return new Site(root);
  }

  /** Copies a directory of {@code examples/} to a directory below {@code root}. */
  static Site copyOf(Path example, Path root) throws IOException {
    var site = new Site(root);
    try (var tree = Files.walk(example)) {
      for (var path : tree.toList()) {
        var copy = site.config.resolve(example.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(path, copy);
        }
      }
    }
    return site;
  }

  Path config() {
    return config;
  }

  /** The path of the role's rendered file. */
  Path outputOf(String role) {
    return out.resolve(role + ".txt");
  }

  /** Adds a version of a role with {@code count} processes. */
  void version(String role, String version, int count) throws IOException {
    var image = config.resolve("lithos/images/" + role + "-" + version + "/config");
    Files.createDirectories(image);
    write("lithos/images/" + role + "-" + version + "/config/worker.yaml", CONTAINER);
    write("lithos/sandboxes/" + role + ".yaml", SANDBOX.formatted(config.resolve("lithos/images")));
    write("runtime/" + role + "/settings.yaml", "out: " + out + "\n");
    count(role, version, count);
  }

  /** Changes the number of processes of a version of a role. */
  void count(String role, String version, int count) throws IOException {
    count(role, version, role + "-" + version, count);
  }

  /** Writes a version of a role with the image of another version. */
  void count(String role, String version, String image, int count) throws IOException {
    write(
        "runtime/" + role + "/" + version + ".yaml",
        "image: %s\ncount: %d\n".formatted(image, count));
  }

  /** Replaces a file like an editor: writes another file and renames it. */
  void write(String file, String text) throws IOException {
    var path = config.resolve(file);
    Files.createDirectories(path.getParent());
    var next = path.resolveSibling("." + path.getFileName() + ".new");
    Files.writeString(next, text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(next, path, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  String read(String file) throws IOException {
    return Files.readString(config.resolve(file));
  }

  void remove(String directory) throws IOException {
    try (var tree = Files.walk(config.resolve(directory))) {
      for (var path : tree.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
