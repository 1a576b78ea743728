package verwalter.agent;

import ch.qos.logback.classic.pattern.TargetLengthBasedClassNameAbbreviator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A line for each event: time, level, source, message; then the stack trace, if there is one. It
 * prints the same as a pattern of Logback, without its parser and 170 classes.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {
  private static final int LEVEL_WIDTH = 5;
  private static final int SOURCE_WIDTH = 32;

  private final DateTimeFormatter time =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private final TargetLengthBasedClassNameAbbreviator source =
      new TargetLengthBasedClassNameAbbreviator(SOURCE_WIDTH);

  @Override
  public String doLayout(ILoggingEvent event) {
    var line = new StringBuilder();
    time.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
    var level = event.getLevel().toString();
    line.append(' ').append(level).append(" ".repeat(LEVEL_WIDTH - level.length()));
    line.append(' ').append(source.abbreviate(event.getLoggerName())).append(": ");
    line.append(event.getFormattedMessage()).append('\n');
    if (event.getThrowableProxy() != null) {
      line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return line.toString();
  }
}
