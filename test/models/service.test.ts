import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addFile, library } from "../flows/analysis-library.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { silence, sine, wavBytes } from "../support/signals.ts";
import { placeModel, tinyModel } from "./tiny-model.ts";

// Real decoding, analysis and model processes, on a machine that may be busy.
setDefaultTimeout(60_000);

const RATE_HZ = 22_050;
const SECONDS = 11;
const low = wavBytes([sine(RATE_HZ, SECONDS, 120)], RATE_HZ, 16);
const high = wavBytes([sine(RATE_HZ, SECONDS, 5000)], RATE_HZ, 16);
const MODEL = { provider: "clap", runtime: undefined } as const;

let app: TestApp;
afterEach(() => app.close());

async function open(model: typeof MODEL | { provider: "clap"; runtime: string } | undefined) {
  app = await createTestApp({ settings: { model } });
  const { accountId } = app.createAccount();
  return { accountId, api: app.as(app.createKey(accountId)) };
}

const vectorsOf = (trackId: string) =>
  library(app.deps, trackId)
    .vectors.map(({ provider, version, dimensions }) => `${provider} ${version} ${dimensions}`)
    .sort();

describe("with a model switched on", () => {
  test("what is uploaded is heard, tagged by it, and found by how it sounds", async () => {
    const { accountId, api } = await open(MODEL);
    placeModel(app.deps.settings.dataDir, tinyModel());
    const dark = await addFile(app.deps, accountId, low);
    const bright = await addFile(app.deps, accountId, high);
    await app.drainJobs();

    expect(vectorsOf(dark).slice(0, 2)).toEqual(["clap tiny-1 2", "descriptors dubplate-descriptors-1 96"]);
    expect(vectorsOf(dark)[2]).toStartWith("model-tags prompts-1.");
    const moods = async (id: string) =>
      (await api("GET", `/tracks/suggested-tags?id=${id}`)).body.data.suggestedTags.moods ?? [];
    expect(await moods(dark)).toContain("Dark");
    expect(await moods(bright)).not.toContain("Dark");

    const search = async (query: string) =>
      (await api("POST", "/tracks/search", { query, limit: 1 })).body.data;
    const found = await search("bright");
    expect(found.results[0].id).toBe(bright);
    expect(found.results[0].reason).toContain("a model that has heard it finds the brief in it");
    expect(found.interpretation.appliedTuning).toMatchObject({ model: "clap tiny-1" });
    expect((await search("something dark")).results[0].id).toBe(dark);
  });

  test("silence and one model's vector beside another's do no harm", async () => {
    const { accountId, api } = await open(MODEL);
    placeModel(app.deps.settings.dataDir, tinyModel());
    await addFile(app.deps, accountId, wavBytes([silence(RATE_HZ, SECONDS)], RATE_HZ, 16));
    await app.drainJobs();

    const { status } = await api("POST", "/tracks/search", { query: "bright" });

    expect(status).toBe(200);
  });

  test.each([
    [
      "its files are missing",
      undefined,
      "There is no model: fetch one with dubplate models pull --manifest FILE",
    ],
    ["a file is damaged", "text.onnx", "text.onnx is wrong: see dubplate models verify"],
  ])("a track is analysed all the same when %s, and the log says why", async (_, damaged, reason) => {
    const { accountId, api } = await open(MODEL);
    if (damaged) {
      placeModel(app.deps.settings.dataDir, tinyModel());
      writeFileSync(join(app.deps.settings.dataDir, "models", "clap", damaged), "damaged");
    }
    const trackId = await addFile(app.deps, accountId, low);
    await app.drainJobs();

    const { body } = await api("GET", `/tracks/suggested-tags?id=${trackId}`);
    expect(body.data.analysisStatus).toBe("completed");
    expect(vectorsOf(trackId)).toEqual(["descriptors dubplate-descriptors-1 96"]);
    expect(app.logged).toContainEqual({
      level: "warn",
      message: "The model is switched on and cannot be used",
      fields: { reason },
    });
  });

  test("a runtime that ends its process costs the model's word and nothing else", async () => {
    const runtime = join(mkdtempSync(join(tmpdir(), "dubplate-test-")), "crashing.js");
    writeFileSync(runtime, "process.kill(process.pid, 'SIGSEGV'); export const InferenceSession = {};");
    const { accountId, api } = await open({ provider: "clap", runtime });
    placeModel(app.deps.settings.dataDir, tinyModel());
    const trackId = await addFile(app.deps, accountId, low);
    await app.drainJobs();

    const { body } = await api("GET", `/tracks/suggested-tags?id=${trackId}`);
    expect(body.data.analysisStatus).toBe("completed");
    expect(vectorsOf(trackId)).toEqual(["descriptors dubplate-descriptors-1 96"]);
    expect(app.logged).toContainEqual({
      level: "warn",
      message: "The model could not process a track",
      fields: { trackId, reason: "The model's process ended (SIGSEGV)" },
    });
    expect((await api("POST", "/tracks/search", { query: "dark" })).status).toBe(200);
  });
});

test("without the setting no model is promised, started or stored", async () => {
  const { accountId } = await open(undefined);
  placeModel(app.deps.settings.dataDir, tinyModel());
  const trackId = await addFile(app.deps, accountId, low);
  await app.drainJobs();

  expect(vectorsOf(trackId)).toEqual(["descriptors dubplate-descriptors-1 96"]);
  expect(library(app.deps, trackId).jobs.map(({ name }) => name)).not.toContain("embed");
});
