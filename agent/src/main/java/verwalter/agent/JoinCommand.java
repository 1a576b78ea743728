package verwalter.agent;

import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import verwalter.certificates.ClusterTls;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.files.FileAccess;
import verwalter.model.JoinTokenText;

/** {@code verwalter join}: makes this machine a node of a cluster. */
@Command(
    name = "join",
    mixinStandardHelpOptions = true,
    description = {
      "Makes this machine a node of a cluster, or founds a cluster with it.",
      "The agent of this machine must not run; it is started afterwards with the same directories."
    })
final class JoinCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "HOST[:PORT]",
      description = "The cluster address of a member; none founds a cluster.")
  private Optional<String> host = Optional.empty();

  @Option(names = "--token", paramLabel = "T", description = "The join token.")
  private Optional<String> token = Optional.empty();

  @Option(
      names = "--address",
      required = true,
      paramLabel = "HOST[:PORT]",
      description = "The address at which other members reach this machine.")
  private String address = "";

  @Mixin private final Settings settings = new Settings();

  @Override
  public Integer call() throws Exception {
    var hostname = settings.hostname.orElseGet(MachineFacts::hostname);
    var machineId = MachineFacts.machineId(settings.machineId);
    var root = "root".equals(System.getProperty("user.name"));
    var storage = settings.places(System.getenv(), root).storage();
    var files = ClusterFiles.in(storage);
    FileAccess.PRIVATE.makeDirectories(files.directory());
    var machine =
        new Enrollment.Machine(hostname, machineId, List.of(Address.of(address).toString()));
    var vertx = Vertx.vertx();
    try {
      return run(files, machine, vertx);
    } finally {
      Waiting.forResult(vertx.close());
    }
  }

  private Integer run(ClusterFiles files, Enrollment.Machine machine, Vertx vertx)
      throws Exception {
    var pki = files.pki();
    var clock = InstantSource.system();
    var enrollment = new Enrollment(vertx, files.own(), pki, clock, new SecureRandom());
    if (host.isEmpty()) {
      enrollment.found(machine);
      return ExitCode.OK.code();
    }
    var member = Address.of(host.get());
    var joined =
        Waiting.forResult(enrollment.join(member, JoinTokenText.parse(token.orElse("")), machine));
    var tls = new ClusterTls(pki, joined.cluster(), clock);
    var own = Address.of(joined.addresses().get(0));
    try (var client = ClusterClient.member(vertx, tls)) {
      var place =
          Waiting.forResult(
              new ClusterEntry(client, List.of(member)).request(own.host(), own.port() + 1));
      Waiting.forResult(enrollment.renew(tls, joined, place.by()));
      Waiting.forResult(enrollment.fetchAuthority(tls, place.by()));
      ElectorServer.join(files.ensemble(), place.placed().self(), place.placed().others());
    }
    spec.commandLine()
        .getOut()
        .printf("This machine is node %s of the cluster now. Start its agent.%n", joined.node());
    return ExitCode.OK.code();
  }
}
