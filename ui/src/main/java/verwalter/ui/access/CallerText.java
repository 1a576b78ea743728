package verwalter.ui.access;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.access.Caller;
import verwalter.access.Credential;

/**
 * A caller as text, for a request that one node forwards to another: credential, name and groups,
 * separated by blanks.
 */
final class CallerText {
  private static final int FIRST_GROUP = 2;

  static String of(Caller caller) {
    return Stream.concat(
            Stream.of(caller.credential().name(), caller.name()), caller.groups().stream().sorted())
        .map(each -> URLEncoder.encode(each, StandardCharsets.UTF_8))
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads the text of a caller.
   *
   * @throws IllegalArgumentException if it is not one
   */
  static Caller parse(String text) {
    var parts =
        Arrays.stream(text.split(" ", -1))
            .map(each -> URLDecoder.decode(each, StandardCharsets.UTF_8))
            .toList();
    if (parts.size() < FIRST_GROUP) {
      throw new IllegalArgumentException("a caller without a name");
    }
    return new Caller(
        parts.get(1),
        Set.copyOf(parts.subList(FIRST_GROUP, parts.size())),
        Credential.valueOf(parts.get(0)));
  }

  private CallerText() {}
}
