package verwalter.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;
import verwalter.cli.yaml.Yaml;
import verwalter.model.json.DecodeException;
import verwalter.model.service.ServiceFile;

/**
 * A service with one process, as the flags of {@code vw run} describe it.
 *
 * @param text the text of its file
 * @param service what an agent reads from it
 */
record ServiceDraft(String text, ServiceFile service) {
  private static final String PROCESS = "web";

  /**
   * The service of a command line.
   *
   * @throws Failure if an agent would refuse it, with its reasons
   */
  static ServiceDraft of(List<String> command, ParseResult args) {
    var process = new LinkedHashMap<String, Object>();
    process.put("command", command);
    var instances = args.matchedOptionValue("--instances", "");
    if (!instances.isEmpty()) {
      process.put("instances", number(instances));
    }
    put(process, "ports", pairs(args, "--port", "http=11310-11319"));
    put(process, "env", pairs(args, "--env", "LANG=C.UTF-8"));
    put(process, "user", args.matchedOptionValue("--user", ""));
    put(process, "directory", args.matchedOptionValue("--directory", ""));
    var text = Yaml.text(Map.of("processes", Map.of(PROCESS, process)));
    try {
      return new ServiceDraft(text, ServiceFile.read(text, "vw run"));
    } catch (DecodeException refused) {
      var first = refused.problems().get(0);
      throw Failure.usage(first.message(), "vw help run");
    }
  }

  /** The number of processes on all nodes together. */
  int instances() {
    return service.processes().values().stream().mapToInt(each -> each.instances().orElse(1)).sum();
  }

  private static void put(Map<String, Object> process, String field, String value) {
    if (!value.isEmpty()) {
      process.put(field, value);
    }
  }

  private static void put(Map<String, Object> process, String field, Map<String, Object> value) {
    if (!value.isEmpty()) {
      process.put(field, value);
    }
  }

  private static Object number(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw Failure.usage("--instances must be a number, not \"" + text + "\"", "--instances 3");
    }
  }

  private static Map<String, Object> pairs(ParseResult args, String option, String example) {
    List<String> texts = args.matchedOptionValue(option, List.of());
    var pairs = new LinkedHashMap<String, Object>();
    for (var text : texts) {
      int sign = text.indexOf('=');
      if (sign < 1) {
        throw Failure.usage(
            "%s must be NAME=VALUE, not \"%s\"".formatted(option, text), option + " " + example);
      }
      pairs.put(text.substring(0, sign), text.substring(sign + 1));
    }
    return pairs;
  }
}
