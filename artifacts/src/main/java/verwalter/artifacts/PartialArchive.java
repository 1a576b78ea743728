package verwalter.artifacts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * The bytes of an archive that have arrived, from one source after the other, and their SHA-256.
 * One attempt to fetch an archive has one. Used by one thread.
 */
final class PartialArchive {
  private final WebDownload.Net net;
  private final PartialFile file;
  private final boolean isDigestKnown;
  private final WorkProgress progress;
  private final Cancellation cancellation;
  private final byte[] buffer = new byte[1 << 16];
  private final Set<String> senders = new LinkedHashSet<>();
  private MessageDigest sha256 = Sha256.start();
  private long done;
  private boolean isMixed;
  private boolean isBegunHere;

  PartialArchive(
      WebDownload.Net net,
      PartialFile file,
      boolean isDigestKnown,
      WorkProgress progress,
      Cancellation cancellation) {
    this.net = net;
    this.file = file;
    this.isDigestKnown = isDigestKnown;
    this.progress = progress;
    this.cancellation = cancellation;
  }

  /** The number of bytes that have arrived. */
  long done() {
    return done;
  }

  /** The digest of the bytes that have arrived. */
  Digest digest() {
    try {
      return Digest.of(((MessageDigest) sha256.clone()).digest());
    } catch (CloneNotSupportedException impossible) { // every JDK can copy its SHA-256
      throw new IllegalStateException(impossible);
    }
  }

  /** Whether other machines have sent some of the bytes. */
  boolean isMixed() {
    return isMixed;
  }

  /** The machines that have sent bytes, if all bytes came from them and in this attempt. */
  Set<String> knownSenders() {
    return isBegunHere ? Set.copyOf(senders) : Set.of();
  }

  /** What a request to this sender may continue. */
  Optional<PartialFile.Start> start(ArchiveSender sender) throws IOException {
    return file.start(isDigestKnown).filter(it -> isDigestKnown || it.isFrom(sender));
  }

  /** Begins anew. */
  FileChannel begin(Optional<String> validator, ArchiveSender sender) throws IOException {
    forget();
    isBegunHere = true;
    isMixed = sender.isPeer();
    senders.add(sender.name());
    return file.begin(sender.isPeer() ? Optional.of("") : validator, sender.mark());
  }

  /** Continues after the bytes that are there. */
  FileChannel resume(PartialFile.Start start, ArchiveSender sender, Object place)
      throws IOException, ArtifactException {
    addPresent(start, place);
    if (!start.isFrom(sender)) {
      file.mix();
      isMixed = true;
    }
    senders.add(sender.name());
    return file.resume(done);
  }

  /** Takes the bytes that are there into account, unless they arrived in this attempt. */
  void addPresent(PartialFile.Start start, Object place) throws IOException, ArtifactException {
    isMixed = start.mark().equals(ArchiveSender.MIXED);
    if (done != start.bytes()) {
      forget();
      done = Sha256.add(sha256, file.data(), n -> cancellation.check("download", place));
    }
  }

  private void forget() {
    done = 0;
    sha256 = Sha256.start();
    senders.clear();
    isBegunHere = false;
  }

  /** Throws everything away. */
  void discard() throws IOException {
    forget();
    file.delete();
  }

  /** Checks the space before and while bytes are written. */
  SpaceGuard guard(String action, Object place) {
    return new SpaceGuard(
        net.space(), ArtifactDisk.parent(file.data()), net.limits().reserve(), action, place);
  }

  /** Adds bytes, and waits until the bandwidth allows more. */
  void write(
      ByteBuffer bytes, FileChannel channel, SpaceGuard guard, OptionalLong total, Object place)
      throws IOException, ArtifactException, InterruptedException {
    while (bytes.hasRemaining()) {
      int n = Math.min(bytes.remaining(), buffer.length);
      bytes.get(buffer, 0, n);
      limit(done + n, place);
      guard.writing(n);
      net.disk().write(channel, file.data(), buffer, n);
      sha256.update(buffer, 0, n);
      done += n;
      progress.at(done, total, 0);
      net.bandwidth().spend(n, "download", place, cancellation);
    }
  }

  /** Checks the size of an archive. */
  void limit(long bytes, Object place) throws ArtifactException {
    if (bytes > net.limits().bytes()) {
      throw new ArtifactException(
          Reason.TOO_LARGE,
          "download",
          place,
          "it has at least %d bytes; the limit is %d".formatted(bytes, net.limits().bytes()));
    }
  }
}
