package verwalter.stores.engine;

import java.util.Optional;
import verwalter.concurrent.Watch;
import verwalter.stores.api.DurableStore;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.StoreFigures;

/** A durable store whose objects an {@link Engine} keeps. */
public abstract class EngineStore extends ForwardingEpochStore<Engine> implements DurableStore {
  /** Passes calls to an engine, which the subclass closes. */
  protected EngineStore(Engine engine) {
    super(engine);
  }

  @Override
  public StoreFigures figures() {
    return real.figures();
  }

  @Override
  public Optional<String> problem() {
    return real.problem();
  }

  @Override
  public Watch onProblem(Runnable listener) {
    return real.onProblem(listener);
  }
}
