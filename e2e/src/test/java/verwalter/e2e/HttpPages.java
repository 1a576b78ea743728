package verwalter.e2e;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.UiServer;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;

/** The reference pages of routes, from the router, and of metrics, from an agent's answer. */
final class HttpPages {
  private static final String OBJECTS = "/apis/verwalter.io/v1/:plural";

  /**
   * Descriptions of all routes. A route without a description, or a description without a route, is
   * an error.
   */
  private static final Map<String, String> ROUTES = new TreeMap<>();

  static {
    ROUTES.put("GET /", "The web page");
    ROUTES.put("HEAD /", "As above, without a body");
    ROUTES.put("GET /ui/page.css", "Part of the page");
    ROUTES.put("GET /ui/page.js", "Part of the page");
    ROUTES.put("GET /ui/icon.svg", "Part of the page");
    ROUTES.put("GET /ui/events", "Changes of the page as server-sent events");
    ROUTES.put("GET /healthz", "200 while the process runs");
    ROUTES.put("GET /livez", "The same as `/healthz`");
    ROUTES.put(
        "GET /readyz",
        "200 once the store takes writes and a schedule is in force, else 503; `?verbose` lists"
            + " the checks");
    for (var path : List.of("/healthz", "/livez", "/readyz")) {
      ROUTES.put("HEAD " + path, "The same without a body");
    }
    ROUTES.put(
        "GET /metrics",
        "[Metrics](metrics.md) as text of Prometheus, or as OpenMetrics if preferred");
    ROUTES.put("HEAD /metrics", "The headers of the metrics");
    ROUTES.put("GET /version", "The version, for Kubernetes clients");
    ROUTES.put("GET /api", "Discovery: there is no core group");
    ROUTES.put("GET /apis", "Discovery: the groups");
    ROUTES.put("GET /apis/verwalter.io", "Discovery: the versions of the group");
    ROUTES.put("GET /apis/verwalter.io/v1", "Discovery: the [kinds](kinds.md)");
    ROUTES.put("GET /openapi/v2", "The API as OpenAPI 2, for older clients");
    ROUTES.put("GET /openapi/v3", "The paths of the API descriptions");
    ROUTES.put("GET /openapi/v3/apis/verwalter.io/v1", "The API as OpenAPI 3");
    ROUTES.put(
        "GET " + OBJECTS,
        "All objects of a kind: `labelSelector`, `fieldSelector`, `limit`, `continue`; with"
            + " `watch=true` every change from `resourceVersion` on, and with"
            + " `allowWatchBookmarks=true` a bookmark each minute");
    for (var path : List.of("", "/:name", "/:name/status")) {
      ROUTES.put(
          "HEAD " + OBJECTS + path,
          path.isEmpty() ? "The same without a body; not for watches" : "The same without a body");
    }
    ROUTES.put("POST " + OBJECTS, "Create an object; `dryRun=All` only tries");
    ROUTES.put(
        "DELETE " + OBJECTS,
        "Delete all objects of a kind, or those the selectors name; see `GET`");
    ROUTES.put("GET " + OBJECTS + "/:name", "One object");
    ROUTES.put(
        "PUT " + OBJECTS + "/:name",
        "Replace it; 409 if somebody else wrote after `metadata.resourceVersion`");
    ROUTES.put("PATCH " + OBJECTS + "/:name", "Change it: merge patch or JSON patch");
    ROUTES.put("DELETE " + OBJECTS + "/:name", "Delete it, once its finalizers are done");
    ROUTES.put("GET " + OBJECTS + "/:name/status", "One object");
    ROUTES.put("PUT " + OBJECTS + "/:name/status", "Replace its status only");
    ROUTES.put("PATCH " + OBJECTS + "/:name/status", "Change its status only");
    ROUTES.put(
        "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        "Whether the caller may do something: `kubectl auth can-i`");
    ROUTES.put(
        "POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        "All that the caller may do: `kubectl auth can-i --list`");
    ROUTES.put(
        "POST /apis/authentication.k8s.io/v1/selfsubjectreviews",
        "Who the caller is: `kubectl auth whoami`");
    ROUTES.put(
        "ANY /v1/logs/{process}",
        "Lines `TIME INSTANCE TEXT` of the logs of `GROUP`, `GROUP/PROCESS` or `GROUP/PROCESS.NUMBER` on"
            + " `node=NODE`, merged by time: `tailLines=N`, `sinceSeconds=N`, `sinceTime=TIME`,"
            + " `previous=true`, `all=true`, `follow=true`. A stream that is followed has an empty"
            + " line when nothing else was sent for 15 s; 64 clients can read at once");
    ROUTES.put(
        "ANY /v1/exec/{process}",
        "A WebSocket that runs a command beside `GROUP/PROCESS.NUMBER` on `node=NODE`, for admins:"
            + " `vw exec`. The first byte of each binary message is its channel: 0 input, 1 output,"
            + " 2 errors, 3 the result `{\"exitCode\": N}` or `{\"error\": TEXT}`, 4 first `{\"command\":"
            + " [...], \"terminal\": {\"rows\", \"columns\", \"type\"}}` and then new sizes, 255 the end"
            + " of the input. Requests with `Origin` are refused; 16 commands can run at once");
    ROUTES.put("GET /v1/audit", "The files of the audit log, for admins");
    ROUTES.put("GET /v1/audit/{file}", "One of them");
    ROUTES.put("ANY /v1/status", "This node, in the format of verwalter 0.13");
    ROUTES.put("ANY /v1/schedule", "The schedule in force; 404 before the first");
    ROUTES.put("ANY /v1/election", "The leader");
    ROUTES.put("ANY /v1/metrics", "The newest metrics of all nodes; series of this node");
    ROUTES.put("ANY /v1/peers", "Other nodes");
    ROUTES.put(
        "ANY /v1/action",
        "Ask the scheduler for something; 64 KiB of JSON under the exact type `application/json`");
    ROUTES.put(
        "ANY /v1/wait_action",
        "The same, and wait: 200 with the scheduler's answer, 204 without one, 503 if it was"
            + " dropped or took more than two minutes");
    ROUTES.put("ANY /v1/pending_actions", "Pending actions by id");
    ROUTES.put("ANY /v1/action_is_pending/{id}", "Whether an action is pending");
    ROUTES.put("ANY /v1/scheduler_input", "The input of the newest decision; 404 before the first");
    ROUTES.put(
        "ANY /v1/scheduler_debug_info",
        "The log of the newest decision, or its error; 404 before the first");
    ROUTES.put(
        "GET /v1/decisions",
        "[Decisions on record](../guide/decisions.md), newest first: `limit`, `continue`");
    var one = "GET /v1/decisions/{record}";
    ROUTES.put(
        one,
        "One of them without its parts: by `latest`, `previous`, or the beginning of a record's or"
            + " schedule's hash");
    ROUTES.put(one + "/input", "The input of the scheduler");
    ROUTES.put(one + "/output", "The schedule it returned; 404 if it failed");
    ROUTES.put(one + "/log", "The log of the scheduler");
    ROUTES.put(one + "/code", "The files of the scheduler");
    ROUTES.put(one + "/packed", "The whole record, in the format for `vw`");
    ROUTES.put(one + "/packed_code", "The code, in the format for `vw`");
    var log = "ANY /v1/log/";
    ROUTES.put(
        log + "index/{file}",
        "[Index of deployments](../guide/operations.md#deployments): `latest`, or"
            + " `index.YYYYMMDD.json`; like all of these with `Range`, such as `bytes=-1000000`");
    ROUTES.put(log + "global/{file}", "Begin and end of deployments: `latest`, or a segment");
    ROUTES.put(
        log + "changes/{file}", "What the scheduler said was different: `latest`, or a segment");
    ROUTES.put(log + "role/{file}", "The deployments of a role: `ROLE/latest`, or a segment of it");
    ROUTES.put(
        log + "external/{file}",
        "`NAME/PATH` below a directory of `log-dirs` in `sandbox/`; 403 if nothing has that name");
    ROUTES.put("ANY /v1/backups", "Names of the schedule's backups");
    ROUTES.put("ANY /v1/backup/{name}", "A backup as JSON with `Content-Encoding: gzip`");
    ROUTES.put(
        "ANY /v1/force_render_all",
        "Apply all roles of all nodes anew, commands included; answers `\"ok\"` at once");
    ROUTES.put("ANY /v1/graphql", "501: GraphQL of verwalter 0.13 is not supported");
    ROUTES.put(
        "ANY /v1/leader-redirect-by-node-name",
        "308 to the leader at its node name; 404 if there is none for 65 seconds");
    ROUTES.put(
        "ANY /v1/wasm/{module}",
        "`scheduler.wasm` or `query.wasm` from `scheduler/v1`; 404 if there is none");
    ROUTES.put("ANY /v1/roles_data", "What this node renders: `to_render`, `all_roles`");
    ROUTES.put(
        "ANY /v1/query/{path}",
        "What `query.wasm` answers to the JSON posted; `Content-Type` must be"
            + " `application/json`; 500 with its message if it refuses, 429 while four are asked");
  }

  static String routes() {
    var page = Markdown.page("HTTP", "the routes of the server");
    page.paragraph(
        "The agent answers at `--host` and `--port`, by default <http://127.0.0.1:8379/>. Objects"
            + " speak the Kubernetes protocol: JSON or YAML in and out, tables for `kubectl get`,"
            + " errors as `Status`. Routes below `/v1/` take any method, and the endings `.pretty`"
            + " and `.gron`. A request whose `Host` or `Origin` names another site is refused with"
            + " 403. Bodies may be 3 MiB long. A request without permission is answered with 401 or"
            + " 403 and a `Status` that says what is missing; see"
            + " [access](../guide/access.md).");
    var rows = new ArrayList<List<String>>();
    var unknown = new TreeSet<>(ROUTES.keySet());
    for (var route : served()) {
      if (!unknown.remove(route)) {
        throw new AssertionError("HttpPages does not say what \"" + route + "\" is for");
      }
      var words = route.replaceAll(":(\\w+)", "{$1}").split(" ", 2);
      rows.add(List.of(words[0], Markdown.code(words[1]), ROUTES.get(route)));
    }
    if (!unknown.isEmpty()) {
      throw new AssertionError("HttpPages knows routes that are not served: " + unknown);
    }
    page.table(List.of("Method", "Path", "What"), rows);
    return page.toString();
  }

  private static List<String> served() {
    var vertx = Vertx.vertx();
    try {
      var world = new VirtualWorld(0);
      var self =
          new ClusterView.Self("a", "00", "a", "0", "common", Path.of("/"), List.of("127.0.0.1:0"));
      var alone =
          new ClusterView() {
            @Override
            public Self self() {
              return self;
            }

            @Override
            public Optional<Member> leader() {
              return Optional.empty();
            }

            @Override
            public long epoch() {
              return 1;
            }
          };
      return new UiServer(
              new Execution(vertx, world.loop("ui"), () -> Instant.EPOCH, world.random()),
              Ports.of(new MemoryStore(() -> Instant.EPOCH, world.uids()), alone))
          .routes();
    } finally {
      vertx.close();
    }
  }

  private static final Pattern HEAD = Pattern.compile("# (TYPE|HELP) (\\S+) (.*)");
  private static final Pattern LABEL = Pattern.compile("[{,](\\w+)=\"");

  /** The metadata and labels of a metric family. */
  private record Family(Map<String, String> head, TreeSet<String> labels) {}

  /** The metrics in an answer of {@code /metrics}. */
  static String metrics(String answer) {
    var families = new LinkedHashMap<String, Family>();
    for (var line : answer.lines().toList()) {
      var head = HEAD.matcher(line);
      if (head.matches()) {
        families
            .computeIfAbsent(head.group(2), any -> new Family(new TreeMap<>(), new TreeSet<>()))
            .head()
            .put(head.group(1), head.group(3));
      } else if (!line.startsWith("#")) {
        var name = line.split("[ {]", 2)[0];
        families.forEach(
            (family, it) -> {
              if (name.replaceFirst("_(total|bucket|count|sum)$", "").equals(family)) {
                LABEL.matcher(line).results().forEach(label -> it.labels().add(label.group(1)));
              }
            });
      }
    }
    var page = Markdown.page("Metrics", "what an agent answers at /metrics");
    page.paragraph(
        "`GET /metrics` is the text format 0.0.4 of Prometheus, or OpenMetrics for a client that"
            + " prefers it. Counters end with `_total`; histograms have"
            + " `_bucket` (with the label `le`), `_count` and `_sum`. Point Prometheus at"
            + " `http://HOST:8379/metrics`.");
    page.table(
        List.of("Name", "Type", "Labels", "Meaning"),
        families.entrySet().stream()
            .map(
                family -> {
                  var of = family.getValue();
                  return List.of(
                      Markdown.code(family.getKey()),
                      of.head().getOrDefault("TYPE", ""),
                      Markdown.code(of.labels().toArray(String[]::new)),
                      of.head().getOrDefault("HELP", ""));
                })
            .toList());
    return page.toString();
  }

  private HttpPages() {}
}
