package verwalter.supervisor.lithos;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The content of a mount point of a container. */
sealed interface Volume {
  /** The directory outside of the container, if the sandbox defines one. */
  Optional<Path> outside(SandboxConfig sandbox);

  /** Whether it names a directory that the sandbox must define. */
  default boolean needsOutside() {
    return true;
  }

  static Volume read(Value value) {
    var tag = value.tag().orElse("");
    return switch (tag) {
      case "!Readonly" -> new Readonly(value.tagged());
      case "!Persistent" -> Persistent.read(value);
      case "!Tmpfs" -> Tmpfs.read(value);
      case "!Statedir" -> Statedir.read(value);
      default -> {
        value.problem(
            "expected !Readonly, !Persistent, !Tmpfs or !Statedir, found "
                + (tag.isEmpty() ? "no tag" : tag));
        yield new Readonly("/");
      }
    };
  }

  /** A read-only directory of the sandbox. */
  record Readonly(String path) implements Volume {
    @Override
    public Optional<Path> outside(SandboxConfig sandbox) {
      return find(sandbox.readonlyPaths(), path).or(() -> find(sandbox.writablePaths(), path));
    }
  }

  /** A writable directory of the sandbox. */
  record Persistent(String path, boolean mkdir, long mode, long user, long group)
      implements Volume {
    static Persistent read(Value value) {
      var struct = value.taggedStruct();
      var volume =
          new Persistent(
              struct.text("path", "/"),
              struct.bool("mkdir", false),
              struct.number("mode", 0777, 0, 01777),
              struct.number("user", 0, 0, 0xffff_ffffL),
              struct.number("group", 0, 0, 0xffff_ffffL));
      struct.end();
      return volume;
    }

    @Override
    public Optional<Path> outside(SandboxConfig sandbox) {
      return find(sandbox.writablePaths(), path);
    }
  }

  /** A memory file system. */
  record Tmpfs(long size, long mode) implements Volume {
    static Tmpfs read(Value value) {
      var struct = value.taggedStruct();
      var volume =
          new Tmpfs(
              struct.number("size", 100L << 20, 0, Long.MAX_VALUE),
              struct.number("mode", 0777, 0, 01777));
      struct.end();
      return volume;
    }

    @Override
    public Optional<Path> outside(SandboxConfig sandbox) {
      return Optional.empty();
    }

    @Override
    public boolean needsOutside() {
      return false;
    }
  }

  /** A directory with the lifetime of the process. */
  record Statedir(String path, long mode, long user, long group) implements Volume {
    static Statedir read(Value value) {
      var struct = value.taggedStruct();
      var volume =
          new Statedir(
              struct.text("path", "/"),
              struct.number("mode", 0777, 0, 01777),
              struct.number("user", 0, 0, 0xffff_ffffL),
              struct.number("group", 0, 0, 0xffff_ffffL));
      struct.end();
      return volume;
    }

    @Override
    public Optional<Path> outside(SandboxConfig sandbox) {
      return Optional.empty();
    }

    @Override
    public boolean needsOutside() {
      return false;
    }
  }

  /** The first matching prefix in sorted order is used, even if a longer one matches. */
  private static Optional<Path> find(Map<String, String> directories, String virtual) {
    try {
      var path = Path.of(virtual).normalize();
      for (var each : new TreeMap<>(directories).entrySet()) {
        var prefix = Path.of(each.getKey()).normalize();
        if (path.startsWith(prefix)) {
          return Optional.of(Path.of(each.getValue()).resolve(prefix.relativize(path)).normalize());
        }
      }
    } catch (InvalidPathException unusable) {
      return Optional.empty();
    }
    return Optional.empty();
  }
}
