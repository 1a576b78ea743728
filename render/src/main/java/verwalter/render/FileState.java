package verwalter.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import verwalter.model.TemplateOutput;

/** What is at a path, links not followed. */
sealed interface FileState {

  /** The largest file that is copied or put back, in bytes. */
  int LIMIT = 64 << 20;

  /** Nothing. */
  record Absent() implements FileState {}

  /** A symbolic link. */
  record Link(Path target) implements FileState {}

  /** A regular file with everything that is put back. */
  @SuppressWarnings("ArrayRecordComponent") // equals and hashCode look into it
  record Regular(byte[] content, Mode mode, Disk.Owner owner) implements FileState {
    boolean is(byte[] wanted, Mode wantedMode) {
      return mode.equals(wantedMode) && Arrays.equals(content, wanted);
    }

    TemplateOutput.File described(Path path) {
      return new TemplateOutput.File(
          path.toString(), Text.sha256(content), mode.toString(), content.length);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Regular that && that.is(content, mode) && that.owner.equals(owner);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(content);
    }
  }

  /** A directory, a device, a socket or a pipe, which no file may replace. */
  record Other(String what) implements FileState {}

  static FileState of(Path path) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return new Absent();
    }
    if (attributes.isSymbolicLink()) {
      return new Link(Files.readSymbolicLink(path));
    }
    if (!attributes.isRegularFile()) {
      return new Other(attributes.isDirectory() ? "a directory" : "neither a file nor a link");
    }
    if (attributes.size() > LIMIT) {
      return new Other("larger than " + LIMIT + " bytes");
    }
    return new Regular(
        Files.readAllBytes(path),
        new Mode(number(path, "mode") & 07777),
        new Disk.Owner(number(path, "uid"), number(path, "gid")));
  }

  private static int number(Path path, String attribute) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
  }
}
