package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.cluster.joining.ClusterMember;
import verwalter.stores.zookeeper.TlsFiles;

/**
 * Where a node keeps what belongs to its cluster.
 *
 * @param directory exists in a node that is in a cluster, or is about to be
 */
record ClusterFiles(Path directory) {
  /** The files below a storage directory. */
  static ClusterFiles in(Path storage) {
    return new ClusterFiles(storage.resolve("cluster"));
  }

  /** The membership of this node; empty if it is in no cluster. */
  Optional<ClusterMember> member() throws IOException {
    return Files.isDirectory(directory) ? ClusterMember.read(own()) : Optional.empty();
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

  /** The directory of the copy of the cluster's log. */
  Path log() {
    return directory.resolve("log");
  }

  /** The directory of the fork that this node writes without a majority. */
  Path fork() {
    return directory.resolve("fork");
  }

  /** The directory of the server of the ensemble. */
  Path ensemble() {
    return directory.resolve("zookeeper");
  }
}
