import { describe, expect, test } from "bun:test";
import { hkdfSync } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { openDb } from "../../db/client.ts";
import { errorResponse, STATUS } from "../../src/http/errors.ts";
import { DomainError, type ErrorCode } from "../../src/kernel/errors.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { startSearching } from "../../src/modules/search/search/service.ts";

const LOADERS: Readonly<Record<string, "ts" | "tsx" | "js">> = {
  ".ts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
};
const SRC = join(import.meta.dir, "../../src");

/** Returns everything that these files load, by path or by the name of a built-in module. */
async function loadedWith(...entries: string[]): Promise<Set<string>> {
  const loaded = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const loader = LOADERS[extname(file)];
    if (!loader) return;
    const text = (await Bun.file(file).text()).replace(/^#!.*/, "");
    for (const { kind, path } of new Bun.Transpiler({ loader }).scanImports(text))
      if (kind !== "dynamic-import") await visit(Bun.resolveSync(path, dirname(file)));
  };
  for (const entry of entries) await visit(join(SRC, entry));
  return loaded;
}

describe("a server that has just started", () => {
  const started = loadedWith("main.ts", "commands/serve.ts", "server.ts");

  test.each([
    ["the tool server's protocol", /@modelcontextprotocol|[/]zod[/]/],
    ["the brief's word lists", /db[/]lexicon|src[/]brief[/]/],
    ["arithmetic on samples", /src[/]audio[/](analyzer|dsp|tempo|key|loudness|voice)/],
    [
      "decoders and tag readers",
      /music-metadata|minimp3|opus-decoder|stb-vorbis|media[/]decode[/](mp3|vorbis|opus|flac|wav)/,
    ],
    ["the catalogue of tools", /src[/]mcp[/](tools|mount|protocol)/],
    ["pages", /src[/]modules[/].*pages?[.]tsx$|src[/]pages[/]player|src[/]console[/](?!app)/],
    ["what is said in the API's document", /document[/](document|glossary|examples|for-generator)/],
    ["what suggests tags", /analysis[/](suggest|tagger|auto-tag)|learning[/](learn|train)[.]ts/],
    ["the arrays of a search index", /search[/]index[/](snapshot|shard|keeper)[.]ts/],
    [
      "what makes packages, papers and proofs of time, or compares songs",
      /packages[/](plan|making)[.]ts|papers[/](papers|cwr)|media[/]retag|ledger[/]verif|kinship[/](relate|judge)/,
    ],
    ["what exports, imports and deletes accounts", /whole[/]ownership[/](export|import|delete)[.]ts/],
    [
      "Node's streams and modules based on them",
      /^node:(stream|http|https|net|tls|zlib|crypto|readline|dns|util)/,
    ],
  ])("has not loaded %s", async (_, unwanted) => {
    expect([...(await started)].filter((each) => unwanted.test(each))).toEqual([]);
  });

  test("has created no formatter for dates or numbers", async () => {
    const own = [...(await started)].filter((each) => each.startsWith(SRC) && /\.tsx?$/.test(each));
    const texts = await Promise.all(own.map(async (each) => [each, await Bun.file(each).text()] as const));

    expect(
      texts.filter(([, text]) => /^(export )?const .*new Intl\./m.test(text)).map(([each]) => each),
    ).toEqual([]);
  });

  test("starts no search thread before the first search", async () => {
    const db = openDb(join(mkdtempSync(join(tmpdir(), "dubplate-start-")), "dubplate.db"));
    let spawned = 0;
    const searching = startSearching({ db, log: () => undefined }, () => {
      spawned++;
      return new Worker("data:text/javascript,");
    });

    expect(spawned).toBe(0);

    searching.stop();
    db.$client.close();
  });
});

describe("replacements for Node's modules", () => {
  test.each(Object.keys(STATUS) as ErrorCode[])("names the status of %s as Node does", async (code) => {
    const body = (await errorResponse(new DomainError(code, "No")).json()) as { error: string };

    expect(body.error).toBe(STATUS_CODES[STATUS[code]] ?? "");
  });

  test("derives the keys that earlier versions derived", () => {
    const master = Buffer.alloc(32, 9);

    const expected = hkdfSync("sha256", master, "", "dubplate media-links", 32);

    expect(secretsOf(master)("media-links")).toEqual(Buffer.from(expected));
  });
});
