package verwalter.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import verwalter.cli.print.Age;
import verwalter.client.ApiException;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.DecisionRecord;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.record.CodeText;
import verwalter.scheduler.record.RecordText;

/** The recorded decisions, read from the server. */
final class Archive {
  private static final String PATH = "/v1/decisions";
  private static final int PAGE = 500;

  private final Session session;

  Archive(Session session) {
    this.session = session;
  }

  /** One row of the list. */
  record Row(String id, Instant at, String schedule, String code, long bytes) {
    static Row of(Object json) {
      return new Row(
          PlainJson.text(json, "id"),
          Instant.parse(PlainJson.text(json, "at")),
          PlainJson.text(json, "schedule"),
          PlainJson.text(json, "code"),
          PlainJson.at(json, "bytes") instanceof Number bytes ? bytes.longValue() : 0);
    }

    boolean decided() {
      return !schedule.isEmpty();
    }
  }

  /** The newest decisions, newest first. */
  List<Row> newest(int limit) throws IOException {
    var rows = new ArrayList<Row>();
    var query = QueryParameters.NONE.with("limit", "" + Math.min(limit, PAGE));
    var next = "";
    do {
      var page = session.api().read(PATH + (next.isEmpty() ? query : query.with("continue", next)));
      PlainJson.list(page, "items").forEach(item -> rows.add(Row.of(item)));
      next = PlainJson.text(page, "continue");
    } while (!next.isEmpty() && rows.size() < limit);
    return rows.subList(0, Math.min(limit, rows.size()));
  }

  /** The whole decision that a reference names. */
  DecisionRecord read(String reference) throws IOException {
    var packed = session.api().bytes(path(reference) + "/packed");
    return RecordText.unpack(new ByteArrayInputStream(packed));
  }

  /** The code that made a decision. */
  Code code(String reference) throws IOException {
    try {
      var packed = session.api().bytes(path(reference) + "/packed_code");
      return CodeText.unpack(new ByteArrayInputStream(packed));
    } catch (ApiException refused) {
      throw refused.code() == 404
          ? Failure.error(refused.getMessage(), "list them: vw schedule history -o wide")
          : refused;
    }
  }

  private static String path(String reference) {
    return PATH + "/" + QueryParameters.segment(reference);
  }

  /** The first digits of a hash; {@code -} if it is empty. */
  static String shortly(String hash) {
    return hash.isEmpty() ? "-" : hash.substring(0, Math.min(8, hash.length()));
  }

  /** The time since then, such as 5m. */
  String age(Instant at) {
    return Age.of(Duration.between(at, session.now()));
  }
}
