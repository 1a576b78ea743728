package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.FailedVersion;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;

/** {@code vw} with the real server, in the order of an operator's commands. */
class RealServerTest {
  private static final String PROCESSES =
      " processes, which start again if the schedule still wants them\n";
  private static final RealServer SERVER = new RealServer();
  @TempDir Path directory;

  @AfterAll
  static void close() {
    SERVER.close();
  }

  private static Shell shell() {
    var shell = new Shell();
    shell.environment.put("VERWALTER_SERVER", SERVER.url());
    shell.environment.put("VERWALTER_TOKEN", SERVER.adminToken());
    return shell;
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("nodes.yaml"), text);
  }

  private static String ok(Shell shell, String... words) {
    assertThat(shell.vw(words)).as(shell.err()).isZero();
    return shell.out();
  }

  @Test
  void terminalGetsNoControlCharactersOfObjects() {
    try (var server = new RealServer()) {
      var shell = new Shell();
      shell.environment.put("VERWALTER_SERVER", server.url());
      var node = Resource.of(Node.KIND, "n1", new Node.Spec(false));
      var note = "\u001b[2J\u202e\u200b";
      server.put(node.withMeta(node.meta().withAnnotations(Map.of("note", note))));
      var path = "jsonpath={.metadata.annotations.note}";
      assertThat(ok(shell, "get", "no/n1", "-o", path)).isEqualTo(note);
      assertThat(ok(shell.typing(""), "get", "no/n1", "-o", path)).isEqualTo("^[[2J\\u202E\\u200B");
      assertThat(ok(shell, "get", "no/n1", "-o", "json"))
          .contains("\\u202E")
          .doesNotContain("\u202e");
    }
  }

  @Test
  void appliesShowsEditsAndDeletesObject() throws IOException {
    var shell = shell();
    var file =
        file(
            "kind: Node\napiVersion: verwalter.io/v1\nmetadata:\n  name: walk\n  labels: {rack: a}\nspec:\n  cordoned: true\n");
    assertThat(ok(shell, "apply", "-f", "" + file, "--dry-run=server"))
        .isEqualTo("node/walk created (server dry run)\n");
    assertThat(shell.vw("get", "no/walk")).isEqualTo(1);
    assertThat(ok(shell, "apply", "-f", "" + file)).isEqualTo("node/walk created\n");
    assertThat(ok(shell, "apply", "-f", "" + file)).isEqualTo("node/walk unchanged\n");
    assertThat(ok(shell, "get", "no", "walk", "-L", "rack", "--no-headers"))
        .startsWith("walk   ")
        .endsWith("   a\n");
    assertThat(ok(shell, "get", "no", "-l", "rack=a", "-o", "name")).isEqualTo("node/walk\n");
    assertThat(
            ok(
                shell,
                "get",
                "no",
                "--field-selector=spec.cordoned=true",
                "--sort-by=.metadata.name",
                "-o",
                "jsonpath={.items[*].metadata.name}"))
        .contains("walk");

    shell.environment.put("EDITOR", "sed -i s/true/false/");
    assertThat(ok(shell, "edit", "no/walk")).isEqualTo("node/walk edited\n");
    assertThat(
            ok(shell, "get", "no/walk", "-o", "jsonpath={.spec.cordoned} {.metadata.generation}"))
        .isEqualTo("false 2");

    file("kind: Node\nmetadata: {name: walk}\nspec: {cordoned: false, draining: false}\n");
    assertThat(ok(shell, "apply", "-f", "" + file)).isEqualTo("node/walk configured\n");
    assertThat(ok(shell, "get", "no/walk", "--show-labels", "--no-headers"))
        .endsWith("   <none>\n");

    var saved =
        Files.writeString(
            directory.resolve("saved.yaml"), ok(shell, "get", "no/walk", "-o", "yaml"));
    assertThat(ok(shell, "apply", "-f", saved.toString())).isEqualTo("node/walk unchanged\n");
    assertThat(ok(shell, "describe", "no/walk"))
        .contains("Spec:\n  cordoned: false\n")
        .contains("Events:        <none>\n");
    assertThat(ok(shell, "delete", "no/walk", "-y")).isEqualTo("node \"walk\" deleted\n");
    assertThat(shell.vw("get", "no/walk")).isEqualTo(1);
    assertThat(shell.err()).startsWith("Error from server (NotFound): nodes \"walk\" not found\n");
  }

  @Test
  void refusesUnknownField() throws IOException {
    var shell = shell();
    var file = file("kind: Node\nmetadata: {name: typo}\nspec:\n  cordonned: true\n");
    assertThat(shell.vw("apply", "-f", file.toString())).isEqualTo(1);
    assertThat(shell.err()).contains("nodes.yaml:").contains("cordonned");
    assertThat(shell.vw("get", "no/typo")).isEqualTo(1);
  }

  @Test
  void listsDescribesAndCompletesEveryType() {
    var shell = shell();
    shell.environment.put("VERWALTER_TOKEN", SERVER.adminToken());
    for (var type : ok(shell, "api-resources", "-o", "name").lines().toList()) {
      ok(shell, "get", type);
      ok(shell, "get", type, "-o", "yaml");
    }
    assertThat(ok(shell, "version")).contains("Server Version: 0.1.0");
    assertThat(ok(shell, "status")).contains("Leader:      ● n1");
    assertThat(ok(shell, Vw.COMPLETE, "get", "role")).contains("roleinstances");
  }

  @Test
  void allNamesEveryTypeWithObjects() {
    var meta = Metadata.named("one-of-all");
    SERVER.put(new Resource<>(Node.KIND, meta, new Node.Spec(true), Optional.empty()));
    var event =
        new Event.Spec(
            Node.KIND.key("one-of-all"),
            Event.Type.NORMAL,
            "Tested",
            "",
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            "test");
    SERVER.put(Resource.of(Event.KIND, "tested", event));
    var shell = shell();

    assertThat(ok(shell, "get", "all"))
        .contains("node/one-of-all ")
        .contains("Tested   Node/one-of-all");
    assertThat(ok(shell, "get", "all", "-o", "name").lines())
        .contains("node/one-of-all", "event/tested");
    assertThat(ok(shell, "get", "ev,all", "-o", "name").lines()).doesNotHaveDuplicates();
    assertThat(ok(shell, Vw.COMPLETE, "get", "al")).isEqualTo("all\n");

    assertThat(ok(shell, "delete", "no", "--field-selector=metadata.name=one-of-all", "-y"))
        .isEqualTo("node \"one-of-all\" deleted\n");
    assertThat(ok(shell, "delete", "ev", "--all", "-y")).contains("event \"tested\" deleted\n");
    assertThat(ok(shell, "delete", "ev", "--all", "-y")).isEqualTo("No resources found\n");
    assertThat(shell.vw("delete", "ev", "--all", "-l", "a=b", "-y")).isEqualTo(2);
    assertThat(shell.vw("delete", "ev", "tested", "--all", "-y")).isEqualTo(2);
    assertThat(shell.err()).contains("either these or those");
  }

  @Test
  void watchPrintsChanges() {
    var watching = shell().untilLines(4);
    var watch =
        CompletableFuture.supplyAsync(
            () ->
                watching.vw(
                    "get",
                    "no",
                    "-l",
                    "watched",
                    "-w",
                    "--output-watch-events",
                    "-o",
                    "custom-columns=NAME:.metadata.name,C:.spec.cordoned"));
    var meta = Metadata.named("seen").withLabels(java.util.Map.of("watched", "yes"));
    var first = SERVER.put(new Resource<>(Node.KIND, meta, new Node.Spec(false), Optional.empty()));
    // a change before the list is in the list, a later one is an event: both print one line
    var second =
        SERVER.put(new Resource<>(Node.KIND, first.meta(), new Node.Spec(true), Optional.empty()));
    while (!watching.out().contains("seen") && !watch.isDone()) {
      Thread.onSpinWait();
    }
    SERVER.put(new Resource<>(Node.KIND, second.meta(), new Node.Spec(false), Optional.empty()));
    ok(shell(), "delete", "no/seen", "-y");
    var more = shell();
    SERVER.put(new Resource<>(Node.KIND, meta, new Node.Spec(false), Optional.empty()));
    assertThat(watch.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isZero();
    assertThat(watching.out()).containsPattern("MODIFIED +seen +false\nDELETED +seen");
    ok(more, "delete", "no/seen", "-y");
  }

  @Test
  void missingObjectIsReportedWithSimilarNames() {
    SERVER.put(Resource.of(Node.KIND, "frontend", new Node.Spec(false)));
    var shell = shell();
    for (var verb : List.of("get", "describe")) {
      assertThat(shell.vw(verb, "no/fronted")).isEqualTo(1);
      assertThat(shell.err())
          .contains("nodes \"fronted\" not found\ndid you mean frontend? list them: vw get nodes");
    }
  }

  @Test
  void deleteSaysWhatStops() {
    for (var name : List.of("web@n7", "db@n7", "web@n8")) {
      var role = name.substring(0, name.indexOf('@'));
      var node = name.substring(name.indexOf('@') + 1);
      var meta = Metadata.named(name).withLabels(Map.of("role", role, "node", node));
      SERVER.put(
          new Resource<>(
              ProcessGroup.KIND,
              meta,
              new ProcessGroup.Spec(role, node, role, Map.of()),
              Optional.of(
                  new ProcessGroup.Status(
                      1, 2, role.equals("web") ? 2 : 1, List.of(), List.of()))));
    }
    assertThat(doomed("no/n7")).contains("node/n7: 3 running processes of it run on\n");
    assertThat(doomed("rcfg/web")).contains("roleconfig/web: stops 4 running" + PROCESSES);
    assertThat(doomed("ev/any")).contains("  event/any\n").doesNotContain("stops");
  }

  /** The message of a deletion that is not confirmed. */
  private static String doomed(String object) {
    var shell = shell();
    assertThat(shell.typing("n\n").vw("delete", object)).isEqualTo(1);
    return shell.err();
  }

  @Test
  void waitsUntilObjectsAreAsWanted() {
    SERVER.put(Resource.of(Node.KIND, "slow", new Node.Spec(false)));
    var shell = shell();
    var cordoned = "--for=jsonpath={.spec.cordoned}=true";
    assertThat(shell.vw("wait", "no/slow", cordoned, "--timeout=1s")).isEqualTo(5);
    assertThat(shell.err()).contains("node/slow: {.spec.cordoned} is false after 1 s");
    var waiting = shell();
    var wait = CompletableFuture.supplyAsync(() -> waiting.vw("wait", "no", "slow", cordoned));
    assertThat(ok(shell, "cordon", "slow")).contains("slow");
    assertThat(wait.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isZero();
    assertThat(waiting.out()).isEqualTo("node/slow condition met\n");
    var deletion = shell();
    var gone = CompletableFuture.supplyAsync(() -> deletion.vw("wait", "no/slow", "--for=delete"));
    ok(shell, "delete", "no/slow", "-y");
    assertThat(gone.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isZero();
    assertThat(shell.vw("wait", "no/slow", "--for=condition=Ready")).isEqualTo(1);
    assertThat(shell.err()).contains("node/slow does not exist");
    assertThat(shell.vw("wait", "no", "--all", "-l", "a=none", "--for=create")).isEqualTo(2);
    assertThat(shell.vw("wait", "no", "-l", "a=none", "--for=condition=Ready")).isEqualTo(1);
    assertThat(shell.vw("wait", "no/slow")).isEqualTo(2);
    assertThat(shell.vw("wait", "no", "--for=create")).isEqualTo(2);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(String name) {
    return SERVER.list(RoleInstance.KIND).stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Reports an instance as its controller does. */
  private static void report(String name, RoleInstance.State state, Optional<Long> restarted) {
    var object = instance(name);
    boolean ready = state == RoleInstance.State.RUNNING;
    var generation = object.meta().generation();
    var at = Instant.EPOCH;
    var condition =
        ready
            ? Condition.ofTrue(ConditionType.READY, Reason.AS_WANTED, "", generation, at)
            : Condition.ofFalse(ConditionType.READY, Reason.STARTING, "", generation, at);
    var reason = ready ? "" : "0 of 1 processes run";
    SERVER.putStatus(
        object.withStatus(
            new RoleInstance.Status(generation, state, 1, 1, 0, at, reason, List.of(condition))
                .withCounters(restarted, Optional.empty())));
  }

  private static void soon(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + java.time.Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void restartGoesFromInstanceToInstance() {
    for (var node : List.of("m1", "m2")) {
      var spec = new RoleInstance.Spec("mill", node, "mill", Optional.empty(), Map.of());
      SERVER.put(Resource.of(RoleInstance.KIND, "mill@" + node, spec));
      report("mill@" + node, RoleInstance.State.RUNNING, Optional.of(4L)); // of a lost store
    }
    var shell = shell();
    var restart = CompletableFuture.supplyAsync(() -> shell.vw("restart", "mill"));
    soon(() -> instance("mill@m1").spec().restartCounter().isPresent());
    report("mill@m1", RoleInstance.State.BOOTING, Optional.of(4L));
    soon(() -> shell.out().contains("0 of 1"));
    assertThat(instance("mill@m2").spec().restartCounter()).isEmpty();
    report("mill@m1", RoleInstance.State.RUNNING, Optional.of(5L));
    soon(() -> instance("mill@m2").spec().restartCounter().isPresent());
    report("mill@m2", RoleInstance.State.RUNNING, Optional.of(5L));
    assertThat(restart.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            ri/mill@m1 restarting
              mill@m1: 0 of 1 processes run
            ri/mill@m1 restarted
            ri/mill@m2 restarting
            ri/mill@m2 restarted
            """);
    assertThat(instance("mill@m1").spec().restartCounter()).contains(5L);

    assertThat(shell.vw("restart", "mill", "--timeout=1s")).isEqualTo(5);
    assertThat(shell.err())
        .contains("ri/mill@m1 is not ready after 1 s; 1 more were not restarted");
    assertThat(ok(shell, "restart", "ri/mill@m2", "--wait=false"))
        .isEqualTo("ri/mill@m2 restart 6 requested\n");
    assertThat(shell.vw("restart", "mil")).isEqualTo(1);
    assertThat(shell.err()).contains("no node runs a role \"mil\"\ndid you mean \"mill\"?");
    assertThat(shell.vw("restart", "mill@m3")).isEqualTo(1);
    assertThat(shell.err()).contains("there is no instance \"mill@m3\"");
    assertThat(shell.vw("restart")).isEqualTo(2);
    assertThat(shell.vw("restart", "mill", "--wait=no")).isEqualTo(2);
  }

  @Test
  void restartNamesTheNodesThatDoNotReportTheRole() {
    var spec = new RoleInstance.Spec("loom", "m1", "loom", Optional.empty(), Map.of());
    SERVER.put(Resource.of(RoleInstance.KIND, "loom@m1", spec));
    for (var node : List.of("m1", "m8", "m9")) {
      SERVER.put(
          Resource.of(
              NodeSchedule.KIND, node, new NodeSchedule.Spec("hash", Map.of("loom", Map.of()))));
    }
    var shell = shell();
    assertThat(shell.vw("restart", "loom", "--wait=false")).isEqualTo(1);
    assertThat(shell.out()).isEqualTo("ri/loom@m1 restart 1 requested\n");
    assertThat(shell.err())
        .contains("loom@m8, loom@m9 were not restarted: their nodes do not report the role");
    assertThat(shell.vw("restart", "loom@m1", "--wait=false")).as(shell.err()).isZero();
  }

  @Test
  void restartEndsWhenTheVersionFailsAgain() {
    var spec = new RoleInstance.Spec("kiln", "m1", "kiln", Optional.of("v2"), Map.of());
    SERVER.put(Resource.of(RoleInstance.KIND, "kiln@m1", spec));
    report("kiln@m1", RoleInstance.State.RUNNING, Optional.empty());
    var shell = shell();
    var restart = CompletableFuture.supplyAsync(() -> shell.vw("restart", "kiln"));
    soon(() -> instance("kiln@m1").spec().restartCounter().isPresent());
    var object = instance("kiln@m1");
    var former = new TemplateOutput.Next("kiln", Map.of(), Optional.empty());
    onTrial(object, former);
    soon(() -> shell.out().contains("kiln@m1: v2 has to run for 9 s more"));
    assertThat(restart).isNotDone();
    var failed =
        new FailedVersion(
            Optional.of("v2"), Optional.empty(), "exited", Instant.EPOCH, Optional.of(1L), former);
    SERVER.putStatus(
        instance("kiln@m1")
            .withStatus(
                new RoleInstance.Status(
                        object.meta().generation(),
                        RoleInstance.State.RUNNING,
                        1,
                        1,
                        0,
                        Instant.EPOCH,
                        "v2 failed: exited; runs v1 again",
                        List.of())
                    .with(Optional.empty(), Optional.of(failed))));

    assertThat(restart.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isEqualTo(1);
    assertThat(shell.err()).contains("ri/kiln@m1: v2 failed: exited; runs v1 again");
  }

  private static RoleInstance.Replacement trial(TemplateOutput.Next former) {
    return new RoleInstance.Replacement(
            RoleInstance.Phase.START, Optional.empty(), Optional.empty(), false, Instant.EPOCH)
        .withFormer(Optional.of(former));
  }

  /**
   * Reports that all processes of a new version run, which may still give way to the former one.
   */
  private static void onTrial(
      Resource<RoleInstance.Spec, RoleInstance.Status> object, TemplateOutput.Next former) {
    long generation = object.meta().generation();
    var ready =
        Condition.ofTrue(ConditionType.READY, Reason.AS_WANTED, "", generation, Instant.EPOCH);
    var status =
        new RoleInstance.Status(
                generation,
                RoleInstance.State.RUNNING,
                1,
                1,
                0,
                Instant.EPOCH,
                "v2 has to run for 9 s more",
                List.of(ready))
            .withCounters(object.spec().restartCounter(), Optional.empty());
    SERVER.putStatus(object.withStatus(status.with(Optional.of(trial(former)), Optional.empty())));
  }

  private static DeploymentRef.Spec pump(String node) {
    return new DeploymentRef.Spec(
        "pump", node, "1", "main", 1, 0, "/pump.tar", Optional.empty(), false);
  }

  private static Resource<DeploymentRef.Spec, DeploymentRef.Status> pumpRef(String node) {
    return SERVER.list(DeploymentRef.KIND).stream()
        .filter(it -> it.spec().node().equals(node))
        .findFirst()
        .orElseThrow();
  }

  private static void verified(String node, Condition result, long counter) {
    var status = DeploymentRef.Status.INITIAL.verified(result, Optional.of(counter));
    SERVER.putStatus(pumpRef(node).withStatus(status));
  }

  @Test
  void verifyRequestsAllReleasesAndShowsWhatDiffers() {
    for (var node : List.of("m1", "m2")) {
      SERVER.put(Resource.of(DeploymentRef.KIND, DeploymentRef.name(pump(node)), pump(node)));
    }
    var shell = shell();
    var verify = CompletableFuture.supplyAsync(() -> shell.vw("verify", "pump"));
    soon(() -> pumpRef("m2").spec().verifyCounter().isPresent());
    SERVER.putStatus(
        pumpRef("m1")
            .withStatus(
                DeploymentRef.Status.INITIAL.waiting(
                    DeploymentRef.Attempts.NONE, Optional.empty(), "compares its files, 40 %")));
    soon(() -> shell.out().contains("40 %"));
    var now = Instant.parse("2026-01-01T00:00:00Z");
    verified("m1", Condition.ofTrue(ConditionType.VERIFIED, Reason.INTACT, "", 1, now), 1);
    verified(
        "m2",
        Condition.ofFalse(
            ConditionType.VERIFIED, Reason.DAMAGED, "run is missing\nand 2 more", 1, now),
        1);
    assertThat(verify.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isEqualTo(1);
    assertThat(shell.out())
        .isEqualTo(
            """
              pump@1@main@g1.l0@m1: compares its files, 40 %
            dr/pump@1@main@g1.l0@m1 is as it was unpacked
            dr/pump@1@main@g1.l0@m2 differs:
              run is missing
              and 2 more
            """);

    assertThat(ok(shell, "verify", "pump@m2", "--wait=false"))
        .isEqualTo("dr/pump@1@main@g1.l0@m2 verification 2 requested\n");
    assertThat(shell.vw("verify", "pump@m1", "--timeout=1s")).isEqualTo(5);
    assertThat(shell.err()).contains("dr/pump@1@main@g1.l0@m1 is not verified after 1 s");
    assertThat(shell.vw("verify", "pum")).isEqualTo(1);
    assertThat(shell.err()).contains("no node has a release of \"pum\"\ndid you mean \"pump\"?");
    assertThat(shell.vw("verify")).isEqualTo(2);
    assertThat(shell.vw("verify", "pump", "--all")).isEqualTo(2);
    assertThat(shell.vw("verify", "pump", "--wait=no")).isEqualTo(2);
  }

  @Test
  void deleteWaitsForFinalizer() {
    var meta = Metadata.named("held").withFinalizers(List.of("test/hold"));
    SERVER.put(new Resource<>(Node.KIND, meta, new Node.Spec(false), Optional.empty()));
    var shell = shell();
    assertThat(ok(shell, "delete", "no/held", "-y", "--timeout=0"))
        .contains("still being cleaned up");
    assertThat(ok(shell, "describe", "no/held"))
        .contains("Deleting:      since ")
        .contains("waits for test/hold");
    var waiting = shell();
    var deletion = CompletableFuture.supplyAsync(() -> waiting.vw("delete", "no/held", "-y"));
    shell.environment.put("EDITOR", "sed -i '/test.hold/d;s/finalizers:/finalizers: []/'");
    ok(shell, "edit", "no/held");
    assertThat(deletion.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join()).isZero();
    assertThat(shell.vw("get", "no/held")).isEqualTo(1);
  }
}
