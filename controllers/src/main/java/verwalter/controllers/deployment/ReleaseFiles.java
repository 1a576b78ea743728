package verwalter.controllers.deployment;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

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
 *   <li>A failed or cancelled fetch may leave bytes with which the next one continues; {@link
 *       #abandon} removes them.
 *   <li>Removing what does not exist succeeds. A removal that fails may be repeated.
 *   <li>If {@link #find} fails, nothing is known; what does not exist is never reported as a
 *       failure.
 * </ol>
 */
public interface ReleaseFiles {
  /**
   * An archive to fetch.
   *
   * @param source a path or a URL
   * @param digest of its bytes; if empty, any bytes are right and their digest is the result
   */
  record Wanted(String source, Optional<String> digest) {}

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
}
