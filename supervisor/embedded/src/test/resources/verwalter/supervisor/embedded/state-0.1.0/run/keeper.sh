# Keeps one run of one program: starts it in a session of its own, waits for it, and writes down how
# it ended. It outlives the agent, which therefore learns every exit status, even of programs that
# ended while it was away.
#
#   sh keeper.sh DIRECTORY/RUN
#
# RUN.launch  written by the agent: sets vw_log, defines vw_program PID, which executes the program
# RUN.pid     written here: the content of the program's own /proc/PID/stat
# RUN.exit    blanks of the agent's, so that there is room even on a full disk; written here: what the
#             shell says of the signal that killed the program, such as "Killed", if that was its end;
#             then a line with the exit code, or with 128 and the number of the signal
#
# Whoever creates RUN.pid owns the run. An agent that finds a run without it creates it first and so
# makes sure that a late keeper starts nothing. The agent removes RUN.launch before RUN.pid, so who
# owns RUN.pid and still finds RUN.launch has not been annulled.
#
# POSIX sh; everything but starting the program is built in, so that a keeper costs two forks.

vw_run=$1
. "$vw_run.launch"

# A handler, not '': the subshell below gets the default action back.
trap : HUP INT TERM

exec 3<>"$vw_run.exit"

# In the foreground: a command started with & would ignore SIGINT and SIGQUIT for ever.
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

# What the program left in its process group dies with it even while there is no agent.
read -r vw_pid vw_rest <"$vw_run.pid" && kill -s KILL -- "-$vw_pid"
echo "$vw_status" >&3
