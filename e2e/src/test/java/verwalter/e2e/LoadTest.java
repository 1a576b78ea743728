package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The number of workers follows a changing load at no more than the declared rates. Takes several
 * minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class LoadTest {
  private static final int FEWEST = 2;
  private static final int MOST = 14;

  /** Requests per second for one worker. */
  private static final int EACH = 10;

  /** The declared rate per second. */
  private static final double GROW = 1;

  private static final double DECLINE = 1;

  /** The largest change between two runs of the scheduler, which are five seconds apart. */
  private static final double AT_ONCE = 7;

  private static final String SCHEDULER =
      """
      local make_scheduler = require("verwalter/scheduler").make_scheduler

      local function schedule_simple(state)
        local rate = state.roles.web.metrics.rate "requests" or 0
        local wanted = math.max(%d, math.min(%d, math.ceil(rate / %d)))
        return {web = {worker = wanted}}
      end

      return {scheduler = make_scheduler(schedule_simple, {
        worker_grow_rate = "1 process per second",
        worker_decline_rate = "1 process per second",
        query_metrics = {rules = {
          ["web.requests"] = {
            metric = "http_requests_total", role = "web", rate = true, sum = true, window = 10,
          },
        }},
      })}
      """
          .formatted(FEWEST, MOST, EACH);

  private static final String VERSION =
      """
      ports: ["%d-%d"]
      template: web/v1
      daemons:
        worker:
          image: web-v1
          config: /config/worker.yaml
          variables:
            port: {type: TcpPort}
          metrics: {port: port, path: /metrics}
      """;

  private static final String RECIPE =
      """
      templates:
        processes: processes.yaml.j2
      commands:
      - !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
      """;

  private static final String PROCESSES =
      """
      {% for name, daemon in daemons.items() %}
      "{{ name }}":
        kind: Daemon
        image: "{{ daemon.image }}"
        config: "{{ daemon.config }}"
        instances: {{ daemon.instances }}
        variables:
          port: "{{ daemon.variables.port }}"
      {% endfor %}
      """;

  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /usr/bin/perl
      arguments: [web.pl, "@{port}"]
      workdir: /app
      restart-timeout: 1
      kill-timeout: 2
      variables:
        port: !TcpPort
      """;

  private static final String PROGRAM =
      """
      use strict;
      use warnings;
      use IO::Socket::INET;
      $SIG{PIPE} = 'IGNORE';
      my $requests = 0;
      my $server = IO::Socket::INET->new(
          LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], Listen => 64, ReuseAddr => 1
      ) or die "cannot listen: $@\\n";
      while (1) {
          my $client = $server->accept or next;
          my $head = '';
          while ($head !~ /\\r\\n\\r\\n/) { sysread($client, $head, 4096, length $head) or last }
          my $body = "hello\\n";
          if ($head =~ m{^GET /metrics }) {
              $body = "# TYPE http_requests counter\\nhttp_requests_total $requests\\n# EOF\\n";
          } else {
              $requests++;
          }
          print $client "HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: ",
              length $body, "\\r\\nConnection: close\\r\\n\\r\\n", $body;
          close $client;
      }
      """;

  @TempDir private Path root;

  /** The number of processes at a time. */
  private record Seen(double seconds, int count) {}

  private final List<Seen> seen = new ArrayList<>();

  /** The decided number of workers by time of the schedule. */
  private final NavigableMap<Double, Integer> decided = new TreeMap<>();

  private final AtomicInteger perSecond = new AtomicInteger();
  private final AtomicReference<List<Integer>> ports = new AtomicReference<>(List.of());
  private long began;

  @Test
  void workersFollowTheLoadWithinTheDeclaredRates() throws Exception {
    var site = site();
    var agent = LaunchedAgent.start(root, site);
    var load = Executors.newSingleThreadScheduledExecutor();
    var http = HttpClient.newHttpClient();
    var underWay = new Semaphore(50);
    try {
      var asking =
          load.scheduleAtFixedRate(() -> ask(http, underWay), 0, 10, TimeUnit.MILLISECONDS);
      began = System.nanoTime();
      look(agent, FEWEST, FEWEST);

      perSecond.set(100);
      look(agent, 9, MOST);
      perSecond.set(0);
      look(agent, FEWEST, FEWEST);
      assertThat(asking.isDone()).as("the load ended early").isFalse();
    } finally {
      load.shutdownNow();
      agent.close();
    }

    assertRates();
  }

  /** Sends the requests of 10 ms to the workers in turn. */
  @SuppressWarnings("FutureReturnValueIgnored") // a failed request counts as load too
  private void ask(HttpClient http, Semaphore underWay) {
    var known = ports.get();
    for (int i = 0; i < perSecond.get() / 100 && !known.isEmpty(); i++) {
      if (underWay.tryAcquire()) {
        int port = known.get((int) (System.nanoTime() / 1_000 % known.size()));
        var request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/".formatted(port)))
                .timeout(Duration.ofSeconds(2))
                .build();
        http.sendAsync(request, BodyHandlers.discarding())
            .whenComplete((answer, failure) -> underWay.release());
      }
    }
  }

  /** Watches the processes until their number is in the range. */
  private void look(LaunchedAgent agent, int least, int most) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              var group = agent.object("processgroups", "web@alone");
              var entries = group.at("/spec/processes");
              var found = new ArrayList<Integer>();
              entries.forEach(entry -> found.add(entry.at("/variables/port").asInt()));
              ports.set(List.copyOf(found));
              int count = agent.pids("web").size();
              seen.add(new Seen((System.nanoTime() - began) / 1e9, count));
              var schedule = agent.json("/v1/schedule");
              decided.put(
                  schedule.path("timestamp").asLong() / 1000.0,
                  schedule.at("/data/state/web/counts/worker").asInt());
              return count >= least && count <= most;
            });
  }

  /** Checks that the changes between two observations do not exceed the rates. */
  private void assertRates() {
    assertThat(decided.values()).contains(FEWEST).anyMatch(count -> count >= 9);
    for (int i = 0; i < seen.size(); i++) {
      for (int j = i + 1; j < seen.size(); j++) {
        double time = seen.get(j).seconds() - seen.get(i).seconds();
        double change = seen.get(j).count() - seen.get(i).count();
        assertThat(change).isBetween(-DECLINE * time - AT_ONCE, GROW * time + AT_ONCE);
      }
    }
    var last = decided.firstEntry();
    for (var next : decided.entrySet()) {
      double time = next.getKey() - last.getKey();
      double change = next.getValue() - last.getValue();
      if (change != 0) {
        assertThat(change).isBetween(-DECLINE * time - 1, GROW * time + 1);
        last = next;
      }
    }
  }

  private Site site() throws IOException {
    var site = Site.in(root);
    int first = 20_000 + (int) (ProcessHandle.current().pid() % 1_000) * 10;
    site.write("scheduler/v1/main.lua", SCHEDULER);
    site.write("runtime/web/v1.yaml", VERSION.formatted(first, first + 3 * MOST));
    site.write("templates/web/v1/web.render.yaml", RECIPE);
    site.write("templates/web/v1/processes.yaml.j2", PROCESSES);
    site.write("lithos/images/web-v1/config/worker.yaml", CONTAINER);
    site.write("lithos/images/web-v1/app/web.pl", PROGRAM);
    site.write(
        "lithos/sandboxes/web.yaml",
        """
        image-dir: ../images
        allow-tcp-ports: [1024-65535]
        allow-users: [0-65534]
        allow-groups: [0-65534]
        default-user: 0
        """);
    return site;
  }
}
