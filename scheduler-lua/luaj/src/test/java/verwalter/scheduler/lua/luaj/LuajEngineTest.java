package verwalter.scheduler.lua.luaj;

import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaEngineContract;

class LuajEngineTest extends LuaEngineContract {
  @Override
  protected LuaEngine engine() {
    return new LuajEngine();
  }
}
