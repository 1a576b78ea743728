package verwalter.model.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Condition;
import verwalter.model.Event;
import verwalter.model.Kinds;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Problem;

class StrictReadingTest {
  private static final String NODE =
      """
      apiVersion: verwalter.io/v1
      kind: Node
      metadata:
        name: alpha
      """;

  private static DecodeException refusal(String text) {
    return catchThrowableOfType(DecodeException.class, () -> Codec.read(text, "node.yaml"));
  }

  private static Resource<?, ?> only(String text) throws DecodeException {
    return Codec.read(text, "x").get(0);
  }

  @Test
  void anUnknownFieldIsReportedWithPlaceAndSuggestion() {
    assertThat(refusal(NODE + "\nspec:\n  cordonned: true\n"))
        .hasMessage("node.yaml:7:3: spec.cordonned: unknown field; did you mean \"cordoned\"?");
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    var e =
        refusal(
            """
            apiVersion: verwalter.io/v2
            kind: Node
            metdata: {}
            metadata:
              name: -alpha
              labels: {a: 1}
            spec:
              cordoned: "true"
            ---
            kind: Nodes
            ---
            - 1
            """);
    assertThat(e.problems())
        .map(Problem::toString)
        .containsExactly(
            "node.yaml:3:1: metdata: unknown field; did you mean \"metadata\"?",
            "node.yaml:1:13: apiVersion: expected verwalter.io/v1, found the string"
                + " \"verwalter.io/v2\"",
            "node.yaml:6:15: metadata.labels.a: expected a string, found the number 1; put it in"
                + " quotes",
            "node.yaml:8:13: spec.cordoned: expected true or false, found the string \"true\"",
            "node.yaml:10:1: apiVersion: required field is missing",
            "node.yaml:10:7: kind: unknown kind: expected Node or RoleConfig or Rollout or"
                + " Configuration or SchedulerCode or Schedule or NodeSchedule or RoleInstance or"
                + " TemplateOutput or ProcessGroup or DeploymentRef or Artifact or Action or Event"
                + " or JoinToken or AuthorityChange or AccessRule or AccessToken or ClusterConfig,"
                + " found the string \"Nodes\"; did you mean \"Node\"?",
            "node.yaml:12:1: expected an object with apiVersion, kind, metadata and spec, found a"
                + " list");
  }

  @Test
  void anAbsentSpecHasDefaultValues() throws Exception {
    var expected = Resource.of(Node.KIND, "alpha", new Node.Spec(false));
    for (var spec : List.of("", "spec:", "spec: {}", "spec: {cordoned: }", "spec: {cordoned: ~}")) {
      assertThat(only(NODE + spec)).isEqualTo(expected);
    }
  }

  @Test
  void absentCollectionsAreEmptyAndAbsentStringsAreReported() throws Exception {
    var head = "apiVersion: verwalter.io/v1\nkind: RoleInstance\nmetadata: {name: a@b}\n";
    assertThat(only(head + "spec: {role: a, node: b, template: t}").spec())
        .isEqualTo(new RoleInstance.Spec("a", "b", "t", Optional.empty(), Map.of()));
    assertThat(refusal(head + "spec: {role: a}").problems())
        .map(Problem::toString)
        .containsExactly(
            "node.yaml:4:7: spec.node: required field is missing",
            "node.yaml:4:7: spec.template: required field is missing");
    assertThat(refusal(head)).hasMessageContaining("spec.role: required field is missing");
  }

  @Test
  void nestedRecordsHaveDefaultsIfAllTheirFieldsDo() throws Exception {
    var node = only(NODE + "status: {observedGeneration: 3}");
    assertThat(node.status().get())
        .isEqualTo(
            new Node.Status(
                3,
                List.of(),
                Map.of(),
                new Node.Capacity(0, 0),
                Optional.empty(),
                new Node.Roles(0, 0, 0),
                List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cordoned: yes|expected true or false, found the string \"yes\"",
        "cordoned: 'true'|expected true or false, found the string \"true\"",
        "cordoned: 1|expected true or false, found the number 1",
        "cordoned: [true]|found a list",
        "cordoned: {a: 1}|found a mapping",
        "Cordoned: true|unknown field; did you mean \"cordoned\"?",
        "zzzzzz: true|spec.zzzzzz: unknown field",
        "a b: true|spec[\"a b\"]: unknown field",
      })
  void booleansAreNotConverted(String field, String message) {
    assertThat(refusal(NODE + "spec: {" + field + "}")).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"3\"|expected a whole number, found the string \"3\"",
        "1.5|expected a whole number, found the number 1.5",
        "3.0|expected a whole number",
        "1e3|expected a whole number",
        "2147483648|must be between -2147483648 and 2147483647, found 2147483648",
        "99999999999999999999|must be between",
        "010|leading zeros",
        "1_000|found the string \"1_000\"",
        "true|found true",
        "!!int 3|the tag",
        ".inf|out of range",
        "[]|found a list",
      })
  void integersAreNotConverted(String text, String message) {
    assertThat(refusal(NODE + "status:\n  capacity: {cpus: " + text + "}"))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"0x1F, 31", "0o17, 15", "+5, 5", "-5, -5", "0, 0"})
  void integersOfTheCoreSchemaAreRead(String text, int number) throws Exception {
    var node = (Node.Status) only(NODE + "status: {capacity: {cpus: " + text + "}}").status().get();
    assertThat(node.capacity().cpus()).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "facts: {os: 3}",
        "facts: {os: true}",
        "facts: {os: null}",
        "facts: {os: }",
        "facts: {os: 010}",
        "facts: {1: a}",
        "facts: {true: a}",
        "facts: {[a]: a}",
        "facts: {a: b, a: c}",
        "facts: {<<: {a: b}}",
        "facts: {a: !foo b}",
        "facts: !!set {a, b}",
        "facts: {a: !!binary aGk=}",
        "facts: {a: \"\\ud800\"}",
        "addresses: a",
        "addresses: {a: b}",
        "observedGeneration: 1\n  observedGeneration: 2",
        "conditions: [{type: A, status: true, reason: R, message: m,"
            + " lastTransitionTime: 2026-01-01T00:00:00Z}]",
        "conditions: [{type: A, status: \"true\", reason: R, message: m,"
            + " lastTransitionTime: 2026-01-01T00:00:00Z}]",
        "conditions: [{type: A, status: \"True\", reason: R, message: m,"
            + " lastTransitionTime: yesterday}]",
        "conditions: [{type: A, status: \"True\", reason: R, message: m}]",
      })
  void invalidStatusFieldsAreRefused(String status) {
    var refusal = refusal(NODE + "status:\n  " + status + "\n");
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).startsWith("node.yaml:");
    assertThat(refusal.problems()).allMatch(each -> each.line() >= 5 && each.column() > 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", ".a", "a b", "a\\n"})
  void namesMustBeValid(String name) {
    var text = "apiVersion: verwalter.io/v1\nkind: Node\nmetadata: {name: \"" + name + "\"}";
    assertThat(refusal(text)).hasMessageContaining("metadata.name: invalid name: must be 1 to 253");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a: \"x\\ny\", metadata.labels.a",
        "a: \"x\\e[31my\", metadata.labels.a",
        "a: \"\\u0085\", metadata.labels.a",
        "\"a\\tb\": x, metadata.labels[\"a\\tb\"]",
      })
  void labelsHaveNoControlCharacters(String label, String path) throws Exception {
    assertThat(refusal(NODE + "  labels:\n    " + label))
        .hasMessage(
            "node.yaml:6:5: %s: must not contain line breaks or other control characters"
                .formatted(path));
    assertThat(only(NODE + "  annotations:\n    " + label)).isNotNull();
  }

  @Test
  void metadataOfKubernetesWithoutMeaningIsIgnored() throws Exception {
    var text =
        """
        apiVersion: verwalter.io/v1
        kind: Node
        metadata:
          name: alpha
          namespace: default
          managedFields: [{manager: kubectl}]
          selfLink: /x
          generateName: a-
          deletionGracePeriodSeconds: 3
          creationTimestamp: null
          resourceVersion: "12"
          ownerReferences:
          - {apiVersion: verwalter.io/v1, kind: Node, name: a, uid: b, controller: true}
        """;
    assertThat(only(text).meta())
        .isEqualTo(
            Metadata.named("alpha").withVersion(12).ownedBy(new OwnerReference("Node", "a", "b")));
  }

  @Test
  void ownersOfOtherApisAreRefused() {
    var text = NODE + "  ownerReferences:\n  - {apiVersion: v1, kind: Pod, name: a, uid: b}\n";
    assertThat(refusal(text))
        .hasMessage(
            "node.yaml:6:18: metadata.ownerReferences[0].apiVersion: expected verwalter.io/v1,"
                + " found the string \"v1\"");
  }

  @Test
  void versionsOfMirroredObjectsAreRead() throws Exception {
    assertThat(only(NODE + "  resourceVersion: \"" + Long.MAX_VALUE + "\"\n").meta().version())
        .isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"12", "\"x\"", "\"-1\"", "\"9223372036854775808\"", "\"99999999999999999999\""})
  void resourceVersionsMustBeNumbers(String version) {
    assertThat(refusal(NODE + "  resourceVersion: " + version))
        .hasMessageContaining("metadata.resourceVersion");
  }

  @Test
  void severalDocumentsListsAndEmptyOnesAreRead() throws Exception {
    assertThat(
            Codec.read(
                "---\n# nothing\n---\n" + NODE + "---\n" + NODE.replace("alpha", "beta") + "---\n",
                "x"))
        .extracting(Resource::name)
        .containsExactly("alpha", "beta");
    assertThat(Codec.read("", "x")).isEmpty();
    var json = new String(Codec.json(only(NODE)), UTF_8);
    assertThat(Codec.read(json + "\n" + json, "x")).hasSize(2);
    var list = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" + json + "," + json + "]}";
    assertThat(Codec.read(list, "x")).hasSize(2);
    var wrong = list.replace("\"cordoned\":false", "\"cordoned\":0");
    assertThat(refusal(wrong)).hasMessageContaining("items[1].spec.cordoned: expected true");
  }

  @Test
  void problemsInJsonHaveLineAndColumn() {
    var text =
        """
        {"apiVersion": "verwalter.io/v1",
         "kind": "Node",
         "metadata": {"name": "a"},
         "spec": {"cordoned": 1, "cordoned": true}}""";
    assertThat(refusal(text).problems())
        .map(Problem::toString)
        .containsExactly(
            "node.yaml:4:23: spec.cordoned: expected true or false, found the number 1",
            "node.yaml:4:26: spec.cordoned: duplicate field");
    assertThat(refusal("{\n  \"kind\": Node}")).hasMessageStartingWith("node.yaml:2:");
  }

  @Test
  void syntaxErrorsInYamlHaveLineAndColumn() {
    assertThat(refusal("a: [b\nc: d\n")).hasMessageStartingWith("node.yaml:2:");
    assertThat(refusal("a:\n\t- b\n")).hasMessageStartingWith("node.yaml:2:");
    assertThat(refusal("a: *b\n")).hasMessageStartingWith("node.yaml:1:4:");
    assertThat(refusal("a: b\nc: \u0007\n"))
        .hasMessageStartingWith("node.yaml:2:4:")
        .hasMessageContaining("U+0007");
  }

  @Test
  void aliasesAreExpanded() throws Exception {
    var text = NODE + "  labels: &l {a: &v x, b: *v}\n  annotations: *l\n";
    assertThat(only(text).meta().annotations()).isEqualTo(Map.of("a", "x", "b", "x"));
  }

  @Test
  @Timeout(5)
  void billionLaughsAreRefusedQuickly() {
    var text = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 10; i++) {
      text.append("a" + i + ": &a" + i + " [");
      text.append(("*a" + (i - 1) + ",").repeat(9)).append("]\n");
    }
    assertThat(refusal(text.toString())).hasMessageContaining("grows too big");
    var scalars = "a: &a " + "x".repeat(100_000) + "\nb: [" + "*a,".repeat(1000) + "]\n";
    assertThat(refusal(scalars)).hasMessageContaining("grows too big");
    assertThat(refusal("a: &a [*a, *a]")).hasMessageContaining("nested deeper");
  }

  @Test
  @Timeout(5)
  void textsThatAreTooDeepOrTooLongAreRefused() {
    assertThat(refusal("[".repeat(100_000))).isNotNull();
    assertThat(refusal("- ".repeat(100_000))).isNotNull();
    assertThat(refusal("{\"a\":".repeat(100_000))).isNotNull();
    assertThat(refusal("a".repeat(1_500_001))).hasMessageContaining("more than 1500000 bytes");
    assertThat(refusal("é".repeat(750_001))).hasMessageContaining("more than 1500000 bytes");
  }

  @Test
  void messagesAreBoundedForLargeInput() {
    var many =
        IntStream.range(0, 10_000).mapToObj(i -> "x" + i + ": 1").collect(Collectors.joining(", "));
    assertThat(refusal(NODE + "spec: {" + many + "}").problems()).hasSize(100);
    assertThat(refusal(NODE + "spec: {\"" + "x".repeat(500_000) + "\": 1}").getMessage())
        .hasSizeLessThan(500);
    assertThat(refusal(NODE + "spec: {cordoned: \"" + "x".repeat(500_000) + "\"}").getMessage())
        .hasSizeLessThan(500);
  }

  @Test
  void treesAreReadStrictlyWithoutLineNumbers() throws Exception {
    var mapper = new ObjectMapper();
    var tree = Codec.tree(only(NODE));
    assertThat(Codec.read(tree, Node.KIND)).isEqualTo(only(NODE));
    ((ObjectNode) tree.get("spec")).put("cordonned", 1);
    assertThatThrownBy(() -> Codec.read(tree, Node.KIND))
        .hasMessage("spec.cordonned: unknown field; did you mean \"cordoned\"?");
    assertThatThrownBy(() -> Codec.read(Codec.tree(only(NODE)), Event.KIND))
        .hasMessageContaining("kind: expected Event, found the string \"Node\"");
    assertThatThrownBy(() -> Codec.read(mapper.readTree("[]"), Node.KIND))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void everyKindCanBeRead() {
    assertThat(Kinds.ALL)
        .allSatisfy(
            kind -> {
              assertThat(RecordShape.of(kind.spec())).isNotNull();
              assertThat(RecordShape.of(kind.status())).isNotNull();
            });
  }

  @Test
  void storedObjectsOfNewerAndOlderVersionsAreRead() throws Exception {
    var json =
        """
        {"spec":{"later":1},"status":{"observedGeneration":2,"later":{}},"later":[1],
         "metadata":{"name":"a","later":2},"kind":"Node"}\
        """;
    var node = Codec.fromJson(json.getBytes(UTF_8));
    assertThat(node.spec()).isEqualTo(new Node.Spec(false));
    assertThat(((Node.Status) node.status().get()).addresses()).isEmpty();
    assertThat(((Node.Status) node.status().get()).schedule()).isEmpty();
  }

  @Test
  void conditionsAreWrittenAsInKubernetes() {
    var now = Instant.parse("2026-01-01T00:00:00Z");
    var instance =
        Resource.of(NodeSchedule.KIND, "a", new NodeSchedule.Spec("", Map.of()))
            .withStatus(
                new NodeSchedule.Status(
                    1,
                    Optional.empty(),
                    Map.of(),
                    List.of(
                        new Condition("Applied", Condition.Truth.TRUE, "Done", "all", 1, now))));
    assertThat(Codec.tree(instance).at("/status/conditions/0").toString())
        .isEqualTo(
            "{\"type\":\"Applied\",\"status\":\"True\",\"reason\":\"Done\",\"message\":\"all\","
                + "\"observedGeneration\":1,\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}");
  }
}
