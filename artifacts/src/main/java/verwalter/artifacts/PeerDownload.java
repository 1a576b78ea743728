package verwalter.artifacts;

import java.io.IOException;
import java.util.Optional;
import java.util.TreeSet;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * One attempt to download an archive from other machines that have it, one after the other. Each
 * continues what the ones before it have sent; the digest of the whole decides. A machine that
 * fails, is too slow or sends wrong bytes is not asked for this archive for a while; one that is
 * busy or does not have it yet is asked again by the next attempt. Used once, by one thread.
 */
final class PeerDownload {
  /** The status with which a machine says that it sends to enough others now. */
  private static final int BUSY = 503;

  /**
   * What all downloads from other machines share.
   *
   * @param givenUp is not asked for now
   */
  record Shared(
      ArchivePeers peers, PeerLimits limits, GivenUpPeers givenUp, WebAccess.Route route) {}

  private enum Outcome {
    RECEIVED,
    FAILED,
    /** The bytes were wrong, but others may have sent the wrong ones. */
    WRONG_BEFORE
  }

  private final Shared shared;
  private final WebDownload.Net net;
  private final PartialArchive archive;
  private final Digest digest;
  private final Cancellation cancellation;
  private Optional<ArtifactException> noSpace = Optional.empty();
  private String failures = "";

  PeerDownload(
      Shared shared,
      WebDownload.Net net,
      PartialArchive archive,
      Digest digest,
      Cancellation cancellation) {
    this.shared = shared;
    this.net = net;
    this.archive = archive;
    this.digest = digest;
    this.cancellation = cancellation;
  }

  /**
   * Downloads the archive.
   *
   * @return whether the whole archive has arrived, and has its digest
   * @throws ArtifactException if it was cancelled, or if the disk of this machine has failed
   */
  boolean run() throws IOException, ArtifactException, InterruptedException {
    int asked = 0;
    for (var peer : shared.peers().having(digest, cancellation)) {
      if (asked == shared.limits().asked() || noSpace.isPresent()) {
        break;
      }
      if (!shared.givenUp().has(peer.name(), digest)) {
        asked++;
        if (isReceived(peer)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A failure of the source of the archive, with the last one of the other machines. */
  ArtifactException explained(ArtifactException failed) {
    return failed.reason() == Reason.CANCELLED || failures.isEmpty()
        ? failed
        : noSpace.orElseGet(() -> failed.also(failures));
  }

  private boolean isReceived(ArchivePeers.Peer peer) throws IOException, ArtifactException {
    return switch (tried(peer)) {
      case RECEIVED -> true;
      case FAILED -> false;
      case WRONG_BEFORE -> tried(peer) == Outcome.RECEIVED;
    };
  }

  private Outcome tried(ArchivePeers.Peer peer) throws IOException, ArtifactException {
    var pace = new Pace(shared.limits().window(), shared.limits().leastBytes());
    var download =
        new WebDownload(net, shared.route(), archive, ArchiveSender.peer(peer), pace, cancellation);
    try {
      download.run();
    } catch (ArtifactException failed) {
      failed(peer, failed, download.status() == BUSY || failed.reason() == Reason.NOT_FOUND);
      return Outcome.FAILED;
    }
    return archive.digest().equals(digest) ? Outcome.RECEIVED : wrong(peer);
  }

  private void failed(ArchivePeers.Peer peer, ArtifactException failed, boolean isWilling)
      throws IOException, ArtifactException {
    switch (failed.reason()) {
      case CANCELLED, DISK_FAILED -> throw failed;
      case NO_SPACE -> noSpace = Optional.of(failed);
      default -> {
        if (failed.reason() == Reason.TOO_LARGE) {
          archive.discard();
        }
        if (!isWilling) {
          shared.givenUp().add(peer.name(), digest);
        }
      }
    }
    report(peer, String.valueOf(failed.getMessage()));
  }

  private Outcome wrong(ArchivePeers.Peer peer) throws IOException {
    var senders = new TreeSet<>(archive.knownSenders());
    archive.discard();
    if (senders.isEmpty()) {
      report(peer, "the bytes that an earlier attempt has left are wrong");
      return Outcome.WRONG_BEFORE;
    }
    senders.forEach(name -> shared.givenUp().add(name, digest));
    report(peer, "the bytes from node %s are wrong".formatted(String.join(" and ", senders)));
    return Outcome.FAILED;
  }

  private void report(ArchivePeers.Peer peer, String why) {
    failures = why;
    shared.peers().failed(peer, digest, why);
  }
}
