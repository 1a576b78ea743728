package verwalter.ui.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import verwalter.model.Kind;
import verwalter.stores.api.StoreException;

/** An error response with its reason, sent as a Kubernetes {@code Status} object. */
public final class RequestProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;
  private final transient List<Cause> causes;
  private final transient Optional<Subject> subject;

  /**
   * One of several causes, with its field.
   *
   * @param field dotted path, such as {@code spec.roles}; empty for the whole object
   */
  public record Cause(String reason, String message, String field) {}

  /** The object of an error; the name may be empty. */
  public record Subject(Kind<?, ?> kind, String name) {}

  private RequestProblem(
      int code, String reason, String message, List<Cause> causes, Optional<Subject> subject) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.causes = List.copyOf(causes);
    this.subject = subject;
  }

  public static RequestProblem of(int code, String reason, String message) {
    return new RequestProblem(code, reason, message, List.of(), Optional.empty());
  }

  public static RequestProblem badRequest(String message) {
    return of(400, "BadRequest", message);
  }

  public static RequestProblem notFound(String message) {
    return of(404, "NotFound", message);
  }

  public static RequestProblem notFound(Kind<?, ?> kind, String name) {
    return notFound("%s.%s \"%s\" not found".formatted(kind.plural(), Kind.GROUP, name))
        .about(kind, name);
  }

  public static RequestProblem conflict(Kind<?, ?> kind, String name, String why) {
    var message =
        "Operation cannot be fulfilled on %s.%s \"%s\": %s"
            .formatted(kind.plural(), Kind.GROUP, name, why);
    return of(409, "Conflict", message).about(kind, name);
  }

  /** The author of the request may not write this. */
  public static RequestProblem forbidden(Kind<?, ?> kind, String name, String why) {
    var message = "%s.%s \"%s\" is forbidden: %s".formatted(kind.plural(), Kind.GROUP, name, why);
    return of(403, "Forbidden", message).about(kind, name);
  }

  /** The object is not valid; the causes name the fields. */
  public static RequestProblem invalid(Kind<?, ?> kind, String name, List<Cause> causes) {
    var all = new StringBuilder();
    for (var cause : causes) {
      all.append(all.isEmpty() ? "" : "; ")
          .append(cause.field().isEmpty() ? "" : cause.field() + ": ")
          .append(cause.message());
    }
    var message = "%s.%s \"%s\" is invalid: %s".formatted(kind.name(), Kind.GROUP, name, all);
    return new RequestProblem(
        422, "Invalid", message, causes, Optional.of(new Subject(kind, name)));
  }

  public static RequestProblem invalid(Kind<?, ?> kind, String name, String field, String why) {
    return invalid(kind, name, List.of(new Cause("FieldValueInvalid", why, field)));
  }

  /** A version that this server does not have yet. Clients know it by its cause. */
  public static RequestProblem tooNew(long asked, long current) {
    return new RequestProblem(
        504,
        "Timeout",
        "Too large resource version: %d, current: %d".formatted(asked, current),
        List.of(new Cause("ResourceVersionTooLarge", "Too large resource version", "")),
        Optional.empty());
  }

  /** The parameters of a list or a watch do not fit together. */
  public static RequestProblem invalidOptions(String field, String why) {
    return new RequestProblem(
        422,
        "Invalid",
        "ListOptions.meta.k8s.io \"\" is invalid: %s: %s".formatted(field, why),
        List.of(new Cause("FieldValueInvalid", why, field)),
        Optional.empty());
  }

  public static RequestProblem tooMany(String what) {
    return of(429, "TooManyRequests", what);
  }

  public static RequestProblem unsupported(String message) {
    return of(415, "UnsupportedMediaType", message);
  }

  /** Converts an error of the store for a request about one object. */
  public static RequestProblem of(StoreException refusal, Kind<?, ?> kind, String name) {
    if (refusal instanceof StoreException.Conflict) {
      return conflict(
          kind,
          name,
          "the object has been modified (%s); read it again, apply your change to what you read"
              .formatted(refusal.getMessage()));
    }
    if (refusal instanceof StoreException.FromFile) {
      return of(409, "ReadFromFile", String.valueOf(refusal.getMessage())).about(kind, name);
    }
    if (refusal instanceof StoreException.Exists) {
      return of(
              409,
              "AlreadyExists",
              "%s.%s \"%s\" already exists".formatted(kind.plural(), Kind.GROUP, name))
          .about(kind, name);
    }
    if (refusal instanceof StoreException.Missing) {
      return notFound(kind, name);
    }
    if (refusal instanceof StoreException.Invalid) {
      return invalid(kind, name, "", String.valueOf(refusal.getMessage()));
    }
    return of(refusal);
  }

  /** Converts an error of the store for a request that is not about one object. */
  public static RequestProblem of(StoreException refusal) {
    if (refusal instanceof StoreException.TooOld || refusal instanceof StoreException.TooSlow) {
      return of(410, "Expired", String.valueOf(refusal.getMessage()));
    }
    if (refusal instanceof StoreException.Forbidden) {
      return of(403, "Forbidden", String.valueOf(refusal.getMessage()));
    }
    if (refusal instanceof StoreException.Full) {
      return of(507, "InsufficientStorage", String.valueOf(refusal.getMessage()));
    }
    return of(503, "ServiceUnavailable", "the store is not available: " + refusal.getMessage());
  }

  public RequestProblem about(Kind<?, ?> kind, String name) {
    return new RequestProblem(
        code, reason, getMessage(), causes, Optional.of(new Subject(kind, name)));
  }

  /** The HTTP status code. */
  public int code() {
    return code;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** The {@code Status} object. */
  public ObjectNode status() {
    var status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
    if (subject.isPresent() || !causes.isEmpty() || retries()) {
      var details = status.putObject("details");
      subject.ifPresent(it -> describe(details, it));
      if (!causes.isEmpty()) {
        var list = details.putArray("causes");
        for (var cause : causes) {
          var each = list.addObject().put("reason", cause.reason()).put("message", cause.message());
          if (!cause.field().isEmpty()) {
            each.put("field", cause.field());
          }
        }
      }
      if (retries()) {
        details.put("retryAfterSeconds", 1);
      }
    }
    return status.put("code", code);
  }

  /** Whether the same request may succeed in a second. */
  boolean retries() {
    return code == 429 || code == 504;
  }

  /** An invalid object is described by its kind, everything else by the name in URLs. */
  private void describe(ObjectNode details, Subject subject) {
    if (!subject.name().isEmpty()) {
      details.put("name", subject.name());
    }
    details
        .put("group", Kind.GROUP)
        .put("kind", code == 422 ? subject.kind().name() : subject.kind().plural());
  }
}
