import { existsSync } from "node:fs";
import {
  findManifest,
  type Manifest,
  ModelUnavailableError,
  modelFolder,
  parseManifest,
  pullModel,
  verifyFiles,
} from "../modules/models/service.ts";
import { type Command, RefusedError, readOptions, UsageError } from "./command.ts";

const LIST = "dubplate models list";
const PULL = "dubplate models pull --manifest FILE";
const VERIFY = "dubplate models verify";
/** The one kind of model there is. */
const ID = "clap";

/** `models list`, `models pull`, `models verify`: the files of learned models in the data folder. */
export const models: Command = async (context) => {
  const [verb, ...args] = context.args;
  const run = VERBS[verb ?? ""];
  if (!run) throw new UsageError(`${LIST}\n${PULL}\n${VERIFY}`);
  try {
    await run({ ...context, args });
  } catch (error) {
    if (error instanceof ModelUnavailableError) throw new RefusedError(error.message);
    throw error;
  }
};

const VERBS: Readonly<Record<string, Command>> = { list, pull, verify };

function list({ open, args, print }: Parameters<Command>[0]): void {
  readOptions(args, LIST, {});
  const { settings } = open();
  const manifest = findManifest(settings, ID);
  if (!manifest) return;
  const { id, version, dim, files } = manifest;
  const isInUse = settings.model?.provider === id;
  print({ id, version, dim, files: files.map(({ name }) => name), isInUse });
}

async function pull({ open, args, print, say }: Parameters<Command>[0]): Promise<void> {
  const { manifest: path } = readOptions(args, PULL, { optional: ["manifest"] });
  const deps = open();
  const manifest = path === undefined ? findManifest(deps.settings, ID) : await readManifest(path);
  if (!manifest)
    throw new RefusedError(
      "No model comes with this program, and no checksum of one is known to it. " +
        "docs/models.md has a manifest to fill in: dubplate models pull --manifest FILE",
    );
  const signal = new AbortController().signal;
  await pullModel(deps, manifest, { signal, onFile: print });
  say(
    `${manifest.id} ${manifest.version} is in ${modelFolder(deps.settings, ID)}. Switch it on: MODEL_PROVIDER=clap`,
  );
}

async function readManifest(path: string): Promise<Manifest> {
  if (!existsSync(path)) throw new RefusedError(`There is no file ${path}`);
  return parseManifest(await Bun.file(path).text());
}

async function verify({ open, args, print }: Parameters<Command>[0]): Promise<void> {
  readOptions(args, VERIFY, {});
  const { settings } = open();
  const manifest = findManifest(settings, ID);
  if (!manifest) throw new RefusedError(`There is no model in ${modelFolder(settings, ID)}`);
  const states = await verifyFiles(modelFolder(settings, ID), manifest);
  for (const state of states) print(state);
  const wrong = states.filter(({ state }) => state !== "ok").length;
  if (wrong > 0) throw new RefusedError(`${wrong} of ${states.length} files are not as the manifest says`);
}
