package verwalter.agent;

import verwalter.model.TemplateOutput.ProcessFile;
import verwalter.render.apply.ProcessFiles;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.lithos.ConfigException;
import verwalter.supervisor.lithos.ProcessFileText;

/** Checks process files with the supervisor. */
record CheckedProcessFiles(Supervisor supervisor) implements ProcessFiles {
  @Override
  public ProcessFile accept(String sandbox, String text, String source) throws Refused {
    try {
      var entries = ProcessFileText.read(text, source);
      var problems = supervisor.check(sandbox, entries);
      if (!problems.isEmpty()) {
        throw new Refused(String.join("\n", problems));
      }
      return new ProcessFile(sandbox, entries);
    } catch (ConfigException problem) {
      throw new Refused(String.valueOf(problem.getMessage()));
    }
  }
}
