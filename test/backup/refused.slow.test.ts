import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { END_OF_TAR, encodeHeader, paddingOf } from "../../src/backup/tar.ts";
import { createProgram } from "../support/process.ts";
import { createLibrary, system } from "./support.ts";

/** The long form, `scripts/backup-rounds.ts --flips 500`, has every one at a random place. */
const RANDOM_FLIPS = 12;

describe("a backup that is not as it was written is refused, and the folder stays empty:", () => {
  const program = createProgram({ FFMPEG_PATH: "" });
  const folder = mkdtempSync(join(tmpdir(), "dubplate-refused-"));
  let whole: Buffer<ArrayBuffer>;

  beforeAll(async () => {
    await createLibrary(program, { songs: 2 });
    await program.run(["backup", join(folder, "whole.tar")]);
    whole = Buffer.from(await Bun.file(join(folder, "whole.tar")).arrayBuffer());
  });
  afterAll(async () => {
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  /** Tries to restore some bytes. */
  async function restore(bytes: Uint8Array) {
    const [file, dataDir] = [join(folder, "changed.tar"), join(folder, "target")];
    writeFileSync(file, bytes);
    mkdirSync(dataDir, { recursive: true });
    const { code, stderr } = await program.run(["restore", file], { extra: { DATA_DIR: dataDir } });
    return { code, stderr, left: [...readdirSync(dataDir), existsSync(`${dataDir}.restoring`)] };
  }

  const flipped = (at: number, bit = 0): Buffer => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    return bytes;
  };
  /** Where a member's header begins. */
  const headerOf = (name: string) => whole.indexOf(Buffer.from(`${name}\0`));
  const random = (n: number) => Number(Bun.hash(`flip ${n}`) % BigInt(whole.length * 8));

  test.each([
    ["the name of a member", () => flipped(headerOf("master-secret") + 3)],
    ["the mode of a member", () => flipped(headerOf("dubplate.db") + 104)],
    ["the size of a member", () => flipped(headerOf("dubplate.db") + 130)],
    ["the time of a member", () => flipped(headerOf("dubplate.db") + 140)],
    ["the end of a checksum", () => flipped(headerOf("dubplate.db") + 154, 5)],
    ["an unused byte of a header", () => flipped(headerOf("dubplate.db") + 505)],
    ["a byte of the manifest", () => flipped(whole.indexOf('"program": "dub') + 13)],
    ["a byte of the master secret", () => flipped(headerOf("master-secret") + 512 + 5)],
    ["a byte after the master secret", () => flipped(headerOf("master-secret") + 512 + 40)],
    ["a page of the database", () => flipped(headerOf("dubplate.db") + 512 + 9000)],
    ["a byte of a song", () => flipped(whole.indexOf("RIFF") + 5000)],
    ["a sum", () => flipped(headerOf("SHA256SUMS") + 512 + 3)],
    ["a path beside a sum", () => flipped(headerOf("SHA256SUMS") + 512 + 70)],
    ["the last newline of the sums", () => flipped(whole.lastIndexOf("\n"), 5)],
    ["the first empty block at the end", () => flipped(whole.length - 1000)],
    ["the last byte", () => flipped(whole.length - 1, 7)],
    ...Array.from({ length: RANDOM_FLIPS }, (_, n): [string, () => Buffer] => [
      `a random bit (${n})`,
      () => flipped(random(n) >> 3, random(n) & 7),
    ]),
    ["a byte too many", () => Buffer.concat([whole, Buffer.alloc(1)])],
    ["a missing end", () => whole.subarray(0, whole.length - 1024)],
    ["a missing last member", () => Buffer.concat([whole.subarray(0, headerOf("SHA256SUMS")), END_OF_TAR])],
    ["half a file", () => whole.subarray(0, whole.length / 2)],
    ["nothing", () => Buffer.alloc(0)],
    ["another kind of file", () => Buffer.from("this is not a backup, as anyone can see".repeat(50))],
  ])("%s", async (_, change) => {
    const { code, stderr, left } = await restore(change());

    expect([code, left]).toEqual([1, [false]]);
    expect(stderr).toContain("is damaged, nothing was restored");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  /** The backup with one more member before the sums. */
  const withMember = (member: Buffer) => {
    const at = headerOf("SHA256SUMS");
    return Buffer.concat([whole.subarray(0, at), member, whole.subarray(at)]);
  };
  const fileMember = (name: string, type = "0") => {
    const header = encodeHeader({ name, sizeBytes: 5, modifiedSec: 0 });
    const sum = header.reduce((total, byte) => total + byte, 0) + type.charCodeAt(0) - "0".charCodeAt(0);
    header.write(type, 156);
    if (type !== "0") header.write("/etc/passwd", 157);
    header.write(sum.toString(8).padStart(6, "0"), 148);
    return Buffer.concat([header, Buffer.from("hello"), Buffer.alloc(paddingOf(5))]);
  };

  test.each([
    ["an absolute path", fileMember("/tmp/escaped")],
    ["a path that leads out", fileMember("audio/../../escaped")],
    ["a file that the database does not name", fileMember(`audio/ff/ff/${"f".repeat(64)}`)],
    ["a symbolic link", fileMember("audio/link", "2")],
    ["a hard link", fileMember("audio/link", "1")],
    ["a folder", fileMember("audio/", "5")],
  ])("%s", async (_, member) => {
    const { code, stderr, left } = await restore(withMember(member));

    expect([code, left]).toEqual([1, [false]]);
    expect(stderr).toContain("is damaged, nothing was restored");
    expect(existsSync(join(folder, "escaped"))).toBe(false);
  });

  test("the backup as it was written is restored", async () => {
    expect(await restore(whole)).toMatchObject({ code: 0 });
  });
});

test("a member of more than 8 GB has a header that tar reads", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-large-"));
  const sizeBytes = 9_000_000_123;
  const file = join(folder, "large.tar");
  writeFileSync(file, encodeHeader({ name: "dubplate.db", sizeBytes, modifiedSec: 1_763_800_000 }));
  truncateSync(file, 512 + sizeBytes + paddingOf(sizeBytes) + END_OF_TAR.length);

  const { code, stdout, stderr } = await system(["tar", "tvf", file], folder);

  rmSync(folder, { recursive: true });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^-rw------- 0\/0 +9000000123 .* dubplate\.db\n$/);
});
