import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { createProgram, type WayIn } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { mountDisk } from "../support/small-disk.ts";
import { BROKEN, type Parts, sentenceFor } from "./broken-folders.ts";

const EMAIL = "me@example.com";
const OF = ["--email", EMAIL];
const TIMEOUT_MS = 120_000;
const RECOVERY = join(import.meta.dir, "../../docs/recovery.md");

/** Every command that opens the library, called so that it would succeed on a sound one. */
const COMMANDS: readonly string[][] = [
  ["serve"],
  ["mcp"],
  ["account", "list"],
  ["session", "create", ...OF],
  ["key", "create", ...OF, "--name", "K"],
  ["platform-key", "list"],
  ["credits", "add", ...OF, "--amount", "1"],
  ["import", "/nowhere", ...OF],
  ["quarantine", "list"],
  ["webhook", "listen", "--port", "0", "--key", "key_1"],
];

/**
 * Sees every refusal of a start where the operator sees it: on standard error, alone, with exit code 1.
 *
 * @param isEveryCommand False: `serve` and one other command stand for all, for a program that is slow to start.
 */
export function walkRefusals(
  name: string,
  prepare: () => { way: WayIn | undefined; remove: () => void },
  { isEveryCommand = true }: { isEveryCommand?: boolean } = {},
): void {
  const commands = isEveryCommand ? COMMANDS : COMMANDS.slice(0, 3);

  describe(`${name}: what a start says`, () => {
    let program: ReturnType<typeof createProgram>;
    let other: ReturnType<typeof createProgram>;
    let remove = () => {};
    let parts: Parts;
    let way: WayIn | undefined;
    const folders: string[] = [];

    beforeAll(async () => {
      const prepared = prepare();
      ({ remove, way } = prepared);
      program = createProgram({ FFMPEG_PATH: "", PORT: "0", DUBPLATE_API_KEY: "key" }, way);
      other = createProgram({}, way);
      parts = { otherLibrary: other.dataDir, olderDatabase: "" };
      for (const { run } of [program, other])
        await run(["account", "create", ...OF, "--name", "Me", "--password", "long enough 1"]);
      const song = join(program.dataDir, "song.wav");
      writeFileSync(song, wavBytes([noise(8000, 0.1)], 8000, 16));
      expect((await program.run(["import", song, ...OF])).code).toBe(0);
    }, TIMEOUT_MS);
    afterAll(async () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      await Promise.all([program.close(), other.close()]);
      remove();
    });

    const emptyFolder = () => {
      const folder = mkdtempSync(join(tmpdir(), "dubplate-refused-"));
      folders.push(folder);
      return folder;
    };
    const copyOfLibrary = () => {
      const folder = emptyFolder();
      cpSync(program.dataDir, folder, { recursive: true });
      return folder;
    };
    const says = async (args: string[], folder: string) => {
      const { code, stderr } = await program.run(args, { extra: { DATA_DIR: folder } });
      return [code, stderr];
    };
    const expectSentence = async (sentence: string, folder: string, those: readonly string[][]) => {
      for (const args of those)
        expect([args[0], ...(await says(args, folder))]).toEqual([args[0], 1, `${sentence}\n`]);
      expect(documented()).toContain(plain(sentence.replace(folder, "/srv/dubplate")));
    };

    test.each(
      BROKEN.filter(({ sentence }) => sentence !== undefined).map((broken) => [broken.what, broken] as const),
    )(
      "%s",
      async (_, broken) => {
        const folder = copyOfLibrary();
        broken.harm(folder, parts);
        const sentence = sentenceFor(broken, folder, broken.what.includes("newer") ? SCHEMA_VERSION : 1);

        await expectSentence(sentence, folder, broken.isForAll ? commands : [["serve"]]);
      },
      TIMEOUT_MS,
    );

    test(
      "a data folder that is a file",
      async () => {
        const path = join(emptyFolder(), "file");
        writeFileSync(path, "");

        await expectSentence(
          `DATA_DIR (${path}) is not a folder: set DATA_DIR to another one`,
          path,
          commands,
        );
        expect(statSync(path).size).toBe(0);
      },
      TIMEOUT_MS,
    );

    const asNobody = nobody();
    test.skipIf(!asNobody)(
      "a data folder of another user, and a database of another user",
      async () => {
        const folder = copyOfLibrary();
        const sealed = createProgram(
          { DATA_DIR: folder, FFMPEG_PATH: "", PORT: "0" },
          { ...way, command: [...(asNobody ?? []), ...(way?.command ?? checkoutCommand())] },
        );

        const closed = await sealed.run(["account", "list"]);
        Bun.spawnSync(["chmod", "0777", folder]);
        const locked = await sealed.run(["account", "list"]);

        expect([closed.code, closed.stderr]).toEqual([
          1,
          `DATA_DIR (${folder}) cannot be written by this user: change its owner or set another folder\n`,
        ]);
        expect([locked.code, locked.stderr]).toEqual([
          1,
          `dubplate.db in DATA_DIR (${folder}) cannot be read and written by this user: change its owner\n`,
        ]);
        for (const { stderr } of [closed, locked])
          expect(documented()).toContain(plain(stderr.trim().replace(folder, "/srv/dubplate")));
        await sealed.close();
      },
      TIMEOUT_MS,
    );

    const disk = mountDisk("28m");
    test.skipIf(!disk)(
      "a full disk, and room made",
      async () => {
        if (!disk) return;
        const folder = join(disk.path, "library");
        mkdirSync(folder);
        cpSync(program.dataDir, folder, { recursive: true });
        disk.fill();

        try {
          const [code, stderr] = await says(["serve"], folder);
          expect([code, stderr]).toEqual([
            1,
            expect.stringMatching(/^The disk of DATA_DIR \(.*\) is full: free \d MB, then start again\n$/),
          ]);
          expect(documented()).toContain(plain(String(stderr).trim().replace(folder, "/srv/dubplate")));

          disk.makeRoom();
          expect(await says(["account", "list"], folder)).toEqual([0, ""]);
        } finally {
          disk.unmount();
        }
      },
      TIMEOUT_MS,
    );

    test(
      "a server on a library that is served",
      async () => {
        const { child } = await program.serve();

        await expectSentence(
          `Another server already uses DATA_DIR (${program.dataDir}): stop it, or set another folder`,
          program.dataDir,
          [["serve"]],
        );
        child.kill("SIGTERM");
        expect(await child.exited).toBe(0);
      },
      TIMEOUT_MS,
    );

    test(
      "a fault of the program: one sentence, and the details in a file under its code",
      async () => {
        const folder = copyOfLibrary();
        // A folder in the place of a file that the program writes.
        rmSync(join(folder, "server.lock"), { force: true });
        mkdirSync(join(folder, "server.lock"));

        const [code, stderr] = await says(["serve"], folder);

        const log = join(folder, "errors.log");
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/^Dubplate failed and stopped \(code \w{8}\): what happened is in /),
        ]);
        const [record] = readFileSync(log, "utf8").split("\n");
        const { code: faultCode, error } = JSON.parse(record ?? "");
        expect(stderr).toBe(`Dubplate failed and stopped (code ${faultCode}): what happened is in ${log}\n`);
        expect(error).toContain("at ");
        expect(statSync(log).mode & 0o777).toBe(0o600);
        expect(documented()).toContain(
          plain(`Dubplate failed and stopped (code 1a2b3c4d): what happened is in /srv/dubplate/errors.log`),
        );
      },
      TIMEOUT_MS,
    );
  });
}

const checkoutCommand = () => [process.execPath, join(import.meta.dir, "../../src/main.ts")];

/** The quoted sentences of docs/recovery.md, one per line. */
function documented(): string[] {
  return readFileSync(RECOVERY, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("> "))
    .map((line) => plain(line.slice(2)));
}

/** Numbers differ from case to case. */
const plain = (sentence: string): string => sentence.replace(/\d[\d,]*/g, "0");

/** How to start a program as a user without rights; undefined where this one has none to give up. */
function nobody(): string[] | undefined {
  const setpriv = Bun.which("setpriv");
  if (process.getuid?.() === 0 && setpriv)
    return [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
  console.log("Not checked: files of another user, since this needs root and setpriv");
  return undefined;
}
