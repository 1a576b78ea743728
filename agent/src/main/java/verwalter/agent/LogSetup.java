package verwalter.agent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Locale;
import java.util.Map;

/**
 * Configures logging: one line for each event on standard error, with time, level, source and
 * message.
 *
 * <p>{@code VERWALTER_LOG} sets the levels: {@code info} for everything, {@code
 * warn,verwalter.controllers=debug} for a different level of a part. The default is {@code info}.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    var layout = new LogLayout();
    layout.setContext(context);
    layout.start();
    var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    var console = new ConsoleAppender<ILoggingEvent>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(console);
    root.setLevel(Level.INFO);
    context.getLogger("io.netty").setLevel(Level.WARN);
    context.getLogger("org.apache.zookeeper").setLevel(Level.ERROR);
    levels(context, System.getenv());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static void levels(LoggerContext context, Map<String, String> environment) {
    for (var part : environment.getOrDefault("VERWALTER_LOG", "").split(",", -1)) {
      int equals = part.indexOf('=');
      var logger = equals < 0 ? Logger.ROOT_LOGGER_NAME : part.substring(0, equals).strip();
      var level = part.substring(equals + 1).strip().toUpperCase(Locale.ROOT);
      if (!level.isEmpty()) {
        context.getLogger(logger).setLevel(Level.toLevel(level, Level.INFO));
      }
    }
  }
}
