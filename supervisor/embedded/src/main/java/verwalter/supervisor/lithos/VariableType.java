package verwalter.supervisor.lithos;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The types of variables in a container configuration. */
sealed interface VariableType {
  /** Why {@code value} is not of this type; empty if it is. */
  Optional<String> refuses(String value, List<IdRange> allowedPorts);

  static VariableType read(Value value) {
    var tag = value.tag().orElse("");
    return switch (tag) {
      case "!TcpPort" -> TcpPort.read(value);
      case "!Name" -> new Name();
      case "!DottedName" -> new DottedName();
      case "!Choice" -> new Choice(value.items().stream().map(Value::text).toList());
      default -> {
        value.problem(
            "expected !TcpPort, !Name, !DottedName or !Choice [...], found "
                + (tag.isEmpty() ? "no tag" : tag));
        yield new Name();
      }
    };
  }

  /** A port that the sandbox allows. */
  record TcpPort(boolean activated) implements VariableType {
    static TcpPort read(Value value) {
      if (value.isOmitted()) {
        return new TcpPort(false);
      }
      var struct = value.taggedStruct();
      var activation = struct.get("activation", "none", each -> each.oneOf("none", "systemd"));
      struct.end();
      return new TcpPort(activation.equals("systemd"));
    }

    @Override
    public Optional<String> refuses(String value, List<IdRange> allowedPorts) {
      var port = Numbers.plain(value).filter(each -> each >= 0 && each <= 65_535);
      if (port.isEmpty()) {
        return Optional.of("\"" + value + "\" is not a TCP port");
      }
      return IdRange.anyHolds(allowedPorts, port.get())
          ? Optional.empty()
          : Optional.of(
              "port " + value + " is not in the sandbox's allow-tcp-ports " + allowedPorts);
    }
  }

  /** ASCII letters, digits, dashes and underscores. */
  record Name() implements VariableType {
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]*");

    @Override
    public Optional<String> refuses(String value, List<IdRange> allowedPorts) {
      return TEXT.matcher(value).matches()
          ? Optional.empty()
          : Optional.of("\"" + value + "\" is not a name of letters, digits, '-' and '_'");
    }
  }

  /** Such names joined by dots, without a dash at either end. */
  record DottedName() implements VariableType {
    private static final String PART = "[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?";
    private static final Pattern TEXT = Pattern.compile(PART + "(\\." + PART + ")*+");

    @Override
    public Optional<String> refuses(String value, List<IdRange> allowedPorts) {
      return TEXT.matcher(value).matches()
          ? Optional.empty()
          : Optional.of("\"" + value + "\" is not a name of parts joined by dots");
    }
  }

  /** One of a list. */
  record Choice(List<String> choices) implements VariableType {
    public Choice {
      choices = List.copyOf(choices);
    }

    @Override
    public Optional<String> refuses(String value, List<IdRange> allowedPorts) {
      return choices.contains(value)
          ? Optional.empty()
          : Optional.of("\"" + value + "\" is not one of " + String.join(", ", choices));
    }
  }
}
