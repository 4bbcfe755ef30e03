import { findTag } from "../../db/taxonomy.ts";
import type { SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import type { JudgedFile } from "./line-ups.ts";

const CATEGORIES = ["genres", "instruments", "vocals"] as const;

type Judged = JudgedFile & { basis: SuggestionBasis };
/** `truth` is how many were to be found; `promised` the sum of the confidences of what was said. */
type Figure = { right: number; said: number; truth: number; promised: number };
type Tag = { category: string; name: string };

/** Prints, by category and by tag, how many suggestions were right, and how many their confidence promised. */
export function printSuggested(title: string, judged: readonly Judged[]): void {
  console.log(`\n${title}: ${judged.length} pieces; right of said (promised), of those to be found`);
  for (const category of CATEGORIES) print(category, judged, (tag) => tag.category === category);
  print("genres, instruments", judged, ({ category }) => category === "genres" || category === "instruments");
  const names = new Set(judged.flatMap(({ is }) => is));
  for (const name of [...names].sort()) print(`  ${name}`, judged, (tag) => tag.name === name);
}

function print(title: string, judged: readonly Judged[], isMeant: (tag: Tag) => boolean): void {
  const [without, ears] = [false, true].map((hasEars) => textOf(figureOf(judged, isMeant, hasEars)));
  console.log(`${title.padEnd(22)}without ears ${without?.padEnd(42)} with ears ${ears}`);
}

function figureOf(judged: readonly Judged[], isMeant: (tag: Tag) => boolean, hasEars: boolean): Figure {
  const figure = { right: 0, said: 0, truth: 0, promised: 0 };
  for (const piece of judged) {
    const said = suggestTags(hasEars ? piece.basis : { ...piece.basis, heard: null }).filter(
      (tag) => isMeant(tag) && (piece.is.includes(tag.name) || isWrong(piece, tag.name)),
    );
    figure.said += said.length;
    for (const { name, confidence } of said) {
      figure.right += piece.is.includes(name) ? 1 : 0;
      figure.promised += confidence;
    }
    figure.truth += piece.is.filter((name) => isMeant({ category: categoryOf(name), name })).length;
  }
  return figure;
}

/** Whether a name that is said of a piece is certainly wrong. */
export function isWrong({ is, not, perhaps }: JudgedFile, name: string): boolean {
  return !is.includes(name) && (not ? not.includes(name) : !perhaps?.includes(name));
}

function categoryOf(name: string): string {
  if (findTag("genres", name)) return "genres";
  if (findTag("instruments", name)) return "instruments";
  return findTag("vocalTypes", name) ? "vocals" : "movements";
}

function textOf({ right, said, truth, promised }: Figure): string {
  const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(2));
  return `${right}/${said} (${promised.toFixed(1)}), of ${truth} (${share(right, said)}, ${share(right, truth)})`;
}
