package verwalter.ui.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.problems.ProblemWatch;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.forward.LeaderForwarder;
import verwalter.ui.http.Answer;
import verwalter.ui.http.Html;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.Streams;
import verwalter.ui.http.StrictJson;

/**
 * The page at {@code /} and its event stream at {@code /ui/events}. It follows the store only while
 * somebody reads it, and for {@link #KEPT} afterwards. Belongs to the loop.
 */
public final class StatusPage {
  private static final int MOST_PAGES = 64;
  private static final int MOST_EVENTS = 50;

  /** The time between heartbeats. The page reports silence after two that are missing. */
  private static final Duration BEAT = Duration.ofSeconds(3);

  /** For how long the rows are kept when no page is open. */
  static final Duration KEPT = Duration.ofSeconds(30);

  /** The time until the rows of a change have arrived too, so that one message shows both. */
  private static final Duration SETTLED = Duration.ofMillis(100);

  private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z.]+)}}");

  private final Loop loop;
  private final RequestDispatcher dispatcher;
  private final ClusterView cluster;
  private final PageContent content;
  private final PageFragments parts;
  private final Feed feed;
  private final Streams streams = new Streams(MOST_PAGES);
  private final String template = Assets.text("page.html");
  private Map<String, String> lastParts = Map.of();
  private TimedExecutor.Timer beat = () -> {};
  private TimedExecutor.Timer rest = () -> {};

  /** A page of the objects in {@code store}; empty before {@link #start}. */
  public StatusPage(
      ObjectStore store,
      Loop loop,
      ClusterView cluster,
      ProblemWatch problems,
      RequestDispatcher dispatcher) {
    this.loop = loop;
    this.dispatcher = dispatcher;
    this.cluster = cluster;
    this.content = new PageContent(store, loop, this::changed);
    this.parts = new PageFragments(cluster, content, problems::current);
    problems.onChange(changed -> loop.after(SETTLED, content::requestUpdate));
    this.feed = new Feed(Long.toString(loop.now().toEpochMilli(), 36), () -> whole().toString());
  }

  /** Starts to remember schedules. Call it on the loop. */
  public void start() {
    content.start();
  }

  /** Stops following and ends all streams. Call it on the loop. */
  public void close() {
    beat.cancel();
    rest.cancel();
    content.close();
    feed.close();
  }

  /** Follows the store from now on, since the page is read. */
  void wake() {
    rest.cancel();
    rest = loop.after(KEPT, this::rest);
    if (content.open()) {
      lastParts = parts(Instant.EPOCH);
      feed.sendWhole(); // what changed meanwhile is not kept
      beat = loop.after(BEAT, this::beat);
    }
  }

  private void rest() {
    if (feed.hasListeners()) {
      rest = loop.after(KEPT, this::rest);
    } else {
      content.pause();
      lastParts = Map.of();
      beat.cancel();
    }
  }

  /** Adds all routes. */
  public void mount(Router router) {
    Assets.mount(router, dispatcher);
    router.get("/").handler(dispatcher.at("/", this::page));
    router.head("/").handler(dispatcher.at("/", this::page));
    router.get("/ui/events").handler(dispatcher.at("/ui/events", this::follow));
  }

  /** The number of open pages. */
  public int open() {
    return streams.open();
  }

  private void page(RoutingContext context) {
    wake();
    var now = loop.now();
    var slots = new LinkedHashMap<>(parts(now));
    for (var section : Section.values()) {
      slots.put("head." + section.id(), headings(section));
      slots.put("rows." + section.id(), rows(section, now));
    }
    slots.put("title", Html.escape(asked(context)));
    slots.put("asked", LeaderForwarder.asked(context).map(parts::asked).orElse(""));
    slots.put("id", feed.lastId());
    slots.put("now", now.truncatedTo(ChronoUnit.SECONDS).toString());
    var html =
        SLOT.matcher(template)
            .replaceAll(
                slot ->
                    java.util.regex.Matcher.quoteReplacement(
                        slots.getOrDefault(slot.group(1), "")));
    Answer.send(context.request(), 200, "text/html; charset=utf-8", Buffer.buffer(html));
  }

  /** The node at whose address the page is. The leader may answer in its place. */
  private String asked(RoutingContext context) {
    return LeaderForwarder.asked(context).orElse(cluster.self().name());
  }

  private static String headings(Section section) {
    return section.columns().stream()
        .map(
            column ->
                "<th scope=\"col\" class=\"%s\" title=\"%s\">%s</th>"
                    .formatted(
                        Row.style(column),
                        Html.escape(column.description()),
                        Html.escape(column.name())))
        .collect(Collectors.joining());
  }

  private String rows(Section section, Instant now) {
    return content
        .rows(section)
        .limit(section == Section.EVENTS ? MOST_EVENTS : Long.MAX_VALUE)
        .map(row -> row.html(now))
        .collect(Collectors.joining());
  }

  private Map<String, String> parts(Instant now) {
    var all = new LinkedHashMap<String, String>();
    all.put("strip", parts.strip(now));
    all.put("summary", parts.summary());
    all.put("attention", parts.attention());
    all.put("schedule", parts.schedule(now));
    return all;
  }

  private void follow(RoutingContext context) {
    streams.enter();
    wake();
    RequestDispatcher.streams(context);
    var response = context.response();
    response
        .setChunked(true)
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Content-Encoding", "identity")
        .putHeader("Cache-Control", "no-store");
    var after = context.request().getHeader("Last-Event-ID");
    var client =
        feed.join(response, after == null ? context.request().getParam("after", "") : after);
    response.exceptionHandler(gone -> {});
    response.closeHandler(
        gone ->
            loop.execute(
                () -> {
                  client.leave();
                  streams.leave();
                }));
    response.drainHandler(drained -> loop.execute(client::drained));
  }

  private void changed(PageContent.Update update) {
    var now = loop.now();
    var next = parts(Instant.EPOCH);
    if (update.whole()) {
      lastParts = next;
      feed.sendWhole();
      return;
    }
    var message = message(now);
    var rows = message.putArray("rows");
    for (var row : update.changed()) {
      rows.addObject().put("section", row.section().id()).put("html", row.html(now));
    }
    var gone = message.putArray("gone");
    update.gone().forEach(gone::add);
    var different = message.putObject("parts");
    next.forEach(
        (name, html) -> {
          if (!html.equals(lastParts.get(name))) {
            different.put(name, html);
          }
        });
    lastParts = next;
    if (!rows.isEmpty() || !gone.isEmpty() || !different.isEmpty()) {
      feed.send("rows", StrictJson.json(message).toString());
    }
  }

  private ObjectNode whole() {
    var now = loop.now();
    var message = message(now);
    var sections = message.putObject("sections");
    for (var section : Section.values()) {
      sections.put(section.id(), rows(section, now));
    }
    var all = message.putObject("parts");
    parts(now).forEach(all::put);
    return message;
  }

  private ObjectNode message(Instant now) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", now.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  private void beat() {
    feed.beat(StrictJson.json(message(loop.now())).toString());
    beat = loop.after(BEAT, this::beat);
  }
}
