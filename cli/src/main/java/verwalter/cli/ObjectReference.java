package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;

/** One object that a command names. */
record ObjectReference(ResourceType type, String name) {
  /**
   * The objects that targets name.
   *
   * @param many whether all selected objects of each type are meant
   * @throws Failure if names are given and {@code many} is set, or neither
   */
  static List<ObjectReference> named(
      List<Target> targets, boolean many, QueryParameters selected, Session session)
      throws IOException {
    var objects = new ArrayList<ObjectReference>();
    for (var target : targets) {
      var plural = target.type().plural();
      if (target.names().isEmpty() != many) {
        throw many
            ? Failure.usage(
                "names and --all or a selector: either these or those", "use one of them")
            : Failure.usage(
                "which " + plural + "? give names, -l SELECTOR or --all",
                "list them: vw get " + plural);
      }
      target.names().forEach(name -> objects.add(new ObjectReference(target.type(), name)));
      if (many) {
        Item.of(session.api().list(target.type(), ApiClient.Shape.OBJECTS, selected))
            .forEach(item -> objects.add(new ObjectReference(target.type(), item.name())));
      }
    }
    return objects;
  }

  @Override
  public String toString() {
    return type.prefix() + "/" + name;
  }
}
