package verwalter.render.release;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.model.TemplateOutput;
import verwalter.render.Text;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;
import verwalter.render.disk.Owners;

/** Compares the files on disk with those that were written. Only reads. */
public final class Drift {
  private static final int OTHERS_READ = 04;
  private static final int OTHERS_ENTER = 01;

  /** Larger files are compared by hash and have no diff. */
  private static final int LARGEST_SHOWN = 1 << 20;

  /** The maximum size of all patches of one role, in characters. */
  private static final int MOST_SHOWN = 32 << 10;

  /** The maximum number of reported files; the others are only counted. */
  private static final int MOST_FILES = 50;

  private final Optional<Release> release;
  private int shown;

  private Drift(Optional<Release> release) {
    this.release = release;
  }

  /**
   * The files that differ from those written, in the given order.
   *
   * @param release the release that was applied, for patches
   */
  public static List<TemplateOutput.Changed> of(
      List<TemplateOutput.File> written, Optional<Release> release) {
    var drift = new Drift(release);
    var changed = new ArrayList<TemplateOutput.Changed>();
    for (var file : written) {
      if (changed.size() < MOST_FILES) {
        drift.look(file).ifPresent(changed::add);
      }
    }
    return changed;
  }

  private Optional<TemplateOutput.Changed> look(TemplateOutput.File written) {
    var path = Path.of(written.path());
    FileState found;
    try {
      found = FileState.of(path);
    } catch (AccessDeniedException e) {
      return Optional.of(unreadable(written, path, e));
    } catch (IOException e) {
      return Optional.of(changed(written, "cannot be read: " + e));
    }
    if (!(found instanceof FileState.Regular file)) {
      return Optional.of(changed(written, what(found)));
    }
    if (file.isAs(written)) {
      return Optional.empty();
    }
    var described = file.described(path);
    boolean bytes = !described.sha256().equals(written.sha256());
    return Optional.of(
        new TemplateOutput.Changed(
            written.path(),
            words(
                bytes ? Stream.of("has other content") : Stream.empty(),
                written,
                file.mode(),
                file.owner()),
            Optional.of(described.sha256()),
            Optional.of(described.mode()),
            described.owner(),
            bytes ? patch(written, file) : Optional.empty()));
  }

  private static String words(
      Stream<String> content, TemplateOutput.File written, Mode mode, Disk.Owner owner) {
    var otherMode =
        Optional.of("has mode " + mode + " instead of " + written.mode())
            .filter(it -> !mode.toString().equals(written.mode()));
    var otherOwner =
        written
            .owner()
            .filter(old -> !old.equals(owner.toString()))
            .map(old -> "belongs to " + owner + " instead of " + old);
    return Stream.of(content, otherMode.stream(), otherOwner.stream())
        .flatMap(each -> each)
        .collect(Collectors.joining(" and "));
  }

  /** A file whose owner another user changed, if this process is not root. */
  private static TemplateOutput.Changed unreadable(
      TemplateOutput.File written, Path path, AccessDeniedException why) {
    try {
      var mode = FileState.modeOf(path);
      var owner = Owners.of(path);
      return new TemplateOutput.Changed(
          written.path(),
          words(Stream.of("may not be read here"), written, mode, owner),
          Optional.empty(),
          Optional.of(mode.toString()),
          Optional.of(owner.toString()),
          Optional.empty());
    } catch (IOException e) {
      return changed(written, "cannot be read: " + why);
    }
  }

  private static String what(FileState found) {
    return found instanceof FileState.Absent
        ? "is gone"
        : found instanceof FileState.Link link
            ? "is a link to " + link.target()
            : found instanceof FileState.Other other ? "is " + other.what() : "is a file";
  }

  private static TemplateOutput.Changed changed(TemplateOutput.File written, String what) {
    return new TemplateOutput.Changed(
        written.path(),
        what,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Only files that every user may read have a diff, since every user may read a status. */
  private Optional<String> patch(TemplateOutput.File written, FileState.Regular found) {
    var path = Path.of(written.path());
    var old =
        release
            .map(Release::files)
            .flatMap(files -> Optional.ofNullable(files.get(written.path())))
            .filter(file -> Text.sha256(file.content()).equals(written.sha256()));
    if (old.isEmpty()
        || shown >= MOST_SHOWN
        || Math.max(old.get().content().length, found.content().length) > LARGEST_SHOWN
        || (Mode.octal(written.mode()).bits() & found.mode().bits() & OTHERS_READ) == 0
        || !reachable(path)) {
      return Optional.empty();
    }
    try {
      var patch =
          Patch.of(written.path(), Text.utf8(old.get().content()), Text.utf8(found.content()));
      shown += patch.length();
      return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
    } catch (CharacterCodingException noText) {
      return Optional.empty();
    }
  }

  /** Whether every user may enter all parent directories. */
  private static boolean reachable(Path path) {
    try {
      for (var at = path.toRealPath().getParent(); at != null; at = at.getParent()) {
        if (((int) Files.getAttribute(at, "unix:mode") & OTHERS_ENTER) == 0) {
          return false;
        }
      }
      return true;
    } catch (IOException unknown) {
      return false;
    }
  }
}
