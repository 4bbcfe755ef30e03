import type { Db } from "../../../db/client.ts";
import { childCommandLine } from "../../kernel/child-commands.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Settings } from "../../kernel/settings.ts";
import { findManifest, type Manifest, modelFolder, verifyFiles } from "./manifest.ts";
import { type ModelProvider, ModelUnavailableError } from "./provider.ts";

export {
  findManifest,
  type Manifest,
  modelFolder,
  parseManifest,
  verifyFiles,
} from "./manifest.ts";
export { PROMPTS, PROMPTS_VERSION } from "./prompts.ts";
export { type ModelProvider, ModelUnavailableError, type Passages } from "./provider.ts";
export { type Pulled, pullModel } from "./pull.ts";

type ModelDeps = Pick<Deps, "db" | "settings" | "selfCommand" | "log">;

/** The models of open libraries; undefined: this one's cannot be used. */
const providers = new WeakMap<Db, ModelProvider | undefined>();

/**
 * Returns the model that the operator has switched on, or undefined: none is, or its files are not there or not right,
 * which is logged once. Nothing is loaded before it is asked.
 */
export async function findProvider(deps: ModelDeps): Promise<ModelProvider | undefined> {
  const { db, settings, log } = deps;
  if (!settings.model) return undefined;
  if (providers.has(db)) return providers.get(db);
  const found = await openProvider(deps, settings.model).catch((error: unknown) => {
    if (!(error instanceof ModelUnavailableError)) throw error;
    log("warn", "The model is switched on and cannot be used", { reason: error.message });
    return undefined;
  });
  providers.set(db, found);
  return found;
}

/** Ends the process of a library's model, if it has one. */
export function closeProvider(db: Db): void {
  providers.get(db)?.close();
  providers.delete(db);
}

async function openProvider(
  { settings, selfCommand }: ModelDeps,
  { provider, runtime }: NonNullable<Settings["model"]>,
): Promise<ModelProvider> {
  const manifest = requireManifest(settings, provider);
  const folder = modelFolder(settings, provider);
  const wrong = (await verifyFiles(folder, manifest)).find(({ state }) => state !== "ok");
  if (wrong) throw new ModelUnavailableError(`${wrong.name} is ${wrong.state}: see dubplate models verify`);
  const { createClapProvider } = await import("./clap.ts");
  const command = childCommandLine(selfCommand, "model-serve");
  return createClapProvider(command, { folder, manifest, runtime: runtime ?? null });
}

function requireManifest(settings: Settings, id: string): Manifest {
  const manifest = findManifest(settings, id);
  if (manifest) return manifest;
  throw new ModelUnavailableError("There is no model: fetch one with dubplate models pull --manifest FILE");
}
