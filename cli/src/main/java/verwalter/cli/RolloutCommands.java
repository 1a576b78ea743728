package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;
import verwalter.model.RoleIntent;

/** {@code vw rollout pause, resume, undo} and {@code restart}: change what is wanted of a role. */
final class RolloutCommands {
  private final Session session;
  private final RoleIntents intents;
  private final String role;

  RolloutCommands(Session session, RoleIntents intents) {
    this.session = session;
    this.intents = intents;
    this.role = intents.role();
  }

  Exit pause() throws IOException {
    intents.requireFollowed("pause");
    if ("true".equals(intents.present().get(RoleIntent.PAUSED))) {
      session.say("role/%s is paused already".formatted(role));
      return Exit.OK;
    }
    intents.change(Map.of(RoleIntent.PAUSED, Optional.of("true")));
    session.say(
        "role/%s paused: it stays as it is until vw rollout resume %s".formatted(role, role));
    return Exit.OK;
  }

  /** Ends a pause and an undo, and lets an update go on that waits for an operator. */
  Exit resume() throws IOException {
    intents.requireFollowed("resume");
    var present = intents.present();
    boolean held =
        present.containsKey(RoleIntent.PAUSED) || present.containsKey(RoleIntent.REVISION);
    if (held) {
      intents.change(
          Map.of(
              RoleIntent.PAUSED, Optional.<String>empty(),
              RoleIntent.REVISION, Optional.<String>empty()));
    } else if (PlainJson.text(intents.rollout(), "status", "waitsFor").startsWith("an operator")) {
      session.api().post("/v1/action", Map.of("button", Map.of("role", role, "action", "proceed")));
    } else {
      session.say("role/%s follows its files already".formatted(role));
      return Exit.OK;
    }
    session.say("role/%s resumed; follow it: vw rollout status %s".formatted(role, role));
    return Exit.OK;
  }

  /**
   * Wants a former version.
   *
   * @param to the version; empty for the one that ran before
   */
  Exit undo(Optional<String> to) throws IOException {
    intents.requireFollowed("undo");
    var versions = intents.versions();
    var chosen = to.isPresent() ? to.get() : before();
    if (!versions.contains(chosen)) {
      throw Failure.error(
          "role %s has no version %s".formatted(role, chosen),
          Names.nearest(chosen, versions)
              .map(near -> "did you mean " + near + "? ")
              .orElse("")
              .concat("list them: vw rollout history " + role));
    }
    intents.change(
        Map.of(
            RoleIntent.REVISION, Optional.of(chosen), RoleIntent.PAUSED, Optional.<String>empty()));
    session.say(
        "role/%s goes to %s, and holds it until its file changes or vw rollout resume %s"
            .formatted(role, chosen, role));
    return Exit.OK;
  }

  /** The version before the one that runs or is being rolled out. */
  private String before() throws IOException {
    var newest = intents.rollout();
    boolean failed = PlainJson.text(newest, "status", "outcome").equals("Failed");
    var present = PlainJson.text(newest, "spec", failed ? "from" : "to");
    return intents.rollouts().stream()
        .filter(it -> !PlainJson.text(it, "spec", "to").equals(present))
        .filter(it -> PlainJson.text(it, "status", "outcome").equals("Complete"))
        .map(it -> PlainJson.text(it, "spec", "to"))
        .filter(intents.versions()::contains)
        .reduce((older, newer) -> newer)
        .orElseThrow(
            () ->
                Failure.error(
                    "no other version of role %s was complete before".formatted(role),
                    "choose one: vw rollout undo %s --to VERSION; list them: vw rollout history %s"
                        .formatted(role, role)));
  }

  /** Rolls the present content out again, as a new revision. */
  Exit restart() throws IOException {
    intents.requireFollowed("restart");
    if (intents.processes().isEmpty()) {
      throw Failure.error(
          "role %s is no service in one file, so there is no revision to roll out again"
              .formatted(role),
          "restart its processes, one node after the other: vw restart " + role);
    }
    if (intents.present().containsKey(RoleIntent.REVISION)) {
      throw Failure.error(
          "role %s holds %s after an undo"
              .formatted(role, intents.present().get(RoleIntent.REVISION)),
          "restart its processes: vw restart %s; or first: vw rollout resume %s"
              .formatted(role, role));
    }
    var last = intents.present().getOrDefault(RoleIntent.RESTARTS, "0");
    long number = last.matches("[0-9]{1,9}") ? Long.parseLong(last) + 1 : 1;
    intents.change(
        Map.of(
            RoleIntent.RESTARTS, Optional.of(Long.toString(number)),
            RoleIntent.PAUSED, Optional.<String>empty()));
    session.say(
        "role/%s is rolled out again as a new revision; follow it: vw rollout status %s"
            .formatted(role, role));
    return Exit.OK;
  }

  /** The words of {@code vw rollout} that change what is wanted. */
  static final List<String> WORDS = List.of("pause", "resume", "undo", "restart");
}
