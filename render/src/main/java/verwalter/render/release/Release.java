package verwalter.render.release;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.FileState;
import verwalter.render.recipe.Rendered;

/** One application that can be repeated: the rendered texts and the written files. Immutable. */
public final class Release {
  private final TemplateOutput.Release about;
  private final Rendered rendered;
  private final SortedMap<String, FileState.Regular> files;

  Release(
      TemplateOutput.Release about, Rendered rendered, SortedMap<String, FileState.Regular> files) {
    this.about = about;
    this.rendered = rendered;
    this.files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  public TemplateOutput.Release about() {
    return about;
  }

  public Rendered rendered() {
    return rendered;
  }

  /** The files by their absolute paths. */
  public SortedMap<String, FileState.Regular> files() {
    return files;
  }
}
