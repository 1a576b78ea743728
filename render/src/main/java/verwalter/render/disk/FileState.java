package verwalter.render.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Optional;
import verwalter.model.TemplateOutput;
import verwalter.render.Text;

/** The state of a path; links are not followed. */
public sealed interface FileState {

  /** The largest file that is copied or restored, in bytes. */
  int LIMIT = 64 << 20;

  /** The path does not exist. */
  record Absent() implements FileState {}

  /** A symbolic link. */
  record Link(Path target) implements FileState {}

  /** A regular file with everything that is restored. */
  @SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare the content
  record Regular(byte[] content, Mode mode, Disk.Owner owner) implements FileState {
    boolean is(byte[] wanted, Mode wantedMode) {
      return mode.equals(wantedMode) && Arrays.equals(content, wanted);
    }

    public TemplateOutput.File described(Path path) {
      return new TemplateOutput.File(
          path.toString(),
          Text.sha256(content),
          mode.toString(),
          content.length,
          Optional.of(owner.toString()));
    }

    /** Whether it matches a recorded state; a state without an owner matches any owner. */
    public boolean isAs(TemplateOutput.File written) {
      return content.length == written.size()
          && mode.toString().equals(written.mode())
          && written.owner().map(owner.toString()::equals).orElse(true)
          && Text.sha256(content).equals(written.sha256());
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

  /** A directory, a device, a socket or a pipe, which is never replaced by a file. */
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
    return new Regular(content(path), modeOf(path), Owners.of(path));
  }

  /** The bytes of a file; fails if the path has become a link. */
  static byte[] content(Path path) throws IOException {
    try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(LIMIT);
    }
  }

  /** The permissions of a file, which this process may not be able to read. */
  static Mode modeOf(Path path) throws IOException {
    return new Mode(
        (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777);
  }
}
