package verwalter.certificates;

import java.nio.file.Path;

/**
 * A program without Bouncy Castle on its class path: it opens the files of a node, writes them
 * again, and connects to itself.
 */
final class WithoutSigning {
  public static void main(String[] arguments) throws Exception {
    var pki = new Pki(PkiFiles.in(Path.of(arguments[0])));
    var copy = new Pki(PkiFiles.in(Path.of(arguments[1])));
    copy.installNode(pki.node());
    copy.installTrust(pki.trust());
    var context =
        new ClusterTls(copy, TestAuthority.CLUSTER, () -> TestAuthority.NOW)
            .context(Peers.node("n1"));
    System.out.println(Handshake.between(context, context).echo("connected"));
  }

  private WithoutSigning() {}
}
