package verwalter.stores.logkit;

class MemoryLogTest extends LogContract {
  @Override
  protected LogMedium newMedium() {
    return new MemoryMedium(20);
  }
}
