package verwalter.artifacts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A directory with releases, and archives to unpack. */
final class Machine {
  /** A disk with this limit does not get full in tests. */
  static final FreeSpace PLENTY = directory -> Long.MAX_VALUE / 2;

  final Path root;
  final Path releases;

  Machine(Path root) {
    this.root = root;
    this.releases = root.resolve("releases");
  }

  ReleaseStore store() {
    return store(UnpackLimits.DEFAULT);
  }

  ReleaseStore store(UnpackLimits limits) {
    return new ReleaseStore(releases, limits, PLENTY, Runnable::run);
  }

  ReleaseStore store(DiskSteps steps) {
    return new ReleaseStore(releases, UnpackLimits.DEFAULT, PLENTY, Runnable::run, steps);
  }

  Blob blob(byte[] bytes) throws IOException {
    var digest = Digest.of(Sha256.start().digest(bytes));
    var path = root.resolve(digest.hex());
    Files.write(path, bytes);
    return new Blob(digest, path, bytes.length);
  }

  Blob blob(Path archive) throws IOException {
    return blob(Files.readAllBytes(archive));
  }

  UnpackedRelease unpack(byte[] archive) throws IOException, ArtifactException {
    return store().create("web/1.2/g1.l0/n1", blob(archive), WorkProgress.NONE, new Cancellation());
  }

  /** Paths below a directory with their types, contents and targets. */
  static Map<String, String> tree(Path directory) throws IOException {
    var tree = new TreeMap<String, String>();
    try (var paths = Files.walk(directory)) {
      for (var path : (Iterable<Path>) paths::iterator) {
        var name = directory.relativize(path).toString();
        if (Files.isSymbolicLink(path)) {
          tree.put(name, "-> " + Files.readSymbolicLink(path));
        } else if (Files.isDirectory(path)) {
          tree.put(name, "directory");
        } else {
          tree.put(
              name,
              (Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS)
                              instanceof Integer it
                          && (it & 0100) != 0
                      ? "program "
                      : "file ")
                  + Digest.of(Sha256.start().digest(Files.readAllBytes(path))));
        }
      }
    }
    tree.remove("");
    return tree;
  }

  /** Runs a program and returns its exit code. */
  static int run(Path in, List<String> command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command)
            .directory(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
