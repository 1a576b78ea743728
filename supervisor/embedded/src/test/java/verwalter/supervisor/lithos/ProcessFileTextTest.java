package verwalter.supervisor.lithos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Identity;

@SuppressWarnings("NullAway") // a missing key fails the test, as it should
class ProcessFileTextTest {
  private static final ProcessSpec WEB =
      ProcessSpec.ofImage(
          ProcessSpec.Type.DAEMON,
          "shop/7f3a91c",
          "/config/web.yaml",
          3,
          Map.of("mode", "primary"),
          List.of(),
          List.of());

  private static Map<String, ProcessSpec> read(String text) throws ConfigException {
    return ProcessFileText.read(text, "shop.yaml");
  }

  private static List<String> problems(String text) {
    return catchThrowableOfType(ConfigException.class, () -> read(text)).problems().stream()
        .map(ConfigProblem::toString)
        .toList();
  }

  @Test
  void anEntryHasDefaults() throws Exception {
    assertThat(read("web: {image: i, config: /c}"))
        .containsExactly(
            Map.entry(
                "web",
                ProcessSpec.ofImage(
                    ProcessSpec.Type.DAEMON, "i", "/c", 1, Map.of(), List.of(), List.of())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web:\n  image: shop/7f3a91c\n  config: /config/web.yaml\n  instances: 3\n  variables: {mode: primary}",
        "# a comment\nweb:\n  variables:\n    mode: 'primary'\n  instances: 0b11\n  config: \"/config/web.yaml\"\n  image: shop/7f3a91c\n",
        "{\"web\":{\"image\":\"shop/7f3a91c\",\"config\":\"/config/web.yaml\",\"instances\":3,\"variables\":{\"mode\":\"primary\"}}}",
        "web:\n  _note: {any: [thing]}\n  ip-addresses:\n  extra-secrets-namespaces: []\n  kind: Daemon\n  image: shop/7f3a91c\n  config: /config/web.yaml\n  instances: +3\n  variables: {mode: primary}",
        "web:\n  <<: {image: shop/7f3a91c, instances: 9}\n  config: /config/web.yaml\n  instances: 3\n  variables: {mode: primary}",
      })
  void notationsOfOneEntryAreEqual(String text) throws Exception {
    assertThat(read(text)).containsExactly(Map.entry("web", WEB));
  }

  @Test
  void scalarsAreTexts() throws Exception {
    var entry =
        read("w: {image: 0700, config: yes, variables: {a: 1e3, b: 12:30, c: 2020-01-01, d: 'null', e: 080}}")
            .get("w");
    assertThat(entry.image()).contains("0700");
    assertThat(entry.config()).contains("yes");
    assertThat(entry.variables())
        .containsExactly(
            Map.entry("a", "1e3"),
            Map.entry("b", "12:30"),
            Map.entry("c", "2020-01-01"),
            Map.entry("d", "null"),
            Map.entry("e", "080"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "w: {image: i, config: /c, instancs: 2} | shop.yaml:1:27: unknown key \"instancs\"; did you mean \"instances\"?",
        "w: {image: i, config: /c, extra_secrets-namespaces: []} | shop.yaml:1:27: unknown key \"extra_secrets-namespaces\"; did you mean \"extra-secrets-namespaces\"?",
        "w: {config: /c} | shop.yaml:1:4: \"image\" is missing",
        "w: {image: i, config: /c, image: j} | shop.yaml:1:27: key \"image\" is there twice",
        "w: {image: null, config: /c} | shop.yaml:1:12: expected text, found null",
        "w: {image: i, config: /c, variables: ~} | shop.yaml:1:38: expected a mapping, found null",
        "w: {image: i, config: /c, variables: [a]} | shop.yaml:1:38: expected a mapping, found a list",
        "w: {image: i, config: /c, variables: {a: ~}} | shop.yaml:1:42: expected text, found null",
        "w: {image: i, config: /c, ip-addresses: 10.0.0.1} | shop.yaml:1:41: expected a list, found text",
        "w: {image: i, config: /c, ip-addresses: [host]} | shop.yaml:1:42: \"host\" is not an IP address",
        "w: {image: i, config: /c, instances: 0.5} | shop.yaml:1:38: expected a whole number such as 10, 0o17 or 1ki, found \"0.5\"",
        "w: {image: i, config: /c, instances: -1} | shop.yaml:1:38: -1 is not between 0 and 100000",
        "w: {image: i, config: /c, kind: daemon} | shop.yaml:1:33: expected one of Daemon, Command, found \"daemon\"",
        "w: {image: !!str i, config: /c} | shop.yaml:1:12: tag !!tag:yaml.org,2002:str is not allowed here",
        "w: {image: !Name i, config: /c} | shop.yaml:1:12: tag !Name is not allowed here",
        "w: {image: i, config: /c, kind: !Command } | shop.yaml:1:33: tag !Command is not allowed here",
        "w: {image: i, config: /c, kind: } | shop.yaml:1:32: expected text, found nothing",
        "w: {image: i, config: /c, instances: } | shop.yaml:1:37: expected text, found nothing",
        "w: {image: , config: /c} | shop.yaml:1:11: expected text, found nothing",
        "w: [a] | shop.yaml:1:4: expected a mapping, found a list",
        "[a] | shop.yaml:1:1: expected a mapping, found a list",
        "_x: 1 | shop.yaml:1:5: expected a mapping, found text",
        "{[a]: b} | shop.yaml:1:2: a key must be text, not a list",
      })
  void problemsNameThePlace(String text, String problem) {
    assertThat(problems(text)).contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "w: {image: \"\\x41\", config: /c} ; escapes",
        "w: {image: \"\\\\\\u0041\", config: /c} ; escapes",
        "w: {image: \"\\0\", config: /c} ; NUL",
        "w: {image: @x, config: /c} ; cannot start",
        "w: {image: i ; expected",
        "w: &a {image: *a, config: /c} ; expected text",
        "a: 1#---#b: 2 ; document",
        "w:#  image: >#    folded#  config: /c ; folded",
        "w:#  image: |-#    literal#  config: /c ; modifier",
      })
  void refusesFilesThatLithosCannotRead(String text, String part) {
    assertThat(problems(text.replace('#', '\n'))).anyMatch(problem -> problem.contains(part));
  }

  @Test
  void everyProblemIsReported() {
    assertThat(problems("a: {imag: i}\nb: {image: i, config: /c, instances: x}\n")).hasSize(4);
  }

  @Test
  void aDoubleBackslashIsNoEscapeByCode() throws Exception {
    assertThat(read("w:\n  image: \"a\\\\x41\"\n  config: |\n    /c\n").get("w").image())
        .contains("a\\x41");
  }

  @Test
  void listsCanBeUnpacked() throws Exception {
    var text = "w: {image: i, config: /c, extra-secrets-namespaces: [a, !*Unpack [b, c]]}";
    assertThat(read(text).get("w").secretsNamespaces()).containsExactly("a", "b", "c");
  }

  @Test
  void anEmptyFileRunsNothing() throws Exception {
    assertThat(read("")).isEmpty();
    assertThat(read("# nothing\n")).isEmpty();
    assertThat(ProcessFileText.write(Map.of())).isEmpty();
  }

  @Test
  void theWrittenTextIsStable() {
    assertThat(ProcessFileText.write(Map.of("web", WEB, "api", WEB)))
        .isEqualTo(
            """
            "api":
              kind: Daemon
              image: "shop/7f3a91c"
              config: "/config/web.yaml"
              instances: 3
              variables:
                "mode": "primary"
            "web":
              kind: Daemon
              image: "shop/7f3a91c"
              config: "/config/web.yaml"
              instances: 3
              variables:
                "mode": "primary"
            """);
  }

  @Test
  void refusesACharacterThatCannotBeWritten() {
    var entry =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON, "a\u0007", "/c", 1, Map.of(), List.of(), List.of());
    assertThatThrownBy(() -> ProcessFileText.write(Map.of("web", entry)))
        .hasMessageContaining("U+0007");
  }

  @Property(tries = 300)
  void readsBackWhatItWrote(@ForAll("files") Map<String, ProcessSpec> file) throws Exception {
    assertThat(read(ProcessFileText.write(file))).isEqualTo(file);
  }

  @Provide
  Arbitrary<Map<String, ProcessSpec>> files() {
    var text =
        Arbitraries.strings()
            .withChars("ab \\\"\n\t\r:#{}[]&*!|>'%@`~-äß€")
            .withCharRange('0', '9')
            .ofMaxLength(12);
    var entry =
        Combinators.combine(
                Arbitraries.of(ProcessSpec.Type.class),
                text,
                text,
                Arbitraries.integers().between(0, 1000),
                Arbitraries.maps(text, text).ofMaxSize(4),
                Arbitraries.of("10.0.0.1", "fe80::1", "::").list().ofMaxSize(3),
                text.list().ofMaxSize(3))
            .as(ProcessSpec::ofImage);
    return Arbitraries.maps(text, entry).ofMaxSize(5);
  }

  @Test
  void anIdentityIsCompactAndInOrder() {
    assertThat(Identity.of(WEB, 0))
        .isEqualTo(
            "{\"instances\":1,\"image\":\"shop/7f3a91c\",\"config\":\"/config/web.yaml\","
                + "\"variables\":{\"mode\":\"primary\"},\"kind\":\"Daemon\"}");
    var addressed =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON,
            "i",
            "/c",
            2,
            Map.of(),
            List.of("10.0.0.1"),
            List.of("b", "a"));
    assertThat(Identity.of(addressed, 0))
        .isEqualTo(
            "{\"instances\":1,\"image\":\"i\",\"config\":\"/c\",\"extra_secrets_namespaces\":"
                + "[\"b\",\"a\"],\"ip_address\":\"10.0.0.1\",\"kind\":\"Daemon\"}");
    assertThat(Identity.of(addressed, 1)).doesNotContain("ip_address");
  }
}
