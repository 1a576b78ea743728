package verwalter.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AuditChainTest {
  private static AuditEntry entry(String object) {
    return new AuditEntry(
        Instant.parse("2026-11-01T00:00:00Z"),
        "ada",
        "bearer token",
        "127.0.0.1",
        "patch",
        object,
        200,
        "");
  }

  private static List<String> lines(int count) {
    var lines = new ArrayList<String>();
    var chain = AuditChain.START;
    for (int i = 0; i < count; i++) {
      lines.add(chain.line(entry("RoleConfig/r" + i)));
      chain = chain.after(lines.get(i));
    }
    return lines;
  }

  /** The index of the first line that does not follow. */
  private static OptionalInt broken(List<String> lines) {
    var chain = AuditChain.START;
    for (int i = 0; i < lines.size(); i++) {
      if (chain.problem(lines.get(i)).isPresent()) {
        return OptionalInt.of(i);
      }
      chain = chain.after(lines.get(i));
    }
    return OptionalInt.empty();
  }

  @Test
  void acceptsItsOwnLines() {
    var lines = lines(20);
    assertThat(broken(lines)).isEmpty();
    assertThat(AuditChain.endingWith(lines.get(19)).orElseThrow().number()).isEqualTo(20);
    assertThat(AuditChain.before(lines.get(0))).contains(AuditChain.START);
    assertThat(AuditChain.fields(lines.get(3)).orElseThrow())
        .containsEntry("object", "RoleConfig/r3");
  }

  @Test
  void findsEveryChangedCharacter() {
    var lines = lines(3);
    var middle = lines.get(1);
    for (int i = 0; i < middle.length(); i++) {
      var changed = new ArrayList<>(lines);
      var other = middle.charAt(i) == '1' ? '2' : '1';
      changed.set(1, middle.substring(0, i) + other + middle.substring(i + 1));
      assertThat(broken(changed)).as("character %d", i).hasValue(1);
    }
  }

  @Test
  void findsRemovedAddedAndMovedLines() {
    for (int i = 0; i < 5; i++) {
      var removed = lines(6);
      removed.remove(i);
      assertThat(broken(removed)).hasValue(i);
      var moved = lines(6);
      moved.add(i, moved.remove(i + 1));
      assertThat(broken(moved)).hasValue(i);
      var added = lines(6);
      added.add(i + 1, added.get(i));
      assertThat(broken(added)).hasValue(i + 1);
    }
  }

  @Test
  void findsALineThatWasReplacedWithAValidHash() {
    var lines = lines(3);
    var before = AuditChain.START.after(lines.get(0));
    lines.set(1, before.line(entry("RoleConfig/other")));
    assertThat(broken(lines)).hasValue(2);
  }
}
