import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { sine, wavBytes } from "../support/signals.ts";

const EMAIL = "ana@example.com";
const WHO = ["--email", EMAIL];
const program = createProgram({ FFMPEG_PATH: "" });
const place = realpathSync(mkdtempSync(join(tmpdir(), "dubplate-links-")));
const watched = join(place, "music", "bounces");
let songs = 0;

/** Writes a short song with bytes of its own. */
function put(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), wavBytes([sine(8000, 0.05, 200 + ++songs)], 8000, 16));
}

beforeAll(async () => {
  await program.run(["account", "create", ...WHO, "--name", "Ana", "--password", "long enough 1"]);
  put(watched, "one.wav");
  put(join(watched, "album"), "two.wav");
  put(join(place, "music"), "beside.wav");
  put(join(place, "other disk"), "three.wav");
  put(join(program.dataDir, "audio"), "of somebody else.wav");
  const links = {
    ...{
      "to itself": watched,
      "to its parent": join(place, "music"),
      "to the album": join(watched, "album"),
    },
    ...{ "to a disk": join(place, "other disk"), "to it again": join(place, "other disk") },
    ...{ "two again.wav": join(watched, "album", "two.wav"), "nowhere.wav": join(watched, "gone.wav") },
    "to the library": join(program.dataDir, "audio"),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(watched, name));
});
afterAll(async () => {
  await program.close();
  rmSync(place, { recursive: true });
});

const FOUND = ["album/two.wav", "one.wav", "to a disk/three.wav", "to its parent/beside.wav"];

test("a watched folder's links are followed, each folder once, and those that lead out are named", async () => {
  const { code, rows, stderr } = await program.run(["watch", watched, ...WHO, "--settle", "0", "--once"]);

  expect([code, rows.map(({ path }) => path).sort()]).toEqual([0, FOUND]);
  const [said, ...more] = stderr.trim().split("\n");
  expect(more).toEqual([]);
  expect(said).toStartWith("2 links lead out of the folder, and the files there are taken in too: ");
  expect(said).toContain(`${join(watched, "to a disk")} -> ${join(place, "other disk")}`);
  expect(said).toContain(`${join(watched, "to its parent")} -> ${join(place, "music")}`);
});

test("an import follows links in the same way, and says which it does not read", async () => {
  const { rows, stderr } = await program.run(["import", watched, ...WHO]);

  const paths = rows.map(({ path }: Json) => path.slice(watched.length + 1)).sort();
  expect(paths).toEqual(FOUND);
  for (const [name, reason] of [
    ["to itself", "a link to a folder that contains it"],
    ["to the album", "a link, and it is read under another path"],
    ["to it again", "a link, and it is read under another path"],
    ["two again.wav", "a link, and it is read under another path"],
    ["to the library", "a link, and it leads into the library's own folder"],
    ["nowhere.wav", "a link that leads nowhere"],
    ["to its parent/bounces", "it is read under another path"],
  ])
    expect(stderr).toContain(`Left out: ${join(watched, String(name))} (${reason})`);
  expect(stderr).toContain("2 links lead out of the folder, and the files there are taken in too: ");
});
