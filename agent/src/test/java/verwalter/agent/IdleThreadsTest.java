package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.spi.VertxServiceProvider;
import java.util.ServiceLoader;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

class IdleThreadsTest {
  @Test
  void threadsEndWhenIdle() {
    var pool = (ThreadPoolExecutor) new IdleThreads().createExecutor(Thread::new, 3, 20);

    assertThat(pool.allowsCoreThreadTimeOut()).isTrue();
    assertThat(pool.getMaximumPoolSize()).isEqualTo(20);
    pool.shutdown();
  }

  @Test
  void isFoundByVertx() {
    assertThat(ServiceLoader.load(VertxServiceProvider.class))
        .anySatisfy(each -> assertThat(each).isInstanceOf(IdleThreads.class));
  }
}
