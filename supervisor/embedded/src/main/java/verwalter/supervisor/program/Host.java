package verwalter.supervisor.program;

import java.nio.file.Path;

/**
 * What a check must know of this machine and of how its supervisor was set up.
 *
 * @param sandboxes directory of the sandbox files
 * @param processes directory of the process files
 * @param stdio directory of the files that programs write to
 * @param user id that programs will run as
 * @param group id that programs will run as
 * @param fileLimit most open files this user may allow a process
 * @param term value of {@code TERM} for programs
 * @param strict refuse what would only be warned about
 * @param commands whether processes may bring a command of their own
 */
public record Host(
    Path sandboxes,
    Path processes,
    Path stdio,
    long user,
    long group,
    long fileLimit,
    String term,
    boolean strict,
    boolean commands) {}
