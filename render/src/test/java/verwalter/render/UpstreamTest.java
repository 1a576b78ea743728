package verwalter.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UpstreamTest {
  private static final Path HOME = Path.of("src/test/resources/upstream");
  private static final int DEPTH = 9;

  private static String main(Language language) {
    return switch (language) {
      case TERA -> "t.tera";
      case TRIMMER -> "t.trm";
      default -> "t.hbs";
    };
  }

  private static SortedMap<String, String> library(Language language) throws IOException {
    var files = new TreeMap<String, String>();
    try (var library = Files.list(HOME.resolve("library"))) {
      for (var file : library.toList()) {
        var name = file.getFileName().toString();
        if (Language.of(name).filter(language::equals).isPresent()) {
          files.put(name, Files.readString(file));
        }
      }
    }
    return files;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> variables() throws IOException {
    return SortedVariables.of(
        new ObjectMapper().readValue(HOME.resolve("variables.json").toFile(), Map.class));
  }

  private static String ours(
      Language language, Map<String, String> files, Map<String, Object> variables) {
    var engine = language.engine(Limits.DEFAULT);
    var directory = new TemplateDirectory(new TreeMap<>(files));
    try {
      var problems = engine.check(directory, main(language));
      return problems.isEmpty()
          ? " " + engine.render(directory, main(language), variables)
          : "! " + new RenderFailed(problems).getMessage();
    } catch (RenderFailed e) {
      return "! " + e.getMessage();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TERA"})
  void aTemplateThatRendersThereRendersTheSame(Language language) throws Exception {
    var program = System.getProperty("render.upstream");
    assumeTrue(program != null, "no -Drender.upstream=render/src/test/upstream/target/release/upstream");
    var name = language.name().toLowerCase(java.util.Locale.ROOT);
    var grammar = new Grammar(HOME.resolve(name + ".grammar"));
    var variables = variables();
    var different = new ArrayList<String>();
    int rendered = 0;
    int count = Integer.getInteger("render.fuzz.templates", 2_000);
    try (var upstream = new Upstream(program)) {
      for (long seed = Long.getLong("render.fuzz.seed", 1), end = seed + count; seed < end; seed++) {
        var files = library(language);
        var template = grammar.text("template", new Random(seed * 7919), DEPTH);
        files.put(main(language), template);
        var theirs = upstream.rendered(name, files, main(language), variables);
        if (theirs.isPresent()) {
          rendered++;
          var ours = ours(language, files, variables);
          if (!ours.equals(" " + theirs.get()) && different.size() < 20) {
            different.add(
                "--- %d\n%s\n--- theirs\n%s\n--- ours\n%s".formatted(seed, template, theirs.get(), ours.substring(1)));
          }
        }
      }
    }
    System.out.printf("%d of %d random %s templates render upstream%n", rendered, count, name);
    assertThat(different).isEmpty();
  }
}
