package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.deployment.ReleaseFiles;
import verwalter.controllers.deployment.ReleaseFilesContract;

class SimulatedReleaseFilesTest extends ReleaseFilesContract {
  private final VirtualWorld world = new VirtualWorld(12);
  private final Loop loop = world.loop("files");
  private final SimulatedReleases disk = new SimulatedReleases();

  @Override
  protected ReleaseFiles open() {
    return disk.on(loop, new CrashPoints());
  }

  @Override
  protected String source(String content) {
    return "http://files/" + content;
  }

  @Override
  protected String slowSource(String content) {
    disk.download = Duration.ofDays(1);
    return source(content);
  }

  @Override
  protected String digest(String content) {
    return SimulatedReleases.digest(source(content));
  }

  @Override
  protected String noSource() {
    disk.missing.add("http://files/none");
    return "http://files/none";
  }

  @Override
  protected void age(Duration time) {
    disk.age(time);
  }

  @Override
  protected boolean hasRests() {
    return !disk.partial.isEmpty();
  }

  @Override
  protected Loop loop() {
    return loop;
  }

  @Override
  protected boolean isOnLoop() {
    return world.isOn(loop);
  }

  @Override
  protected <V> V await(Future<V> future) {
    return world.await(future);
  }

  @Override
  protected Throwable failure(Future<?> future) {
    return world.failure(future);
  }

  @Override
  protected void until(BooleanSupplier goal) {
    world.runUntil(goal, Duration.ofDays(1));
  }
}
