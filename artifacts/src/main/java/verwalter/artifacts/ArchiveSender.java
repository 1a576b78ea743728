package verwalter.artifacts;

import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * What an archive is downloaded from.
 *
 * @param url of the archive
 * @param name the name of a machine, or a hash of the URL of a web server
 * @param isPeer whether it is another machine that has the archive, and not the source that a role
 *     version names
 */
record ArchiveSender(URI url, String name, boolean isPeer) {
  /** The mark of bytes that did not all come from one web server. */
  static final String MIXED = "peers";

  static ArchiveSender origin(URI url) {
    var bytes = url.toString().getBytes(StandardCharsets.UTF_8);
    return new ArchiveSender(url, Digest.of(Sha256.start().digest(bytes)).hex(), false);
  }

  static ArchiveSender peer(ArchivePeers.Peer peer) {
    return new ArchiveSender(peer.url(), peer.name(), true);
  }

  /** The mark of bytes that came from here only. */
  String mark() {
    return isPeer ? MIXED : name;
  }

  /** For messages. */
  String shown() {
    var text = ArtifactSource.shown(url);
    return isPeer ? "%s from node %s".formatted(text, name) : text;
  }
}
