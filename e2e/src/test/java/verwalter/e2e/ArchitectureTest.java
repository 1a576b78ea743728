package verwalter.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Timer;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The rules a machine guards: which room may look into which, and who may touch the world. */
class ArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("verwalter");

  /** What each room may see besides itself and the libraries. */
  private static final Map<String, List<String>> ARROWS =
      Map.ofEntries(
          entry("model", List.of()),
          entry("concurrent", List.of()),
          entry("stores", List.of("model", "concurrent")),
          entry("cluster", List.of("concurrent")),
          entry("scheduler", List.of("model")),
          entry("render", List.of("model")),
          entry("deploymentlog", List.of("model", "concurrent", "render")),
          entry("supervisor", List.of("model", "concurrent")),
          entry(
              "controllers",
              List.of("model", "concurrent", "stores", "cluster", "render", "supervisor")),
          entry("metrics", List.of("model", "concurrent", "stores")),
          entry("ui", List.of("model", "concurrent", "stores", "cluster")),
          entry("client", List.of("model", "concurrent")),
          entry("cli", List.of("model", "scheduler", "client")));

  @Test
  void arrowsPointOneWay() {
    ARROWS.forEach(
        (room, seen) -> {
          var allowed = new java.util.ArrayList<>(seen);
          allowed.add(room);
          classes()
              .that()
              .resideInAPackage("verwalter." + room + "..")
              .should()
              .onlyDependOnClassesThat(
                  describe(
                      "are libraries or in " + allowed,
                      (JavaClass other) ->
                          !other.getPackageName().startsWith("verwalter")
                              || allowed.stream()
                                  .anyMatch(
                                      each ->
                                          other.getPackageName().startsWith("verwalter." + each))))
              .check(ALL);
        });
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("verwalter.(**)").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void controllersMeetOnlyInTheStore() {
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
  void heavyLibrariesStayBehindOneDoor() {
    only("verwalter.scheduler.lua..", "org.luaj..");
    only("verwalter.scheduler.wasm..", "com.dylibso.chicory..");
    only("verwalter.render..", "com.hubspot..", "com.github.jknack..");
    only("verwalter.ui..", "io.vertx.ext.web..");
    only("verwalter.agent..", "ch.qos.logback..");
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
  void onlyTheAgentMakesTimeChanceAndThreads() {
    timeChanceAndThreads().check(ALL);
  }

  private static ArchRule timeChanceAndThreads() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            "verwalter.agent..", "verwalter.cli..", "verwalter.concurrent.testkit..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callConstructor(Random.class)
        .orShould()
        .callConstructor(Thread.class)
        .orShould()
        .callConstructor(Thread.class, Runnable.class)
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Timer.class, Executors.class);
  }

  @Test
  void nobodySetsAnythingOnAFabric8Object() {
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
  void namesAreNounsOfTheDomain() {
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

  /** Proves that rules are really checked: this one is broken on purpose. */
  @Test
  void aBrokenRuleFails() {
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
