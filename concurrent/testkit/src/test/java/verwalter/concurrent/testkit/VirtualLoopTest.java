package verwalter.concurrent.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import verwalter.concurrent.Loop;

class VirtualLoopTest extends LoopContract {
  private final VirtualWorld world = new VirtualWorld(1);

  @Override
  protected Loop newLoop() {
    return world.loop("loop");
  }

  @Override
  protected void until(BooleanSupplier goal) {
    world.runUntil(goal, Duration.ofMinutes(1));
  }

  @Override
  protected boolean isOn(Loop loop) {
    return world.isOn(loop);
  }
}
