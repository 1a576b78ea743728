package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;

/** {@code vw describe}: prints objects in full, each with its events. */
final class Describe implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw describe TYPE [NAME...] | TYPE/NAME... [flags]",
        "Why a role does not run on a node",
        "vw describe ri/web@n1",
        "All nodes of a rack",
        "vw describe nodes -l rack=a");
    Flags.arguments(spec);
    spec.addOption(Flags.selector());
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var query =
        QueryParameters.NONE.with("labelSelector", args.matchedOptionValue("--selector", ""));
    boolean any = false;
    var missing = new ArrayList<ErrorReport>();
    for (var target : Target.of(words, session, "describe")) {
      for (var object : objects(target, query, session, missing)) {
        session.print(any ? "\n\n" : "");
        any = true;
        var typed = Printing.typed(object, target.type());
        session.print(
            new Description(session.paint(), session.now())
                .text(typed, events(target.type(), new Item(object).name(), session)));
      }
    }
    missing.forEach(report -> report.to(session.environment().err()));
    if (!missing.isEmpty()) {
      return Exit.ERROR;
    }
    if (!any) {
      session.environment().err().println("No resources found");
    }
    return Exit.OK;
  }

  /** The objects of a target; reports of those that do not exist are added to {@code missing}. */
  private static List<Map<String, Object>> objects(
      Target target, QueryParameters query, Session session, List<ErrorReport> missing)
      throws IOException {
    var api = session.api();
    if (target.names().isEmpty()) {
      return Item.of(api.list(target.type(), ApiClient.Shape.OBJECTS, query)).stream()
          .map(Item::content)
          .toList();
    }
    var objects = new ArrayList<Map<String, Object>>();
    for (var name : target.names()) {
      try {
        objects.add(
            new LinkedHashMap<>(api.get(target.type(), name, ApiClient.Shape.OBJECTS, query)));
      } catch (ApiException refused) {
        if (refused.code() != 404) {
          throw refused;
        }
        missing.add(SimilarNames.report(refused, api, target.type(), name));
      }
    }
    return objects;
  }

  /** The events of an object; empty if the server has none. */
  private static Optional<List<Item>> events(ResourceType type, String name, Session session)
      throws IOException {
    var events = session.api().types().kind("Event");
    if (events.isEmpty() || type.equals(events.get())) {
      return Optional.empty();
    }
    var query =
        QueryParameters.NONE
            .field("spec.regarding.kind", type.kind())
            .field("spec.regarding.name", name);
    return Optional.of(Item.of(session.api().list(events.get(), ApiClient.Shape.OBJECTS, query)));
  }
}
