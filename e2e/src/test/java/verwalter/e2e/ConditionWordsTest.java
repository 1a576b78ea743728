package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/** Types and reasons of conditions are defined only as enums in {@code model}. */
class ConditionWordsTest {
  private static final Pattern LITERAL = Pattern.compile("\"([A-Z][A-Za-z]+)\"");

  /** Equal words with another meaning: headings, states, HTTP errors and refused actions. */
  private static final Map<String, List<String>> OTHERS =
      Map.ofEntries(
          Map.entry("ActionColumns.java", List.of("SetAside")),
          Map.entry("ActionCommand.java", List.of("Refused")),
          Map.entry(
              "ArtifactException.java", // a library that knows nothing of objects
              List.of(
                  "AccessDenied",
                  "BadArchive",
                  "BadDigest",
                  "BadKey",
                  "BadRedirect",
                  "BadSetting",
                  "BadSource",
                  "Cancelled",
                  "ConnectionLost",
                  "DigestMismatch",
                  "DiskFailed",
                  "NoSpace",
                  "NotFound",
                  "Stalled",
                  "TooLarge",
                  "Unreachable")),
          Map.entry("DecisionHistory.java", List.of("Decided")),
          Map.entry("DeploymentRoutes.java", List.of("Broken")),
          Map.entry("ErrorReport.java", List.of("NotFound")),
          Map.entry("NodeColumns.java", List.of("Ready")),
          Map.entry("ProcessColumns.java", List.of("Ready")),
          Map.entry("QueryRoutes.java", List.of("QueryFailed")),
          Map.entry("Records.java", List.of("Broken")),
          Map.entry("RequestProblem.java", List.of("NotFound")),
          Map.entry("RoleInstanceColumns.java", List.of("Ready")),
          Map.entry("Routes.java", List.of("Refused")));

  @Test
  void noTypeOrReasonIsRepeatedAsAString() throws IOException {
    var words = new TreeSet<String>();
    Stream.of(ConditionType.values()).forEach(type -> words.add(type.title()));
    Stream.of(Reason.values()).forEach(reason -> words.add(reason.title()));
    var repeated = new TreeSet<String>();
    for (var file : sources()) {
      var name = file.getFileName().toString();
      LITERAL
          .matcher(Files.readString(file))
          .results()
          .map(found -> found.group(1))
          .filter(words::contains)
          .filter(word -> !OTHERS.getOrDefault(name, List.of()).contains(word))
          .forEach(word -> repeated.add(LaunchedAgent.HOME.relativize(file) + ": " + word));
    }
    assertThat(repeated).as("use verwalter.model.ConditionType and Reason").isEmpty();
  }

  /** The sources of programs without the model. */
  private static List<Path> sources() throws IOException {
    try (var files = Files.walk(LaunchedAgent.HOME)) {
      var found =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> file.toString().contains("/src/main/java/"))
              .filter(file -> !file.startsWith(LaunchedAgent.HOME.resolve("model")))
              .toList();
      assertThat(found).hasSizeGreaterThan(300);
      return found;
    }
  }

  @Test
  void conditionsAreMadeFromTheEnums() {
    var all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("verwalter");
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("verwalter.model..")
        .should()
        .callConstructor(
            Condition.class,
            String.class,
            Condition.Truth.class,
            String.class,
            String.class,
            long.class,
            java.time.Instant.class)
        .check(all);
  }
}
