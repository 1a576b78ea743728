package verwalter.ui.access;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import verwalter.access.AccessVerdict;
import verwalter.access.AuditEntry;
import verwalter.access.Authorization;
import verwalter.access.Caller;
import verwalter.access.Credential;
import verwalter.access.Operation;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.AccessRule;
import verwalter.model.AccessToken;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.Gate;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.Forwarding;

/**
 * Lets requests pass that their callers may send, and records writes and refusals. An open request,
 * such as a watch, is decided again when a rule or a token changes, and every second if its
 * credential can expire; one that is refused then is cut. Belongs to the loop.
 */
public final class Gatekeeper implements Gate {
  private static final Duration CHECK = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final AccessPort access;
  private final Loop loop;
  private final Authentication authentication;
  private final RouteOperations operations;
  private final Set<Admission> open = new HashSet<>();
  private Watch rules = () -> {};
  private Watch tokens = () -> {};
  private boolean checking;
  private boolean closed;

  /** A gate that decides by the rules and tokens in {@code store}. */
  public Gatekeeper(ObjectStore store, AccessPort access, Loop loop) {
    this(store, access, loop, request -> Optional.empty());
  }

  /**
   * The same in a cluster.
   *
   * @param forwarded the claim of the node that forwards a request; its {@link #caller} returned
   *     the text
   */
  public Gatekeeper(
      ObjectStore store,
      AccessPort access,
      Loop loop,
      Function<HttpServerRequest, Optional<Forwarding.Claim>> forwarded) {
    this.store = store;
    this.access = access;
    this.loop = loop;
    this.authentication = new Authentication(store, access, forwarded);
    this.operations = new RouteOperations(store);
  }

  /**
   * The caller of a request as text, for the node that it is forwarded to; empty for a caller with
   * a token, which that node checks itself. Thread-safe.
   *
   * @throws RequestProblem 401 if the credential is not valid
   */
  public Optional<String> caller(HttpServerRequest request) {
    return Authentication.token(request).isPresent()
        ? Optional.empty()
        : Optional.of(CallerText.of(authentication.caller(request, loop.now())));
  }

  /** Starts to follow rules and tokens. Call it on the loop. */
  public void start() {
    rules = watch(AccessRule.KIND);
    tokens = watch(AccessToken.KIND);
  }

  /** Stops following. Call it on the loop. */
  public void close() {
    closed = true;
    rules.close();
    tokens.close();
  }

  private <S, T> Watch watch(Kind<S, T> kind) {
    return store.watch(
        kind,
        OptionalLong.of(store.revision(kind)),
        loop,
        change -> {
          if (change instanceof Change.Ended && !closed) {
            close();
            closed = false;
            start();
          }
          if (!(change instanceof Change.Bookmark)) {
            check();
          }
        });
  }

  @Override
  public void expect(String route) {
    if (!operations.knows(route)) {
      throw new IllegalStateException("there is no access rule for the route " + route);
    }
  }

  @Override
  public void admit(RoutingContext context, String route) {
    var operation =
        operations
            .of(route, context)
            .orElseThrow(() -> new IllegalStateException("no access rule for " + route));
    Caller caller = Caller.anonymous(Optional.empty());
    try {
      caller = authentication.caller(context.request(), loop.now());
      require(caller, operation);
    } catch (RequestProblem refused) {
      record(context, caller, operation, refused.code());
      throw refused;
    }
    var admission = new Admission(this, context, caller, operation);
    open.add(admission);
    context.addEndHandler(ended -> loop.execute(() -> ended(admission)));
    if (canExpire(admission)) {
      keepChecking();
    }
  }

  private void ended(Admission admission) {
    open.remove(admission);
    var context = admission.context();
    int code = context.response().getStatusCode();
    if (admission.isRecordedElsewhere()) {
      return;
    }
    if (!admission.operation().reads() || code == 403 || code == 401) {
      record(context, admission.caller(), admission.operation(), code);
    }
  }

  void forget(Admission admission) {
    open.remove(admission);
  }

  /**
   * Checks that a caller may do something.
   *
   * @throws RequestProblem 401 or 403 with the reason and the next step
   */
  void require(Caller caller, Operation operation) {
    var verdict = decide(caller, operation);
    if (verdict.allowed()) {
      return;
    }
    if (!caller.isKnown() && caller.groups().isEmpty()) {
      throw Authentication.unauthorized(verdict.reason());
    }
    throw forbidden(operation, verdict.reason() + "; " + next(caller));
  }

  private static RequestProblem forbidden(Operation operation, String why) {
    return operation
        .kind()
        .filter(kind -> !operation.name().isEmpty())
        .map(kind -> RequestProblem.forbidden(kind, operation.name(), why))
        .orElseGet(
            () ->
                RequestProblem.of(
                    403, "Forbidden", "%s is forbidden: %s".formatted(operation.subject(), why)));
  }

  private static String next(Caller caller) {
    return caller.isKnown()
        ? "an admin can allow it with an AccessRule; see what you may do: vw auth can-i --list"
        : "use the unix socket of the agent as its user or as root (vw does so by itself), or a"
            + " token: vw --token-file FILE";
  }

  /** Decides by the rules in the store. */
  AccessVerdict decide(Caller caller, Operation operation) {
    return Authorization.decide(caller, operation, rules());
  }

  List<Resource<AccessRule.Spec, Kind.None>> rules() {
    return store.list(AccessRule.KIND).stream().filter(it -> !it.meta().deleting()).toList();
  }

  RouteOperations operations() {
    return operations;
  }

  private static boolean canExpire(Admission admission) {
    var credential = admission.caller().credential();
    return credential == Credential.BEARER_TOKEN
        || credential == Credential.CLIENT_CERTIFICATE
        || credential == Credential.NODE_CERTIFICATE;
  }

  private void keepChecking() {
    if (!checking) {
      checking = true;
      loop.after(
          CHECK,
          () -> {
            checking = false;
            check();
            if (!closed && open.stream().anyMatch(Gatekeeper::canExpire)) {
              keepChecking();
            }
          });
    }
  }

  /** Cuts open requests that would be refused now. */
  private void check() {
    for (var each : List.copyOf(open)) {
      try {
        require(authentication.caller(each.context().request(), loop.now()), each.operation());
      } catch (RequestProblem refused) {
        open.remove(each);
        record(each.context(), each.caller(), each.operation(), refused.code());
        each.context().request().connection().close();
      }
    }
  }

  private void record(RoutingContext context, Caller caller, Operation operation, int code) {
    add(context, caller, operation.verb().word(), operation.subject(), code, hash(context));
  }

  void record(Admission admission, String verb, String object, int outcome, String change) {
    add(admission.context(), admission.caller(), verb, object, outcome, change);
  }

  private void add(
      RoutingContext context,
      Caller caller,
      String verb,
      String object,
      int outcome,
      String change) {
    var remote = context.request().connection().remoteAddress();
    var place = remote == null || remote.hostAddress() == null ? "unix" : remote.hostAddress();
    access
        .audit()
        .accept(
            new AuditEntry(
                loop.now(),
                caller.name(),
                caller.credential().title(),
                place,
                verb,
                object,
                outcome,
                change));
  }

  private static String hash(RoutingContext context) {
    var body = context.body() == null ? null : context.body().buffer();
    return body == null || body.length() == 0 ? "" : hash(body);
  }

  /** SHA-256 of what was sent, lower-case hex. */
  static String hash(Buffer sent) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(sent.getBytes());
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) { // every Java has it
      throw new IllegalStateException(impossible);
    }
  }
}
