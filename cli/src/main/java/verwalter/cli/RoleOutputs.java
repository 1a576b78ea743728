package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.cli.print.Age;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;
import verwalter.model.TemplateOutput;

/** The template outputs of one role, on all nodes or on one, for {@code vw files}. */
final class RoleOutputs {
  private final Session session;
  private final String role;
  private final ResourceType type;
  private final List<Output> all;

  /** The template output of one node. */
  record Output(Map<String, Object> object) {
    String name() {
      return PlainJson.text(object, "metadata", "name");
    }

    String node() {
      return PlainJson.text(object, "spec", "node");
    }

    List<Object> releases() {
      return PlainJson.list(object, "status", "releases");
    }

    /** The release that an operator pinned; empty if none. */
    String pin() {
      return PlainJson.text(object, "metadata", "annotations", TemplateOutput.PIN);
    }

    /** The index of the current release; negative if it is not recorded. */
    int current() {
      var pin = pin();
      for (int i = releases().size() - 1; i >= 0; i--) {
        var release = releases().get(i);
        if (pin.isEmpty()
            ? PlainJson.text(release, "digest").equals(PlainJson.text(object, "status", "input"))
            : id(release).equals(pin)) {
          return i;
        }
      }
      return -1;
    }

    static String id(Object release) {
      return PlainJson.text(release, "deployment");
    }
  }

  private RoleOutputs(Session session, String role, ResourceType type, List<Output> all) {
    this.session = session;
    this.role = role;
    this.type = type;
    this.all = List.copyOf(all);
  }

  static RoleOutputs of(String role, Optional<String> node, Session session) throws IOException {
    var type = session.type("templateoutput");
    var found = list(session, type, role, node);
    if (found.isEmpty()) {
      throw none(role, node);
    }
    return new RoleOutputs(session, role, type, found);
  }

  static Failure none(String role, Optional<String> node) {
    return Failure.error(
        "no templates are rendered for role \"%s\"%s"
            .formatted(role, node.map(it -> " on node " + it).orElse("")),
        "see where it runs: vw why " + role);
  }

  /** The template outputs of a role that are known now. */
  static List<Output> list(Session session, ResourceType type, String role, Optional<String> node)
      throws IOException {
    var query = QueryParameters.NONE.field("spec.role", role);
    if (node.isPresent()) {
      query = query.field("spec.node", node.get());
    }
    return Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, query)).stream()
        .map(item -> new Output(item.content()))
        .sorted(Comparator.comparing(Output::name))
        .toList();
  }

  /** This, if it is one node or the operator chose all nodes. */
  RoleOutputs chosen(String word, boolean every) {
    if (all.size() > 1 && !every) {
      throw Failure.usage(
          "role %s is on %d nodes: %s"
              .formatted(
                  role, all.size(), String.join(", ", all.stream().map(Output::node).toList())),
          "choose: vw files %s %s --node %s, or --all-nodes"
              .formatted(word, role, all.get(0).node()));
    }
    return this;
  }

  void history(String form) {
    if (form.equals("name")) {
      all.forEach(each -> each.releases().forEach(it -> session.println(Output.id(it))));
    } else if (!form.isEmpty()) {
      var tree = new LinkedHashMap<String, Object>();
      tree.put("items", all.stream().map(RoleOutputs::tree).toList());
      session.print(form.equals("json") ? PlainJson.pretty(tree) + "\n" : Yaml.text(tree));
    } else {
      table();
    }
  }

  private static Map<String, Object> tree(Output output) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("node", output.node());
    tree.put(
        "current", output.current() < 0 ? "" : Output.id(output.releases().get(output.current())));
    tree.put("held", !output.pin().isEmpty());
    tree.put("releases", output.releases());
    return tree;
  }

  private void table() {
    var rows = new ArrayList<List<String>>();
    for (var output : all) {
      for (int i = output.releases().size() - 1; i >= 0; i--) {
        var release = output.releases().get(i);
        rows.add(
            List.of(
                output.node(),
                Output.id(release),
                Age.since(PlainJson.text(release, "at"), session.now()),
                Archive.shortly(PlainJson.text(release, "digest")),
                i != output.current()
                    ? ""
                    : output.pin().isEmpty() ? "current" : "current, pinned"));
      }
    }
    if (rows.isEmpty()) {
      session.environment().err().println("No release is recorded yet");
      return;
    }
    var headings = List.of("NODE", "DEPLOYMENT", "AGE", "DIGEST", "NOW");
    session.print(new TextTable(headings, session.paint()).lines(rows, true));
  }

  Exit undo(String to) throws IOException {
    var releases = new ArrayList<Object>();
    for (var output : all) { // collect all first, so that an error changes nothing
      releases.add(to.isEmpty() ? before(output) : named(output, to));
    }
    for (int i = 0; i < all.size(); i++) {
      var id = Output.id(releases.get(i));
      annotate(all.get(i), TemplateOutput.PIN, id);
      session.println(
          "%s: rolled back to release %s of %s ago and pinned"
              .formatted(
                  all.get(i).name(),
                  id,
                  Age.since(PlainJson.text(releases.get(i), "at"), session.now())));
    }
    session.say(
        "see the progress: vw files status %s; unpin: vw files resume %s".formatted(role, role));
    return Exit.OK;
  }

  private Object before(Output output) {
    int current = output.current();
    int target = current < 0 ? output.releases().size() - 1 : current - 1;
    if (target < 0) {
      throw Failure.error(
          "%s has no release before the current one".formatted(output.name()), history(output));
    }
    return output.releases().get(target);
  }

  private Object named(Output output, String to) {
    var meant =
        output.releases().stream().filter(release -> Output.id(release).startsWith(to)).toList();
    if (meant.size() != 1) {
      throw Failure.error(
          "%s has %s \"%s\""
              .formatted(
                  output.name(),
                  meant.isEmpty() ? "no release" : "more than one release that begins with",
                  to),
          history(output));
    }
    return meant.get(0);
  }

  private String history(Output output) {
    return "list them: vw files history %s --node %s".formatted(role, output.node());
  }

  Exit resume() throws IOException {
    for (var output : all) {
      if (output.pin().isEmpty()) {
        session.say(output.name() + ": no release is pinned");
      } else {
        annotate(output, TemplateOutput.PIN, null);
        session.println(output.name() + ": follows the schedule and its templates again");
      }
    }
    return Exit.OK;
  }

  Exit allow() throws IOException {
    boolean any = false;
    for (var output : all) {
      var held = PlainJson.text(output.object(), "status", "held", "input");
      if (held.isEmpty()) {
        continue;
      }
      any = true;
      annotate(output, TemplateOutput.ALLOW, held);
      session.println(output.name() + ": allowed once:");
      PlainJson.list(output.object(), "status", "held", "figures")
          .forEach(figure -> session.println("  " + TextTable.clean(String.valueOf(figure))));
    }
    if (!any) {
      throw Failure.error(
          "no files of role %s are held".formatted(role), "vw files status " + role);
    }
    return Exit.OK;
  }

  private void annotate(Output output, String name, @Nullable String value) throws IOException {
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put(name, value);
    session
        .api()
        .patch(
            type,
            output.name(),
            Map.of("metadata", Map.of("annotations", annotations)),
            QueryParameters.NONE);
  }
}
