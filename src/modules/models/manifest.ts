import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Settings } from "../../kernel/settings.ts";
import { ModelUnavailableError } from "./provider.ts";

const FileName = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$" });

/** What a model consists of: `manifest.json` in its folder, and what `models pull` is told. */
export const Manifest = Type.Object(
  {
    id: Type.Literal("clap"),
    /** Of the weights; vectors of different versions are never compared. */
    version: Type.String({ minLength: 1, maxLength: 100 }),
    /** Length of its vectors. */
    dim: Type.Integer({ minimum: 1, maximum: 4096 }),
    /** Tensor names in the two graphs. */
    audio: Type.Object({ file: FileName, input: Type.String(), output: Type.String() }),
    text: Type.Object({
      file: FileName,
      ids: Type.String(),
      /** Left out by graphs that take no mask. */
      mask: Type.Optional(Type.String()),
      output: Type.String(),
      tokenizer: FileName,
      maxTokens: Type.Integer({ minimum: 3, maximum: 512 }),
    }),
    files: Type.Array(
      Type.Object({
        name: FileName,
        /** Left out for files that are put into the folder by hand. */
        url: Type.Optional(Type.String({ pattern: "^https?://" })),
        sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof Manifest>;
export type ModelFile = Manifest["files"][number];

const MANIFEST = "manifest.json";

/** Returns the folder of a model. */
export function modelFolder({ dataDir }: Pick<Settings, "dataDir">, id: string): string {
  return join(dataDir, "models", id);
}

/** Returns a manifest's path in a model's folder. */
export function manifestPath(settings: Pick<Settings, "dataDir">, id: string): string {
  return join(modelFolder(settings, id), MANIFEST);
}

/** Reads a manifest. @throws ModelUnavailableError that names the first thing that is wrong with it. */
export function parseManifest(json: string): Manifest {
  const value = parsed(json);
  if (!Value.Check(Manifest, value)) {
    const first = Value.Errors(Manifest, value).First();
    throw new ModelUnavailableError(`The manifest is wrong at ${first?.path || "/"}: ${first?.message}`);
  }
  const names = new Set(value.files.map(({ name }) => name));
  const missing = [value.audio.file, value.text.file, value.text.tokenizer].find((name) => !names.has(name));
  if (missing !== undefined)
    throw new ModelUnavailableError(`The manifest is wrong at /files: ${missing} has no entry`);
  return value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ModelUnavailableError("The manifest is not JSON");
  }
}

/** Returns the manifest of a model that has one in its folder. @throws ModelUnavailableError as {@link parseManifest}. */
export function findManifest(settings: Pick<Settings, "dataDir">, id: string): Manifest | undefined {
  const path = manifestPath(settings, id);
  return existsSync(path) ? parseManifest(readFileSync(path, "utf8")) : undefined;
}

/** How a file of a model is. */
export type FileState = { name: string; sizeBytes: number | null; state: "ok" | "missing" | "wrong" };

/** Looks at every file of a model; its bytes are read, which takes a second a gigabyte or so. */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<FileState[]> {
  const states: FileState[] = [];
  for (const { name, sha256 } of files) {
    const path = join(folder, name);
    if (!existsSync(path)) states.push({ name, sizeBytes: null, state: "missing" });
    else {
      const isRight = (await sha256Of(path)) === sha256;
      states.push({ name, sizeBytes: statSync(path).size, state: isRight ? "ok" : "wrong" });
    }
  }
  return states;
}

/** Returns the SHA-256 of a file, hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}
