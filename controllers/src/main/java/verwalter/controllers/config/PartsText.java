package verwalter.controllers.config;

import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Names the parts in which two configuration directories differ, for messages. */
final class PartsText {
  private static final int MOST = 10;

  /** The names, in order and separated by commas; the parts of only one directory included. */
  static String of(Map<String, String> own, Map<String, String> other) {
    var parts = new TreeSet<>(own.keySet());
    parts.addAll(other.keySet());
    parts.removeIf(part -> Objects.equals(own.get(part), other.get(part)));
    var text = parts.stream().limit(MOST).collect(Collectors.joining(", "));
    return parts.size() > MOST ? "%s and %d more".formatted(text, parts.size() - MOST) : text;
  }

  private PartsText() {}
}
