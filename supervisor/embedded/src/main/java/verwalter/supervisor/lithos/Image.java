package verwalter.supervisor.lithos;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An unpacked image: the root directory of a container.
 *
 * @param root without symbolic links
 */
record Image(Path root) {

  /** The image of that id, if the id is well-formed and does not lead elsewhere. */
  static Image open(SandboxConfig sandbox, String id) throws Unusable {
    var written = List.of(id.split("/", -1));
    var first = written.get(0);
    // A slash at the end, or two slashes, mean the same as one, and so does "/./".
    var parts = written.stream().filter(each -> !each.isEmpty() && !each.equals(".")).toList();
    if (first.isEmpty() || first.equals(".") || parts.contains("..")) {
      throw new Unusable("image \"" + id + "\" must be made of plain names");
    }
    if (parts.size() != sandbox.imageDirLevels()) {
      throw new Unusable(
          "image \""
              + id
              + "\" has "
              + parts.size()
              + " parts; the sandbox's image-dir-levels is "
              + sandbox.imageDirLevels());
    }
    try {
      var images = sandbox.imageDir().toRealPath();
      var root = images.resolve(String.join("/", parts)).toRealPath();
      if (!root.startsWith(images) || root.equals(images)) {
        throw new Unusable("image \"" + id + "\" leads out of " + images);
      }
      if (!Files.isDirectory(root)) {
        throw new Unusable("image " + root + " is not a directory");
      }
      return new Image(root);
    } catch (IOException failure) {
      throw unreachable("image \"" + id + "\" in " + sandbox.imageDir(), failure);
    } catch (InvalidPathException mistake) {
      throw new Unusable("image \"" + id + "\" is not a path");
    }
  }

  /** The file of the container configuration at an absolute path inside, without symbolic links. */
  Path configFile(String path) throws Unusable {
    if (!path.startsWith("/")) {
      throw new Unusable("config \"" + path + "\" must be an absolute path inside the image");
    }
    Path file;
    try {
      file = inside(path).toRealPath();
    } catch (IOException failure) {
      throw unreachable("config " + path + " in image " + root, failure);
    } catch (InvalidPathException mistake) {
      throw new Unusable("config \"" + path + "\" is not a path");
    }
    if (!file.startsWith(root)) {
      throw new Unusable("config " + path + " leads out of image " + root);
    }
    return file;
  }

  /**
   * The file at an absolute path in the image, otherwise on this machine; empty if neither exists.
   */
  Optional<Path> find(String path) throws Unusable {
    if (!path.startsWith("/")) {
      throw new Unusable("\"" + path + "\" must be an absolute path");
    }
    try {
      var inside = inside(path);
      return exists(inside, path + " in image " + root)
          ? Optional.of(inside)
          : Optional.of(Path.of(path).normalize()).filter(Files::exists);
    } catch (InvalidPathException unusable) {
      throw new Unusable("\"" + path + "\" is not a path");
    }
  }

  private static boolean exists(Path file, String what) throws Unusable {
    try {
      return Files.exists(file.toRealPath());
    } catch (NoSuchFileException absent) {
      return false;
    } catch (IOException failure) {
      throw unreachable(what, failure);
    }
  }

  /** The problem of a file or directory that cannot be reached. */
  static Unusable unreachable(String what, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return new Unusable("there is no " + what);
    }
    var reason =
        failure instanceof AccessDeniedException
            ? "permission denied at " + failure.getMessage()
            : failure.toString();
    return new Unusable("cannot read " + what + ": " + reason);
  }

  /** As after chroot: {@code ..} cannot leave the root. */
  private Path inside(String path) {
    return root.resolve(Path.of("/").relativize(Path.of(path).normalize()));
  }

  /** Why an image or a part of it cannot be used. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String why) {
      super(why, null, false, false);
    }
  }
}
