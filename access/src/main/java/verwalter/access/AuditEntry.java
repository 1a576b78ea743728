package verwalter.access;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * One request in the audit log: a write, or a request that was refused. It holds no contents.
 *
 * @param at when the request was answered
 * @param caller name of the caller
 * @param credential how the name is known
 * @param place where the request came from, such as {@code 127.0.0.1} or {@code unix}
 * @param verb such as {@code patch}
 * @param object such as {@code RoleConfig/web}, or a named route
 * @param outcome the HTTP status of the answer
 * @param change SHA-256 of the body of the request, lower-case hex; empty if there was none
 */
public record AuditEntry(
    Instant at,
    String caller,
    String credential,
    String place,
    String verb,
    String object,
    int outcome,
    String change) {

  /** The fields by name. */
  Map<String, Object> fields() {
    var fields = new TreeMap<String, Object>();
    fields.put("at", at.toString());
    fields.put("caller", caller);
    fields.put("credential", credential);
    fields.put("place", place);
    fields.put("verb", verb);
    fields.put("object", object);
    fields.put("outcome", (long) outcome);
    fields.put("change", change);
    return fields;
  }
}
