package verwalter.cluster.zookeeper;

import org.jspecify.annotations.Nullable;

/** The identity of the server in this JVM, for the classes that ZooKeeper creates by name. */
final class PresentIdentity {
  private static volatile @Nullable TlsIdentity present;

  private PresentIdentity() {}

  static void set(TlsIdentity identity) {
    present = identity;
  }

  static TlsIdentity get() {
    var identity = present;
    if (identity == null) {
      throw new IllegalStateException("no elector has been started in this process");
    }
    return identity;
  }
}
