import type { SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import { SCENES_OF, type SceneFile } from "./judged-moods.ts";

type Judged = SceneFile & { basis: SuggestionBasis };
/** `open` are those of which the names of the pieces say nothing. */
type Figure = { right: number; wrong: number; open: number };
const CATEGORIES = ["moods", "characters", "movements"];

/** Prints how many moods, characters and movements fit what the pieces are for, on chosen and on judged packages. */
export function printScenes(pieces: readonly Judged[]): void {
  for (const isChosen of [true, false]) {
    const of = pieces.filter((piece) => piece.isChosen === isChosen);
    console.log(
      `\nnamed pieces ${isChosen ? "that rules were looked at with" : "that nothing was chosen on"}: ${of.length}; right of judged, and not judged`,
    );
    const [without, ears] = [figuresOf(of, false), figuresOf(of, true)];
    for (const title of [...new Set([...without.keys(), ...ears.keys()])].sort())
      console.log(
        `${title.padEnd(26)}without ears ${textOf(without.get(title)).padEnd(24)} with ears ${textOf(ears.get(title))}`,
      );
  }
}

function figuresOf(pieces: readonly Judged[], hasEars: boolean): Map<string, Figure> {
  const figures = new Map<string, Figure>();
  const count = (title: string, verdict: keyof Figure) => {
    const figure = figures.get(title) ?? { right: 0, wrong: 0, open: 0 };
    figure[verdict]++;
    figures.set(title, figure);
  };
  for (const { basis, scene } of pieces)
    for (const { category, name } of suggestTags(hasEars ? basis : { ...basis, heard: null })) {
      if (!CATEGORIES.includes(category)) continue;
      const verdict = verdictOn(name, scene);
      count(category, verdict);
      count(`  ${category} ${name}`, verdict);
    }
  return figures;
}

function verdictOn(name: string, scene: SceneFile["scene"]): keyof Figure {
  if (SCENES_OF[name]?.is.includes(scene)) return "right";
  return SCENES_OF[name]?.not.includes(scene) ? "wrong" : "open";
}

function textOf(figure: Figure = { right: 0, wrong: 0, open: 0 }): string {
  return `${figure.right} of ${figure.right + figure.wrong}, ${figure.open} open`;
}
