package verwalter.model.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import verwalter.model.ProcessSpec.Probe;
import verwalter.model.ProcessSpec.Purpose;
import verwalter.model.json.Json;

/** Probes as JSON in the metadata of a revision. Pure. */
final class ProbeJson {
  static Map<String, Object> of(Probe probe) {
    var json = new LinkedHashMap<String, Object>();
    json.put("purpose", probe.purpose().word());
    probe.http().ifPresent(it -> json.put("http", it));
    probe.tcp().ifPresent(it -> json.put("tcp", it));
    if (!probe.exec().isEmpty()) {
      json.put("exec", probe.exec());
    }
    json.put("intervalSeconds", probe.intervalSeconds());
    json.put("timeoutSeconds", probe.timeoutSeconds());
    json.put("successes", (long) probe.successes());
    json.put("failures", (long) probe.failures());
    json.put("lowestStatus", (long) probe.lowestStatus());
    json.put("highestStatus", (long) probe.highestStatus());
    return json;
  }

  /** The probes of a command, the inverse of {@link #of}; a value that is no probe is left out. */
  static List<Probe> read(Map<String, Object> command) {
    return command.get("probes") instanceof List<?> probes
        ? probes.stream().map(Json::object).flatMap(ProbeJson::probe).toList()
        : List.of();
  }

  private static Stream<Probe> probe(Map<String, Object> json) {
    var words = json.get("exec") instanceof List<?> all ? all : List.of();
    return Stream.of(Purpose.values())
        .filter(purpose -> purpose.word().equals(json.get("purpose")))
        .map(
            purpose ->
                new Probe(
                    purpose,
                    Optional.ofNullable(json.get("http")).map(String::valueOf),
                    Optional.ofNullable(json.get("tcp")).map(String::valueOf),
                    words.stream().map(String::valueOf).toList(),
                    number(json, "intervalSeconds"),
                    number(json, "timeoutSeconds"),
                    (int) number(json, "successes"),
                    (int) number(json, "failures"),
                    (int) number(json, "lowestStatus"),
                    (int) number(json, "highestStatus")));
  }

  private static long number(Map<String, Object> json, String field) {
    return json.get(field) instanceof Long number ? number : 1;
  }

  private ProbeJson() {}
}
