package verwalter.agent;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.cluster.zookeeper.EnsembleMembers;

/** The ensemble that the server in this process belongs to. */
record EmbeddedEnsemble(ElectorServer server, EnsembleMembers members)
    implements MembershipController.Ensemble {
  @Override
  public Set<Long> voters() {
    return server.status().voters().stream().map(Elector::id).collect(Collectors.toSet());
  }

  @Override
  public void add(Elector elector) throws IOException, InterruptedException {
    members.add(elector, true);
  }

  @Override
  public void remove(long id) throws IOException, InterruptedException {
    members.remove(id);
  }
}
