package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import verwalter.client.ApiException;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.Unreachable;
import verwalter.model.Names;
import verwalter.model.Node;

/** {@code vw node rename}: gives a node another name, and waits until its agent runs under it. */
final class NodeRename {
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Renames a node. */
  static Exit run(String from, String to, Duration timeout, Session session) throws IOException {
    if (!Names.isValid(to)) {
      throw Failure.usage("the new name must be " + Names.RULE, "");
    }
    var type = session.type("node");
    var node =
        session
            .api()
            .find(type, from)
            .orElseThrow(
                () ->
                    Failure.error("there is no node \"" + from + "\"", "list them: vw get nodes"));
    if (session.api().find(type, to).isPresent()) {
      throw Failure.error("there is a node %s already".formatted(to), "list them: vw get nodes");
    }
    if (!NodeCommand.isReady(node)) {
      throw Failure.error(
          "node %s is not ready; its agent must run, as it takes the name itself".formatted(from),
          "vw describe node/" + from);
    }
    TokenCommand.renaming(from, to, timeout, session.api().read("/v1/cluster"), session);
    var end = session.now().plus(timeout);
    while (!isDone(from, to, session)) {
      if (!session.now().isBefore(end)) {
        throw Failure.waiting(
            Exit.TIMEOUT,
            "%s is not named %s yet".formatted(from, to),
            "see its state: vw get nodes; and the log of its agent");
      }
      session.environment().pause().pause(PAUSE);
    }
    session.say("node/%s renamed to %s".formatted(from, to));
    return Exit.OK;
  }

  /** Whether the agent runs under the new name. It may be the one that is contacted. */
  private static boolean isDone(String from, String to, Session session) throws IOException {
    try {
      var type = session.type("node");
      return session.api().find(type, to).filter(it -> runsAs(it, to)).isPresent()
          && session.api().find(type, from).isEmpty();
    } catch (Unreachable starting) {
      return false;
    } catch (ApiException refused) {
      if (refused.isTransient()) {
        return false;
      }
      throw refused;
    }
  }

  private static boolean runsAs(Map<String, Object> node, String name) {
    return name.equals(PlainJson.text(node, "status", "facts", Node.HOSTNAME));
  }

  private NodeRename() {}
}
