# The shim of one run of a program: starts the program in its own session, waits for it, and writes
# its exit status. It outlives the agent, so the exit status of a program that ended while no agent
# ran is known.
#
#   sh keeper.sh DIRECTORY/RUN
#
# RUN.launch  written by the agent: sets vw_log, defines vw_program PID, which executes the program
# RUN.pid     written here: the content of the program's own /proc/PID/stat
# RUN.exit    blanks written by the agent, which reserve space on a full disk; then written here: the
#             shell's description of the signal that killed the program, such as "Killed", if any;
#             then a line with the exit code, or with 128 plus the number of the signal
#
# The process that creates RUN.pid owns the run. An agent that finds a run without RUN.pid creates it
# first, so that a late shim starts nothing. The agent removes RUN.launch before RUN.pid, so a run
# with both files has not been annulled.
#
# POSIX sh; except for starting the program, all commands are built in, so that a shim costs two forks.

# Notes are private. The launch file gives the program a umask of its own.
umask 077

vw_run=$1
. "$vw_run.launch"

# A handler instead of '': the subshell below then has the default action.
trap : HUP INT TERM

exec 3<>"$vw_run.exit"

# In the foreground: a command started with & would ignore SIGINT and SIGQUIT.
{
(
  read -r vw_stat </proc/self/stat
  set -C
  { echo "$vw_stat" >"$vw_run.pid"; } 2>/dev/null || exit 125
  set +C
  [ -e "$vw_run.launch" ] || exit 125
  vw_program "${vw_stat%% *}"
) >>"$vw_log" 2>&1 3>&-
vw_status=$?
} 2>&3

[ -e "$vw_run.launch" ] || exit 0

# Kill the rest of the program's process group, even while no agent runs.
read -r vw_pid vw_rest <"$vw_run.pid" && kill -s KILL -- "-$vw_pid"
echo "$vw_status" >&3
# The file may have been lost since it was opened.
[ -e "$vw_run.exit" ] || echo "$vw_status" >"$vw_run.exit"
