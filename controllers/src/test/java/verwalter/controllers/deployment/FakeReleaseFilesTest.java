package verwalter.controllers.deployment;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

class FakeReleaseFilesTest extends ReleaseFilesContract {
  private final VirtualWorld world = new VirtualWorld(11);
  private final Loop loop = world.loop("files");
  private final FakeDisk disk = new FakeDisk();

  @Override
  protected ReleaseFiles open() {
    return new FakeReleaseFiles(disk, loop, world.random());
  }

  @Override
  protected String source(String content) {
    disk.serve("https://files/" + content, digest(content), 5);
    return "https://files/" + content;
  }

  @Override
  protected String slowSource(String content) {
    disk.serve("https://slow/" + content, digest(content), 1_000_000);
    return "https://slow/" + content;
  }

  @Override
  protected String digest(String content) {
    return "sha256:" + content.repeat(64);
  }

  @Override
  protected String noSource() {
    return "https://files/none";
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
    world.runUntil(goal, Duration.ofMinutes(1));
  }
}
