package verwalter.agent;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.cluster.forks.CopiedObjects;
import verwalter.cluster.forks.SideMessage;
import verwalter.cluster.sides.SidePromise;
import verwalter.cluster.sides.SideReport;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;

/** Messages between members of a side as JSON. Objects are strings, so that nothing is rounded. */
final class SideMessages {
  /**
   * The JSON of a message.
   *
   * @throws IOException if its objects alone have more than {@code most} bytes
   */
  static String text(SideMessage message, int most) throws IOException {
    var json = new JsonObject();
    if (message instanceof SideMessage.Report report) {
      json.put("report", of(report.report()));
    } else if (message instanceof SideMessage.Appointment appointment) {
      json.put("appointment", of(appointment.term()));
    } else if (message instanceof SideMessage.Copy copy) {
      json.put("copy", of(copy, most));
    } else {
      json.put("ended", of(((SideMessage.Ended) message).term()));
    }
    return json.encode();
  }

  private static JsonObject of(Term term) {
    return new JsonObject().put("leader", term.leader()).put("epoch", term.epoch());
  }

  private static JsonObject of(SideReport report) {
    var json =
        new JsonObject()
            .put("member", report.member())
            .put("view", report.view().number())
            .put("members", new JsonArray(new ArrayList<>(report.view().members())))
            .put("epoch", report.epoch())
            .put("version", report.version())
            .put("complete", report.complete());
    report.promise().term().ifPresent(term -> json.put("promise", of(term)));
    return json;
  }

  private static JsonObject of(SideMessage.Copy copy, int most) throws IOException {
    var objects = new JsonArray();
    long size = 0;
    for (var object : copy.objects()) {
      var bytes = Codec.json(object);
      size += bytes.length;
      if (size > most) {
        throw new IOException("a copy is larger than the limit of %d bytes".formatted(most));
      }
      objects.add(new String(bytes, StandardCharsets.UTF_8));
    }
    var removed = new JsonArray();
    copy.removed().forEach(key -> removed.add(new JsonArray().add(key.kind()).add(key.name())));
    return new JsonObject()
        .put("term", of(copy.term()))
        .put("base", copy.base())
        .put("number", copy.number())
        .put("after", copy.after())
        .put("objects", objects)
        .put("removed", removed);
  }

  /** Reads what {@link #text} returns. Fails if it is something else. */
  static SideMessage read(String text) throws IOException {
    try {
      var json = new JsonObject(text);
      if (json.containsKey("report")) {
        return new SideMessage.Report(report(json.getJsonObject("report")));
      }
      if (json.containsKey("appointment")) {
        return new SideMessage.Appointment(term(json.getJsonObject("appointment")));
      }
      if (json.containsKey("copy")) {
        return copy(json.getJsonObject("copy"));
      }
      return new SideMessage.Ended(term(json.getJsonObject("ended")));
    } catch (RuntimeException malformed) {
      throw new IOException("the message is malformed: " + malformed.getMessage(), malformed);
    }
  }

  private static Term term(@Nullable JsonObject json) {
    var present = Objects.requireNonNull(json);
    return new Term(Objects.requireNonNull(present.getString("leader")), present.getLong("epoch"));
  }

  private static SideReport report(JsonObject json) {
    var members = new TreeSet<String>();
    json.getJsonArray("members").forEach(member -> members.add((String) member));
    return new SideReport(
        Objects.requireNonNull(json.getString("member")),
        new View(json.getLong("view"), members),
        json.getLong("epoch"),
        new SidePromise(
            json.containsKey("promise")
                ? Optional.of(term(json.getJsonObject("promise")))
                : Optional.empty()),
        json.getLong("version"),
        json.getBoolean("complete"));
  }

  private static SideMessage.Copy copy(JsonObject json) throws IOException {
    var objects = new ArrayList<Resource<?, ?>>();
    for (var each : json.getJsonArray("objects")) {
      var object = Codec.fromJson(((String) each).getBytes(StandardCharsets.UTF_8));
      if (!CopiedObjects.contains(object.key())) {
        throw new IOException(object.key() + " is not copied");
      }
      objects.add(object);
    }
    var removed = new ArrayList<ResourceKey>();
    for (var each : json.getJsonArray("removed")) {
      var key = (JsonArray) each;
      removed.add(new ResourceKey(key.getString(0), key.getString(1)));
    }
    return new SideMessage.Copy(
        term(json.getJsonObject("term")),
        json.getLong("base"),
        json.getLong("number"),
        json.getLong("after"),
        objects,
        removed);
  }

  private SideMessages() {}
}
