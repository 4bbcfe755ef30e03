import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { createProgram, type WayIn } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { mountDisk } from "../support/small-disk.ts";
import { BROKEN, type Parts, sentenceFor } from "./broken-folders.ts";
import { sentencesOfCode, sentencesOfDocs } from "./refusal-sentences.ts";
import { addBallast, type Bench, halfUpgraded, REFUSED } from "./refused-operations.ts";
import { REFUSED_PLACES } from "./refused-places.ts";

const EMAIL = "me@example.com";
const OF = ["--email", EMAIL];
const MEBIBYTE = 1024 ** 2;

/** Sentences that no test can bring about: races of milliseconds, quotas, and a disk that cannot be written at all. */
const UNSEEN = [
  /exists: try again$/,
  /^Another process is writing/,
  /^The master secret changed when the backup began/,
  /^dubplate\.db does not say which library it is/,
  /your quota is used up$/,
  /could not write down why/,
  /from being upgraded: stop it, then start again$/,
];

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
 * Sees every refusal of a start, a backup, a restore, a check and an upgrade where the operator sees it: on standard
 * error, with exit code 1. Each must be in docs/recovery.md.
 *
 * @param isEveryCommand False: `serve` stands for all, for a program that is slow to start, as a checkout is.
 */
export function walkRefusals(
  name: string,
  prepare: () => { way: WayIn | undefined; remove: () => void },
  { isEveryCommand = true }: { isEveryCommand?: boolean } = {},
): void {
  const [serve = [], ...others] = COMMANDS;
  const commands = isEveryCommand ? COMMANDS : [serve];
  /** `serve`, and two others in turn: every command sees several kinds of harm. */
  const commandsFor = (kind: number) =>
    isEveryCommand
      ? [serve, ...[0, 1].map((one) => others[(2 * kind + one) % others.length] ?? [])]
      : [serve];

  describe(`${name}: what a refusal says`, () => {
    let program: ReturnType<typeof createProgram>;
    let other: ReturnType<typeof createProgram>;
    let remove = () => {};
    let parts: Parts;
    let way: WayIn | undefined;
    let bench: Bench;
    const folders: string[] = [];
    /** The last line of what each refused command said. */
    const seen: string[] = [];

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
      const backups = emptyFolder();
      bench = {
        folder: emptyFolder,
        library: copyOfLibrary,
        otherLibrary: other.dataDir,
        archive: join(backups, "library.tar"),
        shared: join(backups, "shared/"),
      };
      for (const path of [bench.archive, bench.shared])
        expect((await program.run(["backup", path])).code).toBe(0);
    });
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
    const runIn = async (dataDir: string, args: string[], extra = {}, by = program) => {
      const { code, stderr } = await by.run(args, { extra: { ...extra, DATA_DIR: dataDir } });
      if (code === 1) seen.push(stderr.trim().split("\n").at(-1) ?? "");
      return [code, stderr];
    };
    const expectSentence = async (sentence: string, folder: string, those: readonly string[][]) => {
      for (const args of those)
        expect([args[0], ...(await runIn(folder, args))]).toEqual([args[0], 1, `${sentence}\n`]);
    };
    /** The same program, started by another one. */
    const startedBy = (wrapper: readonly string[]) =>
      createProgram({ FFMPEG_PATH: "", PORT: "0" }, { ...way, command: [...wrapper, ...commandOf(way)] });

    test.each(
      BROKEN.filter(({ sentence }) => sentence !== undefined).map(
        (broken, kind) => [broken.what, broken, kind] as const,
      ),
    )("%s", async (_, broken, kind) => {
      const folder = copyOfLibrary();
      broken.harm(folder, parts);
      const sentence = sentenceFor(broken, folder, broken.what.includes("newer") ? SCHEMA_VERSION : 1);

      await expectSentence(sentence, folder, broken.isForAll ? commandsFor(kind) : [serve]);
    });

    test("a data folder that is a file", async () => {
      const path = join(emptyFolder(), "file");
      writeFileSync(path, "");

      await expectSentence(`DATA_DIR (${path}) is not a folder: set DATA_DIR to another one`, path, commands);
      expect(statSync(path).size).toBe(0);
    });

    test.each([...REFUSED, ...REFUSED_PLACES])("%s", async (_, prepare) => {
      const { args, dataDir, says, env, release } = prepare(bench);

      const [code, stderr] = await runIn(dataDir, args, env);

      release?.();
      expect([code, seen.at(-1)]).toEqual([1, typeof says === "string" ? says : expect.stringMatching(says)]);
      expect(String(stderr)).toEndWith(`${seen.at(-1)}\n`);
      if (args[0] === "restore" && !says.toString().includes("not empty"))
        expect(existsSync(join(dataDir, "dubplate.db"))).toBe(false);
    });

    test("a backup that is piped to a program that ends early", async () => {
      const dataDir = copyOfLibrary();
      const child = Bun.spawn([...commandOf(way), "backup", "-"], {
        ...(way?.cwd !== undefined && { cwd: way.cwd }),
        env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, FFMPEG_PATH: "" },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      await child.stdout.cancel();
      const stderr = await child.stderr.text();

      seen.push(stderr.trim());
      expect([await child.exited, stderr]).toEqual([
        1,
        "The program that reads the backup ended before the backup was complete\n",
      ]);
    });

    test("a backup on a disk that cannot hold a file as large", async () => {
      // Standing in for such a disk: the system's limit, in blocks of 512 bytes.
      const blocks = Math.floor((statSync(bench.archive).size - 4096) / 512);
      const limited = startedBy(["sh", "-c", `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`]);
      const target = join(emptyFolder(), "x.tar");

      const [code, stderr] = await runIn(copyOfLibrary(), ["backup", target], {}, limited);

      expect([code, stderr]).toEqual([
        1,
        `The disk cannot hold a file as large as ${target}: choose another disk\n`,
      ]);
      await limited.close();
    });

    const asNobody = nobody();
    test.skipIf(!asNobody)(
      "a data folder, a database and a place for a restore that belong to another user",
      async () => {
        const folder = copyOfLibrary();
        const sealed = startedBy(asNobody ?? []);
        const archive = join(folder, "library.tar");
        const place = join(emptyFolder(), "new");
        cpSync(bench.archive, archive);
        chmodSync(archive, 0o644);

        const closed = await runIn(folder, ["account", "list"], {}, sealed);
        chmodSync(folder, 0o777);
        const locked = await runIn(folder, ["account", "list"], {}, sealed);
        const refused = await runIn(place, ["restore", archive], {}, sealed);

        expect([closed, locked, refused]).toEqual([
          [
            1,
            `DATA_DIR (${folder}) cannot be written by this user: change its owner or set another folder\n`,
          ],
          [
            1,
            `dubplate.db in DATA_DIR (${folder}) cannot be read and written by this user: change its owner\n`,
          ],
          [
            1,
            `${place} cannot be written by this user: change the owner of its folder, or choose another one\n`,
          ],
        ]);
        await sealed.close();
      },
    );

    const disk = mountDisk("28m");
    test.skipIf(!disk)("a full disk, and room made", async () => {
      if (!disk) return;
      const folder = join(disk.path, "library");
      mkdirSync(folder);
      cpSync(program.dataDir, folder, { recursive: true });
      disk.fill();

      const full = await runIn(folder, ["serve"]);
      disk.makeRoom();
      const after = await runIn(folder, ["account", "list"]);

      expect(full).toEqual([
        1,
        expect.stringMatching(/^The disk of DATA_DIR \(.*\) is full: free \d MB, then start again\n$/),
      ]);
      expect(after).toEqual([0, ""]);
      rmSync(folder, { recursive: true });
    });

    test.skipIf(!disk)(
      "a full disk for a backup, or for the copy before an upgrade, and a disk that cannot be written",
      async () => {
        if (!disk) return;
        const target = join(disk.path, "x.tar");
        const old = join(disk.path, "library");
        const { size } = statSync(join(program.dataDir, "dubplate.db"));
        mkdirSync(old);
        halfUpgraded(old);

        disk.fill({ leaving: 4096 });
        const withoutCopy = await runIn(copyOfLibrary(), ["backup", target]);
        disk.makeRoom();
        disk.fill({ leaving: size * 1.5 });
        const withoutArchive = await runIn(copyOfLibrary(), ["backup", target]);
        disk.makeRoom();
        rmSync(join(old, "dubplate.db"));
        const db = halfUpgraded(old);
        addBallast(db, 10 * MEBIBYTE);
        disk.fill({ leaving: 8 * MEBIBYTE });
        const withoutUpgrade = await runIn(old, ["quarantine", "list"]);
        disk.makeReadOnly();
        const readOnly = await runIn(copyOfLibrary(), ["backup", target]);

        expect([withoutCopy, withoutArchive, withoutUpgrade, readOnly]).toEqual([
          [1, `There is no room for ${target}.partial.db: free some space\n`],
          [1, `There is no room for ${target}: free some space, or choose another disk\n`],
          [
            1,
            expect.stringMatching(
              /^There is no room for a copy of the database, which is made before an upgrade: free \d+ MB, then/,
            ),
          ],
          [1, `${target} is on a read-only disk: choose another one\n`],
        ]);
      },
    );
    afterAll(() => disk?.unmount());

    test("a server on a library that is served, and on a port in use", async () => {
      const { child, address } = await program.serve();
      const { port } = new URL(address);

      await expectSentence(
        `Another server already uses DATA_DIR (${program.dataDir}): stop it, or set another folder`,
        program.dataDir,
        [["serve"]],
      );
      expect(await runIn(copyOfLibrary(), ["serve"], { PORT: port })).toEqual([
        1,
        `Port ${port} of 127.0.0.1 is in use: set PORT to another one\n`,
      ]);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    });
    test("a fault of the program: one sentence, and the details in a file under its code", async () => {
      const folder = copyOfLibrary();
      // A folder in the place of a file that the program writes.
      rmSync(join(folder, "server.lock"), { force: true });
      mkdirSync(join(folder, "server.lock"));

      const [code, stderr] = await runIn(folder, ["serve"]);

      const log = join(folder, "errors.log");
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^Dubplate failed and stopped \(code \w{8}\): the details are in /),
      ]);
      const [record] = readFileSync(log, "utf8").split("\n");
      const { code: faultCode, error } = JSON.parse(record ?? "");
      expect(stderr).toBe(`Dubplate failed and stopped (code ${faultCode}): the details are in ${log}\n`);
      expect(error).toContain("at ");
      expect(statSync(log).mode & 0o777).toBe(0o600);
    });

    test("each sentence of the code was seen here, and has its way out in docs/recovery.md", async () => {
      const [sentences, documented] = [await sentencesOfCode(), await sentencesOfDocs()];
      const isUnseen = (text: string) => UNSEEN.some((pattern) => pattern.test(text));
      const unseen = sentences.filter(({ text, matches }) => !isUnseen(text) && !seen.some(matches));
      const texts = (those: typeof sentences) => those.map(({ text }) => text);

      expect(sentences.length).toBeGreaterThan(40);
      expect(texts(sentences.filter(({ matches }) => !documented.some(matches)))).toEqual([]);
      expect(documented.filter((quoted) => !sentences.some(({ matches }) => matches(quoted)))).toEqual([]);
      expect(seen.filter((said) => !sentences.some(({ matches }) => matches(said)))).toEqual([]);
      // Without root there is neither another user nor another disk.
      if (asNobody && disk) expect(texts(unseen)).toEqual([]);
    });
  });
}

const commandOf = (way: WayIn | undefined) => way?.command ?? PROGRAM;

/** How to start a program as a user without rights; undefined where this one has none to give up. */
function nobody(): string[] | undefined {
  const setpriv = Bun.which("setpriv");
  if (process.getuid?.() === 0 && setpriv)
    return [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
  console.log("Not checked: files of another user, since this needs root and setpriv");
  return undefined;
}
