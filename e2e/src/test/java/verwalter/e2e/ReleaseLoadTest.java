package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An update of a web service under load costs each instance a stop and a start, which a plain
 * restart measures in the same run, and a slow archive adds nothing.
 */
class ReleaseLoadTest {
  private static final int INSTANCES = 3;

  private static final boolean ALONE = System.getenv("VERWALTER_SLOW_TESTS") != null;

  /**
   * What an update may take beside the stop and the start of an instance, in milliseconds. Between
   * the end of the last process and the start of the first one, two phases and two files are made
   * durable. On a machine that other programs use, this shows an order of magnitude.
   */
  private static final long OVERHEAD = ALONE ? 300 : 5_000;

  /** A process is started beside the others of its role, not alone as with a restart. */
  private static final double FACTOR = ALONE ? 1.1 : 3;

  private static final int BALLAST = 300_000;
  private static final int BYTES_PER_SECOND = ALONE ? 30_000 : 100_000;

  private static final String PROCESSES =
      """
      {%% for number in range(count) %%}
      web{{ number }}:
        kind: Daemon
        image: "{{ release.image }}"
        config: /config/worker.yaml
        instances: 1
        variables:
          port: "{{ %d + number }}"
      {%% endfor %%}
      """;

  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /usr/bin/perl
      arguments: [web.pl, "@{port}", "%s", "%s"]
      workdir: /app
      restart-timeout: 1
      kill-timeout: 10
      variables:
        port: !TcpPort
      """;

  /** Needs 0.3 s to start and 0.2 s to stop, like a service that loads and that ends requests. */
  private static final String PROGRAM =
      """
      use strict;
      use warnings;
      use IO::Socket::INET;
      use Time::HiRes qw(time sleep);
      $SIG{PIPE} = 'IGNORE';
      my ($port, $version, $journal) = @ARGV;
      my $server;
      sub note {
          open my $file, '>>', $journal or die "cannot open $journal: $!\\n";
          syswrite $file, sprintf("%d %d %s %s\\n", time * 1000, $$, $ENV{LITHOS_NAME}, $_[0]);
      }
      $SIG{TERM} = sub {
          note('TERM');
          close $server if $server;
          sleep 0.2;
          note('end');
          exit 0;
      };
      note('start');
      sleep 0.3;
      $server = IO::Socket::INET->new(
          LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1
      ) or die "cannot listen: $@\\n";
      note('ready');
      while (1) {
          my $client = $server->accept or next;
          my $head = '';
          while ($head !~ /\\r\\n\\r\\n/) { sysread($client, $head, 4096, length $head) or last }
          print $client "HTTP/1.0 200 OK\\r\\n\\r\\n$version\\n";
          close $client;
      }
      """;

  @TempDir private Path root;
  private final Map<String, SteadyLoad> loads = new LinkedHashMap<>();
  private ArchiveServer server;
  private ImageSite images;
  private ProcessJournal journal;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    int port = 20_000 + (int) (ProcessHandle.current().pid() % 1_000) * 10;
    images.site().write("templates/app/v1/processes.yaml.j2", PROCESSES.formatted(port));
    images.role("app");
    journal = new ProcessJournal(root.resolve("journal"));
    version("v1", "");
    agent = LaunchedAgent.start(root, images.site());
    ImageSite.awaitVersion(agent, "app", "v1", INSTANCES);
    for (int i = 0; i < INSTANCES; i++) {
      loads.put("app/web%d.0".formatted(i), SteadyLoad.on(port + i));
    }
    awaitAnswers("v1");
  }

  @AfterEach
  void stop() throws Exception {
    loads.values().forEach(SteadyLoad::close);
    agent.close();
    server.close();
  }

  private void version(String version, String ballast) throws IOException {
    images.version(
        "app",
        version,
        INSTANCES,
        Map.of(
            "config/worker.yaml",
            CONTAINER.formatted(version, journal.file()),
            "app/web.pl",
            PROGRAM,
            "app/ballast",
            ballast));
  }

  private void awaitAnswers(String version) {
    ImageSite.soon(
        () ->
            assertThat(loads.values())
                .allSatisfy(
                    load -> {
                      var answers = load.answers();
                      assertThat(answers.get(answers.size() - 1).text()).isEqualTo(version);
                    }));
  }

  /** Updates the role and returns what that cost each instance. */
  private Map<String, Long> update(String version, String ballast) throws IOException {
    long begin = System.currentTimeMillis();
    version(version, ballast);
    ImageSite.awaitVersion(agent, "app", version, INSTANCES);
    awaitAnswers(version);
    return downtimes(begin);
  }

  private Map<String, Long> restart(String version) throws Exception {
    long begin = System.currentTimeMillis();
    var restarted = agent.vwAsAdmin("restart", "app");
    assertThat(restarted.code()).as(restarted.text()).isZero();
    awaitAnswers(version);
    return downtimes(begin);
  }

  /**
   * The time from the signal that each process got to the moment when the next one was ready, in
   * milliseconds. Checks that its clients saw one outage, of that length.
   */
  private Map<String, Long> downtimes(long since) {
    var downtimes = new TreeMap<String, Long>();
    loads.forEach(
        (slot, load) -> {
          var lines = lines(slot, since);
          assertThat(lines)
              .extracting(ProcessJournal.Line::event)
              .containsExactly("TERM", "end", "start", "ready");
          long down = lines.get(3).millis() - lines.get(0).millis();
          var outages = load.outages(since);
          assertThat(outages).as("outages of " + slot).hasSize(1);
          assertThat(outages.get(0).millis()).isLessThanOrEqualTo(down + OVERHEAD);
          downtimes.put(slot, down);
        });
    return downtimes;
  }

  private List<ProcessJournal.Line> lines(String slot, long since) {
    return journal.lines().stream()
        .filter(line -> line.slot().equals(slot) && line.millis() >= since)
        .toList();
  }

  @Test
  void anUpdateCostsAStopAndAStartAndASlowArchiveAddsNothing() throws Exception {
    var plain = restart("v1");
    var fast = update("v2", "");

    server.throttle(ImageSite.archive("v3"), BYTES_PER_SECOND);
    long begin = System.currentTimeMillis();
    var slow = update("v3", ImageSite.ballast(BALLAST));

    System.out.printf("restart %s ms, update %s ms, slow update %s ms%n", plain, fast, slow);
    plain.forEach(
        (slot, own) -> {
          assertThat(fast.get(slot)).as(slot).isLessThanOrEqualTo((long) (own * FACTOR) + OVERHEAD);
          assertThat(slow.get(slot)).as(slot).isLessThanOrEqualTo((long) (own * FACTOR) + OVERHEAD);
        });
    long seconds = server.size(ImageSite.archive("v3")) / BYTES_PER_SECOND;
    loads.forEach(
        (slot, load) -> {
          var outage = load.outages(begin).get(0);
          assertThat(outage.began() - begin).isGreaterThan(seconds * 1000);
          assertThat(load.answers())
              .filteredOn(each -> each.began() >= begin && each.ended() < outage.began())
              .hasSizeGreaterThan((int) seconds * 10)
              .allMatch(each -> each.text().equals("v2"));
        });
  }
}
