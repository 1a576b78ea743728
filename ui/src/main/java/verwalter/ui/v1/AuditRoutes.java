package verwalter.ui.v1;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import verwalter.concurrent.Loop;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.ServedFile;

/** The files of the audit log. */
final class AuditRoutes {
  private static final String ALL = "/v1/audit";
  private static final Pattern NAME = Pattern.compile("[0-9a-z.-]{1,60}");

  private final Optional<Path> directory;
  private final Loop loop;
  private final RequestDispatcher dispatcher;

  AuditRoutes(Optional<Path> directory, Loop loop, RequestDispatcher dispatcher) {
    this.directory = directory;
    this.loop = loop;
    this.dispatcher = dispatcher;
  }

  void mount(Router router) {
    router.get(ALL).handler(dispatcher.on(ALL, this::list));
    var one = ALL + "/{file}";
    router.get(ALL + "/:file").setName(one).handler(dispatcher.on(one, this::file));
  }

  private Future<Void> list(RoutingContext context) {
    var place = directory();
    return loop.offload(
            () -> {
              var files = JsonNodeFactory.instance.objectNode();
              files.put("head", head(place)); // read first: the files are never behind it
              var items = files.putArray("items");
              for (var name : names(place)) {
                items.addObject().put("name", name).put("bytes", Files.size(place.resolve(name)));
              }
              return files;
            })
        .map(
            files -> {
              Formats.send(context.request(), files);
              return null;
            });
  }

  private Future<Void> file(RoutingContext context) {
    var place = directory();
    var name = context.pathParam("file");
    if (!NAME.matcher(name).matches()) {
      throw RequestProblem.notFound("no such file");
    }
    return loop.offload(() -> ServedFile.below(place, name))
        .compose(
            found ->
                found
                    .orElseThrow(() -> RequestProblem.notFound("no such file"))
                    .send(context.request(), "text/plain; charset=utf-8"));
  }

  private Path directory() {
    return directory.orElseThrow(() -> RequestProblem.notFound("this server has no audit log"));
  }

  private static String head(Path directory) throws IOException {
    try {
      return Files.readString(directory.resolve("head"), StandardCharsets.US_ASCII).strip();
    } catch (NoSuchFileException none) {
      return "";
    }
  }

  private static SortedSet<String> names(Path directory) throws IOException {
    var names = new TreeSet<String>();
    try (var files = Files.newDirectoryStream(directory, "audit-*.log")) {
      files.forEach(file -> names.add(String.valueOf(file.getFileName())));
    } catch (NoSuchFileException none) {
      // The first entry creates it.
    }
    return names;
  }
}
