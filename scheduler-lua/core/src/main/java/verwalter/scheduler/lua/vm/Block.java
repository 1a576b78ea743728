package verwalter.scheduler.lua.vm;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sequence of statements with its labels. */
final class Block extends Stat {
  private final Stat[] statements;
  private final Map<String, Integer> labels;

  Block(int line, Stat[] statements, Map<String, Integer> labels) {
    super(line);
    this.statements = statements;
    this.labels = labels;
  }

  @Override
  @Nullable Signal exec(Frame f) {
    var list = statements;
    for (int i = 0; i < list.length; i++) {
      var signal = list[i].exec(f);
      if (signal != null) {
        var target = signal.label == null ? null : labels.get(signal.label);
        if (target == null) {
          return signal;
        }
        f.at = list[i];
        f.machine.meter.tick();
        i = target - 1;
      }
    }
    return null;
  }
}
