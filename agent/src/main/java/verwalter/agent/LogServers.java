package verwalter.agent;

import java.util.Optional;
import verwalter.stores.zookeeper.ZooKeeperClients;

/**
 * The ensemble that has the log of the cluster, as this node uses it.
 *
 * @param clients connect to it
 * @param root the path of everything that belongs to the cluster
 * @param own the server of this node; empty if others run the ensemble
 */
record LogServers(ZooKeeperClients clients, String root, Optional<EmbeddedElector> own) {}
