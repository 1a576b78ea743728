package verwalter.cluster.sides;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/** The functions that the model checks. A test overrides one of them to put a fault in. */
class ModelRules {
  boolean isMajority(Set<String> members, Set<String> electors) {
    return SideElection.isMajority(members, electors);
  }

  SideState state(SidePosition position, SideOptions options) {
    return SideElection.state(position, options);
  }

  Optional<Term> appoint(View view, Collection<SideReport> reports) {
    return SideElection.appoint(view, reports);
  }

  boolean accepts(SidePromise promise, long seen, View view, Term offered) {
    return SideElection.accepts(promise, seen, view, offered);
  }

  /** The promise of a node after a restart. */
  SidePromise restored(SidePromise stored) {
    return stored;
  }

  /** Whether the log accepts an entry of {@code epoch} after one of {@code last}. */
  boolean fence(long epoch, long last) {
    return epoch == last;
  }

  Fork join(Fork one, Fork two) {
    return one.join(two);
  }

  List<ForkAction> pending(Fork fork, ForkId term) {
    return fork.pending(term);
  }

  ForkMerge merge(Function<ResourceKey, Optional<Resource<?, ?>>> log, Fork fork) {
    return ForkMerge.of(log, fork);
  }

  NodeLoss loss(NodeLoss.Signs signs, NodeLoss.Limits limits) {
    return NodeLoss.of(signs, limits);
  }
}
