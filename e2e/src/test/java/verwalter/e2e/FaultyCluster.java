package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** A cluster of agents in network namespaces, and what must be true of it after a fault. */
final class FaultyCluster implements AutoCloseable {
  /**
   * Runs {@code app} and other roles on all nodes, and {@code some} on three, which are kept as
   * long as they exist. Counts how often the request of each action was seen.
   */
  private static final String SCHEDULER =
      """
      local json = require "verwalter/json"

      local function schedule(input)
        local counts, roles, nodes = json.object{}, json.object{}, json.object{}
        local some, chosen = json.object{}, 0
        for _, parent in ipairs(input.parents) do
          for token, count in pairs(parent.state.counts) do
            counts[token] = math.max(counts[token] or 0, count)
          end
          for host in pairs(parent.state.some) do
            if input.nodes[host] and not some[host] then
              some[host] = true
              chosen = chosen + 1
            end
          end
        end
        for id, request in pairs(input.actions) do
          counts[request.token] = (counts[request.token] or 0) + 1
          answer(id, json.encode(request.token))
        end
        local hosts = {}
        for host in pairs(input.nodes) do
          hosts[#hosts + 1] = host
        end
        table.sort(hosts)
        for _, host in ipairs(hosts) do
          if chosen < 3 and not some[host] and input.nodes[host].ready then
            some[host] = true
            chosen = chosen + 1
          end
        end
        for role in pairs(input.runtime) do
          roles[role] = json.object{}
        end
        local function instance(role, count)
          return {template = "app/v1", version = "v1", image = role .. "-v1", count = count}
        end
        for _, host in ipairs(hosts) do
          nodes[host] = {roles = json.object{}}
          for role in pairs(roles) do
            if role ~= "some" or some[host] then
              nodes[host].roles[role] = instance(role, role == "app" and 2 or 1)
            end
          end
        end
        return json.encode{
          roles = roles, nodes = nodes, state = {counts = counts, some = some}
        }, ""
      end

      return {scheduler = schedule}
      """;

  /** The electors that a cluster has by itself. */
  private static final int VOTERS = 3;

  private static final String ELECTOR = "verwalter.io/elector";

  private static final Pattern TERM = Pattern.compile("leader=this epoch=(\\d+)");

  private final FaultyNetwork network;
  private final List<FaultyNode> nodes;
  private final int voters;
  private final int processes;
  private JsonNode placement;

  private FaultyCluster(FaultyNetwork network, List<FaultyNode> nodes, int voters, int others) {
    this.network = network;
    this.nodes = nodes;
    this.voters = voters;
    this.processes = (2 + others) * nodes.size() + Math.min(3, nodes.size());
  }

  /**
   * Creates nodes that all vote, joins them, and waits until all processes run. So people may act
   * through the socket of each of them.
   */
  static FaultyCluster start(Path root, int size) throws IOException, InterruptedException {
    return start(root, size, size, Map.of());
  }

  /**
   * Creates the nodes as {@link #start(Path, int)} does.
   *
   * @param voters the number of electors
   * @param policies minority policies by role. A role besides {@code app} and {@code some} has one
   *     process on each node
   */
  static FaultyCluster start(Path root, int size, int voters, Map<String, String> policies)
      throws IOException, InterruptedException {
    var roles = new TreeSet<>(policies.keySet());
    roles.addAll(List.of("app", "some"));
    var network = FaultyNetwork.of(size, root);
    try {
      var nodes = new ArrayList<FaultyNode>();
      for (int number = 1; number <= size; number++) {
        var home = root.resolve("n" + number);
        var node = FaultyNode.in(network, number, home, SCHEDULER, List.copyOf(roles));
        for (var role : roles) {
          node.setting(role, "minority_policy", policies.getOrDefault(role, "freeze"));
        }
        nodes.add(node);
      }
      var cluster = new FaultyCluster(network, nodes, voters, roles.size() - 2);
      cluster.form();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException | Error failure) {
      network.close();
      throw failure;
    }
  }

  private void form() throws IOException, InterruptedException {
    var first = nodes.get(0);
    first.found();
    first.start();
    first.awaitAnswer();
    await().atMost(Duration.ofSeconds(60)).until(() -> first.leader().isPresent());
    await().atMost(Duration.ofSeconds(60)).until(() -> first.client().objects("nodes").size() == 1);
    var token = first.token(nodes.size() - 1);
    int early = Math.min(VOTERS, nodes.size());
    join(nodes.subList(1, early), first, token);
    join(nodes.subList(early, nodes.size()), first, token);
    nodes.forEach(FaultyNode::awaitAnswer);
    if (voters > VOTERS) {
      first.vw("node", "elect", "" + voters);
    }
    soon(() -> assertThat(voters()).hasSize(voters));
    FaultWriter.createList(first.client());
    soon(() -> assertThat(running()).hasSize(processes));
    placement = schedule(first).at("/spec/data/nodes");
    isWhole();
  }

  /** The names of the electors. */
  Set<String> voters() {
    return nodes.get(0).client().objects("nodes").stream()
        .filter(node -> node.at("/metadata/annotations").path(ELECTOR).asText().endsWith("votes"))
        .map(node -> node.at("/metadata/name").asText())
        .collect(Collectors.toSet());
  }

  /** Joins nodes at once, and starts their agents. */
  private static void join(List<FaultyNode> joining, FaultyNode member, String token) {
    CompletableFuture.allOf(
            joining.stream()
                .map(node -> CompletableFuture.runAsync(() -> node.join(member, token)))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Waits until a claim is true, for at most 90 seconds. */
  static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(claim);
  }

  FaultyNetwork network() {
    return network;
  }

  FaultyNode node(int number) {
    return nodes.get(number - 1);
  }

  List<FaultyNode> nodes() {
    return nodes;
  }

  /** The numbers of all nodes but these. */
  List<Integer> others(Collection<Integer> numbers) {
    return IntStream.rangeClosed(1, nodes.size())
        .boxed()
        .filter(number -> !numbers.contains(number))
        .toList();
  }

  /** The node that all nodes take for the leader. */
  FaultyNode leader() {
    var name = nodes.get(0).leader().orElseThrow();
    return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
  }

  /** The ids of all processes that exist. */
  Set<Long> running() {
    return nodes.stream()
        .flatMap(node -> node.journal().running().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static JsonNode schedule(FaultyNode node) {
    return node.client().object("schedules", "current");
  }

  /** Waits until these nodes know the same leader, which is one of them. */
  void leadsAmong(Collection<Integer> side) {
    var members = side.stream().map(this::node).toList();
    var names = members.stream().map(FaultyNode::name).toList();
    soon(
        () -> {
          var leaders = members.stream().map(FaultyNode::leader).collect(Collectors.toSet());
          assertThat(leaders).hasSize(1);
          assertThat(leaders.iterator().next()).isPresent();
          assertThat(leaders.iterator().next().get()).isIn(names);
        });
  }

  /** Waits until these nodes know no leader. */
  void nobodyLeads(Collection<Integer> side) {
    soon(
        () -> {
          for (int number : side) {
            assertThat(node(number).leader()).as(node(number).name()).isEqualTo(Optional.empty());
          }
        });
  }

  /** Waits until a write through each of these nodes succeeds. */
  void accepts(Collection<Integer> side) {
    for (int number : side) {
      soon(() -> assertThat(FaultWriter.touch(node(number))).as("%s", node(number)).isTrue());
    }
  }

  /** Asserts that no process has ended that the test has not killed. */
  void nothingEnded() {
    for (var node : nodes) {
      assertThat(node.journal().endings()).as("processes of " + node).isEmpty();
    }
  }

  /**
   * Waits until all nodes are ready, have one leader and one schedule, and know their processes.
   * Nothing has moved or ended.
   */
  void isWhole() {
    leadsAmong(others(List.of()));
    soon(
        () -> {
          for (var node : nodes) {
            assertThat(ready(node)).as("ready nodes of " + node).hasSize(nodes.size());
          }
        });
    soon(
        () -> {
          var schedules = new TreeMap<String, String>();
          for (var node : nodes) {
            var schedule = schedule(node);
            assertThat(schedule.at("/spec/data/nodes")).isEqualTo(placement);
            schedules.put(node.name(), schedule.at("/spec").toString());
          }
          assertThat(Set.copyOf(schedules.values())).as("%s", schedules).hasSize(1);
        });
    soon(
        () -> {
          assertThat(running()).hasSize(processes);
          assertThat(known(leader())).isEqualTo(running());
        });
    nothingEnded();
    assertThat(epochs()).doesNotHaveDuplicates();
  }

  private static List<String> ready(FaultyNode node) {
    return node.client().objects("nodes").stream()
        .filter(FaultyCluster::isReady)
        .map(each -> each.at("/metadata/name").asText())
        .toList();
  }

  private static boolean isReady(JsonNode node) {
    return StreamSupport.stream(node.at("/status/conditions").spliterator(), false)
        .anyMatch(
            condition ->
                condition.path("type").asText().equals("Ready")
                    && condition.path("status").asText().equals("True"));
  }

  /** The ids of the running processes of all nodes, as a node shows them. */
  private static Set<Long> known(FaultyNode node) {
    return node.client().objects("processgroups").stream()
        .flatMap(
            group ->
                StreamSupport.stream(group.at("/status/processes").spliterator(), false)
                    .filter(process -> process.path("state").asText().equals("RUNNING"))
                    .map(process -> process.path("pid").asLong()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The epochs of all terms that nodes have begun. */
  private List<Long> epochs() {
    return nodes.stream()
        .flatMap(node -> TERM.matcher(node.log()).results())
        .map(match -> Long.valueOf(match.group(1)))
        .toList();
  }

  @Override
  public void close() throws IOException {
    network.close();
  }
}
