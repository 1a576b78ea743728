package verwalter.ui.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import verwalter.access.AccessVerb;
import verwalter.access.AccessVerdict;
import verwalter.access.Authorization;
import verwalter.access.Caller;
import verwalter.access.NamedRoute;
import verwalter.access.Operation;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;

/**
 * What the caller may do and who it is, as Kubernetes answers it: the reviews that {@code kubectl
 * auth can-i} and {@code kubectl auth whoami} send.
 */
public final class Reviews {
  private static final String AUTHORIZATION = "authorization.k8s.io/v1";
  private static final String AUTHENTICATION = "authentication.k8s.io/v1";
  static final String ACCESS = "/apis/" + AUTHORIZATION + "/selfsubjectaccessreviews";
  static final String RULES = "/apis/" + AUTHORIZATION + "/selfsubjectrulesreviews";
  static final String SUBJECT = "/apis/" + AUTHENTICATION + "/selfsubjectreviews";

  private final Gatekeeper gatekeeper;
  private final RequestDispatcher dispatcher;

  public Reviews(Gatekeeper gatekeeper, RequestDispatcher dispatcher) {
    this.gatekeeper = gatekeeper;
    this.dispatcher = dispatcher;
  }

  /** Adds all routes. */
  public void mount(Router router) {
    router.post(ACCESS).handler(dispatcher.at(ACCESS, this::access));
    router.post(RULES).handler(dispatcher.at(RULES, this::rules));
    router.post(SUBJECT).handler(dispatcher.at(SUBJECT, Reviews::subject));
  }

  private void access(RoutingContext context) {
    var spec = body(context).path("spec");
    var caller = Admission.of(context).caller();
    var operation = operation(spec);
    var verdict =
        operation
            .map(it -> gatekeeper.decide(caller, it))
            .orElseGet(() -> new AccessVerdict(false, "there is no such kind, verb or path"));
    var review = review(AUTHORIZATION, "SelfSubjectAccessReview");
    review.set("spec", spec.isObject() ? spec : JsonNodeFactory.instance.objectNode());
    review.putObject("status").put("allowed", verdict.allowed()).put("reason", verdict.reason());
    Answer.json(context.request(), 201, review);
  }

  private Optional<Operation> operation(JsonNode spec) {
    var path = spec.path("nonResourceAttributes").path("path").asText("");
    if (!path.isEmpty()) {
      return RouteOperations.ofPath(path);
    }
    var asked = spec.path("resourceAttributes");
    var resource = asked.path("resource").asText("");
    var verb = AccessVerb.of(asked.path("verb").asText(""));
    var route = NamedRoute.of(resource);
    if (route.isPresent()) {
      return route.map(Operation::at);
    }
    var kind = Kinds.find(resource.replace("." + Kind.GROUP, ""));
    if (kind.isEmpty() || verb.isEmpty()) {
      return Optional.empty();
    }
    var name = asked.path("name").asText("");
    var role = asked.path("role").asText(""); // not in Kubernetes
    if (!role.isEmpty()) {
      return Optional.of(Operation.onRole(verb.get(), kind.get(), name, role));
    }
    return Optional.of(
        name.isEmpty()
            ? Operation.onAll(verb.get(), kind.get())
            : gatekeeper.operations().on(verb.get(), kind.get(), name));
  }

  /** The verbs on all objects of each kind. Rules that are limited to roles cannot be expressed. */
  private void rules(RoutingContext context) {
    var caller = Admission.of(context).caller();
    var review = review(AUTHORIZATION, "SelfSubjectRulesReview");
    review.putObject("spec");
    var status = review.putObject("status");
    var resources = status.putArray("resourceRules");
    for (var kind : Kinds.ALL) {
      var verbs = verbs(caller, kind);
      if (!verbs.isEmpty()) {
        var rule = resources.addObject();
        verbs.forEach(rule.putArray("verbs")::add);
        rule.putArray("apiGroups").add(Kind.GROUP);
        rule.putArray("resources").add(kind.plural());
      }
    }
    var others = status.putArray("nonResourceRules");
    for (var route : NamedRoute.values()) {
      if (gatekeeper.decide(caller, Operation.at(route)).allowed()) {
        var rule = others.addObject();
        rule.putArray("verbs").add("get");
        rule.putArray("nonResourceURLs").add(route.word());
      }
    }
    boolean narrow =
        gatekeeper.rules().stream()
            .anyMatch(
                it -> !it.spec().roles().isEmpty() && Authorization.appliesTo(it.spec(), caller));
    status.put("incomplete", narrow);
    if (narrow) {
      status.put("evaluationError", "access rules that are limited to roles are not listed");
    }
    Answer.json(context.request(), 201, review);
  }

  private List<String> verbs(Caller caller, Kind<?, ?> kind) {
    return Arrays.stream(AccessVerb.values())
        .filter(verb -> gatekeeper.decide(caller, Operation.onAll(verb, kind)).allowed())
        .map(AccessVerb::word)
        .toList();
  }

  private static void subject(RoutingContext context) {
    var caller = Admission.of(context).caller();
    var review = review(AUTHENTICATION, "SelfSubjectReview");
    var user = review.putObject("status").putObject("userInfo");
    user.put("username", caller.name());
    var groups = user.putArray("groups");
    caller.sortedGroups().forEach(groups::add);
    user.putObject("extra").putArray(Kind.GROUP + "/credential").add(caller.credential().title());
    Answer.json(context.request(), 201, review);
  }

  private static ObjectNode review(String version, String kind) {
    var review = JsonNodeFactory.instance.objectNode();
    review.put("kind", kind).put("apiVersion", version);
    review.putObject("metadata").putNull("creationTimestamp");
    return review;
  }

  private static JsonNode body(RoutingContext context) {
    var type = MediaTypes.content(context.request().getHeader("Content-Type"));
    var body = context.body().buffer();
    if (body == null || body.length() == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (type.equals(ReviewMessage.TYPE)) {
      return ReviewMessage.read(body);
    }
    if (!type.equals(MediaTypes.JSON) && !MediaTypes.isYaml(type)) {
      throw RequestProblem.unsupported("a review must be %s".formatted(MediaTypes.JSON));
    }
    return StrictJson.parse(body, type);
  }
}
