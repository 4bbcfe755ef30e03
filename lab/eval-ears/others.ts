import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The last commit before the ears, whose figures are printed beside the present ones. */
const BEFORE = "8c031e5";
const LAB = join(import.meta.dir, "..");

type Part = {
  title: string;
  /** What `BEFORE` reached, as published in docs/decisions and in docs/measurements. */
  before: string;
  command: readonly string[];
  /** A path without which the part is left out, and what has to lie there. */
  needs?: readonly [path: string, what: string];
  isLong?: boolean;
};

/** Runs the scripts that judge everything else, one after another, each beside the figures of before the ears. */
export async function runOthers(folder: string, isShort: boolean): Promise<void> {
  for (const part of partsIn(folder, isShort)) {
    console.log(`\n${part.title}\nbefore the ears (${BEFORE}): ${part.before}`);
    if (isShort && part.isLong) console.log("left out of the short run");
    else if (part.needs && !existsSync(part.needs[0]))
      console.log(`left out: ${part.needs[0]} is missing. It must have ${part.needs[1]}.`);
    else await run(part.command);
  }
}

function partsIn(folder: string, isShort: boolean): Part[] {
  const [voices, dances, albums] = ["voices", "dances", "albums"].map((name) => join(folder, name));
  return [
    {
      title: "voices",
      before: "by syllables alone, which are printed beside the ears",
      command: ["eval-voices.ts", voices ?? "", "--packages"],
      isLong: true,
    },
    {
      title: "search without tags, and similar tracks",
      before: "precision at 10 0.692 on the same 24 searches, similar by origin 0.475 on the same 177 tracks",
      command: ["eval-search.ts", "--cold", join(folder, "cold")],
      isLong: true,
    },
    {
      title: "dances without drums",
      before: "Acc1 and Acc2 62 and 71, 90 and 95 on two collections; of keys, too few had a truth",
      command: [
        "eval-audio.ts",
        ...foldersIn(dances).flatMap((each) => ["--truth", each]),
        ...["--keep", join(folder, "dances-kept")],
      ],
      needs: [dances ?? "", "a folder for each draw of lab/render-dances.ts"],
      isLong: true,
    },
    {
      title: "learning",
      before: "F1 0.65 with five corrections on six albums; 'without ears' is printed below",
      command: ["eval-tags.ts", ...foldersIn(albums), "--cache", join(folder, "albums.json")],
      needs: [albums ?? "", "a folder of sound files for each album"],
      isLong: true,
    },
    {
      title: "speed, memory and size",
      before: "1.1 s on one core, 53 MB for four minutes; repository 9.2 MB",
      command: ["../scripts/bench.ts", "one-core", ...(isShort ? ["--quick"] : [])],
    },
  ];
}

function foldersIn(folder = ""): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

async function run([script = "", ...args]: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, join(LAB, script), ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) console.log(`${script} failed`);
}
