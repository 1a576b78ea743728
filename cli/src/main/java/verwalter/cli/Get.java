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
import verwalter.client.json.PlainJson;

/** {@code vw get}: prints objects as rows or in a format for programs, once or as they change. */
final class Get implements Verb {
  private static final String EVENTS = "events";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw get TYPE[,TYPE] [NAME...] | TYPE/NAME... [flags]",
        "All nodes",
        "vw get nodes",
        "All objects, a table for each type",
        "vw get all",
        "Role instances, and every change of them",
        "vw get ri -w",
        "All fields of one node",
        "vw get no/web-1 -o yaml",
        "The names of all roles",
        "vw get rcfg -o jsonpath='{.items[*].metadata.name}'");
    Flags.arguments(spec);
    spec.addOption(Flags.output());
    spec.addOption(Flags.selector());
    spec.addOption(Flags.fieldSelector());
    spec.addOption(Flags.flag("After the list, show every change", "-w", "--watch"));
    spec.addOption(Flags.flag("Show only changes", "--watch-only"));
    spec.addOption(
        Flags.flag(
            "With -w, add a first column with the type of the change", "--output-watch-events"));
    spec.addOption(Flags.flag("Print no headings", "--no-headers"));
    spec.addOption(
        Flags.text(
            "PATH", "Sort by a field, such as .metadata.name; events by .spec.last", "--sort-by"));
    spec.addOption(Flags.flag("Add a last column with all labels", "--show-labels"));
    spec.addOption(Flags.texts("LABEL", "Add a column with this label", "-L", "--label-columns"));
    spec.addOption(Flags.flag("Ignore named objects that do not exist", "--ignore-not-found"));
    spec.addOption(Flags.flag("Accepted as in kubectl", "-A", "--all-namespaces"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    var form = Form.of(args.matchedOptionValue("--output", ""));
    var sorting = args.matchedOptionValue("--sort-by", "");
    var order = Optional.of(sorting).filter(path -> !path.isEmpty()).map(Order::new);
    List<String> words = args.matchedPositionalValue(0, List.of());
    var targets = Target.of(words, session, "get");
    var look = look(args, form, targets.size() > 1);
    var query =
        QueryParameters.NONE
            .with("labelSelector", args.matchedOptionValue("--selector", ""))
            .with("fieldSelector", args.matchedOptionValue("--field-selector", ""));
    boolean only = args.matchedOptionValue("--watch-only", false);
    if (only || args.matchedOptionValue("--watch", false)) {
      return Following.of(session, look, targets)
          .run(
              query.with("includeObject", form.isTable() && order.isPresent() ? "Object" : ""),
              !only);
    }
    boolean lenient = args.matchedOptionValue("--ignore-not-found", false);
    var reading = new Reading(session, query, order, lenient);
    return form.isTable() || form instanceof Form.Custom
        ? reading.tables(look, targets)
        : reading.objects(look, targets);
  }

  private static Printing.Look look(ParseResult args, Form form, boolean several) {
    List<String> labels = args.matchedOptionValue("--label-columns", List.of());
    return new Printing.Look(
        form,
        !args.matchedOptionValue("--no-headers", false),
        labels.stream().flatMap(each -> List.of(each.split(",", -1)).stream()).toList(),
        args.matchedOptionValue("--show-labels", false),
        several && form.isTable(),
        args.matchedOptionValue("--output-watch-events", false));
  }

  /** Reads and prints once; missing objects are reported at the end. */
  private static final class Reading {
    private final Session session;
    private final QueryParameters query;
    private final Optional<Order> order;
    private final boolean lenient;
    private final List<ErrorReport> missing = new ArrayList<>();

    Reading(Session session, QueryParameters query, Optional<Order> order, boolean lenient) {
      this.session = session;
      this.query = query;
      this.order = order;
      this.lenient = lenient;
    }

    Exit tables(Printing.Look look, List<Target> targets) throws IOException {
      var shape = look.form().isTable() ? ApiClient.Shape.TABLE : ApiClient.Shape.OBJECTS;
      boolean nothing = true;
      for (var target : targets) {
        var answer = read(target, shape);
        var items = sorted(target, Item.of(answer));
        if (!items.isEmpty()) {
          if (!nothing && look.headings()) {
            session.println("");
          }
          nothing = false;
          new Printing(session, look, target.type()).print("", answer, items);
        }
      }
      if (nothing && missing.isEmpty() && !lenient) {
        session.environment().err().println("No resources found");
      }
      return end();
    }

    Exit objects(Printing.Look look, List<Target> targets) throws IOException {
      var printing = new Printing(session, look, targets.get(0).type());
      var all = new ArrayList<Map<String, Object>>();
      for (var target : targets) {
        var items = sorted(target, Item.of(read(target, ApiClient.Shape.OBJECTS)));
        if (look.form() instanceof Form.NameLines) {
          new Printing(session, look, target.type()).print("", Map.of(), items);
        }
        items.forEach(item -> all.add(Printing.typed(item.object(), target.type())));
      }
      boolean single = targets.size() == 1 && targets.get(0).names().size() == 1;
      if (!(look.form() instanceof Form.NameLines) && !(single && all.isEmpty())) {
        session.print(printing.text(look.form(), single ? all.get(0) : Printing.list(all)));
      }
      return end();
    }

    /** The objects of a target; if it has names, those that exist. */
    private Map<String, Object> read(Target target, ApiClient.Shape shape) throws IOException {
      boolean whole = shape == ApiClient.Shape.TABLE && order(target).isPresent();
      return read(target, shape, query.with("includeObject", whole ? "Object" : ""));
    }

    private Map<String, Object> read(Target target, ApiClient.Shape shape, QueryParameters query)
        throws IOException {
      if (target.names().isEmpty()) {
        return session.api().list(target.type(), shape, query);
      }
      Map<String, Object> whole = new LinkedHashMap<>();
      var items = new ArrayList<Object>();
      for (var name : target.names()) {
        try {
          var answer = session.api().get(target.type(), name, shape, query);
          Item.of(answer).forEach(item -> items.add(item.content()));
          whole.putIfAbsent("columnDefinitions", PlainJson.list(answer, "columnDefinitions"));
        } catch (ApiException refused) {
          if (refused.code() != 404) {
            throw refused;
          }
          missing.add(SimilarNames.report(refused, session.api(), target.type(), name));
        }
      }
      whole.put("items", items);
      return whole;
    }

    private List<Item> sorted(Target target, List<Item> items) {
      return order(target).map(by -> items.stream().sorted(by).toList()).orElse(items);
    }

    /** The order of {@code --sort-by}. Without it, events have the newest last. */
    private Optional<Order> order(Target target) {
      return order.isEmpty() && target.type().plural().equals(EVENTS)
          ? Optional.of(new Order(".spec.last"))
          : order;
    }

    private Exit end() {
      if (lenient || missing.isEmpty()) {
        return Exit.OK;
      }
      missing.forEach(report -> report.to(session.environment().err()));
      return Exit.ERROR;
    }
  }
}
