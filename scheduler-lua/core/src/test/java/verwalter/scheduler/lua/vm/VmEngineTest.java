package verwalter.scheduler.lua.vm;

import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaEngineContract;

class VmEngineTest extends LuaEngineContract {
  @Override
  protected LuaEngine engine() {
    return new VmEngine();
  }
}
