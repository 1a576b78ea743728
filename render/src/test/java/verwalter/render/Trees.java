package verwalter.render;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import verwalter.render.disk.Mode;

/** Reads and compares directory trees. */
public final class Trees {

  /** All files and links below, by relative path, with mode and content. */
  public static Map<String, String> snapshot(Path root) throws IOException {
    var tree = new TreeMap<String, String>();
    try (var paths = Files.walk(root)) {
      for (var path :
          paths.filter(each -> !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)).toList()) {
        tree.put(root.relativize(path).toString(), describe(path));
      }
    }
    return tree;
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "-> " + Files.readSymbolicLink(path);
    }
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return new Mode(mode & 07777) + " " + Files.readString(path);
  }

  public static Path write(Path root, String name, String text) throws IOException {
    var path = root.resolve(name);
    Files.createDirectories(path.resolveSibling("x").getParent());
    return Files.writeString(path, text);
  }

  public static void mode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  public static void delete(Path root) throws IOException {
    try (var paths = Files.walk(root)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private Trees() {}
}
