package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;

/** One object that a command names. */
record ObjectReference(ResourceType type, String name) {
  /**
   * The objects that the arguments, {@code -l}, {@code --field-selector} and {@code --all} of a
   * verb name.
   *
   * @throws Failure if they name none, or if names and a selection are given
   */
  static List<ObjectReference> named(ParseResult args, String verb, Session session)
      throws IOException {
    var selection = selection(args);
    var objects = new ArrayList<ObjectReference>();
    for (var target : Target.of(args.matchedPositionalValue(0, List.of()), session, verb)) {
      var plural = target.type().plural();
      if (target.names().isEmpty() != selection.isPresent()) {
        throw selection.isPresent()
            ? Failure.usage(
                "names and --all or a selector: either these or those", "use one of them")
            : Failure.usage(
                "which " + plural + "? give names, -l SELECTOR or --all",
                "list them: vw get " + plural);
      }
      target.names().forEach(name -> objects.add(new ObjectReference(target.type(), name)));
      if (selection.isPresent()) {
        Item.of(session.api().list(target.type(), ApiClient.Shape.OBJECTS, selection.get()))
            .forEach(item -> objects.add(new ObjectReference(target.type(), item.name())));
      }
    }
    return objects;
  }

  /**
   * The query of the objects that {@code -l}, {@code --field-selector} or {@code --all} select;
   * empty if none of them is given.
   *
   * @throws Failure if {@code --all} and a selector are given
   */
  static Optional<QueryParameters> selection(ParseResult args) {
    var selected =
        QueryParameters.NONE
            .with("labelSelector", args.matchedOptionValue("--selector", ""))
            .with("fieldSelector", args.matchedOptionValue("--field-selector", ""));
    boolean some = !selected.equals(QueryParameters.NONE);
    boolean all = args.matchedOptionValue("--all", false);
    if (all && some) {
      throw Failure.usage("--all and a selector exclude each other", "use one of them");
    }
    return all || some ? Optional.of(selected) : Optional.empty();
  }

  @Override
  public String toString() {
    return type.prefix() + "/" + name;
  }
}
