package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import verwalter.artifacts.TreeDifference.Kind;

/** Compares a release with its manifest. Used once. */
final class TreeCheck {
  private static final int MODE = 07777;
  private static final int TYPE = 0170000;

  private final Path root;
  private final TreeManifest.Summary summary;
  private final int most;
  private final WorkProgress progress;
  private final Cancellation cancellation;
  private final List<TreeDifference> found = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private long bytes;

  /**
   * @param most number of differences after which the comparison ends
   */
  TreeCheck(
      Path root,
      TreeManifest.Summary summary,
      int most,
      WorkProgress progress,
      Cancellation cancellation) {
    this.root = root;
    this.summary = summary;
    this.most = most;
    this.progress = progress;
    this.cancellation = cancellation;
  }

  List<TreeDifference> run(Path manifest) throws IOException, ArtifactException {
    boolean isComplete = TreeManifest.read(manifest, this::checkUnlessFull);
    cancellation.check("verify", summary.key());
    if (!isComplete) {
      return List.of(new TreeDifference("", Kind.MANIFEST));
    }
    Files.walkFileTree(root, new Additions());
    return List.copyOf(found);
  }

  private void checkUnlessFull(TreeEntry entry) throws IOException {
    known.add(entry.path());
    if (found.size() < most && !cancellation.isCancelled()) {
      check(entry);
      progress.at(bytes, OptionalLong.of(summary.bytes()), known.size());
    }
  }

  private void add(String path, Kind kind) {
    if (found.size() < most) {
      found.add(new TreeDifference(path, kind));
    }
  }

  private void check(TreeEntry entry) {
    var path = root.resolve(entry.path());
    try {
      Map<String, Object> attributes =
          Files.readAttributes(path, "unix:mode,size", LinkOption.NOFOLLOW_LINKS);
      int mode = ((Number) attributes.getOrDefault("mode", 0)).intValue();
      long size = ((Number) attributes.getOrDefault("size", 0L)).longValue();
      if ((mode & TYPE) != type(entry)) {
        add(entry.path(), Kind.TYPE);
        return;
      }
      if (entry.type() != ArchiveEntry.Type.SYMBOLIC_LINK && (mode & MODE) != entry.mode()) {
        add(entry.path(), Kind.MODE);
      }
      switch (entry.type()) {
        case SYMBOLIC_LINK -> {
          if (!Files.readSymbolicLink(path).toString().equals(entry.target())) {
            add(entry.path(), Kind.TARGET);
          }
        }
        case DIRECTORY -> {}
        default -> content(entry, path, size);
      }
    } catch (NoSuchFileException gone) {
      add(entry.path(), Kind.MISSING);
    } catch (IOException failed) {
      add(entry.path(), Kind.UNREADABLE);
    }
  }

  private static int type(TreeEntry entry) {
    return switch (entry.type()) {
      case SYMBOLIC_LINK -> 0120000;
      case DIRECTORY -> 0040000;
      default -> 0100000;
    };
  }

  private void content(TreeEntry entry, Path path, long size) throws IOException {
    var sha256 = Sha256.start();
    try {
      if (size == entry.bytes()) {
        Sha256.add(
            sha256,
            path,
            n -> {
              bytes += n;
              cancellation.check("verify", path);
            });
      }
    } catch (ArtifactException cancelled) {
      return;
    }
    if (size != entry.bytes() || !entry.digest().orElseThrow().equals(Digest.of(sha256.digest()))) {
      add(entry.path(), Kind.CONTENT);
    }
  }

  private final class Additions extends SimpleFileVisitor<Path> {
    private FileVisitResult see(Path path) {
      var relative = root.relativize(path).toString();
      if (!relative.isEmpty() && !known.contains(relative)) {
        add(relative, Kind.ADDED);
      }
      return found.size() < most ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return see(directory);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return see(file);
    }

    /** What cannot be read was reported before, if it is known. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failed) {
      if (file.equals(root)) {
        add("", failed instanceof NoSuchFileException ? Kind.MISSING : Kind.UNREADABLE);
      }
      return see(file);
    }
  }
}
