package verwalter.artifacts;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The archives and releases of one machine together.
 *
 * @param blobs the archives
 * @param releases the releases
 */
public record ArtifactStore(BlobStore blobs, ReleaseStore releases) {
  /**
   * What must not be deleted. Callers name a release or an archive before they create it.
   *
   * @param keys of releases
   * @param digests of archives
   */
  public record Named(Set<String> keys, Set<Digest> digests) {
    /** Copies the sets. */
    public Named {
      keys = Set.copyOf(keys);
      digests = Set.copyOf(digests);
    }
  }

  /**
   * Removes what a crash has left. Is called once, before other calls.
   *
   * @param downloads that will be continued
   * @return the names of files and directories that were removed
   */
  public List<String> recover(Collection<WantedArchive> downloads) throws ArtifactException {
    var removed = new ArrayList<>(releases.recover());
    removed.addAll(blobs.recover(downloads));
    return List.copyOf(removed);
  }

  /**
   * Deletes releases and archives that are not named, and notes the time for those that are.
   *
   * @param limits which of them stay
   * @return the items that were deleted
   * @throws ArtifactException if one cannot be deleted; others may have been
   */
  public List<StoredItem> collect(
      Named named, UnusedItems limits, Instant now, Cancellation cancellation)
      throws ArtifactException {
    var deleted = new ArrayList<StoredItem>();
    for (var it : limits.choose(items(named, now), now)) {
      cancellation.check("delete", it.name());
      if (it.kind() == StoredItem.Kind.RELEASE) {
        if (!releases.isBusy(it.name())) {
          releases.remove(it.name(), cancellation);
          deleted.add(it);
        }
      } else {
        var digest = Digest.parse(it.name());
        if (!blobs.isBusy(digest)) {
          blobs.remove(digest, cancellation);
          deleted.add(it);
        }
      }
    }
    return List.copyOf(deleted);
  }

  private List<StoredItem> items(Named named, Instant now) throws ArtifactException {
    var items = new ArrayList<StoredItem>();
    for (var it : releases.list()) {
      boolean isNamed = named.keys().contains(it.key());
      if (isNamed) {
        releases.touch(it.key(), now);
      }
      var time = isNamed ? now : it.lastNamed();
      items.add(new StoredItem(StoredItem.Kind.RELEASE, it.key(), it.bytes(), isNamed, time));
    }
    for (var it : blobs.list()) {
      boolean isNamed = named.digests().contains(it.digest());
      if (isNamed) {
        blobs.touch(it.digest(), now);
      }
      var time = isNamed ? now : blobs.lastNamed(it);
      items.add(
          new StoredItem(StoredItem.Kind.BLOB, it.digest().toString(), it.bytes(), isNamed, time));
    }
    return items;
  }
}
