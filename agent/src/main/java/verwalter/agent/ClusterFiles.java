package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.stores.zookeeper.TlsFiles;

/**
 * Where a node keeps what belongs to its cluster.
 *
 * @param directory exists in a node that is in a cluster, or is about to be
 */
record ClusterFiles(Path directory) {
  private static final String EXTERNAL = "ensemble";

  /** The files below a storage directory. */
  static ClusterFiles in(Path storage) {
    return new ClusterFiles(storage.resolve("cluster"));
  }

  /** The membership of this node; empty if it is in no cluster. */
  Optional<ClusterMember> member() throws IOException {
    return Files.isDirectory(directory) ? ClusterMember.read(own()) : Optional.empty();
  }

  /** Completes a change of the name that was interrupted: that in the certificate is right. */
  void completeRename() throws IOException {
    var member = member();
    if (member.isPresent()) {
      var name = CertifiedName.of(pki().node().certificate()).map(CertifiedName::name);
      if (name.filter(it -> !it.equals(member.get().node())).isPresent()) {
        member.get().named(name.get()).write(own());
      }
    }
  }

  /** The files directly in the directory. */
  PkiFiles own() throws IOException {
    return PkiFiles.in(directory);
  }

  /** The keys and certificates. */
  Pki pki() throws IOException {
    return new Pki(PkiFiles.in(keys()));
  }

  /** The same as files, for clients of the ensemble. */
  TlsFiles tls() {
    return new TlsFiles(keys().resolve(Pki.NODE), keys().resolve(Pki.TRUST));
  }

  private Path keys() {
    return directory.resolve("pki");
  }

  private Path removed() {
    return directory.resolve("removed");
  }

  /** Whether this node was removed from its cluster, so that it must join again. */
  boolean isRemoved() {
    return Files.exists(removed());
  }

  /** Notes durably that this node was removed from its cluster. */
  void markRemoved() throws IOException {
    Files.deleteIfExists(cleared());
    own().write(removed().getFileName().toString(), "");
  }

  private Path cleared() {
    return directory.resolve("cleared");
  }

  /** Whether nothing is left of the former membership of a node that was removed. */
  boolean isCleared() {
    return Files.exists(cleared());
  }

  /** Notes durably that nothing is left of the former membership: what follows is of a new one. */
  void markCleared() throws IOException {
    own().write(cleared().getFileName().toString(), "");
  }

  /** Removes everything of a node that was removed from its cluster, except for that mark. */
  void clear() throws IOException {
    try (var all = Files.walk(directory)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!each.equals(directory) && !each.equals(removed())) {
          Files.delete(each);
        }
      }
    }
  }

  /** Notes that this node is a member again. */
  void markMember() throws IOException {
    Files.deleteIfExists(removed());
    Files.deleteIfExists(cleared());
  }

  private Path observer() {
    return directory.resolve("observer");
  }

  /** Whether this node follows the log without a server of it. */
  boolean isObserver() {
    return Files.exists(observer());
  }

  /** Notes durably that this node has no server of the log. */
  void markObserver() throws IOException {
    own().write(observer().getFileName().toString(), "");
  }

  /** Notes that this node has a server of the log now. */
  void unmarkObserver() throws IOException {
    Files.deleteIfExists(observer());
  }

  private Path recovery() {
    return directory.resolve("recovery");
  }

  /** Whether the next start begins a new ensemble with the copy of this node. */
  boolean isRecovering() {
    return Files.exists(recovery());
  }

  /** Notes durably that the next start begins a new ensemble. */
  void markRecovering() throws IOException {
    ElectorServer.prepareReplacement(ensemble());
    own().write(recovery().getFileName().toString(), "");
  }

  /** Notes that the recovery is complete. */
  void recovered() throws IOException {
    Files.deleteIfExists(recovery());
  }

  /** The directory of the copy of the cluster's log. */
  Path log() {
    return directory.resolve("log");
  }

  /** The directory of the fork that this node writes without a majority. */
  Path fork() {
    return directory.resolve("fork");
  }

  /** When the copy of the log was last written. */
  Instant lastWritten() throws IOException {
    var last = Instant.EPOCH;
    try (var all = Files.list(log())) {
      for (var each : all.toList()) {
        var at = Files.getLastModifiedTime(each).toInstant();
        last = at.isAfter(last) ? at : last;
      }
    }
    return last;
  }

  /** The external ensemble that has the log of the cluster; empty if the nodes have it. */
  Optional<EnsembleAddress> externalLog() throws IOException {
    return Files.isDirectory(directory)
        ? own().read(EXTERNAL).map(text -> EnsembleAddress.of(text.strip()))
        : Optional.empty();
  }

  /** Keeps the log in an external ensemble, or in that of the nodes. */
  void keepLogIn(Optional<EnsembleAddress> external) throws IOException {
    if (external.isPresent()) {
      own().write(EXTERNAL, external.get() + "\n");
    } else {
      Files.deleteIfExists(directory.resolve(EXTERNAL));
    }
  }

  /** The directory of the server of the ensemble. */
  Path ensemble() {
    return directory.resolve("zookeeper");
  }
}
