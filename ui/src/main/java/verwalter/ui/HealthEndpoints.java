package verwalter.ui;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import verwalter.problems.ObjectProblem;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestMetrics;
import verwalter.ui.port.Check;

/** The routes for monitors: liveness, readiness and metrics. All responses are made on the loop. */
final class HealthEndpoints {
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";
  private static final String PLAIN = "text/plain; version=0.0.4; charset=utf-8";
  private static final List<String> FORMATS =
      List.of("application/openmetrics-text", "text/plain", "text/*", "*/*");
  private static final String END = "# EOF\n";

  private final Supplier<List<Check>> checks;
  private final Supplier<List<ObjectProblem>> problems;
  private final Supplier<String> more;
  private final RequestMetrics requests;
  private final IntSupplier streams;
  private final RequestDispatcher dispatcher;

  HealthEndpoints(
      Supplier<List<Check>> checks,
      Supplier<List<ObjectProblem>> problems,
      Supplier<String> more,
      RequestMetrics requests,
      IntSupplier streams,
      RequestDispatcher dispatcher) {
    this.checks = checks;
    this.problems = problems;
    this.more = more;
    this.requests = requests;
    this.streams = streams;
    this.dispatcher = dispatcher;
  }

  void mount(Router router) {
    for (var path : List.of("/healthz", "/livez")) {
      mount(router, path, it -> Answer.text(it.request(), 200, "ok\n"));
    }
    mount(router, "/readyz", this::ready);
    mount(router, "/metrics", this::metrics);
  }

  private void mount(Router router, String path, Handler<RoutingContext> answer) {
    router.route(HttpMethod.GET, path).method(HttpMethod.HEAD).handler(dispatcher.at(path, answer));
  }

  private void ready(RoutingContext context) {
    var all = checks.get();
    boolean ready = all.stream().allMatch(Check::passed);
    boolean verbose = context.request().getParam("verbose") != null;
    Answer.text(
        context.request(),
        ready ? 200 : 503,
        ready && !verbose ? "ok\n" : list(all, problems.get(), ready));
  }

  /** Problems of objects are listed, but do not make this agent unready. */
  private static String list(List<Check> checks, List<ObjectProblem> problems, boolean ready) {
    var text = new StringBuilder();
    for (var check : checks) {
      text.append(check.passed() ? "[+]" : "[-]")
          .append(check.name())
          .append(check.passed() ? " ok" : " failed")
          .append(check.message().isEmpty() ? "" : ": " + check.message())
          .append('\n');
    }
    problems.forEach(
        problem ->
            text.append("[!]")
                .append(problem.severity().word())
                .append(' ')
                .append(problem.object())
                .append(' ')
                .append(problem.what())
                .append(": ")
                .append(problem.why().lines().findFirst().orElse(""))
                .append("; see: ")
                .append(problem.next())
                .append('\n'));
    return text.append(ready ? "readyz check passed\n" : "readyz check failed\n").toString();
  }

  private void metrics(RoutingContext context) {
    var text = new StringBuilder();
    requests.writeTo(text, streams.getAsInt());
    var others = more.get();
    text.append(
        others.endsWith(END) ? others.substring(0, others.length() - END.length()) : others);
    if (text.charAt(text.length() - 1) != '\n') {
      text.append('\n');
    }
    var open = text.append(END).toString();
    if (prefersOpenMetrics(context)) {
      Answer.send(context.request(), 200, OPEN_METRICS, Buffer.buffer(open));
    } else {
      Answer.send(context.request(), 200, PLAIN, Buffer.buffer(PlainMetrics.of(open)));
    }
  }

  private static boolean prefersOpenMetrics(RoutingContext context) {
    return MediaTypes.accepted(context.request().getHeader("Accept")).stream()
        .map(MediaTypes.MediaType::name)
        .filter(FORMATS::contains)
        .findFirst()
        .filter("application/openmetrics-text"::equals)
        .isPresent();
  }
}
