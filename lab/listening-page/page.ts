import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clip } from "./clips.ts";
import type { Statement } from "./judge.ts";

export type Listened = { clip: Clip; statements: readonly Statement[]; missed: readonly string[] };

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid #8886;padding:1rem 0}audio{width:100%}ul{padding-left:1.2rem;margin:.4rem 0}
.false{color:#b00020;font-weight:600}.open{opacity:.7}button{font:inherit}`;
const SCRIPT = `for (const button of document.querySelectorAll("button[data-from]"))
  button.onclick = () => {
    for (const other of document.querySelectorAll("audio")) other.pause();
    const audio = button.closest("article").querySelector("audio");
    audio.currentTime = Number(button.dataset.from);
    audio.play();
  };`;

/** Writes a folder that is complete in itself: index.html and the clips. */
export async function writePage(folder: string, summary: string, all: readonly Listened[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [i, { clip }] of all.entries()) await cp(clip.path, join(folder, fileOf(i)));
  const articles = all.map(articleOf).join("\n");
  await Bun.write(
    join(folder, "index.html"),
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>What is heard</title><style>${STYLE}</style><h1>What is heard</h1><p>${Bun.escapeHTML(summary)}</p>
${articles}<script>${SCRIPT}</script></html>\n`,
  );
}

const fileOf = (index: number) => `${String(index + 1).padStart(2, "0")}.mp3`;

function articleOf({ clip, statements, missed }: Listened, index: number): string {
  const lines = statements.map((statement) => `<li class="${statement.verdict}">${lineOf(statement)}</li>`);
  const silent = missed.length > 0 ? `<p class="open">Not named: ${missed.join(", ")}</p>` : "";
  return `<article><h2>${index + 1}. ${Bun.escapeHTML(clip.title)}</h2>
<audio controls preload="none" src="${fileOf(index)}"></audio><ul>${lines.join("")}</ul>${silent}</article>`;
}

function lineOf({ category, name, place, verdict }: Statement): string {
  const text = textOf({ category, name, ...(place && { place }) });
  const from = place?.fromSec ?? 0;
  return `${Bun.escapeHTML(text)}: ${verdict} <button type="button" data-from="${from}">Play</button>`;
}

/** Returns a statement in words. */
export function textOf({ category, name, place }: Omit<Statement, "verdict">): string {
  return place ? `${name} from ${clock(place.fromSec)} to ${clock(place.toSec)}` : `${name} (${category})`;
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
