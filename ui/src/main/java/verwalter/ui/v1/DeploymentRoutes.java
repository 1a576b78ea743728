package verwalter.ui.v1;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import verwalter.concurrent.Loop;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestGuard;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.ServedFile;
import verwalter.ui.port.DeploymentHistory;

/** Deployment logs, backups of the schedule, and {@code force_render_all}. */
final class DeploymentRoutes {
  private static final String LOG = "/v1/log/";
  private static final String BACKUP = "/v1/backup/";
  private static final String ENDING = ".json.gz";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,100}");

  private final DeploymentHistory deployments;
  private final Loop loop;
  private final RequestDispatcher dispatcher;

  DeploymentRoutes(DeploymentHistory deployments, Loop loop, RequestDispatcher dispatcher) {
    this.deployments = deployments;
    this.loop = loop;
    this.dispatcher = dispatcher;
  }

  void mount(Router router) {
    log(router, "index", rest -> find(deployments.logs(), ".index/" + rest));
    log(router, "global", rest -> find(deployments.logs(), ".global/" + rest));
    log(router, "changes", rest -> find(deployments.logs(), ".changes/" + rest));
    log(router, "role", this::ofRole);
    log(router, "external", this::external);
    router
        .routeWithRegex("/v1/backups" + Formats.SUFFIX)
        .setName("/v1/backups")
        .handler(dispatcher.on("/v1/backups", this::backups));
    router
        .routeWithRegex(BACKUP + "[^/]+")
        .setName(BACKUP + "{name}")
        .handler(dispatcher.on(BACKUP + "{name}", this::backup));
    router
        .routeWithRegex("/v1/force_render_all" + Formats.SUFFIX)
        .setName("/v1/force_render_all")
        .handler(dispatcher.at("/v1/force_render_all", this::renderAll));
  }

  /** Finds a file; blocks. */
  private interface Place {
    Optional<ServedFile> find(String rest) throws IOException;
  }

  private void log(Router router, String kind, Place place) {
    var prefix = LOG + kind + "/";
    var name = prefix + "{file}";
    router
        .routeWithRegex(Pattern.quote(prefix) + ".+")
        .setName(name)
        .handler(
            dispatcher.on(
                name,
                context -> {
                  // Not decoded: file names are those of the path.
                  var path = context.request().path();
                  return send(context, () -> place.find(rest(path, prefix)), TEXT);
                }));
  }

  private static String rest(String path, String prefix) {
    if (!path.startsWith(prefix)) {
      throw RequestProblem.notFound("no such path: " + path);
    }
    return path.substring(prefix.length());
  }

  private static Optional<ServedFile> find(Path directory, String rest) throws IOException {
    return ServedFile.below(directory, rest);
  }

  private Optional<ServedFile> ofRole(String rest) throws IOException {
    return rest.contains("/") ? find(deployments.logs(), rest) : Optional.empty();
  }

  private Optional<ServedFile> external(String rest) throws IOException {
    int slash = rest.indexOf('/');
    if (slash < 0) {
      return Optional.empty();
    }
    var name = rest.substring(0, slash);
    var directory =
        directory(name)
            .orElseThrow(
                () ->
                    RequestProblem.of(
                        403,
                        "Forbidden",
                        "no file in sandbox/ defines %s in log-dirs".formatted(name)));
    return find(directory, rest.substring(slash + 1));
  }

  private Optional<Path> directory(String name) {
    try {
      return deployments.external(name);
    } catch (IOException mistake) {
      throw RequestProblem.of(500, "Broken", String.valueOf(mistake.getMessage()));
    }
  }

  private Future<Void> send(
      RoutingContext context, Callable<Optional<ServedFile>> search, String type) {
    return loop.offload(search)
        .compose(
            found ->
                found
                    .orElseThrow(() -> RequestProblem.notFound("no such file"))
                    .send(context.request(), type));
  }

  private Future<Void> backups(RoutingContext context) {
    return loop.offload(this::names)
        .map(
            names -> {
              var list = JsonNodeFactory.instance.arrayNode();
              names.forEach(list::add);
              Formats.send(context.request(), list);
              return null;
            });
  }

  private Set<String> names() throws IOException {
    var names = new TreeSet<String>();
    try (var files = Files.newDirectoryStream(deployments.backups(), "*-*" + ENDING)) {
      for (var file : files) {
        var name = String.valueOf(file.getFileName());
        names.add(name.substring(0, name.length() - ENDING.length()));
      }
    } catch (NoSuchFileException none) {
      // The first deployment creates it.
    }
    return names;
  }

  private Future<Void> backup(RoutingContext context) {
    var name = rest(context.request().path(), BACKUP);
    if (!NAME.matcher(name).matches()) {
      throw RequestProblem.notFound("no such backup");
    }
    return send(
        context,
        () -> {
          var found = find(deployments.backups(), name + ENDING);
          found.ifPresent(file -> context.response().putHeader("Content-Encoding", "gzip"));
          return found;
        },
        MediaTypes.JSON);
  }

  private void renderAll(RoutingContext context) {
    RequestGuard.refuseOtherSites(context.request());
    deployments.renderAll();
    Answer.send(context.request(), 200, MediaTypes.JSON, Buffer.buffer("\"ok\""));
  }
}
