package verwalter.model.service;

import java.util.Optional;

/** The file that {@code vw init} writes: a service that runs as it is, with a comment per field. */
public final class ServiceExample {
  private static final String TEXT =
      """
      # A service in one file. Saving it is the deployment: an agent that reads this configuration
      # directory runs the new content, and the former one again if the new one fails.
      processes:
        web:
          # Without a shell. ${port.NAME}, ${node}, ${role}, ${process} and ${config_dir} are replaced;
          # $$ is a $.
          command: [python3, -m, http.server, --bind, 127.0.0.1, "${port.http}"]
          # On all nodes together; or per-node: 1, or share: 20% of the processors.
          instances: 2
          # Each process gets a port of the range, and keeps it.
          ports: {http: 11310-11319}
          # directory: /srv/web
          # env: {LANG: C.UTF-8}
          # secrets: {db: /etc/shop/db.password}  # in the directory $CREDENTIALS_DIRECTORY
          # If the agent is root, nobody unless a user is given.
          # user: www-data
          # groups: [adm]
          # umask: "027"
          # stop-signal: INT
          # stop-timeout: 5s
          # stop-delay: 3s  # the time after it has left the lists of proxies
          # health: {http: /}
          # after: [db]
          # limits: {memory: 200MB, cpu: 0.5, pids: 100, files: 1024}
      # commands:
      #   backup: {command: [./backup], cron: 30 3 * * *, time-limit: 2h}
      # image: {url: "file:/srv/shop-1.4.tar.gz", sha256: "the digits that sha256sum prints"}
      # files: [{template: shop.ini.j2, to: etc/shop.ini}]  # of roles/NAME/; see ${files}
      # place: {nodes: disk=ssd, spread: zone}
      update:
        # One process after the other; or substeps: 4, canary: 10%, blue-green: true.
        one-by-one: true
        # How long new processes have to run before the next ones are replaced.
        ready-for: 5s
        # on-failure: pause
        # deadline: 5m
      """;

  /**
   * The example.
   *
   * @param schema the path of the JSON Schema for editors; absent for none
   */
  public static String text(Optional<String> schema) {
    return schema.map("# yaml-language-server: $schema=%s\n"::formatted).orElse("") + TEXT;
  }

  private ServiceExample() {}
}
