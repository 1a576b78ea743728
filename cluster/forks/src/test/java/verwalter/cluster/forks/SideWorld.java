package verwalter.cluster.forks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.cluster.testkit.Election;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

/** Nodes n1, n2 and so on in virtual time, and a network that can be cut into sides. */
final class SideWorld {
  private static final Duration LOST = Duration.ofSeconds(3);

  final VirtualWorld world;
  final RefusingLog log;
  final Election election;
  final Map<String, SplitNode> nodes = new TreeMap<>();
  final Set<String> electors = new TreeSet<>();
  private final Map<String, View> views = new HashMap<>();
  private final Map<String, SidePeers.Receiver> receivers = new HashMap<>();
  private final List<SideMessage> sent = new ArrayList<>();
  private final Loop network;
  private final Path directory;
  private long number = 1;

  /** Whether a message is lost, by its receiver. */
  Map<String, Predicate<SideMessage>> losing = new HashMap<>();

  /** Whether exchanges never end. */
  boolean stalled;

  SideWorld(Path directory, long seed) {
    this.directory = directory;
    world = new VirtualWorld(seed);
    log = new RefusingLog(world.clock(), world.uids());
    election = new Election(world, 4);
    network = world.loop("network");
    world.await(log.beginEpoch(4));
  }

  /** Adds nodes, which vote. They are not started. */
  SideWorld nodes(int size) {
    for (int number = 1; number <= size; number++) {
      var name = "n" + number;
      electors.add(name);
      nodes.put(name, new SplitNode(this, name, directory.resolve(name)));
    }
    split(List.of(nodes.keySet()));
    return this;
  }

  SplitNode node(int number) {
    return nodes.get("n" + number);
  }

  /** Starts all nodes. */
  SideWorld start() {
    nodes.values().forEach(SplitNode::start);
    return this;
  }

  /** Splits the network into these sides. */
  void split(Collection<? extends Collection<String>> sides) {
    number++;
    for (var side : sides) {
      for (var member : side) {
        views.put(member, new View(number, new TreeSet<>(side)));
      }
    }
    nodes.values().forEach(SplitNode::viewChanged);
  }

  void split(Set<String> one, Set<String> two) {
    split(List.of(one, two));
  }

  /** Lets the side of a node go on without it. */
  void die(String name) {
    var others = new TreeSet<>(views.get(name).members());
    others.remove(name);
    nodes.get(name).die();
    receivers.remove(name);
    var sides = new ArrayList<Set<String>>(List.of(Set.of(name), others));
    views.values().stream()
        .map(View::members)
        .filter(each -> !each.contains(name))
        .distinct()
        .forEach(sides::add);
    split(sides);
  }

  View view(String name) {
    return views.get(name);
  }

  /** Makes a node the leader of the log, which these other nodes know. */
  void lead(String leader, Collection<String> known) {
    election.resign();
    run(Duration.ofMillis(100));
    election.leadership(leader).stand(world.loop("candidate " + leader), new IdleCandidate());
    for (var name : nodes.keySet()) {
      if (known.contains(name) || name.equals(leader)) {
        election.rejoin(name);
      } else {
        election.isolate(name);
      }
    }
    election.elect(leader);
  }

  /** All messages of a type that were delivered. */
  <M extends SideMessage> List<M> sent(Class<M> type) {
    return sent.stream().filter(type::isInstance).map(type::cast).toList();
  }

  SidePeers peers(String self) {
    return new SidePeers() {
      @Override
      public Future<SideAnswer> send(String to, SideMessage message) {
        var answer = Promise.<SideAnswer>promise();
        if (stalled) {
          return answer.future();
        }
        network.after(delay(), () -> deliver(self, to, message, answer));
        network.after(LOST, () -> answer.tryFail(new IOException("no answer of " + to)));
        return answer.future();
      }

      @Override
      public void serve(Receiver receiver) {
        receivers.put(self, receiver);
      }
    };
  }

  private Duration delay() {
    return Duration.ofMillis(1 + world.random().nextInt(20));
  }

  private boolean reaches(String from, String to) {
    return views.get(from).members().contains(to);
  }

  private void deliver(String from, String to, SideMessage message, Promise<SideAnswer> answer) {
    var receiver = receivers.get(to);
    if (receiver == null
        || !reaches(from, to)
        || losing.getOrDefault(to, any -> false).test(message)) {
      return;
    }
    sent.add(message);
    receiver
        .receive(from, message)
        .onSuccess(
            given ->
                network.after(
                    delay(),
                    () -> {
                      if (reaches(to, from)) {
                        answer.tryComplete(given);
                      }
                    }));
  }

  /** The leaders that the nodes of a side show, without the log's one. */
  Set<Optional<Term>> leaders(Collection<String> side) {
    var leaders = new java.util.HashSet<Optional<Term>>();
    side.forEach(name -> leaders.add(nodes.get(name).seat.term()));
    return leaders;
  }

  /** Waits until a side has one leader, which all of its nodes show and whose fork they use. */
  Term led(Collection<String> side) {
    until(
        () -> {
          var leaders = leaders(side);
          return leaders.size() == 1
              && leaders.iterator().next().filter(it -> side.contains(it.leader())).isPresent()
              && side.stream().allMatch(name -> nodes.get(name).used != log);
        });
    return leaders(side).iterator().next().orElseThrow();
  }

  void run(Duration time) {
    world.runFor(time);
  }

  void until(BooleanSupplier goal) {
    world.runUntil(goal, Duration.ofMinutes(2));
  }
}
