package verwalter.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who may read certain files of the agent. Only the agent's user may write them. The umask of the
 * process has no effect. Immutable and thread-safe.
 */
public final class FileAccess {
  private static final Pattern MODE = Pattern.compile("0?6[04][04]");
  private static final FileAttribute<Set<PosixFilePermission>> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWN_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Only the agent's user may read: files have mode 0600, directories 0700. */
  public static final FileAccess PRIVATE =
      new FileAccess(PosixFilePermissions.fromString("rw-------"), Optional.empty());

  /** Everybody may read: files have mode 0644, directories 0755. For what holds no secrets. */
  public static final FileAccess PUBLIC =
      new FileAccess(PosixFilePermissions.fromString("rw-r--r--"), Optional.empty());

  private final Set<PosixFilePermission> ofFiles;
  private final Set<PosixFilePermission> ofDirectories;
  private final Optional<GroupPrincipal> group;

  private FileAccess(Set<PosixFilePermission> ofFiles, Optional<GroupPrincipal> group) {
    this.ofFiles = ofFiles;
    this.ofDirectories = searchable(ofFiles);
    this.group = group;
  }

  /**
   * Access by a mode such as {@code 0640}. Directories have the same mode, and in addition may be
   * searched by all who may read.
   *
   * @param path any path of the file system
   * @param group the group of the files; if empty, that of the agent's user
   * @throws IOException if there is no such group, with a message for users
   * @throws IllegalArgumentException if the mode is not one of 0600, 0604, 0640 and 0644, with a
   *     message for users
   */
  public static FileAccess of(String mode, Optional<String> group, Path path) throws IOException {
    if (!MODE.matcher(mode).matches()) {
      throw new IllegalArgumentException(
          "a mode of log files is one of 0600, 0604, 0640 and 0644, not \"" + mode + "\"");
    }
    var permissions = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    int bits = Integer.parseInt(mode, 8);
    if ((bits & 040) != 0) {
      permissions.add(PosixFilePermission.GROUP_READ);
    }
    if ((bits & 04) != 0) {
      permissions.add(PosixFilePermission.OTHERS_READ);
    }
    return new FileAccess(
        permissions, group.isEmpty() ? Optional.empty() : found(group.get(), path));
  }

  private static Optional<GroupPrincipal> found(String group, Path path) throws IOException {
    try {
      var names = path.getFileSystem().getUserPrincipalLookupService();
      return Optional.of(names.lookupPrincipalByGroupName(group));
    } catch (UserPrincipalNotFoundException unknown) {
      throw new IOException("there is no group \"" + group + "\"", unknown);
    }
  }

  private static Set<PosixFilePermission> searchable(Set<PosixFilePermission> ofFiles) {
    var permissions = EnumSet.copyOf(ofFiles);
    permissions.add(PosixFilePermission.OWNER_EXECUTE);
    if (ofFiles.contains(PosixFilePermission.GROUP_READ)) {
      permissions.add(PosixFilePermission.GROUP_EXECUTE);
    }
    if (ofFiles.contains(PosixFilePermission.OTHERS_READ)) {
      permissions.add(PosixFilePermission.OTHERS_EXECUTE);
    }
    return permissions;
  }

  /**
   * Opens a file for writing as {@link FileChannel#open(Path, OpenOption...)} does, and creates it
   * with this access if it does not exist. The access of an existing file stays.
   */
  public FileChannel open(Path file, OpenOption... options) throws IOException {
    var existing = new HashSet<OpenOption>(List.of(options));
    existing.add(StandardOpenOption.WRITE);
    existing.removeAll(Set.of(StandardOpenOption.CREATE, StandardOpenOption.CREATE_NEW));
    var fresh = new HashSet<>(existing);
    fresh.add(StandardOpenOption.CREATE_NEW);
    if (List.of(options).contains(StandardOpenOption.CREATE_NEW)) {
      return created(file, fresh);
    }
    try {
      return FileChannel.open(file, existing);
    } catch (NoSuchFileException absent) {
      if (!List.of(options).contains(StandardOpenOption.CREATE)) {
        throw absent;
      }
      try {
        return created(file, fresh);
      } catch (FileAlreadyExistsException now) {
        return FileChannel.open(file, existing);
      }
    }
  }

  private FileChannel created(Path file, Set<OpenOption> options) throws IOException {
    var channel = FileChannel.open(file, options, OWN_FILE);
    try {
      set(file, ofFiles);
      return channel;
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  /**
   * Creates a directory and its missing parents with this access. An existing directory stays as it
   * is.
   */
  public void makeDirectories(Path directory) throws IOException {
    var path = directory.toAbsolutePath();
    var parent = path.getParent();
    if (parent != null && !Files.isDirectory(path)) {
      makeDirectories(parent);
    }
    makeDirectory(path);
  }

  /**
   * Creates a directory with this access in an existing one. An existing directory stays as it is.
   */
  public void makeDirectory(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return;
    }
    try {
      Files.createDirectory(path, OWN_DIRECTORY);
      set(path, ofDirectories);
    } catch (FileAlreadyExistsException now) {
      if (!Files.isDirectory(path)) {
        throw now;
      }
    }
  }

  /** Sets the access of an existing file or directory. Links, and what others own, stay. */
  public void restrict(Path path) throws IOException {
    var view = view(path);
    var attributes = view.readAttributes();
    if (isOwn(attributes) && (attributes.isRegularFile() || attributes.isDirectory())) {
      set(path, attributes.isDirectory() ? ofDirectories : ofFiles, attributes);
    }
  }

  /**
   * Sets the access of an existing directory and of everything in it, unless the directory has this
   * access already.
   */
  public void restrictTree(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    var attributes = view(directory).readAttributes();
    if (!isOwn(attributes) || is(attributes, ofDirectories)) {
      return;
    }
    var within = new ArrayList<Path>();
    try (var entries = Files.newDirectoryStream(directory)) {
      entries.forEach(within::add);
    }
    for (var each : within) {
      if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
        restrictTree(each);
      } else {
        restrict(each);
      }
    }
    set(directory, ofDirectories, attributes);
  }

  /** Sets the access of the files in an existing directory whose names match. */
  public void restrictFiles(Path directory, Pattern names) throws IOException {
    if (Files.isDirectory(directory)) {
      var within = new ArrayList<Path>();
      try (var entries = Files.newDirectoryStream(directory, Files::isRegularFile)) {
        entries.forEach(within::add);
      }
      for (var each : within) {
        if (names.matcher(String.valueOf(each.getFileName())).matches()) {
          restrict(each);
        }
      }
    }
  }

  private boolean is(PosixFileAttributes attributes, Set<PosixFilePermission> permissions) {
    return attributes.permissions().equals(permissions)
        && group.filter(it -> !it.equals(attributes.group())).isEmpty();
  }

  private void set(Path path, Set<PosixFilePermission> permissions) throws IOException {
    if (this != PRIVATE) {
      set(path, permissions, view(path).readAttributes());
    }
  }

  /** The group first: before the mode grants it anything. */
  private void set(Path path, Set<PosixFilePermission> permissions, PosixFileAttributes attributes)
      throws IOException {
    var view = view(path);
    if (group.isPresent() && !group.get().equals(attributes.group())) {
      view.setGroup(group.get());
    }
    if (!attributes.permissions().equals(permissions)) {
      view.setPermissions(permissions);
    }
  }

  /**
   * Checks that no other user can put files into an existing directory: it belongs to the agent's
   * user, only that user may write into it, and no other user can replace it. So each parent
   * belongs to the agent's user or to root, and others may write into it only if it is sticky. A
   * group may write into a parent if it has the name of the parent's owner, as a user's private
   * group has.
   *
   * @throws IOException if this is not so, with a message for users
   */
  public static void requireOwn(Path directory) throws IOException {
    var path = directory.toRealPath();
    var attributes = Files.readAttributes(path, PosixFileAttributes.class);
    if (!isOwn(attributes)) {
      throw new IOException(
          "%s belongs to user %s, so another user may change what the agent runs; give the agent a directory of its own"
              .formatted(path, attributes.owner().getName()));
    }
    for (var at = path; at != null; at = at.getParent()) {
      var its = Files.readAttributes(at, PosixFileAttributes.class);
      if (!isOwn(its) && !isOfRoot(at)) {
        throw new IOException(
            "%s belongs to user %s, who can replace the directories in it, and so change what the agent runs; give the agent a directory below directories of root and of its own user"
                .formatted(at, its.owner().getName()));
      }
      int mode = ((Number) Files.getAttribute(at, "unix:mode")).intValue();
      boolean isPrivate = its.group().getName().equals(its.owner().getName());
      int others = isPrivate && !at.equals(path) ? 02 : 022;
      boolean sticky = (mode & 01000) != 0 && !at.equals(path);
      boolean exposed = (mode & others) != 0 && !sticky;
      if (exposed) {
        throw new IOException(
            "other users may write into %s (mode %04o), and so change what the agent runs; check that its contents are yours, then run: chmod go-w %s"
                .formatted(at, mode & 07777, at));
      }
    }
  }

  private static boolean isOfRoot(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid").equals(0);
  }

  private static boolean isOwn(PosixFileAttributes attributes) throws IOException {
    return attributes.owner().equals(Files.getOwner(Path.of("/proc/self")));
  }

  private static PosixFileAttributeView view(Path path) {
    return Files.getFileAttributeView(
        path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
