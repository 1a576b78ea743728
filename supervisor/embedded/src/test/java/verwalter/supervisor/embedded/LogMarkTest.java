package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogMarkTest {
  private static final String INODE = "42";

  @Test
  void isReadFromItsLine() {
    var mark = new LogMark(1000, 7);
    assertThat(LogMark.in(mark.line(INODE) + "rest", INODE, 1000)).contains(mark);
  }

  @Test
  void isShorterThanItsLimit() {
    var longest = new LogMark(999_999_999_999_999_999L, 999_999_999_999_999_999L);
    var inode = "18446744073709551615";
    assertThat(longest.line(inode).length()).isLessThanOrEqualTo(LogMark.LONGEST);
    assertThat(LogMark.in(longest.line(inode), inode, Long.MAX_VALUE)).contains(longest);
  }

  @Test
  void ofAnotherLogIsOutput() {
    assertThat(LogMark.in(new LogMark(1000, 7).line("43"), INODE, 1000)).isEmpty();
  }

  @Test
  void inTheMiddleIsOutput() {
    assertThat(LogMark.in("x" + new LogMark(1000, 7).line(INODE), INODE, 1000)).isEmpty();
  }

  @Test
  void ofMoreThanTheLogHasIsOutput() {
    assertThat(LogMark.in(new LogMark(1000, 7).line(INODE), INODE, 999)).isEmpty();
  }

  @Test
  void thatIsCutOffIsOutput() {
    var line = new LogMark(1000, 7).line(INODE);
    assertThat(LogMark.in(line.substring(0, line.length() - 1), INODE, 1000)).isEmpty();
  }
}
