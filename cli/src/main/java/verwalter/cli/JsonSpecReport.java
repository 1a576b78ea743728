package verwalter.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.client.json.PlainJson;
import verwalter.scheduler.lua.spec.Spec;

/** A report for programs: one JSON document at the end. */
final class JsonSpecReport extends SpecReport {
  private final Session session;
  private final List<Object> specs = new ArrayList<>();
  private boolean good = true;

  JsonSpecReport(Session session) {
    super(session);
    this.session = session;
  }

  @Override
  void ran(Spec spec, Spec.Result result) {
    var object = object(spec.name(), spec.place(), result.failure().isEmpty());
    object.put("instructions", result.instructions());
    result.failure().ifPresent(failure -> object.put("failure", failure(failure)));
  }

  @Override
  void pending(Spec spec) {
    object(spec.name(), spec.place(), true).put("pending", true);
  }

  @Override
  void unreadable(String path, String message, String trace) {
    object(path, path, false).put("failure", failure(message, trace));
  }

  @Override
  boolean end() {
    session.println(PlainJson.pretty(Map.of("specs", specs)));
    return good;
  }

  private Map<String, Object> object(String name, String place, boolean passed) {
    good &= passed;
    var object = new LinkedHashMap<String, Object>();
    object.put("name", name);
    object.put("place", place);
    object.put("passed", passed);
    specs.add(object);
    return object;
  }

  private static Map<String, Object> failure(String message, String trace) {
    var object = new LinkedHashMap<String, Object>();
    object.put("message", message);
    object.put("trace", trace);
    return object;
  }

  private static Map<String, Object> failure(Spec.Failure failure) {
    var object = failure(failure.message(), failure.trace());
    put(object, "place", failure.place());
    put(object, "expected", failure.expected());
    put(object, "actual", failure.actual());
    return object;
  }

  private static void put(Map<String, Object> object, String key, Optional<String> value) {
    value.ifPresent(text -> object.put(key, text));
  }
}
