package verwalter.artifacts;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * One attempt to fetch an archive. One with a known digest that is on a web server comes from
 * another machine if one has it, and from the web server otherwise; one that should be a file of
 * this machine comes from another machine if it is not. Used once, by one thread.
 */
final class ArchiveFetch {
  /**
   * What all attempts share.
   *
   * @param directory of the archives
   */
  record Parts(
      Path directory,
      String boot,
      WebDownload.Net net,
      WebAccess.Route origin,
      PeerDownload.Shared peers) {
    static Parts of(Path directory, BlobStore.Surroundings around, ArtifactDisk disk) {
      var limits = around.limits();
      var proxies = around.proxies();
      var others = around.others();
      var executor = around.executor();
      var toOrigin = new LazyClient(limits.connect(), proxies.selector(), around.trust(), executor);
      var direct =
          new LazyClient(
              others.limits().connect(), HttpClient.Builder.NO_PROXY, others.tls(), executor);
      return new Parts(
          directory,
          around.boot(),
          new WebDownload.Net(limits, around.bandwidth(), around.space(), around.ticks(), disk),
          new WebAccess.Route(toOrigin, proxies, limits.redirects()),
          new PeerDownload.Shared(
              others.peers(),
              others.limits(),
              new GivenUpPeers(around.ticks(), others.limits().pause()),
              new WebAccess.Route(direct, ProxyTable.NONE, 0)));
    }

    private ArtifactDisk disk() {
      return net.disk();
    }
  }

  private final Parts parts;
  private final WantedArchive wanted;
  private final WorkProgress progress;
  private final Cancellation cancellation;
  private final PartialFile file;
  private final PartialArchive archive;
  private final Optional<PeerDownload> peers;

  ArchiveFetch(
      Parts parts, WantedArchive wanted, WorkProgress progress, Cancellation cancellation) {
    this.parts = parts;
    this.wanted = wanted;
    this.progress = progress;
    this.cancellation = cancellation;
    this.file =
        new PartialFile(parts.disk(), parts.directory(), wanted.partialName(), parts.boot());
    this.archive =
        new PartialArchive(parts.net(), file, wanted.digest().isPresent(), progress, cancellation);
    this.peers =
        wanted
            .digest()
            .map(it -> new PeerDownload(parts.peers(), parts.net(), archive, it, cancellation));
  }

  Blob run() throws IOException, ArtifactException {
    parts.disk().makeDirectories(parts.directory());
    try {
      return named(received());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Cancellation.exception("fetch", wanted.source());
    }
  }

  private Digest received() throws IOException, ArtifactException, InterruptedException {
    if (wanted.source() instanceof ArtifactSource.WebArchive web) {
      return isReceivedFromPeers() ? archive.digest() : fromOrigin(web);
    }
    try {
      return checked(copied(path()));
    } catch (ClosedByInterruptException interrupted) {
      throw interrupted;
    } catch (IOException failed) {
      return instead(ArtifactException.of(failed, "fetch", wanted.source()));
    } catch (ArtifactException failed) {
      return instead(failed);
    }
  }

  private Path path() throws ArtifactException {
    if (wanted.source() instanceof ArtifactSource.LocalArchive local) {
      return local.path();
    } else if (wanted.source() instanceof ArtifactSource.LocalPath local && !local.isDirectory()) {
      return local.path();
    }
    throw new ArtifactException(
        Reason.BAD_SOURCE, "fetch", wanted.source(), "it is a directory, which is used in place");
  }

  private boolean isReceivedFromPeers()
      throws IOException, ArtifactException, InterruptedException {
    return peers.isPresent() && peers.get().run();
  }

  private Digest fromOrigin(ArtifactSource.WebArchive web) throws IOException, ArtifactException {
    try {
      return checked(downloaded(web));
    } catch (ArtifactException failed) {
      if (failed.reason() == Reason.TOO_LARGE) {
        archive.discard();
      }
      throw peers.isPresent() ? peers.get().explained(failed) : failed;
    }
  }

  private Digest downloaded(ArtifactSource.WebArchive web) throws IOException, ArtifactException {
    download(web);
    if (archive.isMixed() && !isWanted(archive.digest())) {
      // Other machines have sent a part of it, so the web server is not to blame.
      archive.discard();
      download(web);
    }
    return archive.digest();
  }

  private void download(ArtifactSource.WebArchive web) throws ArtifactException {
    var limits = parts.net().limits();
    new WebDownload(
            parts.net(),
            parts.origin(),
            archive,
            ArchiveSender.origin(web.url()),
            new Pace(limits.stall(), 1),
            cancellation)
        .run();
  }

  private boolean isWanted(Digest digest) {
    return wanted.digest().map(digest::equals).orElse(true);
  }

  private Digest checked(Digest digest) throws IOException, ArtifactException {
    if (isWanted(digest)) {
      return digest;
    }
    file.delete();
    throw new ArtifactException(
        Reason.DIGEST_MISMATCH,
        "use the archive",
        wanted.source(),
        "it is %s instead of %s".formatted(digest, wanted.digest().orElseThrow()));
  }

  /** What another machine has sent, if the file of this machine cannot be used. */
  private Digest instead(ArtifactException failed)
      throws IOException, ArtifactException, InterruptedException {
    switch (failed.reason()) {
      case NOT_FOUND, ACCESS_DENIED, DIGEST_MISMATCH -> {
        if (isReceivedFromPeers()) {
          return archive.digest();
        }
      }
      case TOO_LARGE -> file.delete();
      default -> {}
    }
    throw peers.isPresent() ? peers.get().explained(failed) : failed;
  }

  private Digest copied(Path from) throws IOException, ArtifactException {
    if (!Files.isRegularFile(from)) {
      if (!Files.exists(from)) {
        throw new NoSuchFileException(from.toString());
      }
      throw new ArtifactException(Reason.BAD_SOURCE, "fetch", from, "it is not a regular file");
    }
    var net = parts.net();
    var guard = archive.guard("copy", from);
    var sha256 = Sha256.start();
    var buffer = new byte[1 << 16];
    var before = FileStamp.of(from);
    try (var in = Files.newInputStream(from);
        var channel = file.begin(Optional.empty(), ArchiveSender.MIXED)) {
      long total = Files.size(from);
      guard.require(total);
      long done = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        cancellation.check("copy", from);
        done += n;
        if (done > net.limits().bytes()) {
          throw new ArtifactException(
              Reason.TOO_LARGE,
              "copy",
              from,
              "it has %d bytes; the limit is %d".formatted(total, net.limits().bytes()));
        }
        guard.writing(n);
        net.disk().write(channel, file.data(), buffer, n);
        sha256.update(buffer, 0, n);
        progress.at(done, OptionalLong.of(Math.max(done, total)), 0);
      }
      if (!FileStamp.of(from).equals(before) || done != before.bytes()) {
        throw new ArtifactException(
            Reason.UNREACHABLE, "copy", from, "it was changed while it was copied");
      }
    }
    return Digest.of(sha256.digest());
  }

  private Blob named(Digest digest) throws IOException {
    var disk = parts.disk();
    disk.permissions(file.data(), ArtifactDisk.READ_ONLY);
    disk.sync(file.data());
    var path = parts.directory().resolve(digest.hex());
    disk.rename(file.data(), path);
    disk.sync(parts.directory());
    file.delete();
    return new Blob(digest, path, Files.size(path));
  }
}
