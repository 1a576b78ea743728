package verwalter.model.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.ProcessSpec;
import verwalter.model.ProcessSpec.Purpose;
import verwalter.model.VersionImage;
import verwalter.model.VersionMetadata;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

/** Tests what files of services may contain, and the errors of others. */
class ServiceFileTest {
  private static final String WHOLE =
      """
      processes:
        web:
          command: [./server, --port, "${port.http}", -n, 3]
          instances: 3
          ports: {http: 10200-10299, admin: 9000}
          env: {GREETING: hello, LIMIT: 7}
          user: shop
          directory: /srv/shop
          stop-timeout: 20s
          stop-delay: 3s
          limits: {files: 4096, memory: 200MB, cpu: 0.5, pids: 100}
          umask: "027"
          groups: [adm, 44]
          stop-signal: INT
          after: [worker]
          secrets: {db: /etc/shop/db.key}
        worker:
          command: [/bin/worker]
          per-node: 1
      place: {nodes: "zone=a, disk=ssd", spread: rack}
      update: {canary: 20%, ready-for: 1m, on-failure: pause}
      """;

  private static ServiceFile read(String text) throws DecodeException {
    return ServiceFile.read(text, "roles/web.yaml");
  }

  private static List<String> problems(String text) {
    return catchThrowableOfType(DecodeException.class, () -> read(text)).problems().stream()
        .map(String::valueOf)
        .toList();
  }

  @Test
  void aWholeFile() throws DecodeException {
    var file = read(WHOLE);
    var web = file.processes().get("web");
    assertThat(web.arguments()).containsExactly("./server", "--port", "${port.http}", "-n", "3");
    assertThat(web.portRanges())
        .isEqualTo(Map.of("http", new PortRange(10200, 10299), "admin", new PortRange(9000, 9000)));
    assertThat(web.environment()).isEqualTo(Map.of("GREETING", "hello", "LIMIT", "7"));
    assertThat(web.stopSeconds()).contains(20L);
    assertThat(web.stopDelaySeconds()).contains(3L);
    assertThat(ServiceCommand.of(web).stopDelay()).contains(3L);
    assertThat(ServiceCommand.ofJson(ServiceCommand.of(web).json()))
        .contains(ServiceCommand.of(web));
    var limits = web.limits().orElseThrow();
    assertThat(limits.files()).contains(4096);
    assertThat(limits.memoryBytes()).contains(200_000_000L);
    assertThat(limits.cpuMillis()).contains(500L);
    assertThat(limits.pids()).contains(100);
    assertThat(web.umask()).contains("027");
    assertThat(web.groups()).contains(List.of("adm", 44L));
    assertThat(web.signal()).contains("SIGINT");
    assertThat(ServiceCommand.of(web).after()).containsExactly("worker");
    assertThat(ServiceCommand.of(web).secrets()).isEqualTo(Map.of("db", "/etc/shop/db.key"));
    assertThat(file.place().orElseThrow().labels()).isEqualTo(Map.of("zone", "a", "disk", "ssd"));
    assertThat(file.update().orElseThrow().canaryPercent()).contains(20);
    assertThat(file.update().orElseThrow().readySeconds()).isEqualTo(60);
  }

  @Test
  void oneLineIsEnough() throws DecodeException {
    var file = read("processes: {web: {command: [python3, -m, http.server]}}");
    assertThat(file.processes().get("web").instances()).isEmpty();
    assertThat(file.update()).isEmpty();
  }

  private static List<ProcessSpec.Probe> probes(String health) throws DecodeException {
    return read("processes: {web: {command: [x], ports: {http: 80, admin: 81}, health: %s}}"
            .formatted(health))
        .processes()
        .get("web")
        .probes();
  }

  @Test
  void oneProbeIsForStartupReadinessAndLivenessWithDefaults() throws DecodeException {
    var probes = probes("{http: /healthz, port: admin}");
    assertThat(probes)
        .extracting(ProcessSpec.Probe::purpose)
        .containsExactly(Purpose.STARTUP, Purpose.READINESS, Purpose.LIVENESS);
    assertThat(probes)
        .extracting(probe -> probe.http().orElseThrow())
        .containsOnly("http://127.0.0.1:${port.admin}/healthz");
    assertThat(probes).extracting(ProcessSpec.Probe::failures).containsExactly(60, 3, 6);
  }

  @Test
  void probesByPurpose() throws DecodeException {
    var probes =
        probes(
            "{readiness: {http: /ready, port: http, interval: 2s, timeout: 3s, successes: 4,"
                + " failures: 5, status: 200-204}, liveness: {tcp: admin, host: 10.0.0.1},"
                + " startup: {exec: [./check, --fast, 3]}}");
    assertThat(probes)
        .containsExactly(
            new ProcessSpec.Probe(
                Purpose.STARTUP,
                Optional.empty(),
                Optional.empty(),
                List.of("./check", "--fast", "3"),
                1,
                1,
                1,
                60,
                200,
                399),
            new ProcessSpec.Probe(
                Purpose.READINESS,
                Optional.of("http://127.0.0.1:${port.http}/ready"),
                Optional.empty(),
                List.of(),
                2,
                3,
                4,
                5,
                200,
                204),
            new ProcessSpec.Probe(
                Purpose.LIVENESS,
                Optional.empty(),
                Optional.of("10.0.0.1:${port.admin}"),
                List.of(),
                5,
                2,
                1,
                6,
                200,
                399));
    for (var probe : probes) {
      assertThat(ProbeJson.read(Map.of("probes", List.of(ProbeJson.of(probe)))))
          .containsExactly(probe);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                     | health is one probe
          {http: /a, readiness: {tcp: http}}     | health is one probe
          {http: a, port: http}                  | http must be a path
          {http: /a}                             | port is missing; the process has the ports
          {tcp: web}                             | there is no port web
          {tcp: 70000}                           | the number of a port must be 1 to 65535, not 70000
          {tcp: 0}                               | the number of a port must be 1 to 65535, not 0
          {readiness: {http: /a, port: 655350}}  | the number of a port must be 1 to 65535, not 655350
          {http: /a, tcp: http}                  | give one of http, tcp and exec
          {readiness: {interval: 1s}}            | give one of http, tcp and exec
          {readiness: {tcp: http, failures: 0}}  | failures must be 1 to
          {readiness: {tcp: http, timeout: 0}}   | timeout must be
          {readiness: {tcp: http, status: 200}}  | port and status belong to http
          {readiness: {tpc: http}}               | did you mean "tcp"?
          """)
  void refusesOtherProbes(String health, String problem) {
    assertThatThrownBy(() -> probes(health))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void errorsHaveLineColumnAndTheNearestName() {
    assertThat(problems("processes:\n  web:\n    comand: [x]\n"))
        .first()
        .isEqualTo(
            "roles/web.yaml:3:5: processes.web.comand: unknown field; did you mean \"command\"?");
    assertThat(problems("processes: {web: {command: [x], instances: three}}"))
        .containsExactly(
            "roles/web.yaml:1:44: processes.web.instances: expected a whole number, found the"
                + " string \"three\"");
    assertThat(problems("update: {on-failure: rewert}\nprocesses: {a: {command: [x]}}"))
        .containsExactly(
            "roles/web.yaml:1:22: update.on-failure: expected one of revert, pause, found the"
                + " string \"rewert\"; did you mean \"revert\"?");
    assertThat(problems("")).containsExactly("roles/web.yaml: the file is empty");
    assertThat(problems("a: 1\n---\nb: 2\n"))
        .containsExactly("roles/web.yaml:3:1: the file has more than one document");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          command: []                                  | command is missing
          command: [[x]]                               | command must be a text or a number
          command: [x], instances: 1, per-node: 1      | give only one of instances, per-node and share
          command: [x], instances: -1                  | instances must be 0 to 10000, not -1
          command: [x], share: 0%                      | share must be 1% to 100%, not 0%
          command: [x], ports: {http: 70000}           | ports.http must be a port or a range
          command: [x], ports: {http: 9-3}             | ports.http must be a port or a range
          command: [x], ports: {HTTP: 80}              | ports.HTTP: a port's name has
          command: [x], env: {A-B: 1}                  | env.A-B: a variable's name has
          command: [x], user: "a b"                    | user must be the name or number of a user
          command: [x], directory: srv                 | directory must be an absolute path or begin with ${config_dir}/, not srv
          command: [x], stop-timeout: soon             | stop-timeout must be a duration
          command: [x], stop-delay: 2h                 | stop-delay must be a duration
          command: [x], limits: {files: 3}             | files must be 16 to
          command: [x], limits: {files: 9999999999}    | files: must be between 16 and 1048576, found 9999999999
          command: [x], instances: -9999999999         | instances: must be between 0 and
          command: [x], limits: {memory: 200 apples}   | memory must be a number of bytes, such as 512MB
          command: [x], limits: {memory: 1000}         | and at least 1MiB, not 1000
          command: [x], limits: {cpu: half}            | cpu must be a number of processors from 0.01 to 1024
          command: [x], limits: {cpu: 0}               | cpu must be a number of processors from 0.01 to 1024
          command: [x], limits: {pids: 0}              | pids must be 1 to
          command: [x], umask: 27                      | umask must be octal digits in quotes
          command: [x], umask: "888"                   | umask must be octal digits in quotes
          command: [x], groups: ["a b"]                | groups must be names or numbers of groups
          command: [x], stop-signal: KILL              | stop-signal must be one of TERM, INT, QUIT, HUP, USR1, USR2, not KILL
          """)
  void wrongValuesAreNamed(String process, String message) {
    assertThat(problems("processes:\n  web: {%s}\n".formatted(process)))
        .first()
        .asString()
        .startsWith("roles/web.yaml:2:")
        .contains(": processes.web")
        .contains(message);
  }

  @Test
  void namesInTheOrderOfStopsAreProcessesOfTheFile() throws DecodeException {
    var text =
        """
        processes:
          queue: {command: [x], after: [db]}
          web: {command: [x], after: [db, %s]}
          db: {command: [x]%s}
        """;
    assertThat(read(text.formatted("queue", "")).processes().get("web").after())
        .containsExactly("db", "queue");
    assertThat(problems(text.formatted("quue", "")))
        .containsExactly(
            "roles/web.yaml:3:35: processes.web.after[1]: there is no process quue; the processes"
                + " are queue, web, db; did you mean \"queue\"?");
    assertThat(problems(text.formatted("queue", ", after: [web]")))
        .containsExactly(
            "roles/web.yaml:3:31: processes.web.after[0]: these processes would wait for each"
                + " other: db after web after db");
  }

  @Test
  void commandsOfOperatorsAndByTime() throws DecodeException {
    var file =
        read(
            """
            processes: {web: {command: [x]}}
            commands:
              migrate: {command: [./migrate, --all], env: {A: 1}, user: shop, directory: /srv}
              backup:
                command: [./backup]
                cron: 30 3 * * mon-fri
                time-zone: Europe/Berlin
                time-limit: 20m
                per-node: 1
                limits: {memory: 200MB}
            """);
    var migrate = ServiceCommand.of(file.commands().get("migrate"));
    assertThat(migrate.kind()).isEqualTo(ProcessSpec.Type.COMMAND);
    assertThat(migrate.arguments()).containsExactly("./migrate", "--all");
    assertThat(migrate.cron()).isEmpty();
    var backup = ServiceCommand.of(file.commands().get("backup"));
    assertThat(backup.cron())
        .contains(new ProcessSpec.Cron("30 3 * * mon-fri", Optional.of("Europe/Berlin"), 20 * 60));
    assertThat(backup.memory()).contains(200_000_000L);
    for (var command : List.of(migrate, backup)) {
      assertThat(ServiceCommand.ofJson(command.json())).contains(command);
    }
    var metadata = ServiceMetadata.of(file, Instant.EPOCH);
    assertThat(metadata).containsEntry("cron", Map.of("backup", "each"));
    assertThat(Json.object(metadata.get("daemons"))).containsOnlyKeys("web");
    assertThat(ServiceMetadata.of(read("processes: {web: {command: [x]}}"), Instant.EPOCH))
        .doesNotContainKey("cron");
  }

  @Test
  void onlyChosenCommandsOfTheActiveVersionRunByTime() throws DecodeException {
    Map<String, Object> one =
        ServiceCommand.of(
                read("processes: {a: {command: [x]}}\ncommands: {job: {command: [x], cron: '@daily'}}")
                    .commands()
                    .get("job"))
            .json();
    var versions = Map.of("v9", Map.of("old", one), "v10", Map.of("job", one));
    var variables = Map.<String, Object>of(ScheduledServices.VARIABLE, versions);
    assertThat(ScheduledServices.tasks(variables).commands()).containsOnlyKeys("job");
    assertThat(ScheduledServices.tasks(variables).commands().get("job").cron()).isEmpty();
    var chosen =
        Map.<String, Object>of(
            ScheduledServices.VARIABLE,
            versions,
            "active_version",
            "v9",
            "cron",
            List.of("old", "job"));
    assertThat(ScheduledServices.tasks(chosen).commands()).containsOnlyKeys("old");
    assertThat(ScheduledServices.tasks(chosen).commands().get("old").cron()).isPresent();
    assertThat(ScheduledServices.command(chosen, "v10", "job")).as("no daemon").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {job: {command: [x], cron: "* * * *"}}                    | 2:17 | cron must be minute, hour
          {job: {command: [x], cron: 0 0 30 2 *}}                   | 2:17 | there is no such day
          {job: {command: [x], cron: "@daily", time-zone: Mars/A}}  | 2:17 | there is no time zone Mars/A
          {job: {command: [x], time-limit: 5s}}                     | 2:17 | need a cron
          {job: {command: [x], cron: "@daily", time-limit: 0}}      | 2:17 | time-limit must be
          {job: {command: [x], cron: "@daily", per-node: 2}}        | 2:17 | per-node must be 1
          {job: {command: []}}                                      | 2:17 | command is missing
          {job: {command: [x], crom: "@daily"}}                     | 2:32 | did you mean "cron"?
          {web: {command: [x]}}                                     | 2:17 | a process has this name
          {job: {command: ["${release}/x"]}}                        | 1:1  | commands.job: ${release} is the directory
          {job-1: {command: [x]}}                                   | 1:1  | a command's name has
          """)
  void wrongCommandsAreNamed(String commands, String place, String message) {
    assertThat(problems("processes: {web: {command: [x]}}\ncommands: " + commands))
        .first()
        .asString()
        .startsWith("roles/web.yaml:" + place + ": ")
        .contains(message);
  }

  @ParameterizedTest
  @CsvSource({"web-0", "web-v2", "Web", "1web", "-", "web-", "a.b"})
  void namesThatTheSchedulerMakesAreRefused(String name) {
    assertThat(problems("processes:\n  %s: {command: [x]}\n".formatted(name)))
        .first()
        .asString()
        .contains("a process's name has");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          place: {nodes: zone}                         | nodes must be labels
          place: {nodes: "zone=a,zone=b"}              | nodes names the label zone twice
          place: {spread: "a b"}                       | spread must be host or the name of a label
          update: {one-by-one: true, blue-green: true} | give only one of
          update: {canary: 100%}                       | canary must be 1% to 99%
          update: {substeps: 0}                        | substeps must be 1 to 100
          update: {ready-for: later}                   | ready-for must be a duration
          update: {deadline: 0}                        | deadline must be at least 1s, not 0
          update: {deadline: 0m}                       | deadline must be at least 1s, not 0m
          """)
  void wrongSettingsAreNamed(String line, String message) {
    assertThat(problems("processes: {web: {command: [x]}}\n" + line)).hasSize(1);
    assertThat(problems("processes: {web: {command: [x]}}\n" + line).get(0)).contains(message);
  }

  @Test
  void aFileHasALimit() {
    var large = "processes: {web: {command: [\"%s\"]}}".formatted("x".repeat(2_000_000));
    assertThatThrownBy(() -> read(large)).hasMessageContaining("more than");
  }

  private static final String DIGEST = "0f".repeat(32);

  @Test
  void anImageIsPartOfTheRevision() throws DecodeException {
    var text =
        """
        processes: {web: {command: ["${release}/server"], directory: "${release}/data"}}
        image: {url: "file:/srv/shop-1.4.tar.gz", sha256: "%s"}
        """;
    var metadata = ServiceMetadata.of(read(text.formatted(DIGEST)), Instant.EPOCH);
    assertThat(VersionMetadata.of(metadata).settings().image())
        .contains(new VersionImage("file:/srv/shop-1.4.tar.gz", Optional.of("sha256:" + DIGEST)));
    assertThat(ServiceMetadata.digest(read(text.formatted(DIGEST))))
        .isNotEqualTo(ServiceMetadata.digest(read(text.formatted("1" + DIGEST.substring(1)))));
    assertThat(read("processes: {a: {command: [./x]}}\nimage: {url: /srv/shop}").image())
        .contains(new ServiceImage("/srv/shop", Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "image: {url: /srv/shop.tar.gz}; roles/web.yaml:2:8: image: sha256 is missing",
        "image: {url: 'https://x/y', sha256: a12}; roles/web.yaml:2:8: image: sha256 must be 64",
        "image: {url: srv/shop}; roles/web.yaml:2:8: image: url must begin with file:/",
        "image: {sha265: x}; did you mean \"sha256\"?",
        "image: {}; url",
        "imag: {url: /srv}; did you mean \"image\"?",
        "place: {}; processes.web: ${release} is the directory of an image, but there is no image",
      })
  void wrongImagesAreErrorsWithTheirPlace(String line, String message) {
    assertThat(problems("processes: {web: {command: [\"${release}/x\"]}}\n" + line).toString())
        .contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[{template: a.j2, to: /etc/a}]; roles/web.yaml:2:9: files[0]: to must be a relative path",
        "[{template: a.txt, to: a}]; template must be the name of a template beside the file",
        "[{template: a.j2, to: a}, {template: b.j2, to: a}]; two files have the path a",
        "[{template: a.j2, to: a/b}, {template: b.j2, to: a}]; a/b cannot be below the file a",
        "[{template: a.j2, too: a}]; did you mean \"to\"?",
        "[]; processes.web: ${files} is the directory of rendered files, but there are none",
      })
  void wrongFilesAreErrorsWithTheirPlace(String files, String message) {
    assertThat(
            problems("processes: {web: {command: [\"${files}/x\"]}}\nfiles: " + files).toString())
        .contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{db: etc/db}; secrets.db must be the absolute path of a file on each node",
        "{../x: /etc/db}; secrets.../x: the name of a secret has letters",
        "{db: [x]}; secrets.db",
      })
  void wrongSecretsAreNamed(String secrets, String message) {
    assertThat(
            problems("processes: {web: {command: [x], secrets: %s}}".formatted(secrets)).toString())
        .contains(message);
  }
}
