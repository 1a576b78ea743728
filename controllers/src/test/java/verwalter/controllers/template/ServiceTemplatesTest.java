package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.ProcessSpec;
import verwalter.model.TemplateOutput;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceReleases;
import verwalter.render.recipe.Renderer;

/** Tests how the processes of a service are made, and that other roles are rendered. */
class ServiceTemplatesTest {
  private static final Accounts ACCOUNTS =
      new Accounts() {
        @Override
        public Optional<Account> standard() {
          return Optional.of(new Account(65534, List.of(65534L)));
        }

        @Override
        public Account find(String user) throws Unknown {
          if (!user.equals("shop")) {
            throw new Unknown("there is no user " + user);
          }
          return new Account(1000, List.of(1000L, 33L));
        }

        @Override
        public Account with(Optional<Account> account, List<String> groups) {
          var ids = new ArrayList<>(account.orElseThrow().groups().subList(0, 1));
          groups.forEach(group -> ids.add(Long.parseLong(group)));
          return new Account(account.orElseThrow().user(), ids);
        }
      };

  private static final Path SITE = Path.of("/etc/site");

  private final FakeTemplates others = new FakeTemplates();
  private final List<String> problems = new ArrayList<>();
  private final FakeServicePlace place = new FakeServicePlace();
  private final ServiceTemplates templates =
      new ServiceTemplates(
          others,
          ACCOUNTS,
          SITE,
          (group, processes) -> List.copyOf(problems),
          place,
          new Renderer(Path.of("/config")));

  private static Map<String, Object> variables(Map<String, Object> command) {
    return Map.of(
        "node",
        "n1",
        "daemons",
        Map.of(
            "web-0",
            Map.of(
                "version",
                "v1",
                "daemon",
                "web",
                "instances",
                1L,
                "variables",
                Map.of("http", "10200"))),
        ScheduledServices.VARIABLE,
        Map.of("v1", Map.of("web", command)));
  }

  private static Templates.Wanted wanted(Map<String, Object> variables) {
    return new Templates.Wanted(
        "shop@n1",
        "shop",
        "",
        variables,
        "input",
        "d1",
        Instant.EPOCH,
        Optional.empty(),
        Optional.empty(),
        true,
        () -> Needs.NONE);
  }

  private Templates.Applied apply(Map<String, Object> command, Templates.Before before)
      throws Templates.Failed {
    return templates.apply(wanted(variables(command)), before);
  }

  private ProcessSpec process(Map<String, Object> command) throws Templates.Failed {
    return apply(command, Templates.Before.NOTHING).processes().get(0).processes().get("web-0");
  }

  @Test
  void namesAreReplaced() throws Templates.Failed {
    var process =
        process(
            Map.of(
                "command",
                List.of(
                    "./server",
                    "${port.http}",
                    "${role}-${process}@${node}",
                    "$$x $y",
                    "${config_dir}/app"),
                "env",
                Map.of("URL", "http://127.0.0.1:${port.http}"),
                "directory",
                "/srv/${role}",
                "user",
                "shop",
                "stopSeconds",
                20L,
                "stopDelay",
                3L,
                "files",
                4096L));
    var command = process.command().orElseThrow();
    assertThat(command.arguments())
        .containsExactly("./server", "10200", "shop-web-0@n1", "$x $y", "/etc/site/app");
    assertThat(command.environment()).isEqualTo(Map.of("URL", "http://127.0.0.1:10200"));
    assertThat(command.directory()).contains("/srv/shop");
    assertThat(command.ports()).isEqualTo(Map.of("http", 10200L));
    assertThat(command.user()).contains(1000L);
    assertThat(command.groups()).containsExactly(1000L, 33L);
    assertThat(command.stopping()).isEqualTo(new ProcessSpec.Stop("SIGTERM", 20, Optional.of(3)));
    assertThat(command.limits().openFiles()).contains(4096);
    assertThat(process.instances()).isEqualTo(1);
  }

  @Test
  void limitsGroupsUmaskAndSignalOfAProcess() throws Exception {
    var command =
        process(
                Map.of(
                    "command",
                    List.of("./server"),
                    "memory",
                    200_000_000L,
                    "cpuMillis",
                    500L,
                    "pids",
                    100L,
                    "umask",
                    "027",
                    "groups",
                    List.of("44"),
                    "stopSignal",
                    "SIGINT",
                    "after",
                    List.of("db"),
                    "secrets",
                    Map.of("db", "/etc/db")))
            .command()
            .orElseThrow();
    assertThat(command.limits())
        .isEqualTo(
            new ProcessSpec.Limits(
                Optional.of(200_000_000L),
                Optional.empty(),
                Optional.empty(),
                Optional.of(500L),
                Optional.of(100L)));
    assertThat(command.umask()).contains("027");
    assertThat(command.secrets()).isEqualTo(Map.of("db", "/etc/db"));
    assertThat(command.groups()).containsExactly(65534L, 44L);
    assertThat(command.stopping())
        .isEqualTo(new ProcessSpec.Stop("SIGINT", 5, Optional.empty(), List.of("db")));
  }

  @Test
  void commandsAreKeptBesideTheProcessesAndRunByTimeIfTheSchedulerChoseThisNode() throws Exception {
    var variables = new TreeMap<>(variables(Map.of("command", List.of("x"))));
    variables.put(
        ScheduledServices.VARIABLE,
        Map.of(
            "v1",
            Map.of(
                "web",
                Map.of("command", List.of("x")),
                "job",
                Map.of(
                    "command",
                    List.of("./job", "${role}-${process}"),
                    "kind",
                    "Command",
                    "cron",
                    "@daily",
                    "timeLimit",
                    60L))));
    var idle = templates.apply(wanted(variables), Templates.Before.NOTHING);
    var job = idle.processes().get(0).processes().get("job");
    assertThat(job.kind()).isEqualTo(ProcessSpec.Type.COMMAND);
    assertThat(job.cron()).isEmpty();
    assertThat(job.command().orElseThrow().arguments()).containsExactly("./job", "shop-job");
    assertThat(job.command().orElseThrow().user()).contains(65534L);

    variables.put("cron", List.of("job"));
    var timed = templates.apply(wanted(variables), Templates.Before.NOTHING);
    assertThat(timed.processes().get(0).processes().get("job").cron())
        .contains(new ProcessSpec.Cron("@daily", Optional.empty(), 60));
  }

  @Test
  void aServiceRunsAsTheStandardUser() throws Templates.Failed {
    var command = process(Map.of("command", List.of("x"))).command().orElseThrow();
    assertThat(command.user()).contains(65534L);
    assertThat(command.directory()).isEmpty();
  }

  @Test
  void aProcessOfAnImageRunsInItsReleaseAndItsUserMayReachIt() throws Templates.Failed {
    var command = Map.<String, Object>of("command", List.of("./server", "${release}/web"));
    var variables =
        ServiceReleases.in(
            variables(command), Map.of("v1", new ServiceReleases.Place("k", "/releases/1")));
    var made = templates.apply(wanted(variables), Templates.Before.NOTHING).processes().get(0);
    var process = made.processes().get("web-0").command().orElseThrow();
    assertThat(process.directory()).contains("/releases/1");
    assertThat(process.arguments()).containsExactly("./server", "/releases/1/web");
    assertThat(place.opened).containsExactly("/releases/1 65534");
  }

  private static Map<String, Object> withFiles(String text) {
    var variables =
        new LinkedHashMap<>(
            variables(Map.of("command", List.of("./server", "${files}/etc/shop.ini"))));
    variables.put("timestamp", "now");
    variables.put(
        ScheduledServices.FILES,
        Map.of(
            "v1", List.of(Map.of("to", "etc/shop.ini", "template", "shop.ini.j2", "text", text))));
    return variables;
  }

  private static Templates.Before after(Templates.Applied applied) {
    return new Templates.Before(
        applied.digest(), applied.files(), applied.processes(), applied.releases());
  }

  @Test
  void filesAreRenderedForEachSetOfTemplatesAndRemovedLater() throws Templates.Failed {
    var text = "{{ version }} {{ node }} {{ files }}{% for it in processes.web %}";
    var variables = withFiles(text + " {{ it.name }} {{ it.ports.http + 1 }}{% endfor %}");
    templates.prepare(wanted(variables), Templates.Before.NOTHING);
    assertThat(place.files).isEmpty();
    var one = templates.apply(wanted(variables), Templates.Before.NOTHING);
    var argument =
        one.processes().get(0).processes().get("web-0").command().orElseThrow().arguments().get(1);
    var directory = argument.replace("/etc/shop.ini", "");
    assertThat(place.files).isEqualTo(Map.of(argument, "v1 n1 " + directory + " web-0 10201"));
    assertThat(place.opened).containsExactly(directory + " 65534");
    assertThat(one.changed()).isTrue();
    assertThat(templates.check(wanted(variables), after(one)).changed()).isFalse();

    var two = templates.apply(wanted(withFiles("2")), after(one));
    assertThat(place.files).hasSize(2).containsKey(argument);
    var three = templates.apply(wanted(withFiles("3")), after(two));
    assertThat(place.files).hasSize(2).doesNotContainKey(argument);
    templates.apply(wanted(Map.of("text", "x")), after(three));
    assertThat(place.files).isEmpty();
    assertThat(others.removed).isEmpty();
  }

  @Test
  void aBrokenTemplateChangesNothingAndNamesItsLine() {
    assertThatThrownBy(
            () -> templates.apply(wanted(withFiles("a\n{{ nod }}")), Templates.Before.NOTHING))
        .hasMessageContaining("roles/shop/shop.ini.j2:2:")
        .hasMessageContaining("did you mean");
    assertThatThrownBy(
            () -> templates.apply(wanted(withFiles("{{ timestamp }}")), Templates.Before.NOTHING))
        .hasMessageContaining("timestamp");
    assertThat(place.files).isEmpty();
  }

  @Test
  void theFilesOfARemovedServiceAreRemoved() throws Templates.Failed {
    var one = templates.apply(wanted(withFiles("x")), Templates.Before.NOTHING);
    templates.remove("shop@n1", one.files());
    assertThat(place.files).isEmpty();
    assertThat(others.removed).containsExactly("shop@n1 []");
  }

  @ParameterizedTest
  @CsvSource({
    "${port.htp}, 'web-0: there is no ${port.htp}; there are config_dir, node, port.http, process, role'",
    "${}, 'web-0: there is no ${}'",
  })
  void unknownNamesAreErrors(String argument, String message) {
    assertThatThrownBy(() -> process(Map.of("command", List.of("x", argument))))
        .isInstanceOf(Templates.Failed.class)
        .hasMessageContaining(message);
  }

  @Test
  void anErrorChangesNothing() {
    assertThatThrownBy(() -> process(Map.of("command", List.of("x"), "user", "ghost")))
        .hasMessage("web-0: there is no user ghost");
    problems.add("web-0: x is not installed");
    assertThatThrownBy(() -> process(Map.of("command", List.of("x"))))
        .hasMessage("web-0: x is not installed")
        .extracting(failure -> ((Templates.Failed) failure).why())
        .isEqualTo(Templates.Failed.Why.MACHINE);
    var forged = new LinkedHashMap<>(variables(Map.of("command", List.of("x"))));
    forged.put("daemons", Map.of("web-0", Map.of("version", "v2", "daemon", "web")));
    assertThatThrownBy(() -> templates.prepare(wanted(forged), Templates.Before.NOTHING))
        .hasMessage("web-0: revision v2 has no process web");
    assertThat(others.rendered).isEmpty();
  }

  @Test
  void onlyADifferenceIsAChange() throws Templates.Failed {
    var first = apply(Map.of("command", List.of("x")), Templates.Before.NOTHING);
    assertThat(first.changed()).isTrue();
    var before = new Templates.Before(first.digest(), List.of(), first.processes(), List.of());
    assertThat(apply(Map.of("command", List.of("x")), before).changed()).isFalse();
    assertThat(apply(Map.of("command", List.of("y")), before).changed()).isTrue();
  }

  @Test
  void filesOfFormerTemplatesAreRemoved() throws Templates.Failed {
    var file = new TemplateOutput.File("/etc/shop", "x", "0644", 1);
    var before = new Templates.Before("d", List.of(file), List.of(), List.of());
    apply(Map.of("command", List.of("x")), before);
    assertThat(others.removed).containsExactly("shop@n1 [/etc/shop]");
  }

  @Test
  void otherRolesAreRendered() throws Templates.Failed {
    templates.apply(wanted(Map.of("text", "x")), Templates.Before.NOTHING);
    templates.prepare(wanted(Map.of("text", "x")), Templates.Before.NOTHING);
    assertThat(others.rendered).containsExactly("shop");
    assertThat(others.prepared).containsExactly("shop");
  }
}
