package verwalter.model.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import verwalter.model.codec.Codec;
import verwalter.model.codec.Described;
import verwalter.model.json.DecodeException;
import verwalter.model.json.FieldPath;
import verwalter.model.json.FieldRefusal;
import verwalter.model.json.Json;

/**
 * A whole service, as the file {@code roles/NAME.yaml} describes it.
 *
 * @param processes its processes by name
 * @param commands commands that operators run, and nodes by time, by name
 * @param place the nodes that may run it; absent for all nodes
 * @param update how a new revision replaces the one that runs; absent for one process at a time
 * @param image its programs, which each node unpacks; absent if they are on the nodes already
 * @param files the files that each node renders for its processes
 */
public record ServiceFile(
    @Described(
            value = "the processes by name",
            names = ServiceFile.NAMES,
            least = 1,
            most = ServiceFile.MOST)
        Map<String, ServiceProcess> processes,
    @Described(
            value = "commands that vw exec runs, and nodes by time, by name",
            names = ServiceFile.NAMES,
            most = ServiceFile.MOST)
        Map<String, ServiceTask> commands,
    @Described("the nodes that may run it; all without it") Optional<ServicePlacement> place,
    @Described("how a new revision replaces the one that runs") Optional<ServiceUpdate> update,
    @Described("its programs, which each node fetches, verifies and unpacks")
        Optional<ServiceImage> image,
    @Described(
            value = "files that each node renders for the processes",
            most = ServiceFile.MOST_FILES)
        List<ServiceTemplate> files) {
  /** The limit of the number of processes with different commands. */
  static final int MOST = 100;

  /** The limit of the number of files. */
  static final int MOST_FILES = 32;

  private static final int LONGEST = 40;

  /**
   * Never a name that the scheduler makes of another one, such as {@code web-0} or {@code web-v2}.
   */
  static final String NAMES = "(?=.{1,40}$)[a-z][a-z0-9_]*(-[a-z][a-z_]*)*";

  private static final Pattern NAME = Pattern.compile(NAMES);

  /** The name of a service is also that of its role, and of a process group. */
  private static final Pattern SERVICE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

  /** The names that {@link #isName} accepts, in an error. */
  public static final String NAME_RULE =
      "the name of a service has 1 to 63 letters, digits, '_' and '-', beginning with a letter or"
          + " digit";

  public ServiceFile {
    processes = Json.freeze(processes);
    commands = Json.freeze(commands);
    if (processes.isEmpty()) {
      throw new IllegalArgumentException(
          "a service needs at least one process, such as processes: {web: {command: [./server]}}");
    }
    if (processes.size() > MOST) {
      throw new IllegalArgumentException("a service has at most " + MOST + " processes");
    }
    if (image.isEmpty()) {
      processes.forEach((name, process) -> refuseRelease("processes." + name, process));
      commands.forEach((name, task) -> refuseRelease("commands." + name, task.process()));
    }
    if (commands.size() > MOST) {
      throw new IllegalArgumentException("a service has at most " + MOST + " commands");
    }
    files = List.copyOf(files);
    if (files.isEmpty()) {
      processes.forEach((name, process) -> refuseFiles("processes." + name, process));
      commands.forEach((name, task) -> refuseFiles("commands." + name, task.process()));
    }
    checkFiles(files);
    for (var name : processes.keySet()) {
      if (!isProcess(name)) {
        throw new IllegalArgumentException(
            "processes.%s: a process's name has up to %d lower-case letters, digits and '_', and '-' only between letters"
                .formatted(name, LONGEST));
      }
    }
    for (var name : commands.keySet()) {
      if (!isProcess(name)) {
        throw new IllegalArgumentException(
            "commands.%s: a command's name has up to %d lower-case letters, digits and '_', and '-' only between letters"
                .formatted(name, LONGEST));
      }
      if (processes.containsKey(name)) {
        throw new FieldRefusal(
            FieldPath.ROOT.field("commands").field(name),
            "a process has this name, too; choose another one",
            Optional.empty());
      }
    }
    ServiceStopOrder.check(processes);
  }

  private static void refuseRelease(String path, ServiceProcess process) {
    if (process.mentions("${release}")) {
      throw new IllegalArgumentException(
          "%s: ${release} is the directory of an image, but there is no image; write image: {url: \"file:/srv/shop.tar.gz\", sha256: \"…\"}"
              .formatted(path));
    }
  }

  private static void refuseFiles(String path, ServiceProcess process) {
    if (process.mentions("${files}")) {
      throw new IllegalArgumentException(
          "%s: ${files} is the directory of rendered files, but there are none; write files: [{template: shop.ini.j2, to: etc/shop.ini}]"
              .formatted(path));
    }
  }

  private static void checkFiles(List<ServiceTemplate> files) {
    if (files.size() > MOST_FILES) {
      throw new IllegalArgumentException("a service has at most " + MOST_FILES + " files");
    }
    var paths = new TreeSet<String>();
    for (var file : files) {
      var to = file.to();
      if (!paths.add(to)) {
        throw new IllegalArgumentException("files: two files have the path " + to);
      }
    }
    for (var path : paths) {
      paths.stream()
          .filter(other -> other.startsWith(path + "/"))
          .findFirst()
          .ifPresent(
              other -> {
                throw new IllegalArgumentException(
                    "files: %s cannot be below the file %s".formatted(other, path));
              });
    }
  }

  private static boolean isProcess(String name) {
    return name.length() <= LONGEST && NAME.matcher(name).matches();
  }

  /** Whether a service may have this name, which is that of its file without {@code .yaml}. */
  public static boolean isName(String name) {
    return SERVICE_NAME.matcher(name).matches();
  }

  /**
   * Reads a file strictly.
   *
   * @param source name of the file in problems
   * @throws DecodeException with all problems, each with its line and column
   */
  public static ServiceFile read(String text, String source) throws DecodeException {
    return Codec.file(text, source, ServiceFile.class);
  }
}
