package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.json.DecodeException;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceRevisions;

/** {@code vw init}, {@code vw run} and {@code vw schema}, with the real server. */
class RunServiceTest {
  private static final RealServer SERVER = new RealServer();
  @TempDir Path config;
  private final Shell shell = new Shell();

  RunServiceTest() {
    shell.environment.put("VERWALTER_SERVER", SERVER.url());
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  private ServiceFile read(String name) throws IOException, DecodeException {
    var file = config.resolve("roles/" + name + ".yaml");
    return ServiceFile.read(Files.readString(file), file.toString());
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(config.resolve("roles"))) {
      return files.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void writesExampleThatAgentsReadAndNeverReplacesIt() throws Exception {
    assertThat(shell.vw("init", "--config-dir", config.toString())).as(shell.err()).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            %1$s/roles/web.yaml is written: an example that runs as it is
            run it: verwalter --config-dir=%1$s
            """
                .formatted(config));
    assertThat(read("web").processes()).containsOnlyKeys("web");

    Files.writeString(config.resolve("roles/web.yaml"), "mine");
    assertThat(shell.vw("init", "web", "--config-dir", config.toString())).isEqualTo(1);
    assertThat(shell.err()).contains("roles/web.yaml exists already").contains("vw init NAME");
    Files.writeString(config.resolve("roles/shop.yml"), "mine");
    assertThat(shell.vw("init", "shop", "--config-dir", config.toString())).isEqualTo(1);
    assertThat(Files.readString(config.resolve("roles/web.yaml"))).isEqualTo("mine");
    assertThat(files()).containsExactly("shop.yml", "web.yaml");
  }

  @Test
  void refusesNamesAndDirectoriesThatNoServiceHas() {
    assertThat(shell.vw("init", "../web", "--config-dir", config.toString())).isEqualTo(2);
    assertThat(shell.err()).contains("\"../web\" is no name").contains("1 to 63 letters");
    assertThat(shell.vw("init", "--config-dir", config + "/none")).isEqualTo(1);
    assertThat(shell.err()).contains("there is no directory").contains("mkdir -p");
    assertThat(config).isEmptyDirectory();
  }

  @Test
  void writesFlagsAndTheCommandAsTheyAre() throws Exception {
    int code =
        shell.vw(
            "run",
            "shop",
            "--instances=3",
            "--port=http=11310-11319",
            "--env=LANG=C",
            "--env=EMPTY=",
            "--user=7",
            "--directory=/srv",
            "--no-wait",
            "--config-dir=" + config,
            "--",
            "./serve",
            "--port",
            "${port.http}",
            "yes");
    assertThat(code).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo(config + "/roles/shop.yaml is written\n");
    var process = read("shop").processes().get("web");
    assertThat(process).isNotNull();
    assertThat(process.arguments()).containsExactly("./serve", "--port", "${port.http}", "yes");
    assertThat(process.instances()).contains(3);
    assertThat(process.portRanges().get("http")).hasToString("11310-11319");
    assertThat(process.environment()).containsEntry("LANG", "C").containsEntry("EMPTY", "");
    assertThat(process.user()).contains("7");
    assertThat(process.directory()).contains("/srv");
  }

  @Test
  void refusesWhatAnAgentWouldRefuseAndWritesNothing() {
    var dir = "--config-dir=" + config;
    assertThat(shell.vw("run", "shop", dir, "--port=http=80-9", "--", "x")).isEqualTo(2);
    assertThat(shell.err()).contains("ports.http must be a port or a range").contains("80-9");
    assertThat(shell.vw("run", "shop", dir, "--instances=many", "--", "x")).isEqualTo(2);
    assertThat(shell.err()).contains("--instances must be a number");
    assertThat(shell.vw("run", "shop", dir, "--env=LANG", "--", "x")).isEqualTo(2);
    assertThat(shell.err()).contains("--env must be NAME=VALUE");
    assertThat(shell.vw("run", "shop", dir)).isEqualTo(2);
    assertThat(shell.err()).contains("run takes a name and a command");
    assertThat(shell.vw("-s", "http://127.0.0.1:1", "run", "shop", dir, "--", "x")).isEqualTo(1);
    assertThat(config).isEmptyDirectory();
  }

  @Test
  void waitsUntilAllProcessesOfTheRevisionRun() {
    shell.onLine(() -> agent("runs", RoleInstance.State.RUNNING, 2));
    var words = new String[] {"run", "runs", "--instances=2", "--config-dir=" + config, "--", "x"};
    assertThat(shell.vw(words)).as(shell.err()).isZero();
    assertThat(shell.out()).endsWith("runs.yaml is written\nruns: 2 of 2 processes run\n");
  }

  @Test
  void failsWithTheReasonIfProcessesAreBroken() {
    shell.onLine(() -> agent("broken", RoleInstance.State.BROKEN, 0));
    var words =
        new String[] {"run", "broken", "--timeout=300ms", "--config-dir=" + config, "--", "x"};
    assertThat(shell.vw(words)).isEqualTo(4);
    assertThat(shell.out()).endsWith("broken: 0 of 1 processes run: broken on n1: no program\n");
    assertThat(shell.err()).contains("no program").contains("vw why broken");
  }

  @Test
  void saysThatNoAgentHasReadTheFile() {
    var words =
        new String[] {"run", "unread", "--timeout=300ms", "--config-dir=" + config, "--", "x"};
    assertThat(shell.vw(words)).isEqualTo(5);
    assertThat(shell.err()).contains("has not read " + config).contains("--config-dir");
    assertThat(config.resolve("roles/unread.yaml")).exists();
  }

  @Test
  void printsTheSchemaOfServices() {
    assertThat(shell.vw("schema", "service")).isZero();
    assertThat(shell.out()).startsWith("{\n").endsWith("}\n").contains("\"stop-timeout\"");
    assertThat(shell.vw("schema", "role")).isEqualTo(2);
    assertThat(shell.err()).contains("vw schema service");
  }

  /** Does what an agent does with the file: a revision, and an instance in a state. */
  private void agent(String role, RoleInstance.State state, int running) {
    var now = Instant.EPOCH;
    try {
      var spec = ServiceRevisions.next(RoleConfig.Spec.of(Map.of()), read(role), now);
      SERVER.put(Resource.of(RoleConfig.KIND, role, spec));
    } catch (DecodeException | IOException e) {
      throw new UncheckedIOException(new IOException(e));
    }
    var wanted = new RoleInstance.Spec(role, "n1", role, Optional.empty(), Map.of());
    var made = SERVER.put(Resource.of(RoleInstance.KIND, role + "@n1", wanted));
    SERVER.putStatus(
        made.withStatus(
            new RoleInstance.Status(
                made.meta().generation(), state, 2, running, 0, now, "no program", List.of())));
  }

  private int apply(String... more) {
    var words = new ArrayList<>(List.of("apply", "--config-dir", config.toString()));
    words.addAll(List.of(more));
    return shell.vw(words.toArray(String[]::new));
  }

  private Path written(String name, String text) throws IOException {
    return Files.writeString(config.resolve(name), text);
  }

  @Test
  void applyWritesAServiceWithItsComments() throws Exception {
    var text = "# mine\nprocesses: {web: {command: [./a]}}\n";
    var file = written("shop.yaml", text).toString();
    assertThat(apply("-f", file, "--dry-run=server")).as(shell.err()).isZero();
    var roles = config.resolve("roles");
    assertThat(shell.out())
        .isEqualTo(
            """
            service/shop created in %s/shop.yaml (dry run)
            @@ line 1 @@
            +# mine
            +processes: {web: {command: [./a]}}
            """
                .formatted(roles));
    assertThat(roles).doesNotExist();

    assertThat(apply("-f", file)).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("service/shop created in %s/shop.yaml\n".formatted(roles));
    assertThat(roles.resolve("shop.yaml")).hasContent(text);
    Files.setPosixFilePermissions(
        roles.resolve("shop.yaml"), PosixFilePermissions.fromString("rw-------"));
    assertThat(apply("-f", file)).isZero();
    assertThat(shell.out()).startsWith("service/shop unchanged in ");

    written("shop.yaml", text.replace("./a", "./b"));
    assertThat(apply("-f", file, "--dry-run=server")).isZero();
    assertThat(shell.out())
        .endsWith(
            """
            @@ line 2 @@
            -processes: {web: {command: [./a]}}
            +processes: {web: {command: [./b]}}
            """);
    assertThat(apply("-f", file)).isZero();
    assertThat(shell.out()).startsWith("service/shop configured in ");
    assertThat(read("shop").processes().get("web").arguments()).containsExactly("./b");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(roles.resolve("shop.yaml"))))
        .isEqualTo("rw-------");
    assertThat(files()).containsExactly("shop.yaml");
  }

  @Test
  void applyTakesServicesAndObjectsTogether() throws Exception {
    var file =
        written(
            "mixed.yaml",
            """
            kind: RoleConfig
            apiVersion: verwalter.io/v1
            metadata: {name: applied}
            spec: {versions: {}, settings: {}}
            ---
            # of a service
            processes:
              web: {command: [./a]}
            """);
    assertThat(apply("-f", file.toString(), "--name", "shop")).as(shell.err()).isZero();
    assertThat(shell.out()).contains("roleconfig/applied created").contains("service/shop created");
    assertThat(config.resolve("roles/shop.yaml"))
        .hasContent("---\n# of a service\nprocesses:\n  web: {command: [./a]}");
    assertThat(read("shop").processes()).containsOnlyKeys("web");
  }

  @Test
  void applyKeepsTheSpaceBeforeTheFirstLine() throws Exception {
    var text = "  processes:\n    web: {command: [./a]}\n  place: {nodes: zone=a}\n";
    var file = written("shop.yaml", "\n \n" + text).toString();
    assertThat(apply("-f", file)).as(shell.err()).isZero();
    assertThat(Files.readString(config.resolve("roles/shop.yaml"))).isEqualTo(text);
    assertThat(read("shop").place()).isPresent();
  }

  @Test
  void applyRefusesAServiceThatAnAgentWouldRefuse() throws Exception {
    var file =
        written(
            "shop.yaml",
            "kind: Node\nmetadata: {name: n}\n---\nprocesses:\n  web:\n    comand: [x]\n");
    assertThat(apply("-f", file.toString())).isEqualTo(1);
    assertThat(shell.err())
        .contains(file + ":6:5: processes.web.comand: unknown field; did you mean \"command\"?");
    assertThat(apply("-f", written("a b.yaml", "processes: {web: {command: [x]}}").toString()))
        .isEqualTo(1);
    assertThat(shell.err()).contains("\"a b\" is no name").contains("--name NAME");
    assertThat(apply("-f", config.toString(), "--name", "x")).isEqualTo(2);
    assertThat(shell.err()).contains("--name is the name of one service, and there are 2");
    assertThat(apply("-f", file.toString(), "-o", "yaml")).isEqualTo(2);
    assertThat(shell.err()).contains("a service is a file");
    assertThat(config.resolve("roles")).doesNotExist();
  }
}
