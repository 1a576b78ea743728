package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLayoutTest {
  private final LoggerContext context = new LoggerContext();

  private ILoggingEvent event(String logger, Level level, Throwable failure) {
    var event =
        new LoggingEvent(
            "", context.getLogger(logger), level, "node={}", failure, new Object[] {"web-1"});
    event.setInstant(Instant.parse("2026-02-03T04:05:06.078Z"));
    return event;
  }

  private String pattern(ILoggingEvent event) {
    var layout = new PatternLayout();
    layout.setContext(context);
    layout.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level %logger{32}: %msg%n");
    layout.start();
    return layout.doLayout(event);
  }

  @Test
  void printsTimeLevelSourceAndMessage() {
    assertThat(new LogLayout().doLayout(event("verwalter.agent.Daemon", Level.INFO, null)))
        .isEqualTo("2026-02-03T04:05:06.078Z INFO  verwalter.agent.Daemon: node=web-1\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ROOT",
        "verwalter.agent.Daemon",
        "verwalter.controllers.template.TemplateReconciler",
        "io.vertx.core.impl.BlockedThreadChecker"
      })
  void printsAsLogbackPattern(String logger) {
    var failure = new IllegalStateException("outer", new RuntimeException("inner"));
    for (var level : new Level[] {Level.TRACE, Level.WARN, Level.ERROR}) {
      for (var thrown : new Throwable[] {null, failure}) {
        var event = event(logger, level, thrown);
        assertThat(new LogLayout().doLayout(event)).isEqualTo(pattern(event));
      }
    }
  }
}
