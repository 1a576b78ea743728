package verwalter.cluster.sides;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.model.Action;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Write;

/**
 * Visits all states of a small cluster, breadth first: cuts, pauses and deaths of nodes, elections
 * of sides and of the log, writes and actions on both, and merges, in each order. In each state it
 * checks that
 *
 * <ul>
 *   <li>no two leaders of one epoch have a node of their sides in common;
 *   <li>the copies of the log agree, and no entry has an older epoch than the one before;
 *   <li>no action was applied twice;
 *   <li>an observer that was paused calls no node lost;
 * </ul>
 *
 * and in a sample of them that after healing all orders of merges give the same state, which
 * contains each acknowledged write and has applied each acknowledged action once.
 */
final class ModelCheck {
  static final String[] NAMES = {"a", "b", "c", "d", "e"};
  private static final Instant NOW = Instant.EPOCH;
  private static final Duration LONG = Duration.ofHours(1);
  private static final SideOptions OPTIONS = SideOptions.DEFAULT;
  private static final NodeLoss.Limits LIMITS =
      new NodeLoss.Limits(
          Duration.ofSeconds(3), Duration.ofSeconds(15), Duration.ofSeconds(10), LONG);

  /**
   * The size of the model.
   *
   * @param nodes 3 to 5; all are electors but the last of an even number
   * @param sample one of so many states is healed and merged
   */
  record Bounds(
      int nodes,
      int cuts,
      int pauses,
      int writes,
      int requests,
      int elections,
      long states,
      int sample) {}

  /** What a run found. */
  record Outcome(long states, long healed, boolean complete, Optional<String> violation) {}

  /** A property that does not hold. */
  private static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message, null, false, false);
    }
  }

  private final Bounds bounds;
  private final ModelRules rules;
  private final Set<String> electors;
  private final View[] views;
  private final List<int[]> partitions;
  private final FingerprintSet seen = new FingerprintSet();
  private final ArrayDeque<ModelState> frontier = new ArrayDeque<>();
  private long healed;

  ModelCheck(Bounds bounds, Set<String> electors, ModelRules rules) {
    this.bounds = bounds;
    this.rules = rules;
    this.electors = electors;
    this.views = new View[1 << bounds.nodes()];
    for (int mask = 1; mask < views.length; mask++) {
      views[mask] = new View(mask, new TreeSet<>(names(mask)));
    }
    this.partitions = partitions(bounds.nodes());
  }

  static Set<String> names(int mask) {
    var names = new TreeSet<String>();
    for (int i = 0; i < NAMES.length; i++) {
      if ((mask & 1 << i) != 0) {
        names.add(NAMES[i]);
      }
    }
    return names;
  }

  private static int index(String name) {
    return name.isEmpty() ? -1 : name.charAt(0) - 'a';
  }

  /** All ways to split the nodes, as the nodes that each node reaches. */
  private static List<int[]> partitions(int nodes) {
    var found = new ArrayList<int[]>();
    split(new int[nodes], 0, 0, found);
    return found;
  }

  private static void split(int[] group, int next, int groups, List<int[]> found) {
    if (next == group.length) {
      var reached = new int[group.length];
      for (int i = 0; i < group.length; i++) {
        for (int j = 0; j < group.length; j++) {
          reached[i] |= group[i] == group[j] ? 1 << j : 0;
        }
      }
      found.add(reached);
      return;
    }
    for (int i = 0; i <= groups; i++) {
      group[next] = i;
      split(group, next + 1, Math.max(groups, i + 1), found);
    }
  }

  Outcome run() {
    var first = new ModelState(bounds.nodes());
    seen.add(first.fingerprint());
    frontier.add(first);
    try {
      while (!frontier.isEmpty() && seen.size() < bounds.states()) {
        var state = frontier.remove();
        expand(state);
      }
    } catch (Violation found) {
      return new Outcome(seen.size(), healed, false, Optional.of(found.getMessage()));
    }
    return new Outcome(seen.size(), healed, frontier.isEmpty(), Optional.empty());
  }

  /** Adds a state that follows another one, if it is new. */
  private void next(ModelState from, String step, Consumer<ModelState> change) {
    var next = from.copy();
    try {
      change.accept(next);
      acknowledge(next);
      if (!seen.add(next.fingerprint())) {
        return;
      }
      check(next);
      if (seen.size() % bounds.sample() == 0) {
        heal(next);
      }
    } catch (Violation violation) {
      throw new Violation(
          "%s%nafter: %s%nfrom:%n%s%nto:%n%s".formatted(violation.getMessage(), step, from, next));
    }
    frontier.add(next);
  }

  private void expand(ModelState state) {
    if (state.cuts < bounds.cuts()) {
      for (var partition : partitions) {
        next(
            state,
            "cut",
            it -> {
              it.cuts++;
              System.arraycopy(partition, 0, it.connected, 0, partition.length);
            });
      }
    }
    for (int i = 0; i < bounds.nodes(); i++) {
      ofNode(state, i);
    }
  }

  private void ofNode(ModelState state, int n) {
    var node = state.members[n];
    var name = NAMES[n];
    if (!node.runs()) {
      next(state, name + " returns", it -> returns(it.members[n], n));
      return;
    }
    if (state.pauses < bounds.pauses()) {
      next(
          state,
          name + " pauses",
          it -> {
            it.pauses++;
            it.members[n].paused = true;
          });
      next(
          state,
          name + " dies",
          it -> {
            it.pauses++;
            it.members[n].down = true;
          });
    }
    if (node.stale || node.view != present(state, n)) {
      next(state, name + " sees a new view", it -> see(it, n));
    }
    elections(state, n);
    var role = role(state, n);
    if (role instanceof SideState.Leading leading) {
      leading(state, n, leading.term());
    } else if (role instanceof SideState.Majority) {
      majority(state, n);
    }
  }

  private void returns(ModelState.Member node, int n) {
    node.stale = node.paused;
    if (node.down) {
      node.acknowledged = 0;
      node.leads = 0;
      node.offer = Optional.empty();
      node.view = 1 << n;
      node.promise = rules.restored(node.promise);
    }
    node.paused = false;
    node.down = false;
  }

  /** The nodes that a node would see now. */
  private int present(ModelState state, int n) {
    int mask = 0;
    for (int i = 0; i < bounds.nodes(); i++) {
      mask |= state.reaches(n, i) ? 1 << i : 0;
    }
    return mask;
  }

  private void see(ModelState state, int n) {
    var node = state.members[n];
    node.view = present(state, n);
    node.stale = false;
    for (int i = 0; i < bounds.nodes(); i++) {
      var log = state.members[i].log;
      if (state.reaches(n, i) && log.isNewerThan(node.log) && log.agreesWith(node.log)) {
        node.log = log;
      }
    }
  }

  private SideState role(ModelState state, int n) {
    var node = state.members[n];
    return rules.state(
        new SidePosition(
            NAMES[n],
            views[node.view],
            node.stale ? LONG : Duration.ZERO,
            Duration.ZERO,
            electors,
            LONG,
            Optional.of(Duration.ZERO),
            Optional.empty(),
            node.promise,
            names(node.acknowledged)),
        OPTIONS);
  }

  private long known(ModelState.Member node) {
    return Math.max(node.log.epoch(), Math.max(node.fork.epoch(), node.promise.epoch()));
  }

  // Elections of sides

  private void elections(ModelState state, int n) {
    var node = state.members[n];
    if (SideElection.appointer(views[node.view]).equals(NAMES[n])) {
      var reports = new ArrayList<SideReport>();
      for (int i = 0; i < bounds.nodes(); i++) {
        var other = state.members[i];
        if ((node.view & 1 << i) != 0 && state.reaches(n, i)) {
          reports.add(
              new SideReport(
                  NAMES[i],
                  views[other.view],
                  known(other),
                  other.promise,
                  other.log.version(),
                  true));
        }
      }
      var term = rules.appoint(views[node.view], reports);
      if (term.isPresent()
          && !term.equals(node.offer)
          && !rules.isMajority(views[node.view].members(), electors)
          && term.get().epoch() <= 1L + bounds.elections() * 2L) {
        next(state, NAMES[n] + " appoints " + term.get(), it -> it.members[n].offer = term);
      }
    }
    for (int i = 0; i < bounds.nodes(); i++) {
      var offer = state.members[i].offer;
      if (offer.isPresent()
          && state.reaches(i, n)
          && views[state.members[i].view].members().contains(NAMES[n])
          && rules.accepts(node.promise, known(node), views[node.view], offer.get())) {
        next(state, NAMES[n] + " accepts " + offer.get(), it -> accept(it, n, offer.get()));
      }
    }
  }

  private void accept(ModelState state, int n, Term term) {
    var node = state.members[n];
    if (!node.promise.admits(term)) {
      stop(node, n);
      node.acknowledged = 0;
      node.promise = new SidePromise(Optional.of(term));
    }
    int leader = index(term.leader());
    if (state.reaches(n, leader) && state.members[leader].promise.admits(term)) {
      state.members[leader].acknowledged |= 1 << n;
      state.members[leader].fork = rules.join(state.members[leader].fork, node.fork);
    }
  }

  /** A leader that stops leading closes its term. */
  private static void stop(ModelState.Member node, int n) {
    var own = node.promise.term().filter(term -> term.leader().equals(NAMES[n]));
    if (own.isPresent()) {
      node.fork = node.fork.close(new ForkId(own.get().epoch(), NAMES[n]));
      node.promise = node.promise.retired();
    }
  }

  // Sides without a majority

  private void leading(ModelState state, int n, Term term) {
    var id = new ForkId(term.epoch(), NAMES[n]);
    if (state.writes < bounds.writes()) {
      next(state, NAMES[n] + " writes on its fork", it -> write(it, n, id));
    }
    var request = new ForkAction.Key("1", id);
    if (state.requests < bounds.requests()
        && !state.members[n].fork.actions().containsKey(request)) {
      next(state, NAMES[n] + " accepts an action", it -> request(it, n, id));
    }
    for (var action : rules.pending(state.members[n].fork, id)) {
      next(state, NAMES[n] + " applies an action", it -> apply(it, n, action));
    }
    for (int i = 0; i < bounds.nodes(); i++) {
      int other = i;
      if (other != n
          && (state.members[n].view & 1 << other) != 0
          && state.reaches(n, other)
          && state.members[other].promise.admits(term)
          && !state.members[other].fork.covers(state.members[n].fork)) {
        next(
            state,
            NAMES[n] + " replicates to " + NAMES[other],
            it -> it.members[other].fork = rules.join(it.members[other].fork, it.members[n].fork));
      }
    }
  }

  private static void write(ModelState state, int n, ForkId id) {
    var node = state.members[n];
    var content = "w" + state.writes++;
    var under = node.log.find(ModelLog.KEY);
    node.fork
        .entries()
        .getOrDefault(ModelLog.KEY, List.of())
        .forEach(entry -> entry.object().ifPresent(it -> replaced(state, it)));
    under.ifPresent(it -> replaced(state, it));
    node.fork = node.fork.put(id, node.log.version(), under, object(content));
    state.unacknowledged.put(content, new Stamp(id, node.fork.known().get(id)));
  }

  private static void replaced(ModelState state, Resource<?, ?> object) {
    state.replaced.add(SplitWorld.content(object));
  }

  private static Resource<Node.Spec, Node.Status> object(String content) {
    return Resource.of(Node.KIND, "n1", new Node.Spec(false))
        .withMeta(Metadata.named("n1").withLabels(Map.of("w", content)));
  }

  private static void request(ModelState state, int n, ForkId id) {
    var node = state.members[n];
    var content = "r" + state.requests++;
    node.fork = node.fork.accept(id, node.log.version(), "1", new Action.Spec(content, NOW));
    state.unacknowledged.put(content, new Stamp(id, node.fork.known().get(id)));
  }

  private static void apply(ModelState state, int n, ForkAction action) {
    var node = state.members[n];
    node.fork = node.fork.done(action.key(), node.log.version(), SplitWorld.done("s"));
    state.applied.merge(action.spec().request().toString(), 1, Integer::sum);
  }

  /** Acknowledges the writes that all members of their leader's view have stored. */
  private void acknowledge(ModelState state) {
    state
        .unacknowledged
        .entrySet()
        .removeIf(
            each -> {
              int leader = index(each.getValue().fork().leader());
              var node = state.members[leader];
              boolean stored = node.runs() && role(state, leader) instanceof SideState.Leading;
              for (int i = 0; i < bounds.nodes() && stored; i++) {
                stored = (node.view & 1 << i) == 0 || state.members[i].fork.covers(each.getValue());
              }
              if (stored) {
                state.acknowledged.add(each.getKey());
              }
              return stored;
            });
  }

  // The side with a majority

  private void majority(ModelState state, int n) {
    var node = state.members[n];
    int reached = present(state, n);
    if (!rules.isMajority(names(reached), electors)) {
      return;
    }
    if (state.elections < bounds.elections() && node.leads == 0) {
      next(state, NAMES[n] + " is elected by the log", it -> elect(it, n, reached));
    }
    if (node.leads == 0) {
      return;
    }
    var newest = newest(state, reached);
    if (!rules.fence(node.leads, newest.epoch())) {
      next(state, NAMES[n] + " is fenced", it -> it.members[n].leads = 0);
      return;
    }
    if (state.writes < bounds.writes()) {
      next(
          state,
          NAMES[n] + " writes to the log",
          it -> {
            var content = "w" + it.writes++;
            var present = newest.find(ModelLog.KEY);
            present.ifPresent(object -> replaced(it, object));
            long version = present.map(object -> object.meta().version()).orElse(0L);
            var object = object(content);
            var put = new Write.Put(object.withMeta(object.meta().withVersion(version)));
            replicate(
                it, reached, newest.append(content, node.leads, List.of(put), List.of(content)));
            it.acknowledged.add(content);
          });
    }
    for (var action : newest.actions()) {
      if (action.status().isEmpty()) {
        next(
            state,
            NAMES[n] + " applies an action of the log",
            it -> replicate(it, reached, applied(it, newest, node.leads, action)));
      }
    }
    for (int i = 0; i < bounds.nodes(); i++) {
      merges(state, n, i, reached, newest);
    }
  }

  private static ModelLog applied(
      ModelState state, ModelLog log, long epoch, Resource<?, ?> action) {
    state.applied.merge(((Action.Spec) action.spec()).request().toString(), 1, Integer::sum);
    var done =
        new Resource<>(
            Action.KIND,
            action.meta(),
            (Action.Spec) action.spec(),
            Optional.of(SplitWorld.done("s")));
    return log.append(
        "done " + action.name(), epoch, List.of(new Write.PutStatus(done)), List.of());
  }

  private ModelLog newest(ModelState state, int reached) {
    ModelLog newest = ModelLog.empty();
    for (int i = 0; i < bounds.nodes(); i++) {
      var log = state.members[i].log;
      if ((reached & 1 << i) != 0 && log.isNewerThan(newest)) {
        newest = log;
      }
    }
    return newest;
  }

  private void elect(ModelState state, int n, int reached) {
    state.elections++;
    var log = newest(state, reached);
    long epoch = Math.max(log.epoch(), known(state.members[n])) + 1;
    replicate(state, reached, log.begin(epoch));
    state.members[n].leads = epoch;
    stop(state.members[n], n);
  }

  private void replicate(ModelState state, int reached, ModelLog log) {
    for (int i = 0; i < bounds.nodes(); i++) {
      if ((reached & 1 << i) != 0) {
        state.members[i].log = log;
      }
    }
  }

  /** A node that sees the majority again closes its term and sends its fork to the leader. */
  private void merges(ModelState state, int n, int from, int reached, ModelLog newest) {
    var node = state.members[from];
    var merged = ForkMerge.merged(newest.lookup());
    var rest = node.fork.without(merged);
    if (!state.reaches(n, from)) {
      return;
    }
    if (from == n || role(state, from) instanceof SideState.Majority) {
      if (node.promise.term().filter(it -> it.leader().equals(NAMES[from])).isPresent()) {
        next(state, NAMES[from] + " stops leading", it -> stop(it.members[from], from));
      }
      if (!rest.equals(node.fork)) {
        next(state, NAMES[from] + " forgets merged writes", it -> it.members[from].fork = rest);
      }
    }
    var merge = rules.merge(newest.lookup(), node.fork);
    if (!merge.writes().isEmpty()) {
      next(
          state,
          NAMES[n] + " merges the fork of " + NAMES[from],
          it -> {
            var log = newest;
            if (merge.floor() >= log.epoch()) {
              log = log.begin(merge.floor() + 1);
              it.members[n].leads = merge.floor() + 1;
            }
            replicate(it, reached, merged(log, it.members[n].leads, node.fork, merge));
          });
    }
  }

  /** The log after a merge. */
  private static ModelLog merged(ModelLog log, long epoch, Fork fork, ForkMerge merge) {
    var contents = new ArrayList<String>();
    merge
        .overridden()
        .forEach(it -> it.object().ifPresent(o -> contents.add(SplitWorld.content(o))));
    merge.writes().forEach(it -> contents.add(SplitWorld.content(it.resource())));
    merge
        .writes()
        .forEach(
            it -> {
              if (it.resource().spec() instanceof Action.Spec action) {
                contents.add(action.request().toString());
              }
            });
    var text = "merge %s %s".formatted(fork.known(), fork.closed());
    return log.append(text, epoch, merge.writes(), contents);
  }

  // Properties

  private void check(ModelState state) {
    for (int i = 0; i < bounds.nodes(); i++) {
      for (int j = i + 1; j < bounds.nodes(); j++) {
        checkLeaders(state, i, j);
        require(
            state.members[i].log.agreesWith(state.members[j].log), "the copies of the log differ");
      }
      checkEpochs(state.members[i].log);
      checkLoss(state, i);
    }
    state.applied.forEach(
        (action, times) -> require(times == 1, "the action " + action + " was applied twice"));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new Violation(otherwise);
    }
  }

  private void checkLeaders(ModelState state, int i, int j) {
    var one = state.members[i];
    var two = state.members[j];
    if (one.runs()
        && two.runs()
        && (one.view & two.view) != 0
        && one.promise.epoch() == two.promise.epoch()
        && role(state, i) instanceof SideState.Leading
        && role(state, j) instanceof SideState.Leading) {
      throw new Violation("two leaders of one epoch have a node in common");
    }
  }

  private static void checkEpochs(ModelLog log) {
    long last = 0;
    for (var entry : log.entries()) {
      if (entry.startsWith("E")) {
        long epoch = Long.parseLong(entry.substring(1));
        require(epoch > last, "the log begins an epoch that is not larger");
        last = epoch;
      }
    }
    require(last == 0 || log.epoch() == last, "the log has an entry of an older epoch");
  }

  private void checkLoss(ModelState state, int n) {
    var node = state.members[n];
    for (int i = 0; i < bounds.nodes() && node.runs(); i++) {
      boolean seen = (node.view & 1 << i) != 0;
      var last = seen && !node.stale ? Duration.ZERO : LONG;
      var signs =
          new NodeLoss.Signs(
              node.stale ? Duration.ZERO : LONG, Optional.of(last), Optional.of(LONG), false, 0);
      boolean lost = rules.loss(signs, LIMITS).presence() == NodeLoss.Presence.LOST;
      require(
          !(lost && seen && state.reaches(n, i)),
          "an observer that was paused called a node lost that it reaches");
    }
  }

  /** Connects and starts all nodes, merges all forks in several orders, and compares. */
  private void heal(ModelState state) {
    healed++;
    var forks = new ArrayList<Fork>();
    ModelLog log = ModelLog.empty();
    for (int i = 0; i < bounds.nodes(); i++) {
      var node = state.members[i].clone();
      stop(node, i);
      forks.add(node.fork);
      if (node.log.isNewerThan(log)) {
        log = node.log;
      }
    }
    var inOrder = log;
    var reversed = log;
    var joined = Fork.EMPTY;
    for (int i = 0; i < forks.size(); i++) {
      inOrder = merge(inOrder, forks.get(i));
      reversed = merge(reversed, forks.get(forks.size() - 1 - i));
      joined = rules.join(joined, forks.get(i));
    }
    var atOnce = merge(log, joined);
    require(
        inOrder.contents().equals(reversed.contents())
            && inOrder.contents().equals(atOnce.contents()),
        "orders of merges differ: %s, %s, %s"
            .formatted(inOrder.contents(), reversed.contents(), atOnce.contents()));
    for (var fork : forks) {
      var again = rules.merge(inOrder.lookup(), fork);
      require(
          again.writes().isEmpty() && again.overridden().isEmpty(),
          "a fork that was merged is merged again");
    }
    checkAcknowledged(state, inOrder, "in order");
    checkAcknowledged(state, atOnce, "at once");
  }

  private ModelLog merge(ModelLog log, Fork fork) {
    var merge = rules.merge(log.lookup(), fork);
    if (merge.writes().isEmpty()) {
      return log;
    }
    long epoch = Math.max(log.epoch(), merge.floor()) + 1;
    return merged(log.begin(epoch), epoch, fork, merge);
  }

  private static void checkAcknowledged(ModelState state, ModelLog log, String how) {
    var contained = new HashSet<>(log.history());
    var actions = new HashSet<String>();
    for (var action : log.actions()) {
      var request = ((Action.Spec) action.spec()).request().toString();
      require(actions.add(request), "the action " + request + " is there twice");
      int applied = state.applied.getOrDefault(request, 0);
      require(
          applied == (action.status().isPresent() ? 1 : 0),
          "the action %s was applied %d times and is %s"
              .formatted(request, applied, action.status().isPresent() ? "done" : "pending"));
    }
    for (var content : state.acknowledged) {
      boolean there =
          content.startsWith("r") ? actions.contains(content) : contained.contains(content);
      require(
          there || state.replaced.contains(content),
          "the acknowledged write %s is lost, merging %s".formatted(content, how));
    }
  }
}
