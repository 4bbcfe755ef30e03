import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "../../src/config.ts";
import {
  findManifest,
  type Manifest,
  modelFolder,
  type Pulled,
  parseManifest,
  pullModel,
  verifyFiles,
} from "../../src/modules/models/service.ts";
import { sha256, tinyModel } from "./tiny-model.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server of a model's files that can continue them; `ranges` are what it was asked for. */
function serveModel(change: (manifest: Manifest) => void = () => undefined) {
  const { files, manifest } = tinyModel();
  const ranges: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const bytes = files[new URL(request.url).pathname.slice(1)] ?? new Uint8Array(0);
      const range = request.headers.get("range");
      ranges.push(range);
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
      if (from >= bytes.length) return new Response(null, { status: 416 });
      return new Response(bytes.slice(from), { status: range === null ? 200 : 206 });
    },
  });
  stops.push(() => server.stop(true));
  const root = `http://127.0.0.1:${server.port}`;
  for (const file of manifest.files) file.url = `${root}/${file.name}`;
  change(manifest);
  const dataDir = mkdtempSync(join(tmpdir(), "dubplate-test-"));
  const settings = { ...readSettings({ NETWORK_ALLOW: `127.0.0.1:${server.port}` }), dataDir };
  const folder = modelFolder(settings, "clap");
  mkdirSync(folder, { recursive: true });
  const pull = async () => {
    const pulled: Pulled[] = [];
    const signal = new AbortController().signal;
    await pullModel({ settings }, manifest, { signal, onFile: (file) => pulled.push(file) });
    return pulled.map(({ state }) => state);
  };
  return { files, manifest, ranges, settings, folder, pull };
}

describe("models pull", () => {
  test("fetches every file once and leaves what is right alone", async () => {
    const { manifest, settings, folder, ranges, pull } = serveModel();

    expect(await pull()).toEqual(["fetched", "fetched", "fetched"]);
    expect(await pull()).toEqual(["there already", "there already", "there already"]);
    expect(ranges.length).toBe(3);
    expect(findManifest(settings, "clap")).toEqual(manifest);
    expect((await verifyFiles(folder, manifest)).map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
  });

  test("continues what an earlier try has begun", async () => {
    const { files, folder, ranges, pull } = serveModel();
    writeFileSync(join(folder, "audio.onnx.part"), (files["audio.onnx"] ?? new Uint8Array(0)).slice(0, 100));

    expect(await pull()).toEqual(["fetched", "fetched", "fetched"]);
    expect(ranges).toEqual(["bytes=100-", null, null]);
  });

  test("starts anew where there is nothing after what is there", async () => {
    const { files, folder, ranges, pull } = serveModel();
    writeFileSync(join(folder, "audio.onnx.part"), `${files["audio.onnx"]}and more than there is`);

    expect(await pull()).toEqual(["fetched", "fetched", "fetched"]);
    expect(ranges.slice(0, 2)).toEqual([expect.stringMatching(/^bytes=\d+-$/), null]);
  });

  test("keeps nothing that has another checksum, and no manifest", async () => {
    const { folder, pull } = serveModel(({ files }) => {
      if (files[1]) files[1].sha256 = sha256(new Uint8Array(1));
    });

    expect(pull()).rejects.toThrow("text.onnx is not what the manifest says");
    await pull().catch(() => undefined);
    expect(readdirSync(folder).filter((name) => name !== "audio.onnx")).toEqual([]);
  });

  test("asks for files without an address to be put there by hand, and takes them", async () => {
    const { files, folder, pull } = serveModel((manifest) => {
      for (const file of manifest.files) delete file.url;
    });
    expect(await pull().catch((error) => error.message)).toContain("audio.onnx has no address: put it at");

    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);

    expect(await pull()).toEqual(["there already", "there already", "there already"]);
    expect(existsSync(join(folder, "manifest.json"))).toBe(true);
  });
});

test.each([
  ["no JSON", "nothing", "The manifest is not JSON"],
  ["no version", JSON.stringify({ ...tinyModel().manifest, version: undefined }), "wrong at /version"],
  [
    "a file name that leaves the folder",
    JSON.stringify({ ...tinyModel().manifest, files: [{ name: "../x", sha256: "0".repeat(64) }] }),
    "wrong at /files/0/name",
  ],
  [
    "a checksum that is none",
    JSON.stringify({ ...tinyModel().manifest, files: [{ name: "x", sha256: "?" }] }),
    "wrong at /files/0/sha256",
  ],
  ["no files", JSON.stringify({ ...tinyModel().manifest, files: [] }), "wrong at /files"],
])("a manifest with %s is refused by what is wrong with it", (_, json, message) => {
  expect(() => parseManifest(json)).toThrow(message);
});
