package verwalter.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** All verbs. Only the verb that is called is created, which keeps the start fast. */
enum Verbs {
  GET("get", "Show objects, one row each"),
  DESCRIBE("describe", "Show all of an object, with its conditions and events"),
  STATUS("status", "Show the state of the cluster on one screen"),
  LOGS("logs", "Print the logs of processes on all nodes, by time"),
  EXEC("exec", "Run a command beside a process, or a Command of a role"),
  TOP("top", "Show the resources that nodes and processes use"),
  INIT("init", "Write an example of a service in one file"),
  RUN("run", "Write a service in one file, and wait until it runs"),
  SCHEMA("schema", "Print the JSON Schema of services in one file"),
  APPLY("apply", "Create or change objects from files"),
  EDIT("edit", "Change an object in your editor"),
  DELETE("delete", "Delete objects"),
  WAIT("wait", "Wait until objects have reached a state"),
  ACTION("action", "Send an action to the scheduler"),
  WHY("why", "Explain why a role runs where it does"),
  EXPLAIN("explain", "Show where the variables of a role come from"),
  ROLLOUT("rollout", "Follow the rollout of a role, and undo it"),
  FILES("files", "Show the files that were made for a role, and bring former ones back"),
  RESTART("restart", "Restart the processes of a role"),
  SCALE("scale", "Run another number of processes of a service"),
  STOP("stop", "Stop all processes of a service"),
  START("start", "Run a service as its file says again"),
  PURGE("purge", "Unpack the files of a role anew, and restart it"),
  VERIFY("verify", "Compare the files of releases with the lists of their archives"),
  CORDON("cordon", "Give nodes no new processes"),
  UNCORDON("uncordon", "Give nodes processes again"),
  DRAIN("drain", "Move the processes of nodes to others, and wait for it"),
  SCHEDULE("schedule", "Show, compare and replay recorded decisions"),
  SIMULATE("simulate", "Run a scheduler on a simulated cluster"),
  SCHEDULER("scheduler", "Run the specs of a scheduler, without a server"),
  AUTH("auth", "Show who you are and what you may do, and make tokens"),
  AUDIT("audit", "Show what was done, and check the record of it"),
  CONFIG("config", "Choose between servers, and compare configuration directories"),
  API_RESOURCES("api-resources", "List the types of objects"),
  CLUSTER("cluster", "Found a cluster, and show it"),
  NODE("node", "Set how many nodes vote, and take nodes out of the cluster"),
  TOKEN("token", "Create, list and revoke join tokens"),
  VERSION("version", "Show the versions of vw and of the server"),
  COMPLETION("completion", "Write a completion script for your shell"),
  HELP("help", "Explain a verb, or the exit codes");

  private final String word;
  private final String summary;

  Verbs(String word, String summary) {
    this.word = word;
    this.summary = summary;
  }

  String word() {
    return word;
  }

  String summary() {
    return summary;
  }

  Verb verb() {
    return switch (this) {
      case GET -> new Get();
      case DESCRIBE -> new Describe();
      case STATUS -> new Status();
      case LOGS -> new Logs();
      case EXEC -> new Exec();
      case TOP -> new Top();
      case INIT -> new Init();
      case RUN -> new RunService();
      case SCHEMA -> new SchemaCommand();
      case APPLY -> new Apply();
      case EDIT -> new Edit();
      case DELETE -> new Delete();
      case WAIT -> new Wait();
      case ACTION -> new ActionCommand();
      case WHY -> new Why();
      case EXPLAIN -> new Explain();
      case ROLLOUT -> new RolloutCommand();
      case FILES -> new FilesCommand();
      case RESTART -> CounterCommand.restart();
      case SCALE -> ScaleCommand.scale();
      case STOP -> ScaleCommand.stop();
      case START -> ScaleCommand.start();
      case PURGE -> CounterCommand.purge();
      case VERIFY -> new VerifyCommand();
      case CORDON -> new NodePlacement(NodePlacement.NodeChange.CORDON);
      case UNCORDON -> new NodePlacement(NodePlacement.NodeChange.UNCORDON);
      case DRAIN -> new NodePlacement(NodePlacement.NodeChange.DRAIN);
      case SCHEDULE -> new DecisionCommands();
      case SIMULATE -> new Simulate();
      case SCHEDULER -> new Specs();
      case AUTH -> new AuthCommands();
      case AUDIT -> new Audit();
      case CONFIG -> new ConfigCommands();
      case API_RESOURCES -> new ApiResources();
      case CLUSTER -> new ClusterCommand();
      case NODE -> new NodeCommand();
      case TOKEN -> new TokenCommand();
      case VERSION -> new VersionReport();
      case COMPLETION -> new Completion();
      case HELP -> new Help();
    };
  }

  /** The options, arguments and help of a verb. */
  CommandSpec spec(Verb verb) {
    var spec = Flags.command(word, summary);
    verb.describe(spec);
    return Flags.global(spec);
  }

  static Optional<Verbs> named(String word) {
    if (word.equals("act")) {
      return Optional.of(ACTION);
    }
    for (var each : values()) { // no stream: every command runs this
      if (each.word.equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Verbs::word).toList();
  }
}
