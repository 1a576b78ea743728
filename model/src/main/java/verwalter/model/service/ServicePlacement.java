package verwalter.model.service;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import verwalter.model.codec.Described;

/**
 * The nodes that run a service.
 *
 * @param nodes labels that a node must have, such as {@code zone=a,disk=ssd}
 * @param spread {@code host}, or the name of a label: each of its values gets an equal part of the
 *     processes
 */
public record ServicePlacement(
    @Described(
            value = "labels that a node must have, such as zone=a,disk=ssd",
            pattern = ServicePlacement.LABELS)
        Optional<String> nodes,
    @Described(
            value = "host, or the name of a label: each of its values gets an equal part",
            pattern = ServicePlacement.LABEL_NAME)
        Optional<String> spread) {
  static final String LABEL_NAME = "[A-Za-z0-9][A-Za-z0-9._/-]*";
  private static final String ONE = "(" + LABEL_NAME + ")=([A-Za-z0-9._-]*)";
  static final String LABELS = "\\s*" + ONE + "\\s*(,\\s*" + ONE + "\\s*)*";
  private static final Pattern LABEL = Pattern.compile(ONE);
  private static final Pattern NAME = Pattern.compile(LABEL_NAME);

  public ServicePlacement {
    nodes.ifPresent(ServicePlacement::labels);
    spread.ifPresent(
        name -> {
          if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "spread must be host or the name of a label, not " + name);
          }
        });
  }

  /** The labels that a node must have. */
  public Map<String, String> labels() {
    return nodes.map(ServicePlacement::labels).orElse(Map.of());
  }

  private static Map<String, String> labels(String text) {
    var labels = new TreeMap<String, String>();
    for (var part : text.split(",", -1)) {
      var label = LABEL.matcher(part.strip());
      if (!label.matches()) {
        throw new IllegalArgumentException(
            "nodes must be labels such as zone=a,disk=ssd, not " + text);
      }
      if (labels.put(label.group(1), label.group(2)) != null) {
        throw new IllegalArgumentException(
            "nodes names the label %s twice; a node has one value of it".formatted(label.group(1)));
      }
    }
    return labels;
  }
}
