package verwalter.controllers.deployment;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The archives and releases on the disk of this machine.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>Only the disk is asked what exists. Nothing is remembered, and a crash loses nothing that
 *       was complete.
 *   <li>All futures complete on the loop that the object was made for, and no call blocks it. Every
 *       failure is a {@link ReleaseFailure}.
 *   <li>An archive exists only as a whole and with the bytes of its digest. Fetching one that
 *       exists succeeds at once.
 *   <li>A release exists only as a whole. Creating one that exists succeeds at once; if it is of
 *       another archive, it fails with the reason BAD_KEY and stays.
 *   <li>A cancelled work ends soon. Either it has succeeded in time, or it fails and nothing of a
 *       release is left.
 *   <li>A failed or cancelled fetch may leave bytes with which the next one of the same file
 *       continues; {@link #abandon} removes them.
 *   <li>Removing what does not exist succeeds. A removal that fails may be repeated.
 *   <li>If {@link #find} fails, nothing is known; what does not exist is never reported as a
 *       failure.
 *   <li>{@link #recover} removes what works of a killed agent have left, but no complete archive or
 *       release, and no rest that a named download continues. Once it has succeeded, it does
 *       nothing any more.
 *   <li>{@link #collect} removes only what is not named, nothing that is younger than an hour, and
 *       nothing that another call changes at that time.
 * </ol>
 */
public interface ReleaseFiles {
  /**
   * An archive to fetch.
   *
   * @param source a path or a URL
   * @param digest of its bytes; if empty, any bytes are right and their digest is the result
   */
  record Wanted(String source, Optional<String> digest) {
    /**
     * Whether both are one file on the disk, also while it is incomplete: those with the same
     * digest are, whatever their sources.
     */
    boolean isOneFileWith(Wanted other) {
      return digest.isPresent() ? digest.equals(other.digest) : equals(other);
    }
  }

  /**
   * A complete release.
   *
   * @param path directory with its files
   * @param digest of its archive; empty for a directory that is used in place
   */
  record Release(String path, Optional<String> digest) {}

  /**
   * What the disk has.
   *
   * @param release with the key
   * @param archiveBytes size of the archive with the digest
   */
  record Found(Optional<Release> release, Optional<Long> archiveBytes) {}

  /**
   * What must stay on the disk.
   *
   * @param keys of releases
   * @param digests of archives; malformed ones name nothing
   */
  record Named(Set<String> keys, Set<String> digests) {
    public Named {
      keys = Set.copyOf(keys);
      digests = Set.copyOf(digests);
    }
  }

  /**
   * What there is on the disk.
   *
   * @param releases the directories of all complete releases, by key
   * @param archives the digests of all complete archives
   */
  record Contents(Map<String, String> releases, Set<String> archives) {
    public Contents {
      releases = Map.copyOf(releases);
      archives = Set.copyOf(archives);
    }

    boolean isEmpty() {
      return releases.isEmpty() && archives.isEmpty();
    }
  }

  /**
   * Removes what a crash has left. Is called before all other calls.
   *
   * @param continued downloads whose rests stay
   */
  Future<Void> recover(List<Wanted> continued);

  /**
   * Looks for a release and for its archive.
   *
   * @param key of the release
   * @param source of its archive; a directory is a release that is used in place
   * @param digest of its archive; if empty, no archive is looked for
   */
  Future<Found> find(String key, String source, Optional<String> digest);

  /** The size of an archive; empty if there is none. */
  Future<Optional<Long>> archive(String digest);

  /** Fetches an archive, compares it with its digest and keeps it. The result is the digest. */
  ReleaseWork<String> fetch(Wanted wanted);

  /** Unpacks an archive that exists. */
  ReleaseWork<Release> create(String key, String digest);

  /** Compares the files of a release with the list of its archive; returns what differs. */
  ReleaseWork<List<String>> verify(String key);

  /** Removes what a fetch has left, once no fetch of it runs. */
  Future<Void> abandon(Wanted wanted);

  /** Removes a release, or what there is of it. */
  Future<Void> removeRelease(String key);

  /** Removes an archive, once no fetch of it runs. */
  Future<Void> removeArchive(String digest);

  /** All complete releases and archives. */
  Future<Contents> contents();

  /**
   * Removes old releases and archives that are not named, and more of them while all together take
   * too much space. What is named counts as used at this time.
   *
   * @return what was removed, as texts for a log
   */
  Future<List<String>> collect(Named named);
}
