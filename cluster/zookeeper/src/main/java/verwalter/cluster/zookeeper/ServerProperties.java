package verwalter.cluster.zookeeper;

import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * The system properties that ZooKeeper reads. They hold for the whole JVM, so all that matter are
 * set here, also those whose default is right: nothing outside may change what an elector promises.
 */
final class ServerProperties {
  /** The limit of a request, in bytes: larger than any block of the replicated log. */
  static final int LARGEST_REQUEST = 2 << 20;

  private static final Map<String, String> VALUES =
      Map.ofEntries(
          // No interface besides the three TLS ports.
          Map.entry("zookeeper.admin.enableServer", "false"),
          Map.entry("zookeeper.4lw.commands.whitelist", ""),
          Map.entry(
              "zookeeper.serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory"),
          // Nobody changes anything without being authenticated.
          Map.entry("zookeeper.skipACL", "no"),
          Map.entry("zookeeper.ssl.authProvider", ElectorAuthentication.SCHEME),
          Map.entry(
              "zookeeper.authProvider." + ElectorAuthentication.SCHEME,
              ElectorAuthentication.class.getName()),
          Map.entry(
              "zookeeper.X509AuthenticationProvider.superUser", ElectorAuthentication.ELECTOR),
          Map.entry("zookeeper.authProvider.super", SuperUser.class.getName()),
          Map.entry("zookeeper.DigestAuthenticationProvider.enabled", "false"),
          Map.entry("zookeeper.ssl.clientAuth", "need"),
          Map.entry("zookeeper.ssl.protocol", "TLSv1.3"),
          Map.entry("zookeeper.ssl.enabledProtocols", "TLSv1.3"),
          Map.entry("zookeeper.ssl.ciphersuites", "TLS_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256"),
          Map.entry("zookeeper.ssl.clientHostnameVerification", "false"),
          Map.entry("zookeeper.ssl.quorum.context.supplier.class", QuorumTls.class.getName()),
          Map.entry("zookeeper.ssl.quorum.clientAuth", "need"),
          Map.entry("zookeeper.ssl.quorum.protocol", "TLSv1.3"),
          Map.entry("zookeeper.ssl.quorum.enabledProtocols", "TLSv1.3"),
          Map.entry(
              "zookeeper.ssl.quorum.ciphersuites", "TLS_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256"),
          Map.entry("jdk.tls.rejectClientInitiatedRenegotiation", "true"),
          // What is acknowledged is on disk; an empty data directory is not an empty log.
          Map.entry("zookeeper.forceSync", "yes"),
          Map.entry("zookeeper.db.autocreate", "false"),
          Map.entry("zookeeper.datadir.autocreate", "true"),
          Map.entry("zookeeper.snapshot.trust.empty", "false"),
          // A member that lags or begins anew receives a snapshot, which it keeps.
          Map.entry("zookeeper.snapshotSizeFactor", "-1"),
          Map.entry("zookeeper.commitLogCount", "500"),
          // Little memory and disk.
          Map.entry("zookeeper.preAllocSize", "4096"),
          Map.entry("zookeeper.snapCount", "20000"),
          Map.entry("zookeeper.snapSizeLimitInKb", "65536"),
          Map.entry("zookeeper.maxResponseCacheSize", "0"),
          Map.entry("zookeeper.maxGetChildrenResponseCacheSize", "0"),
          Map.entry("zookeeper.globalOutstandingLimit", "200"),
          Map.entry("zookeeper.commitProcessor.numWorkerThreads", "1"),
          Map.entry("zookeeper.jmx.log4j.disable", "true"),
          Map.entry("jute.maxbuffer", Integer.toString(LARGEST_REQUEST)),
          // Elections. Votes are repeated every second, so that an election begins soon after a
          // long partition.
          Map.entry("zookeeper.fastleader.maxNotificationInterval", "1000"),
          Map.entry("zookeeper.cnxTimeout", "1000"),
          Map.entry("zookeeper.electionPortBindRetry", "3"),
          Map.entry("zookeeper.learner.closeSocketAsync", "true"),
          Map.entry("zookeeper.leader.closeSocketAsync", "true"),
          Map.entry("zookeeper.multiAddress.enabled", "false"),
          Map.entry("readonlymode.enabled", "false"));

  private ServerProperties() {}

  /** Sets all properties, and what happens instead of an exit of the JVM. */
  static void set() {
    new TreeMap<>(VALUES).forEach(System::setProperty);
    ServiceUtils.setSystemExitProcedure(RunningServers::exit);
  }
}
