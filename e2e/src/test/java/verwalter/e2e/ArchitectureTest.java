package verwalter.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The rules of docs/architecture.md: which module may import which, and which classes may use the
 * machine's clock, threads and files.
 */
class ArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("verwalter");

  /** The page with the allowed imports. */
  private static final String PAGE = "docs/architecture.md";

  /** Programs and test code, which the page does not list. */
  private static final Set<String> NOT_DRAWN = Set.of("e2e", "bench");

  /** Classes that may write files, each with what it writes. */
  private static final Map<String, String> WRITERS =
      Map.ofEntries(
          Map.entry("verwalter.agent.AgentClusterSetup", "the directory of a member of a cluster"),
          Map.entry("verwalter.agent.AuditLog", "the audit log"),
          Map.entry("verwalter.agent.ClusterFiles", "the removal of a member's files"),
          Map.entry("verwalter.agent.Daemon", "directories and files of the agent itself"),
          Map.entry("verwalter.agent.DemoCommand", "the directory of a demo"),
          Map.entry("verwalter.agent.DemoCluster", "the link to the leader of a demo"),
          Map.entry("verwalter.agent.DemoFile", "files that a demo keeps beside its copy"),
          Map.entry("verwalter.agent.Example", "the copy of the example that a demo runs"),
          Map.entry("verwalter.agent.Joining", "the directory of a member of a cluster"),
          Map.entry("verwalter.agent.LocalServicePlace", "the files of services"),
          Map.entry("verwalter.agent.LocalSocket", "the mode of the socket"),
          Map.entry("verwalter.agent.RenderMain", "a temporary directory"),
          Map.entry("verwalter.agent.RuntimeMount", "whether runtime/ was a mount point"),
          Map.entry("verwalter.agent.WarmupCommand", "a temporary directory"),
          Map.entry("verwalter.artifacts.ArtifactDisk", "archives and unpacked releases"),
          Map.entry("verwalter.certificates.PrivateFiles", "keys and certificates"),
          Map.entry("verwalter.cli.ClusterCommand", "the credentials of an admin"),
          Map.entry("verwalter.cli.Contexts", "the servers that an operator has named"),
          Map.entry("verwalter.cli.Edit", "the temporary file of vw edit"),
          Map.entry("verwalter.cli.ServiceDirectory", "new services in a directory roles/"),
          Map.entry("verwalter.cli.Vw", "standard output and error"),
          Map.entry("verwalter.cluster.forks.ForkDirectory", "removes a fork that was merged"),
          Map.entry(
              "verwalter.cluster.zookeeper.ElectorFiles", "configuration of an elector's server"),
          Map.entry("verwalter.cluster.zookeeper.GuardedLog", "removes old logs and snapshots"),
          Map.entry("verwalter.cluster.zookeeper.HighestZxid", "what an elector has acknowledged"),
          Map.entry(
              "verwalter.controllers.template.RoleTemplates",
              "the state of a role, when its node is renamed"),
          Map.entry("verwalter.deploymentlog.Backups", "backups of the schedule"),
          Map.entry("verwalter.deploymentlog.LocalLogDisk", "logs of deployments"),
          Map.entry("verwalter.files.FileAccess", "files of the agent, with their modes"),
          Map.entry(
              "verwalter.render.disk.LocalDisk", "files of roles, and the state of rendering"),
          Map.entry("verwalter.scheduler.record.AtomicFileDirectory", "recorded decisions"),
          Map.entry("verwalter.stores.local.FileDisk", "journal and snapshots of the store"),
          Map.entry("verwalter.supervisor.embedded.Cgroups", "cgroups of processes"),
          Map.entry("verwalter.supervisor.embedded.Credentials", "copies of secrets"),
          Map.entry(
              "verwalter.supervisor.embedded.DirectoryLock", "the lock of the state directory"),
          Map.entry("verwalter.supervisor.embedded.DurableFiles", "the files of the supervisor"),
          Map.entry(
              "verwalter.supervisor.embedded.EmbeddedSupervisor", "directories of the supervisor"),
          Map.entry("verwalter.supervisor.embedded.LogFiles", "output of processes"),
          Map.entry("verwalter.supervisor.embedded.LogHistory", "reads the output of processes"),
          Map.entry("verwalter.supervisor.embedded.LogRotation", "old output of processes"),
          Map.entry("verwalter.supervisor.embedded.LogTimes", "times of the output of processes"),
          Map.entry("verwalter.supervisor.embedded.RunDirectory", "state of running processes"));

  /** Classes that may use the clock of the machine. All others receive clocks as arguments. */
  private static final Set<String> CLOCKS = Set.of("verwalter.agent", "verwalter.cli.Vw");

  /** Classes that may start threads. */
  private static final Map<String, String> THREADS =
      Map.of(
          "verwalter.agent", "puts the agent together",
          "verwalter.cli.ServerAccess", "connects to the server",
          "verwalter.cli.SttyTerminal", "restores the terminal when vw is ended by a signal",
          "verwalter.cli.LogFollowing", "reads the logs of each node",
          "verwalter.cli.Interpreter", "a scheduler needs a thread with a large stack",
          "verwalter.cli.Specs", "the same, for the specs of a scheduler");

  /** Calls that start, change or end processes. */
  private static final Pattern PROCESSES =
      Pattern.compile("verwalter\\.supervisor\\.Supervisor\\.(run|restart|remove)");

  /** Simple names that classes of two packages have, each with the reason. */
  private static final Map<String, String> SHARED_NAMES =
      Map.of(
          "Run", "one start of a process, and one application of a recipe",
          "Settings", "of the agent, and of its supervisor",
          "Transaction", "of objects in the store, and of the files of a role");

  /** Methods whose result depends on the time or on the number of calls. */
  private static final Pattern TIME_AND_CHANCE =
      Pattern.compile(
          "java\\.time\\.[A-Za-z]+\\.now|java\\.time\\.(Clock|InstantSource)\\.(system|tick).*"
              + "|java\\.lang\\.System\\.(currentTimeMillis|nanoTime)|java\\.lang\\.Thread\\.sleep"
              + "|java\\.util\\.concurrent\\.TimeUnit\\.sleep|java\\.lang\\.Math\\.random"
              + "|java\\.util\\.Random\\.<init>|java\\.util\\.UUID\\.randomUUID"
              + "|java\\.util\\.concurrent\\.ThreadLocalRandom\\.current"
              + "|java\\.security\\.SecureRandom\\.(<init>|getInstance.*)");

  private static final Pattern THREAD =
      Pattern.compile(
          "java\\.lang\\.Thread\\.<init>|java\\.util\\.Timer\\.<init>"
              + "|java\\.util\\.concurrent\\.Executors\\..*"
              + "|java\\.util\\.concurrent\\.[A-Za-z]*(ThreadPoolExecutor|ForkJoinPool)\\..*"
              + "|java\\.util\\.(Collection|stream\\.[A-Za-z]+)\\.parallel.*");

  private static final Pattern FILE_WRITE =
      Pattern.compile(
          "java\\.nio\\.file\\.Files\\.(write.*|newOutputStream|newBufferedWriter|newByteChannel|create.*"
              + "|delete.*|move|copy|set.*)"
              + "|java\\.nio\\.file\\.SecureDirectoryStream\\.(newByteChannel|delete.*|move)"
              + "|java\\.nio\\.channels\\.FileChannel\\.open"
              + "|verwalter\\.files\\.FileAccess\\.(open|make.*|restrict.*)"
              + "|java\\.io\\.(FileOutputStream|FileWriter|RandomAccessFile|PrintWriter)\\.<init>"
              + "|java\\.io\\.File\\.(delete.*|mkdir.*|renameTo|create.*|set.*)");

  @Test
  void importsMatchTheArchitecturePage() throws IOException {
    var drawn = Modules.drawn(PAGE);
    var imports = Modules.imports(ALL);
    var text = new StringBuilder();
    imports.forEach(
        (module, used) ->
            text.append("%-19s -> %s%n".formatted(module, String.join(" ", used)).stripTrailing())
                .append('\n'));
    assertThat(drawn)
        .as("%s does not draw what the code imports, which is\n%s", PAGE, text)
        .isEqualTo(imports);
  }

  @Test
  void theArchitecturePageListsEveryModule() throws IOException {
    var modules = new ArrayList<>(Modules.declared());
    modules.removeAll(NOT_DRAWN);
    assertThat(Modules.drawn(PAGE).keySet()).containsExactlyInAnyOrderElementsOf(modules);
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("verwalter.(**)").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void controllersDoNotImportEachOther() {
    slices()
        .matching("verwalter.controllers.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(
            resideInAPackage("verwalter.controllers.."),
            resideInAPackage("verwalter.controllers.runtime"))
        .check(ALL);
  }

  @Test
  void largeLibrariesAreImportedByOneModule() {
    only("verwalter.scheduler.lua..", "org.luaj..");
    only("verwalter.scheduler.wasm..", "com.dylibso.chicory..");
    only("verwalter.render..", "com.hubspot..", "com.github.jknack..");
    only("verwalter.ui..", "io.vertx.ext.web..");
    only("verwalter.agent..", "ch.qos.logback..");
    only("verwalter.cluster.jgroups..", "org.jgroups..");
    only("verwalter.certificates..", "org.bouncycastle..");
    only("verwalter.artifacts..", "io.airlift..");
  }

  private static void only(String room, String... libraries) {
    noClasses()
        .that()
        .resideOutsideOfPackage(room)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries)
        .check(ALL);
  }

  @Test
  void clocksAndChanceAreArguments() {
    onlyThese(CLOCKS, TIME_AND_CHANCE);
  }

  @Test
  void threadsAreStartedInFewPlaces() {
    onlyThese(THREADS.keySet(), THREAD);
  }

  @Test
  void filesAreWrittenInFewPlaces() {
    onlyThese(WRITERS.keySet(), FILE_WRITE);
  }

  /** The reconciler acts on a present ProcessGroup, which only its writer changes and deletes. */
  @Test
  void processesAreStartedAndEndedInOnePlace() {
    onlyThese(Set.of("verwalter.controllers.process.ProcessReconciler"), PROCESSES);
  }

  /**
   * Fails if a class outside of test kits and {@code places} calls such a method, or if a place
   * does not call one.
   */
  private static void onlyThese(Set<String> places, Pattern calls) {
    var found = new TreeMap<String, String>();
    var used = new TreeSet<String>();
    for (var it : ALL) {
      var name = it.getName().replaceFirst("\\$.*", "");
      if (it.getPackageName().endsWith(".testkit")) {
        continue;
      }
      for (var access : it.getCodeUnitAccessesFromSelf()) {
        var target = access.getTargetOwner().getName() + "." + access.getTarget().getName();
        if (calls.matcher(target).matches()) {
          var place =
              places.stream().filter(each -> (name + ".").startsWith(each + ".")).findFirst();
          place.ifPresentOrElse(used::add, () -> found.put(name, target));
        }
      }
    }
    assertThat(found).as("calls that only %s may make", places).isEmpty();
    assertThat(used)
        .as("places that are allowed more than they need")
        .isEqualTo(new TreeSet<>(places));
  }

  @Test
  void fabric8ObjectsAreNotModified() {
    noClasses()
        .should()
        .callMethodWhere(
            describe(
                "a setter of io.fabric8",
                call ->
                    call.getTarget().getName().startsWith("set")
                        && call.getTargetOwner().getPackageName().startsWith("io.fabric8")))
        .check(ALL);
  }

  @Test
  void namesAreNouns() {
    noClasses()
        .should()
        .haveSimpleNameContaining("Util")
        .orShould()
        .haveSimpleNameContaining("Helper")
        .orShould()
        .haveSimpleNameContaining("Manager")
        .orShould()
        .haveSimpleNameEndingWith("Impl")
        .check(ALL);
  }

  @Test
  void classesOfDifferentPackagesHaveDifferentNames() {
    var packages = new TreeMap<String, Set<String>>();
    for (var it : ALL) {
      if (it.isTopLevelClass() && !it.getSimpleName().equals("package-info")) {
        packages
            .computeIfAbsent(it.getSimpleName(), name -> new TreeSet<>())
            .add(it.getPackageName());
      }
    }
    packages.values().removeIf(each -> each.size() == 1);
    assertThat(packages.keySet())
        .as("names that several classes have; rename one: %s", packages)
        .containsExactlyInAnyOrderElementsOf(SHARED_NAMES.keySet());
  }

  /** Checks that a violated rule fails. */
  @Test
  void aViolatedRuleFails() {
    assertThatThrownBy(
            () ->
                noClasses()
                    .that()
                    .resideInAPackage("verwalter.controllers..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("verwalter.model..")
                    .check(ALL))
        .isInstanceOf(AssertionError.class);
  }
}
