package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.Loop;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.testkit.SupervisorContract;

class EmbeddedSupervisorContractTest extends SupervisorContract {
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void open() {
    site = new Site(base);
    site.image("one", "exec sleep 300", "");
    site.image("two", "exec sleep 300", "");
    site.settings = Settings.standard().allowingCommands();
    site.open();
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Override
  protected Supervisor supervisor() {
    return site.supervisor;
  }

  @Override
  protected Supervisor reopened() {
    site.reopen();
    return site.supervisor;
  }

  @Override
  protected Loop loop() {
    return site.loop;
  }

  @Override
  protected ProcessSpec entry(int instances) {
    return Site.entry("one", instances);
  }

  @Override
  protected ProcessSpec otherEntry(int instances) {
    return Site.entry("two", instances);
  }

  @Override
  protected ProcessSpec badEntry() {
    return Site.entry("none", 1);
  }

  @Override
  protected void until(BooleanSupplier condition) {
    site.until(condition::getAsBoolean);
  }
}
