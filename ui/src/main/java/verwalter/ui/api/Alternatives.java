package verwalter.ui.api;

import verwalter.model.Kind;
import verwalter.stores.api.StoreException;

/** Explains why a write is forbidden, and names the alternative. */
final class Alternatives {
  /** The message for a client. */
  static String to(StoreException.Forbidden refusal, Kind<?, ?> kind) {
    var text = String.valueOf(refusal.getMessage());
    var why = text.substring(text.indexOf(": ") + 2);
    return why + "; " + advice(refusal, kind);
  }

  private static String advice(StoreException.Forbidden refusal, Kind<?, ?> kind) {
    if (refusal.writers().equals("the leader")) {
      return "send the request to the leader, which /v1/status names";
    }
    if (refusal.part().equals("status") || refusal.part().startsWith("condition ")) {
      return "a status is computed from the spec and the running processes";
    }
    if (refusal.part().startsWith("finalizer ")) {
      return "delete the object; the finalizer is removed when its work is done";
    }
    return switch (kind.name()) {
      case "Event" -> "read events, or delete them";
      case "Schedule", "NodeSchedule" ->
          "change the scheduler or the metadata of roles in the configuration directory, or send"
              + " an action";
      default ->
          "change the role in the configuration directory, its templates, or what the scheduler"
              + " decides";
    };
  }

  private Alternatives() {}
}
