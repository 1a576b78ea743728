package verwalter.supervisor.lithos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Host;
import verwalter.supervisor.program.Terms;

@SuppressWarnings({"NullAway", "StringConcatToTextBlock"}) // short files in short lines
class ExaminerTest {
  private static final String SANDBOX =
      "image-dir: ../images\nallow-users: [1000-1999]\nallow-groups: [0, 50]\n"
          + "default-user: 1000\nallow-tcp-ports: [8000-8999]\n"
          + "writable-paths: {/data: /srv/data}\nreadonly-paths: {/etc: /srv/etc}\n";

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  private Examiner examiner;

  @BeforeEach
  void site() throws IOException {
    examiner = examiner(false);
    write("sandboxes/shop.yaml", SANDBOX);
    write("images/v1/bin/run", "#!/bin/sh\n");
    Files.setPosixFilePermissions(
        base.resolve("images/v1/bin/run"), PosixFilePermissions.fromString("rwxr-xr-x"));
    config("");
  }

  private Examiner examiner(boolean strict) {
    return new Examiner(
        new Host(
            base.resolve("sandboxes"),
            base.resolve("processes"),
            base.resolve("log"),
            0,
            0,
            4096,
            "dumb",
            strict,
            false,
            Optional.empty()));
  }

  private void write(String path, String text) throws IOException {
    Files.createDirectories(base.resolve(path).getParent());
    Files.writeString(base.resolve(path), text);
  }

  private void config(String more) throws IOException {
    write("images/v1/app.yaml", "executable: /bin/run\n" + more.replace('#', '\n'));
  }

  private static ProcessSpec entry(String image, String config, Map<String, String> variables) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, image, config, 2, variables, List.of(), List.of());
  }

  private Examined examine(Map<String, String> variables) {
    return examiner
        .examine("shop", Map.of("web", entry("v1", "/app.yaml", variables)))
        .getOrDefault("web", new Examined(List.of(), List.of(), List.of()));
  }

  private List<String> problems(ProcessSpec entry) {
    return examiner.problems("shop", Map.of("web", entry));
  }

  private void assertProblem(List<String> problems, String part) {
    assertThat(problems).anyMatch(each -> each.contains(part));
  }

  @Test
  void aCorrectEntryHasProgramsAndWarnings() throws IOException {
    config(
        "arguments: ['@{port}', '@{ lithos:name }', '@{open', '@{lithos:config_filename}']\n"
            + "environ: {A: 'x@{mode}y', P: '@{lithos:pid}', TERM: mine, LITHOS_NAME: no}\n"
            + "variables: {port: !TcpPort , mode: !Choice [primary, spare]}\n"
            + "memory-limit: 100Mi\n");
    var examined = examine(Map.of("port", "8080", "mode", "spare"));
    assertThat(examined.problems()).isEmpty();
    assertThat(examined.warnings())
        .containsExactly(
            "running as uid 0, config asks for 1000; this supervisor does not switch",
            "memory-limit is not enforced");
    var program = examined.programs().get(1);
    assertThat(program.slot()).isEqualTo("shop/web.1");
    assertThat(program.arguments()).containsExactly("8080", "shop/web.1", "@{open", "/app.yaml");
    assertThat(program.environ())
        .isEqualTo(
            Map.of(
                "A",
                "xsparey",
                "TERM",
                "mine",
                "LITHOS_NAME",
                "shop/web.1",
                "LITHOS_CONFIG",
                "/app.yaml"));
    assertThat(program.pidVariables()).containsExactly("P");
    assertThat(program.log()).isEqualTo(base.resolve("log/shop.web.1.log"));
    assertThat(program.executable()).isEqualTo(base.toRealPath().resolve("images/v1/bin/run"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "../images/v1 | must be made of plain names",
        "/v1 | must be made of plain names",
        "./v1 | must be made of plain names",
        "'' | must be made of plain names",
        "v1/.. | must be made of plain names",
        "v1//v2/ | has 2 parts; the sandbox's image-dir-levels is 1",
        "a/b | has 2 parts",
        "v2 | there is no image",
        "out | leads out of",
        "self | leads out of",
        "file | is not a directory",
      })
  void imagesOutsideAreRefused(String image, String part) throws IOException {
    Files.createSymbolicLink(base.resolve("images/out"), base.resolve("sandboxes"));
    Files.createSymbolicLink(base.resolve("images/self"), base.resolve("images"));
    write("images/file", "");
    assertProblem(problems(entry(image, "/app.yaml", Map.of())), part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app.yaml | must be an absolute path",
        "/none.yaml | there is no config",
        "/link.yaml | leads out of image",
        "/../v1/../../sandboxes/shop.yaml | there is no config",
      })
  void configsOutsideAreRefused(String config, String part) throws IOException {
    Files.createSymbolicLink(
        base.resolve("images/v1/link.yaml"), base.resolve("sandboxes/shop.yaml"));
    assertProblem(problems(entry("v1", config, Map.of())), part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "executabel: x | did you mean \"executable\"?",
        "kind: Command | kind is Daemon, but /app.yaml is for a Command",
        "tcp-ports: {80: {fd: 3}} | tcp-ports needs open sockets",
        "variables: {p: !TcpPort {activation: systemd}} | activation needs open sockets",
        "secret-environ: {A: 'v2:x'} | secret-environ needs",
        "secret-environ: {A: ['v2:x']} | secret-environ needs",
        "secret-environ-file: /s.yaml | secret-environ needs",
        "user-id: 1 | user 1 is not allowed",
        "group-id: 51 | group 51 is not allowed",
        "uid-map: [{inside: 0, outside: 5, count: 1}] | user map",
        "fileno-limit: 5000 | exceeds this user's hard limit 4096",
        "workdir: /nowhere | workdir /nowhere is not a directory",
        "workdir: bin | must be an absolute path",
        "variables: {a: !Name } | variable \"a\" is missing",
        "variables: {a: b} | expected !TcpPort, !Name, !DottedName or !Choice [...], found no tag",
        "arguments: ['@{nope}'] | @{nope} is not a declared variable",
        "arguments: ['@{lithos:nope}'] | @{lithos:nope} is not a variable that lithos knows",
        "arguments: ['@{lithos:pid}'] | may only be the whole value of an environ entry",
        "environ: {A: 'x@{lithos:pid}'} | may only be the whole value of an environ entry",
        "environ: {a-b: x} | is not a name of letters",
        "restart-timeout: 0.5 | expected a whole number",
        "kill-timeout: 90_000 | 90000 is not between 0 and 86400",
        "interactive: yes | expected true or false",
        "volumes: {/x: !Persistent {path: /other}} | volumes: /x has no directory in the sandbox",
        "volumes: {x: !Tmpfs } | mount point \"x\" must be absolute",
        "volumes: {/x: !Persistent /data} | expected a mapping, found text",
        "stdout-stderr-file: /x/y.log | is not in a volume",
        "executable: /bin/run | is there twice",
      })
  void badContainerConfigurationsAreRefused(String more, String part) throws IOException {
    config(more);
    assertProblem(problems(entry("v1", "/app.yaml", Map.of())), part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "!TcpPort | 8080 | ok",
        "!TcpPort {activation: none} | 8999 | ok",
        "!TcpPort | 80 | is not in the sandbox's allow-tcp-ports",
        "!TcpPort | 65536 | is not a TCP port",
        "!TcpPort | -1 | is not a TCP port",
        "!TcpPort | 0x1f90 | is not a TCP port",
        "!Name | a-B_9 | ok",
        "!Name | a.b | is not a name",
        "!Name | a b | is not a name",
        "!DottedName | a.b-c.d | ok",
        "!DottedName | a..b | is not a name",
        "!DottedName | a.-b | is not a name",
        "!DottedName | a. | is not a name",
        "!Choice [a, b] | b | ok",
        "!Choice [a, b] | c | is not one of a, b",
      })
  void variablesAreOfTheirType(String type, String value, String outcome) throws IOException {
    config("variables: {v: " + type + " }");
    var problems = problems(entry("v1", "/app.yaml", Map.of("v", value)));
    if (outcome.equals("ok")) {
      assertThat(problems).isEmpty();
    } else {
      assertProblem(problems, outcome);
    }
  }

  @Test
  void numbersMayHaveUnitsAndKeysUnderscores() throws IOException {
    config(
        "memory_limit: 1ki\nrestart_timeout: 0o17\nkill_timeout: 1_000\n_note: [x]\nmetadata: {a: [b]}\n");
    assertThat(examine(Map.of()).problems()).isEmpty();
    assertThat(examine(Map.of()).programs().get(0).terms())
        .isEqualTo(new Terms(15, 1000, List.of(), false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bridged-network: {bridge: br0, network: 10.0.0.0/24} | bridged-network needs",
        "bridged-network: null | expected a mapping, found null",
        "imagedir: x | did you mean \"image-dir\"?",
      })
  void anUnsupportedSandboxRefusesAllItsProcesses(String more, String part) throws IOException {
    write("sandboxes/shop.yaml", SANDBOX + more);
    assertProblem(problems(entry("v1", "/app.yaml", Map.of())), part);
    assertProblem(examine(Map.of()).problems(), part);
  }

  @Test
  void aSandboxMustExistAndAllowAUser() throws IOException {
    assertProblem(examiner.problems("nope", Map.of()), "there is no sandbox \"nope\"");
    assertProblem(examiner.problems("../x", Map.of()), "is not a sandbox name");
    write("sandboxes/shop.yaml", "image-dir: ../images\n");
    assertProblem(examiner.problems("shop", Map.of()), "allow-users and allow-groups");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "", "a b", "cmd.x", "ä"})
  void processNamesAreRestricted(String name) {
    var problems = examiner.problems("shop", Map.of(name, entry("v1", "/app.yaml", Map.of())));
    assertProblem(problems, "is not a process name");
  }

  private static ProcessSpec withAddress(int instances) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON,
        "v1",
        "/app.yaml",
        instances,
        Map.of(),
        List.of("10.0.0.1"),
        List.of());
  }

  @Test
  void addressesHaveNoEffectWithoutABridge() {
    assertThat(problems(withAddress(1))).isEmpty();
    var examined = examiner.examine("shop", Map.of("web", withAddress(1)));
    assertThat(examined.get("web").warnings())
        .contains("ip-addresses have no effect in a sandbox without bridged-network");
  }

  @Test
  void everyInstanceNeedsAnAddressIfThereAreAny() {
    assertProblem(problems(withAddress(2)), "there are 1 ip-addresses for 2 instances");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1/", "v1//", "v1/."})
  void imagesMayEndWithASlash(String image) {
    assertThat(problems(entry(image, "/app.yaml", Map.of()))).isEmpty();
  }

  @Test
  void exitCodesThatCannotOccurAreAccepted() throws IOException {
    config("normal-exit-codes: [300, -2147483648]\n");
    assertThat(examine(Map.of()).problems()).isEmpty();
  }

  @Test
  void theLogLevelOfASandboxIsNotChecked() throws IOException {
    write("sandboxes/shop.yaml", SANDBOX + "log-level: loud\n");
    assertThat(examine(Map.of()).problems()).isEmpty();
  }

  @Test
  void anEmptyBridgeIsNone() throws IOException {
    write("sandboxes/shop.yaml", SANDBOX + "bridged-network:\n");
    assertThat(examine(Map.of()).problems()).isEmpty();
  }

  @Test
  void saysWhyAFileCannotBeRead() throws IOException {
    assertThat(Image.unreachable("image \"a\" in /b", new AccessDeniedException("/b/a")))
        .hasMessage("cannot read image \"a\" in /b: permission denied at /b/a");
    assertThat(Image.unreachable("image \"a\" in /b", new NoSuchFileException("/b/a")))
        .hasMessage("there is no image \"a\" in /b");
    Files.createSymbolicLink(base.resolve("images/v1/bin/loop"), Path.of("loop"));
    write("images/v1/app.yaml", "executable: /bin/loop\n");
    assertProblem(examine(Map.of()).problems(), "cannot read /bin/loop in image ");
  }

  @Test
  void outputCanGoIntoAVolume() throws IOException {
    config(
        "volumes: {/logs: !Persistent {path: /data/web}, /logs/x: !Tmpfs }\n"
            + "stdout-stderr-file: /logs/out.txt\n");
    assertThat(examine(Map.of()).problems()).isEmpty();
    assertThat(examine(Map.of()).programs().get(0).log())
        .isEqualTo(Path.of("/srv/data/web/out.txt"));
    assertThat(examine(Map.of()).warnings()).contains("volumes are not mounted: /logs, /logs/x");
  }

  @Test
  void oneBrokenEntryDoesNotTouchTheOthers() {
    var examined =
        examiner.examine(
            "shop",
            Map.of(
                "good", entry("v1", "/app.yaml", Map.of()),
                "bad", entry("none", "/app.yaml", Map.of())));
    assertThat(examined.get("good").programs()).hasSize(2);
    assertThat(examined.get("bad").programs()).isEmpty();
  }

  @Test
  void anEntryThatRunsNothingIsStillChecked() throws IOException {
    config("arguments: ['@{nope}']");
    var entry =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON, "v1", "/app.yaml", 0, Map.of(), List.of(), List.of());
    assertProblem(problems(entry), "@{nope}");
  }

  @Test
  void strictRefusesWhatWouldOnlyBeWarnedAbout() {
    var strict = examiner(true).problems("shop", Map.of("web", entry("v1", "/app.yaml", Map.of())));
    assertProblem(strict, "this supervisor does not switch");
  }

  @Test
  void aMasterFileDefinesTheLayout() throws Exception {
    write(
        "etc/master.yaml",
        "runtime-dir: ../run\nstate-dir: st\nstdio-log-dir: /var/x\nconfig-log-dir: ~\n");
    var layout = Layout.ofMaster(base.resolve("etc/master.yaml"));
    assertThat(layout.sandboxes()).isEqualTo(base.resolve("etc/sandboxes"));
    assertThat(layout.processes()).isEqualTo(base.resolve("etc/processes"));
    assertThat(layout.run()).isEqualTo(base.resolve("run/st"));
    assertThat(layout.stdio()).isEqualTo(Path.of("/var/x"));
    assertThat(layout.journal()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0,'',false,true", "0,'',true,false", "0,'0',false,false", "1,'',true,true",
    "143,'',false,false", "137,'',false,true", "3,'3',false,false", "200,'-56',false,false",
    "200,'200',false,false"
  })
  void failuresAreCounted(int status, String normal, boolean zero, boolean failure) {
    var codes = normal.isEmpty() ? List.<Integer>of() : List.of(Integer.parseInt(normal));
    assertThat(new Terms(1, 1, codes, zero).isFailure(status)).isEqualTo(failure);
  }
}
