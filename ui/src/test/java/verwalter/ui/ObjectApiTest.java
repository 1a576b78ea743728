package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Event;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.OwnerReference;
import verwalter.model.Writer;
import verwalter.stores.api.Author;

final class ObjectApiTest {
  private static final String NODES = "/apis/verwalter.io/v1/nodes";
  private static final String JSON = "application/json";
  private static final String MERGE = "application/merge-patch+json";
  private static final Instant NOW = Instant.parse("2026-08-01T12:00:00Z");

  /** The agent of the node alpha writes statuses; operators write everything else. */
  private final Server server =
      new Server(
          request ->
              request.path().endsWith("/status")
                  ? new Author(Writer.NODE, Optional.of("alpha"), OptionalLong.of(0))
                  : Author.ofLeader(Writer.OPERATOR, 0));

  @AfterEach
  void close() {
    server.close();
  }

  private static String node(String name, String more) {
    return """
        {"apiVersion":"verwalter.io/v1","kind":"Node","metadata":{"name":"%s"%s},"spec":{"cordoned":false}}"""
        .formatted(name, more);
  }

  private void sample(String... names) {
    for (var name : names) {
      server.put(Samples.node(name, NOW, true));
    }
  }

  @Test
  void discoveryListsKindsWithShortNamesAndVerbs() {
    var resources = Server.json(server.get("/apis/verwalter.io/v1")).path("resources");
    for (var kind : Kinds.ALL) {
      assertThat(resources)
          .anySatisfy(
              resource -> {
                assertThat(resource.path("name").asText()).isEqualTo(kind.plural());
                assertThat(resource.path("shortNames").get(0).asText()).isEqualTo(kind.shortName());
                assertThat(resource.path("verbs")).hasSize(8);
                assertThat(resource.path("namespaced").asBoolean()).isFalse();
              });
    }
    assertThat(resources.toString()).contains("nodes/status").doesNotContain("events/status");
    assertThat(Server.json(server.get("/api")).path("versions")).isEmpty();
    assertThat(Server.json(server.get("/apis")).at("/groups/0/preferredVersion/version").asText())
        .isEqualTo("v1");
    assertThat(Server.json(server.get("/version")).path("gitVersion").asText()).isEqualTo("v0.1.0");
  }

  @Test
  void openApiDescribesEveryKind() {
    var at = Server.json(server.get("/openapi/v3")).at("/paths/apis~1verwalter.io~1v1");
    var document = Server.json(server.get(at.path("serverRelativeURL").asText()));
    for (var kind : Kinds.ALL) {
      var path = "/apis/verwalter.io/v1/" + kind.plural() + "/{name}";
      var patch = document.path("paths").path(path).path("patch");
      assertThat(patch.at("/x-kubernetes-group-version-kind/kind").asText()).isEqualTo(kind.name());
      assertThat(patch.path("parameters").toString()).contains("fieldValidation");
    }
    var conditions =
        document.at(
            "/components/schemas/io.verwalter.v1.Node/properties/status/properties/conditions");
    assertThat(conditions.at("/items/properties/lastTransitionTime/format").asText())
        .isEqualTo("date-time");
    assertThat(conditions.at("/items/properties/status/enum").toString())
        .isEqualTo("[\"True\",\"False\",\"Unknown\"]");
  }

  @Test
  void createsReadsAndListsObject() {
    var created = server.send("POST", NODES, JSON, node("alpha", ""));
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(Server.json(created).at("/metadata/uid").asText()).isNotEmpty();
    assertThat(Server.json(server.get(NODES + "/alpha"))).isEqualTo(Server.json(created));
    var list = Server.json(server.get(NODES));
    assertThat(list.path("kind").asText()).isEqualTo("NodeList");
    assertThat(list.path("items")).containsExactly(Server.json(created));
    assertThat(list.at("/metadata/resourceVersion").asText())
        .isEqualTo(Long.toString(server.store.revision()));
  }

  @Test
  void acceptsAndReturnsYaml() {
    var yaml =
        "apiVersion: verwalter.io/v1\nkind: Node\nmetadata:\n  name: alpha\nspec:\n  cordoned: true\n";
    assertThat(server.send("POST", NODES, "application/yaml", yaml).statusCode()).isEqualTo(201);
    var read = server.get(NODES + "/alpha", "Accept", "application/yaml");
    assertThat(read.body()).contains("\n  cordoned: true\n").startsWith("apiVersion: ");
    assertThat(read.headers().firstValue("Content-Type")).hasValue("application/yaml");
  }

  @Test
  void prettyIndentsJson() {
    sample("alpha");
    assertThat(server.get(NODES + "/alpha?pretty").body()).contains("\n  \"kind\" : \"Node\"");
    assertThat(server.get(NODES + "/alpha?pretty=false").body()).doesNotContain("\n");
  }

  @Test
  void refusesToCreateExistingObject() {
    server.send("POST", NODES, JSON, node("alpha", ""));
    var again = server.send("POST", NODES, JSON, node("alpha", ""));
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(Server.json(again).path("reason").asText()).isEqualTo("AlreadyExists");
  }

  @Test
  void createIgnoresStatus() {
    var body = node("alpha", "").replace("}}", "},\"status\":{\"nonsense\":1}}");
    assertThat(server.send("POST", NODES, JSON, body).statusCode()).isEqualTo(201);
    assertThat(server.get(Node.KIND, "alpha").status()).isEmpty();
  }

  @Test
  void refusesUpdateOfOldVersion() {
    sample("alpha");
    var old = server.get(NODES + "/alpha").body();
    server.put(server.get(Node.KIND, "alpha").withSpec(new Node.Spec(true)));
    var refused = server.send("PUT", NODES + "/alpha", JSON, old);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(Server.json(refused).path("reason").asText()).isEqualTo("Conflict");
    assertThat(Server.json(refused).at("/details/name").asText()).isEqualTo("alpha");
    assertThat(server.get(Node.KIND, "alpha").spec().cordoned()).isTrue();
  }

  @Test
  void updateRequiresVersionAndName() {
    sample("alpha");
    var unversioned = server.send("PUT", NODES + "/alpha", JSON, node("alpha", ""));
    assertThat(unversioned.statusCode()).isEqualTo(422);
    assertThat(Server.json(unversioned).at("/details/causes/0/field").asText())
        .isEqualTo("metadata.resourceVersion");
    var other = server.send("PUT", NODES + "/alpha", JSON, node("beta", ""));
    assertThat(other.statusCode()).isEqualTo(400);
    var recreated =
        node(
            "alpha",
            ",\"resourceVersion\":\"%d\",\"uid\":\"another\"".formatted(server.store.revision()));
    assertThat(server.send("PUT", NODES + "/alpha", JSON, recreated).statusCode()).isEqualTo(409);
  }

  @Test
  void writesOfSpecAndStatusAreIndependent() {
    sample("alpha");
    var read = server.get(NODES + "/alpha").body();
    var both =
        read.replace("\"cordoned\":false", "\"cordoned\":true").replace("3f1c9a0be2", "beef");
    assertThat(server.send("PUT", NODES + "/alpha", JSON, both).statusCode()).isEqualTo(200);
    var alpha = server.get(Node.KIND, "alpha");
    assertThat(alpha.spec().cordoned()).isTrue();
    assertThat(alpha.meta().generation()).isEqualTo(2);
    assertThat(alpha.status().orElseThrow().schedule()).hasValue("3f1c9a0be2");

    both =
        server
            .get(NODES + "/alpha/status")
            .body()
            .replace("\"cordoned\":true", "\"cordoned\":false")
            .replace("\"zone\":\"a\"", "\"zone\":\"z\"")
            .replace("3f1c9a0be2", "beef");
    assertThat(server.send("PUT", NODES + "/alpha/status", JSON, both).statusCode()).isEqualTo(200);
    alpha = server.get(Node.KIND, "alpha");
    assertThat(alpha.spec().cordoned()).isTrue();
    assertThat(alpha.meta().labels()).containsEntry("zone", "a");
    assertThat(alpha.status().orElseThrow().schedule()).hasValue("beef");
  }

  @Test
  void mergePatchChangesOnlyItsFields() {
    sample("alpha");
    var patch =
        "{\"metadata\":{\"labels\":{\"rack\":\"7\",\"zone\":null}},\"spec\":{\"cordoned\":true}}";
    assertThat(server.send("PATCH", NODES + "/alpha", MERGE, patch).statusCode()).isEqualTo(200);
    var alpha = server.get(Node.KIND, "alpha");
    assertThat(alpha.meta().labels()).hasSize(1).containsEntry("rack", "7");
    assertThat(alpha.spec().cordoned()).isTrue();
    assertThat(alpha.status()).isPresent();
  }

  @Test
  void patchWithVersionRequiresThatVersion() {
    sample("alpha");
    var patch = "{\"metadata\":{\"resourceVersion\":\"7\"},\"spec\":{\"cordoned\":true}}";
    assertThat(server.send("PATCH", NODES + "/alpha", MERGE, patch).statusCode()).isEqualTo(409);
  }

  @Test
  void jsonPatchIsAtomic() {
    sample("alpha");
    var type = "application/json-patch+json";
    var bad =
        """
        [{"op":"replace","path":"/spec/cordoned","value":true},{"op":"test","path":"/kind","value":"Pod"}]""";
    assertThat(server.send("PATCH", NODES + "/alpha", type, bad).statusCode()).isEqualTo(422);
    assertThat(server.get(Node.KIND, "alpha").spec().cordoned()).isFalse();
    var good = bad.replace("Pod", "Node");
    assertThat(server.send("PATCH", NODES + "/alpha", type, good).statusCode()).isEqualTo(200);
    assertThat(server.get(Node.KIND, "alpha").spec().cordoned()).isTrue();
  }

  @Test
  void patchesStatusThroughSubresource() {
    sample("alpha");
    var patch = "{\"spec\":{\"cordoned\":true},\"status\":{\"schedule\":\"beef\"}}";
    assertThat(server.send("PATCH", NODES + "/alpha/status", MERGE, patch).statusCode())
        .isEqualTo(200);
    assertThat(server.get(Node.KIND, "alpha").spec().cordoned()).isFalse();
    assertThat(server.get(Node.KIND, "alpha").status().orElseThrow().schedule()).hasValue("beef");
    var events = "/apis/verwalter.io/v1/events/x/status";
    assertThat(server.send("PATCH", events, MERGE, patch).statusCode()).isEqualTo(404);
  }

  @Test
  void refusesOtherPatchTypes() {
    sample("alpha");
    for (var type :
        new String[] {"application/strategic-merge-patch+json", "application/apply-patch+yaml"}) {
      var refused = server.send("PATCH", NODES + "/alpha", type, "{}");
      assertThat(refused.statusCode()).isEqualTo(415);
      assertThat(Server.json(refused).path("message").asText()).contains(MERGE);
    }
  }

  @Test
  void errorNamesEveryInvalidField() {
    var body =
        """
        {"apiVersion":"verwalter.io/v1","kind":"Node","metadata":{"name":"alpha"},"spec":{"cordonned":true}}""";
    var refused = server.send("POST", NODES, JSON, body);
    assertThat(refused.statusCode()).isEqualTo(422);
    var status = Server.json(refused);
    assertThat(status.path("kind").asText()).isEqualTo("Status");
    assertThat(status.path("reason").asText()).isEqualTo("Invalid");
    assertThat(status.path("code").asInt()).isEqualTo(422);
    assertThat(status.at("/details/causes").toString())
        .contains("spec.cordonned", "did you mean \\\"cordoned\\\"?");
  }

  @Test
  void refusesInvalidNamesKindsAndBodies() {
    assertThat(server.send("POST", NODES, JSON, node("a/b", "")).statusCode()).isEqualTo(422);
    assertThat(server.send("POST", NODES, JSON, "{").statusCode()).isEqualTo(400);
    assertThat(server.send("POST", NODES, JSON, "{\"a\":1,\"a\":2}").statusCode()).isEqualTo(400);
    assertThat(server.send("POST", NODES, JSON, "[]").statusCode()).isEqualTo(400);
    assertThat(server.send("POST", NODES, JSON, "").statusCode()).isEqualTo(400);
    var other = node("alpha", "").replace("\"Node\"", "\"Pod\"");
    assertThat(server.send("POST", NODES, JSON, other).statusCode()).isEqualTo(400);
    var old = node("alpha", ",\"resourceVersion\":\"3\"");
    assertThat(server.send("POST", NODES, JSON, old).statusCode()).isEqualTo(400);
    assertThat(server.send("POST", NODES, "text/plain", node("a", "")).statusCode()).isEqualTo(415);
  }

  @Test
  void missingObjectIsNotFound() {
    server.asAdmin();
    var missing = server.get(NODES + "/nobody");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(Server.json(missing).path("message").asText())
        .isEqualTo("nodes.verwalter.io \"nobody\" not found");
    var unknown = Server.json(server.get("/apis/verwalter.io/v1/node"));
    assertThat(unknown.path("message").asText()).contains("did you mean nodes?");
    assertThat(Server.json(server.get("/apis/verwalter.io/v1/rolconfigs")).path("message").asText())
        .contains("did you mean roleconfigs?");
    assertThat(server.get("/apis/nowhere").statusCode()).isEqualTo(404);
    assertThat(server.delete(NODES + "/nobody").statusCode()).isEqualTo(404);
    assertThat(server.send("PUT", NODES, JSON, "{}").statusCode()).isEqualTo(405);
  }

  @Test
  void refusesBodyOverThreeMebibytes() {
    var big = node("alpha", ",\"annotations\":{\"a\":\"" + "x".repeat(3 << 20) + "\"}");
    assertThat(server.send("POST", NODES, JSON, big).statusCode()).isEqualTo(413);
    var large = node("alpha", ",\"annotations\":{\"a\":\"" + "x".repeat(1_600_000) + "\"}");
    assertThat(server.send("POST", NODES, JSON, large).statusCode()).isIn(413, 422);
  }

  @Test
  void dryRunChangesNothing() {
    server.asAdmin();
    var made = server.send("POST", NODES + "?dryRun=All", JSON, node("alpha", ""));
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(server.get(NODES + "/alpha").statusCode()).isEqualTo(404);
    sample("gamma");
    var patch = "{\"spec\":{\"cordoned\":true}}";
    var patched = server.send("PATCH", NODES + "/gamma?dryRun=All", MERGE, patch);
    assertThat(Server.json(patched).at("/spec/cordoned").asBoolean()).isTrue();
    assertThat(server.delete(NODES + "/gamma?dryRun=All").statusCode()).isEqualTo(200);
    assertThat(server.get(Node.KIND, "gamma").spec().cordoned()).isFalse();
    var again = server.send("POST", NODES + "?dryRun=All", JSON, node("gamma", ""));
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(server.send("POST", NODES + "?dryRun=Some", JSON, node("x", "")).statusCode())
        .isEqualTo(400);
  }

  @Test
  void deleteHonoursPreconditionsAndFinalizers() {
    server.asAdmin();
    sample("alpha");
    var wrong = "{\"preconditions\":{\"uid\":\"another\"}}";
    assertThat(server.send("DELETE", NODES + "/alpha", JSON, wrong).statusCode()).isEqualTo(409);
    wrong = "{\"preconditions\":{\"resourceVersion\":\"999\"}}";
    assertThat(server.send("DELETE", NODES + "/alpha", JSON, wrong).statusCode()).isEqualTo(409);

    var hold = "{\"metadata\":{\"finalizers\":[\"verwalter.io/test\"]}}";
    server.send("PATCH", NODES + "/alpha", MERGE, hold);
    var held = Server.json(server.delete(NODES + "/alpha"));
    assertThat(held.path("kind").asText()).isEqualTo("Node");
    assertThat(held.at("/metadata/deletionTimestamp").asText()).isNotEmpty();

    var free = "{\"metadata\":{\"finalizers\":null}}";
    assertThat(server.send("PATCH", NODES + "/alpha", MERGE, free).statusCode()).isEqualTo(200);
    assertThat(server.get(NODES + "/alpha").statusCode()).isEqualTo(404);
  }

  @Test
  void deletesCollectionBySelectors() {
    server.asAdmin();
    sample("alpha", "beta", "gamma");
    var dry = server.delete(NODES + "?dryRun=All");
    assertThat(Server.json(dry).path("items")).hasSize(3);
    assertThat(server.store.list(Node.KIND)).hasSize(3);

    var byField = Server.json(server.delete(NODES + "?fieldSelector=metadata.name%3Dbeta"));
    assertThat(byField.path("kind").asText()).isEqualTo("NodeList");
    assertThat(byField.path("items")).hasSize(1);
    assertThat(byField.at("/items/0/metadata/name").asText()).isEqualTo("beta");
    assertThat(server.store.list(Node.KIND)).extracting(each -> each.name()).doesNotContain("beta");

    assertThat(server.delete(NODES + "?labelSelector=none%3Dsuch").statusCode()).isEqualTo(200);
    assertThat(server.store.list(Node.KIND)).hasSize(2);
    assertThat(server.delete(NODES + "?fieldSelector=spec.cordonned%3Dtrue").body())
        .contains("spec.cordoned");

    var held = server.get(Node.KIND, "alpha");
    server.put(held.withMeta(held.meta().withFinalizers(java.util.List.of("test/hold"))));
    assertThat(Server.json(server.delete(NODES)).path("items")).hasSize(2);
    assertThat(server.store.list(Node.KIND))
        .singleElement()
        .satisfies(last -> assertThat(last.meta().deleting()).isTrue());
  }

  @Test
  void openApi2DescribesEveryKind() {
    var document = Server.json(server.get("/openapi/v2"));
    assertThat(document.path("swagger").asText()).isEqualTo("2.0");
    var protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    assertThat(server.get("/openapi/v2", "Accept", protobuf).statusCode()).isEqualTo(406);
    for (var kind : Kinds.ALL) {
      var all = document.path("paths").path("/apis/verwalter.io/v1/" + kind.plural());
      assertThat(all.at("/get/responses/200/schema/$ref").asText())
          .isEqualTo("#/definitions/io.verwalter.v1." + kind.name() + "List");
      assertThat(all.at("/post/parameters").toString()).contains("\"in\":\"body\"");
      var definition = document.path("definitions").path("io.verwalter.v1." + kind.name());
      assertThat(definition.at("/x-kubernetes-group-version-kind/0/kind").asText())
          .isEqualTo(kind.name());
    }
    assertThat(document.toString()).doesNotContain("#/components/").doesNotContain("requestBody");
  }

  @Test
  void deleteReturnsRemovedObject() {
    server.asAdmin();
    sample("alpha");
    var uid = server.get(Node.KIND, "alpha").meta().uid();
    var gone = Server.json(server.delete(NODES + "/alpha"));
    assertThat(gone.path("status").asText()).isEqualTo("Success");
    assertThat(gone.at("/details/uid").asText()).isEqualTo(uid);
  }

  @Test
  void selectorsFilterLists() {
    sample("alpha", "beta", "gamma");
    assertThat(names(NODES + "?labelSelector=zone%3Db")).isEqualTo("beta gamma ");
    assertThat(names(NODES + "?labelSelector=zone+notin+(b,c)")).isEqualTo("alpha ");
    assertThat(names(NODES + "?fieldSelector=metadata.name%3Dgamma")).isEqualTo("gamma ");
    assertThat(names(NODES + "?fieldSelector=spec.cordoned%3Dtrue")).isEqualTo("beta ");
    var unknown = server.get(NODES + "?fieldSelector=spec.cordond%3Dtrue");
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("did you mean spec.cordoned?");
    assertThat(server.get(NODES + "?labelSelector=a%3D(").statusCode()).isEqualTo(400);
  }

  private String names(String path) {
    var names = new StringBuilder();
    Server.json(server.get(path))
        .path("items")
        .forEach(item -> names.append(item.at("/metadata/name").asText()).append(' '));
    return names.toString();
  }

  @Test
  void pagesOfListHaveOneRevision() {
    sample("a", "b", "c", "d", "e");
    var first = Server.json(server.get(NODES + "?limit=2"));
    assertThat(first.path("items")).hasSize(2);
    assertThat(first.at("/metadata/remainingItemCount").asInt()).isEqualTo(3);
    var token = first.at("/metadata/continue").asText();
    var second = Server.json(server.get(NODES + "?limit=2&continue=" + token));
    assertThat(second.at("/items/0/metadata/name").asText()).isEqualTo("c");
    assertThat(second.at("/metadata/resourceVersion"))
        .isEqualTo(first.at("/metadata/resourceVersion"));
    assertThat(server.get(NODES + "?limit=many").statusCode()).isEqualTo(400);
  }

  @Test
  void futureVersionTimesOutWithTheCauseThatClientsKnow() {
    sample("alpha");
    for (var path : new String[] {NODES, NODES + "/alpha"}) {
      var refused = server.get(path + "?resourceVersion=999999");
      assertThat(refused.statusCode()).isEqualTo(504);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      var status = Server.json(refused);
      assertThat(status.path("message").asText()).contains("Too large resource version");
      assertThat(status.path("reason").asText()).isEqualTo("Timeout");
      assertThat(status.at("/details/causes/0/reason").asText())
          .isEqualTo("ResourceVersionTooLarge");
      assertThat(status.at("/details/retryAfterSeconds").asInt()).isEqualTo(1);
    }
    assertThat(server.get(NODES + "/alpha?resourceVersion=x").statusCode()).isEqualTo(400);
    assertThat(server.get(NODES + "/alpha?resourceVersion=0").statusCode()).isEqualTo(200);
  }

  @Test
  void versionHasAllFieldsThatClientsRequire() {
    assertThat(Server.json(server.get("/version")).fieldNames())
        .toIterable()
        .contains(
            "major",
            "minor",
            "gitVersion",
            "gitCommit",
            "gitTreeState",
            "buildDate",
            "goVersion",
            "compiler",
            "platform");
  }

  @Test
  void takesBodiesWithoutTypeAsJson() {
    server.asAdmin();
    assertThat(untyped("POST", NODES, node("alpha", "")).statusCode()).isEqualTo(201);
    var options = "{\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"another\"}}";
    assertThat(untyped("DELETE", NODES + "/alpha", options).statusCode()).isEqualTo(409);
    options = "{\"kind\":\"DeleteOptions\",\"propagationPolicy\":\"Background\"}";
    assertThat(untyped("DELETE", NODES + "/alpha", options).statusCode()).isEqualTo(200);
    assertThat(untyped("PATCH", NODES + "/alpha", "{}").statusCode()).isEqualTo(415);
  }

  private java.net.http.HttpResponse<String> untyped(String method, String path, String body) {
    return server.send(
        server.to(path).method(method, java.net.http.HttpRequest.BodyPublishers.ofString(body)));
  }

  @Test
  void generatesNames() {
    var body = node("", ",\"generateName\":\"web-\"").replace("\"name\":\"\",", "");
    var first = Server.json(server.send("POST", NODES, JSON, body));
    var second = Server.json(server.send("POST", NODES, JSON, body));
    assertThat(first.at("/metadata/name").asText())
        .matches("web-[a-z0-9]{5}")
        .isNotEqualTo(second.at("/metadata/name").asText());
    assertThat(server.store.list(Node.KIND)).hasSize(2);
    var named = Server.json(server.send("POST", NODES, JSON, node("a", ",\"generateName\":\"b\"")));
    assertThat(named.at("/metadata/name").asText()).isEqualTo("a");
  }

  @Test
  void dryRunOfCreationHasUidAndTime() {
    var made = Server.json(server.send("POST", NODES + "?dryRun=All", JSON, node("alpha", "")));
    assertThat(made.at("/metadata/uid").asText()).matches("[0-9a-f-]{36}");
    assertThat(made.at("/metadata/creationTimestamp").asText()).isNotEmpty();
    assertThat(server.store.list(Node.KIND)).isEmpty();
  }

  @Test
  void refusesContinueTokensOfOthers() {
    for (var token : new String[] {"garbage", "5", "x.y", "-1.a", "5.%2F", "9".repeat(40) + ".a"}) {
      var refused = server.get(NODES + "?limit=2&continue=" + token);
      assertThat(refused.statusCode()).as(token).isEqualTo(400);
      assertThat(Server.json(refused).path("message").asText())
          .contains("continue key is not valid");
    }
    for (int i = 0; i < 60; i++) {
      sample("n" + i);
    }
    assertThat(server.get(NODES + "?limit=2&continue=1.a").statusCode()).isEqualTo(410);
  }

  @Test
  void invalidObjectIsDescribedByItsKind() {
    var refused = Server.json(server.send("POST", NODES, JSON, node("a/b", "")));
    assertThat(refused.at("/details/kind").asText()).isEqualTo("Node");
    assertThat(Server.json(server.get(NODES + "/nobody")).at("/details/kind").asText())
        .isEqualTo("nodes");
  }

  @Test
  void checksTheMatchOfVersions() {
    sample("alpha", "beta", "gamma");
    var now = server.store.revision();
    for (var refused :
        new String[] {
          "resourceVersionMatch=Exact",
          "resourceVersionMatch=Newest&resourceVersion=1",
          "resourceVersionMatch=Exact&resourceVersion=0",
          "sendInitialEvents=true",
          "watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1",
          "watch=1&sendInitialEvents=true",
          "watch=1&sendInitialEvents=true&resourceVersionMatch=Exact"
        }) {
      var answer = server.get(NODES + "?" + refused);
      assertThat(answer.statusCode()).as(refused).isEqualTo(422);
      assertThat(Server.json(answer).path("message").asText()).contains("ListOptions.meta.k8s.io");
    }
    for (var accepted :
        new String[] {
          "resourceVersionMatch=NotOlderThan&resourceVersion=0",
          "resourceVersionMatch=NotOlderThan&resourceVersion=1",
          "resourceVersionMatch=Exact&resourceVersion=" + now
        }) {
      assertThat(server.get(NODES + "?" + accepted).statusCode()).as(accepted).isEqualTo(200);
    }
    var old = server.get(NODES + "?resourceVersionMatch=Exact&resourceVersion=1");
    assertThat(old.statusCode()).isEqualTo(410);
    var token = Server.json(server.get(NODES + "?limit=1")).at("/metadata/continue").asText();
    assertThat(server.get(NODES + "?resourceVersion=1&continue=" + token).statusCode())
        .isEqualTo(400);
  }

  @Test
  void orphansOnlyWhatOwnsNothing() {
    server.asAdmin();
    sample("alpha", "beta");
    var alpha = server.get(Node.KIND, "alpha");
    var owned = Samples.node("owned", NOW, true);
    server.put(owned.withMeta(owned.meta().ownedBy(OwnerReference.to(alpha))));
    var orphan = "{\"propagationPolicy\":\"Orphan\"}";
    var refused = server.send("DELETE", NODES + "/alpha", JSON, orphan);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(Server.json(refused).path("message").asText()).contains("it owns nodes");
    assertThat(server.send("DELETE", NODES + "/beta", JSON, orphan).statusCode()).isEqualTo(200);
  }

  @Test
  void noShortNameIsOneOfKubernetes() {
    assertThat(Kinds.ALL)
        .extracting(kind -> kind.shortName())
        .doesNotHaveDuplicates()
        .doesNotContain(
            "cm", "cs", "csr", "deploy", "ds", "ep", "hpa", "ing", "limits", "netpol", "ns", "pc",
            "pdb", "po", "pv", "pvc", "quota", "rc", "rs", "sa", "sc", "sts", "svc");
  }

  @Test
  void tablesHaveColumnsOfKind() {
    sample("alpha");
    var accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    var response = server.get(NODES, "Accept", accept);
    var table = Server.json(response);
    assertThat(table.path("kind").asText()).isEqualTo("Table");
    assertThat(table.at("/columnDefinitions/1/name").asText()).isEqualTo("Status");
    assertThat(table.at("/columnDefinitions/4/description").asText())
        .isEqualTo("Schedule that last changed its NodeSchedule.");
    assertThat(table.at("/columnDefinitions/6/priority").asInt()).isEqualTo(1);
    assertThat(table.at("/rows/0/cells/0").asText()).isEqualTo("alpha");
    assertThat(table.at("/rows/0/cells/1").asText()).isEqualTo("Ready");
    assertThat(table.at("/rows/0/cells/3").isNumber()).isTrue();
    assertThat(table.at("/rows/0/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    var whole = Server.json(server.get(NODES + "?includeObject=Object", "Accept", accept));
    assertThat(whole.at("/rows/0/object/spec/cordoned").isBoolean()).isTrue();
    var bare = Server.json(server.get(NODES + "/alpha?includeObject=None", "Accept", accept));
    assertThat(bare.at("/rows/0/object").isMissingNode()).isTrue();
    assertThat(server.get(NODES, "Accept", "image/png").statusCode()).isEqualTo(406);
  }

  @Test
  void headIsAnsweredLikeGetWithoutBody() {
    server.put(Samples.node("alpha", NOW, true));
    for (var path : List.of(NODES, NODES + "/alpha", NODES + "/alpha/status")) {
      var head = server.head(path);
      assertThat(head.statusCode()).as(path).isEqualTo(200);
      assertThat(head.headers().firstValue("Content-Type")).hasValue("application/json");
      assertThat(head.headers().firstValueAsLong("Content-Length"))
          .hasValue(server.get(path).body().length());
      assertThat(head.body()).isEmpty();
    }
    assertThat(server.head(NODES + "/beta").statusCode()).isEqualTo(404);
    assertThat(server.head(NODES + "?watch=true").statusCode()).isEqualTo(405);
  }

  @Test
  void everyKindHasRowForEverySample() {
    Samples.fill(server.store, NOW);
    var accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    var admin = server.admin();
    for (var kind : Kinds.ALL) {
      var path = "/apis/verwalter.io/v1/" + kind.plural();
      var table = Server.json(server.get(path, "Accept", accept, "Authorization", admin));
      assertThat(table.path("rows")).as(kind.plural()).isNotEmpty();
      for (var row : table.path("rows")) {
        assertThat(row.path("cells")).hasSameSizeAs(table.path("columnDefinitions"));
      }
    }
    assertThat(server.store.list(Event.KIND)).hasSize(3);
  }
}
