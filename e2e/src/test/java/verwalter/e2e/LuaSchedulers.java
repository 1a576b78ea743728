package verwalter.e2e;

/** Parts of schedulers that several tests use. */
final class LuaSchedulers {
  /**
   * Defines {@code on_all_nodes(input, place)}. It returns the roles, and the nodes with all roles
   * on each of them; {@code place(version, host)} returns the settings of a role from those of its
   * version {@code v1}.
   */
  static final String ON_ALL_NODES =
      """
      local json = require "verwalter/json"

      local function on_all_nodes(input, place)
        local roles, nodes = json.object{}, json.object{}
        local hosts = {[input.current_host] = true}
        for _, peer in pairs(input.peers) do
          hosts[peer.hostname] = true
        end
        for host in pairs(hosts) do
          nodes[host] = {roles = json.object{}}
        end
        for role, metadata in pairs(input.runtime) do
          roles[role] = json.object{}
          for host in pairs(hosts) do
            nodes[host].roles[role] = place(metadata.v1, host)
          end
        end
        return roles, nodes
      end

      """;

  private LuaSchedulers() {}
}
