package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.yaml.Manifest;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.model.Names;

/**
 * {@code vw apply}: creates or changes objects to match files. A field that was removed from the
 * file is removed from the object; fields that others set stay. See {@link LastApplied}. Services
 * become files of the configuration directory, see {@link ServiceApply}.
 */
final class Apply implements Verb {
  private static final int ATTEMPTS = 5;

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw apply -f FILE|DIR|- [flags]",
        "All objects of a directory",
        "vw apply -f roles/",
        "What would change",
        "vw apply -f web.yaml --dry-run=server",
        "Write the service shop.yaml into the directory that an agent reads",
        "vw apply -f shop.yaml --config-dir /etc/verwalter",
        "From a program",
        "generate | vw apply -f -");
    spec.addOption(Flags.files());
    spec.addOption(Flags.dryRun());
    spec.addOption(Flags.output());
    spec.addOption(ServiceDirectory.option());
    spec.addOption(ServiceApply.nameOption());
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> files = args.matchedOptionValue("--filename", List.of());
    if (files.isEmpty()) {
      throw Failure.usage("apply needs files: -f FILE, -f DIR or -f -", "vw apply -f web.yaml");
    }
    var work = new Work(session, args);
    boolean failed = false;
    var manifests = InputFiles.read(files, session.environment());
    var services = new ServiceApply(session, args, manifests);
    for (var manifest : manifests) {
      try {
        if (ServiceApply.isService(manifest)) {
          failed |= !services.apply(manifest);
        } else {
          work.apply(manifest);
        }
      } catch (ApiException refused) {
        failed = true;
        complain(refused, manifest, session);
      } catch (Failure failure) {
        failed = true;
        ErrorReport.of(failure).to(session.environment().err());
      }
    }
    return failed ? Exit.ERROR : Exit.OK;
  }

  /** The error of the server, followed by each cause with the line it refers to. */
  private static void complain(ApiException refused, Manifest manifest, Session session) {
    var err = session.environment().err();
    var complaint = ErrorReport.of(refused);
    err.println(manifest.where() + ": " + complaint.problem());
    for (var cause : refused.causes()) {
      if (!cause.field().isEmpty()) {
        err.println(
            "  %s: %s: %s"
                .formatted(manifest.where(cause.field()), cause.field(), cause.message()));
      }
    }
    if (refused.causes().isEmpty() && !complaint.next().isEmpty()) {
      err.println(complaint.next());
    }
  }

  /** The query parameters of a write, which may be a dry run. */
  static QueryParameters writing(ParseResult args) {
    var dry = args.matchedOptionValue("--dry-run", "none");
    if (!List.of("none", "server").contains(dry)) {
      throw Failure.usage(
          "--dry-run must be none or server, not \"" + dry + "\"",
          "ask the server: --dry-run=server");
    }
    return QueryParameters.NONE.with("dryRun", dry.equals("server") ? "All" : "");
  }

  /** One call of apply, which handles each object. */
  private static final class Work {
    private final Session session;
    private final QueryParameters query;
    private final String dry;
    private final Form form;

    Work(Session session, ParseResult args) {
      this.session = session;
      this.query = writing(args).with("fieldValidation", "Strict");
      this.dry = writing(args).equals(QueryParameters.NONE) ? "" : " (server dry run)";
      this.form = Form.of(args.matchedOptionValue("--output", ""));
    }

    void apply(Manifest manifest) throws IOException {
      var type = type(manifest);
      var name = manifest.text("metadata", "name");
      if (name.isEmpty()) {
        throw Failure.error(manifest.where("metadata") + ": metadata.name is missing", "");
      }
      var wanted = LastApplied.wanted(manifest.object());
      for (int attempt = 1; ; attempt++) {
        var live = session.api().find(type, name);
        try {
          if (live.isEmpty()) {
            tell(
                type,
                session.api().create(type, LastApplied.remembering(wanted), query),
                "created");
          } else {
            change(type, name, wanted, live.get());
          }
          return;
        } catch (ApiException refused) {
          boolean raced =
              (refused.isConflict() || refused.reason().equals("AlreadyExists"))
                  && manifest.text("metadata", "resourceVersion").isEmpty();
          if (!raced || attempt == ATTEMPTS) {
            throw refused;
          }
        }
      }
    }

    private void change(
        ResourceType type, String name, Map<String, Object> wanted, Map<String, Object> live)
        throws IOException {
      var patch = LastApplied.patch(wanted, live);
      var made = patch.isEmpty() ? live : session.api().patch(type, name, patch, query);
      tell(type, made, made.equals(live) ? "unchanged" : "configured");
    }

    private void tell(ResourceType type, Map<String, Object> object, String what) {
      if (form.isTable()) {
        session.say(Form.name(type.prefix(), object) + " " + what + dry);
      } else {
        var look = new Printing.Look(form, false, List.of(), false, false, false);
        new Printing(session, look, type).print("", Map.of(), List.of(new Item(object)));
      }
    }

    private ResourceType type(Manifest manifest) throws IOException {
      var kind = manifest.text("kind");
      if (kind.isEmpty()) {
        throw Failure.error(
            manifest.where() + ": kind is missing", "list the kinds: vw api-resources");
      }
      var types = session.api().types();
      return types
          .kind(kind)
          .orElseThrow(
              () ->
                  Failure.error(
                      manifest.where("kind") + ": unknown kind \"" + kind + "\"",
                      Names.nearest(kind, types.all().stream().map(ResourceType::kind).toList())
                          .map(near -> "did you mean " + near + "?")
                          .orElse("list the kinds: vw api-resources")));
    }
  }
}
