package verwalter.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;
import verwalter.client.ApiClient;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.AuthorityChange;

/** {@code vw cluster rotate-ca}: replaces the authority of the cluster, and shows how far it is. */
final class AuthorityCommand {
  private static final String DONE = "Done";

  /** Starts a change unless there is one, applies the flags, and follows it. */
  static void run(ParseResult args, Session session) throws IOException {
    var found = find(session);
    boolean abort = args.matchedOptionValue("--abort", false);
    var without = args.matchedOptionValue("--without", "");
    boolean inProgress = found.filter(it -> !isDone(it)).isPresent();
    if (abort && !inProgress) {
      throw Failure.error("the authority of the cluster is not being replaced", "");
    }
    if (abort && !List.of("", "Distribute").contains(phase(found.orElseThrow()))) {
      throw Failure.error(
          "certificates of the new authority are in use already, so the change cannot be aborted",
          "vw cluster rotate-ca");
    }
    var change =
        !inProgress
            ? start(found.isPresent(), without, session)
            : abort || !without.isEmpty() ? change(abort, without, session) : found.orElseThrow();
    if (!args.matchedOptionValue("--no-wait", false)) {
      AuthorityProgress.follow(change, session);
    }
  }

  /** The change that is in progress or done, for the status of the cluster. */
  static Optional<String> describe(Session session) throws IOException {
    return find(session).filter(it -> !isDone(it)).map(AuthorityCommand::line);
  }

  private static Optional<Map<String, Object>> find(Session session) throws IOException {
    return session.api().find(session.type(AuthorityChange.KIND.plural()), AuthorityChange.CURRENT);
  }

  private static Map<String, Object> start(boolean again, String without, Session session)
      throws IOException {
    var type = session.type(AuthorityChange.KIND.plural());
    if (again) {
      session.api().delete(type, AuthorityChange.CURRENT, QueryParameters.NONE);
    }
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", ApiClient.GROUP + "/" + ApiClient.VERSION);
    object.put("kind", AuthorityChange.KIND.name());
    object.put("metadata", Map.of("name", AuthorityChange.CURRENT));
    object.put("spec", Map.of("abort", false, "without", nodes(without)));
    var created = session.api().create(type, object, QueryParameters.NONE);
    session.say("the authority of the cluster is being replaced");
    return created;
  }

  private static Map<String, Object> change(boolean abort, String without, Session session)
      throws IOException {
    var spec = new LinkedHashMap<String, Object>();
    if (abort) {
      spec.put("abort", true);
    }
    if (!without.isEmpty()) {
      spec.put("without", nodes(without));
    }
    return session
        .api()
        .patch(
            session.type(AuthorityChange.KIND.plural()),
            AuthorityChange.CURRENT,
            Map.of("spec", spec),
            QueryParameters.NONE);
  }

  private static List<String> nodes(String words) {
    return words.isEmpty() ? List.of() : List.of(words.split(",", -1));
  }

  static boolean isDone(Map<String, Object> change) {
    return phase(change).equals(DONE);
  }

  private static String phase(Map<String, Object> change) {
    return PlainJson.text(change, "status", "phase");
  }

  /** The state of a change. */
  static String line(Map<String, Object> change) {
    var phase = phase(change);
    boolean aborted = PlainJson.text(change, "status", "aborted").equals("true");
    if (isDone(change)) {
      return aborted
          ? "aborted: the old authority stays in use"
          : "done: the old authority is not trusted any more; tokens and credentials of people that"
              + " it has issued are invalid";
    }
    var waiting =
        PlainJson.list(PlainJson.map(change, "status"), "waiting").stream()
            .map(it -> PlainJson.text(it, "node") + " " + PlainJson.text(it, "reason"))
            .collect(Collectors.joining("; "));
    return "%s%s%s"
        .formatted(
            phase.isEmpty() ? "Pending" : phase,
            aborted ? ", aborted" : "",
            waiting.isEmpty() ? "" : ": " + waiting);
  }

  private AuthorityCommand() {}
}
