package verwalter.scheduler.lua;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

/**
 * The results of {@code scheduler(input)}, parsed as a decision.
 *
 * @param place file and line of the function that returned it, for messages
 * @param schedule the bytes of the first result, as characters 0 to 255; null if it was {@code nil}
 * @param debug the bytes of the second result likewise; {@code nil} if it was missing
 * @param printed the text that the program printed; the log starts with it
 */
public record SchedulerAnswer(
    String place, @Nullable String schedule, String debug, String printed) {
  private static final int SHOWN = 60;

  /**
   * Parses the results.
   *
   * @throws Scheduler.Failed if the text is too long, not UTF-8, not JSON, not a JSON object, or
   *     not of the form of a schedule
   */
  public Scheduler.Decision decision(long instructions, Budget budget, RunTrace notes)
      throws Scheduler.Failed {
    var log = printed + text("the log", debug, printed, budget);
    if (schedule == null) {
      throw failed(
          "Scheduler returned unconvertible value: nil, where the JSON text of a schedule is expected",
          log);
    }
    var text = text("the schedule", schedule, log, budget);
    try {
      var value = Json.parseUnique(text);
      if (!(value instanceof Map<?, ?>)) {
        throw failed(
            "invalid return value: the schedule must be a JSON object, but is " + shown(text), log);
      }
      var schedule = Json.object(value);
      var problem = ScheduleShape.OF_LUA.problem(schedule);
      if (problem.isPresent()) {
        throw failed("invalid return value: " + problem.get(), log);
      }
      return new Scheduler.Decision(
          schedule,
          log,
          instructions,
          notes.timeless(),
          notes.reasons(),
          answers(notes, log, budget));
    } catch (DecodeException malformed) {
      throw failed(
          "Scheduler returned unconvertible value: "
              + malformed.getMessage()
              + " in "
              + shown(text),
          log);
    }
  }

  private Map<String, Object> answers(RunTrace notes, String log, Budget budget)
      throws Scheduler.Failed {
    var answers = new TreeMap<String, Object>();
    for (var each : notes.answers().entrySet()) {
      var what = "the answer to action " + each.getKey();
      try {
        var value = Json.parseUnique(text(what, each.getValue(), log, budget));
        if (value != null) {
          answers.put(each.getKey(), value);
        }
      } catch (DecodeException malformed) {
        throw failed(what + " is not JSON: " + malformed.getMessage(), log);
      }
    }
    return answers;
  }

  private String text(String what, String latin1, String log, Budget budget)
      throws Scheduler.Failed {
    var bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length > budget.outputSize()) {
      throw failed(
          what
              + " has "
              + bytes.length
              + " bytes: output size budget of "
              + budget.outputSize()
              + " bytes used up",
          log);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      throw failed("Scheduler returned unconvertible value: " + what + " is not UTF-8", log);
    }
  }

  private Scheduler.Failed failed(String problem, String log) {
    return new Scheduler.Failed(place + ": " + problem, log);
  }

  private static String shown(String text) {
    var line = text.strip().replace('\n', ' ');
    return line.length() <= SHOWN ? "'" + line + "'" : "'" + line.substring(0, SHOWN) + "...'";
  }
}
