package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class MessageLimitTest {
  @Test
  void keepsShortMessages() {
    var longest = "x".repeat(MessageLimit.LENGTH);
    assertThat(MessageLimit.shorten(longest)).isSameAs(longest);
    assertThat(MessageLimit.shorten("")).isEmpty();
  }

  @Test
  void keepsTheBeginningAndTheEndOfLongMessages() {
    var message = "begin" + "x".repeat(10_000_000) + "end";
    var shortened = MessageLimit.shorten(message);
    assertThat(shortened).startsWith("beginx").endsWith("xend");
    assertThat(shortened.length()).isBetween(MessageLimit.LENGTH - 50, MessageLimit.LENGTH);
    assertThat(shortened).contains(" characters omitted) ");
    var parts = shortened.split(" \\.\\.\\. \\(| characters omitted\\) \\.\\.\\. ", -1);
    assertThat(parts[0].length() + Integer.parseInt(parts[1]) + parts[2].length())
        .isEqualTo(message.length());
  }

  @Test
  void doesNotSplitSurrogatePairs() {
    for (var before : new String[] {"", "x"}) {
      var shortened = MessageLimit.shorten(before + "\uD83D\uDE00".repeat(5_000));
      assertThat(shortened.codePoints().filter(Character::isSupplementaryCodePoint).count())
          .isEqualTo(shortened.chars().filter(c -> Character.isSurrogate((char) c)).count() / 2);
      assertThat(shortened.codePoints())
          .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
  }

  @Test
  void conditionsAreShortened() {
    var condition =
        Condition.ofFalse(
            ConditionType.DECIDED, Reason.SCHEDULER_FAILED, "x".repeat(5_000), 1, Instant.EPOCH);
    assertThat(condition.message()).hasSizeLessThanOrEqualTo(MessageLimit.LENGTH);
  }
}
