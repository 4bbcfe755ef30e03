import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { KnownClip } from "./clip.ts";
import type { Judged, RhythmAnswer } from "./report.ts";

const YARDSTICK = join(import.meta.dir, "yardstick.py");

type Said = Readonly<Record<string, RhythmAnswer>>;

/** Returns what the analysers of a Python say of clips, by analyser. What was said once is kept. */
export async function opinionsOf(
  python: string,
  clips: readonly KnownClip[],
  { kept, minutes }: { kept: string; minutes: number },
): Promise<Map<string, Judged[]>> {
  await mkdir(kept, { recursive: true });
  const path = join(kept, `said-${Bun.hash(python).toString(36)}.jsonl`);
  const said = await readSaid(path);
  const missing = clips.map(({ file }) => file).filter((file) => !said.has(file));
  await askAll(python, missing, { minutes, tell: (file, answers) => tell(file, answers) });
  const judged = new Map<string, Judged[]>();
  for (const clip of clips)
    for (const [analyser, answer] of Object.entries(said.get(clip.file) ?? {}))
      judged.set(analyser, [...(judged.get(analyser) ?? []), { clip, answer }]);
  return judged;

  async function tell(file: string, answers: Said): Promise<void> {
    said.set(file, answers);
    await appendFile(path, `${JSON.stringify([file, answers])}\n`);
  }
}

async function readSaid(path: string): Promise<Map<string, Said>> {
  const file = Bun.file(path);
  const lines = (await file.exists()) ? (await file.text()).trim().split("\n") : [];
  return new Map(lines.filter(Boolean).map((line) => JSON.parse(line) as [string, Said]));
}

async function askAll(
  python: string,
  files: readonly string[],
  { minutes, tell }: { minutes: number; tell: (file: string, answers: Said) => Promise<void> },
): Promise<void> {
  if (files.length === 0) return;
  const stdin = new Blob([files.map((file) => `${file}\n`).join("")]);
  const child = Bun.spawn([python, YARDSTICK], { stdin, stdout: "pipe", stderr: "ignore" });
  const timer = setTimeout(() => child.kill(), minutes * 60_000);
  let [rest, answered] = ["", 0];
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) await tell(files[answered++] ?? "", JSON.parse(line) as Said);
  }
  clearTimeout(timer);
  if ((await child.exited) !== 0 && child.signalCode === null)
    throw new Error(`${python} could not hear ${files[answered]}`);
}
