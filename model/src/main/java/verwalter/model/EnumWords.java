package verwalter.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The words of enums in files and schedules: their names in lower case. */
final class EnumWords {
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** The constant with this word; empty if there is none. */
  static <E extends Enum<E>> Optional<E> of(Class<E> type, @Nullable Object word) {
    return Arrays.stream(type.getEnumConstants()).filter(it -> of(it).equals(word)).findFirst();
  }

  /** All words, in the order of their constants. */
  static <E extends Enum<E>> List<String> all(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(EnumWords::of).toList();
  }

  private EnumWords() {}
}
