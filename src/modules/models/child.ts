import { setPriority } from "node:os";
import { join } from "node:path";
import { EXIT_MISUSED } from "../../kernel/child-commands.ts";
import type { FromModel, ToModel } from "./child-protocol.ts";
import { CLAP_BANDS, CLAP_FRAMES, clapLogMel } from "./log-mel.ts";
import type { Manifest } from "./manifest.ts";
import { ModelUnavailableError } from "./provider.ts";
import { readTokenizer, type Tokenizer } from "./tokenizer.ts";

/** The few parts of onnxruntime-node that are used: the package is the operator's, and may not be there. */
type Tensor = { data: unknown; dims: readonly number[] };
type Session = { run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>> };
type Runtime = {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: string, data: Float32Array | BigInt64Array, dims: readonly number[]) => Tensor;
};

type Model = { manifest: Manifest; folder: string; runtime: Runtime; audio?: Session; text?: Session };

/** Requests and analyses come first. */
const NICENESS = 10;
const EXIT_DONE = 0;
/** One passage and one text at a time: little memory, and nothing to pad. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1 };

/**
 * Runs this program as the process of a model: `model-serve`, started with a channel. Ends when that is closed. A fault
 * of the runtime ends this process and nothing else.
 *
 * @returns The exit code: 0 the channel was closed, 2 there is none.
 */
export async function runModelChild(): Promise<number> {
  if (!process.send) return EXIT_MISUSED;
  if (process.platform === "linux") setPriority(0, NICENESS);
  let opening: Promise<Model> | undefined;
  let tokenizer: Promise<Tokenizer> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const answer = async (message: ToModel): Promise<Float32Array[]> => {
    if (message.kind === "open") {
      opening = open(message);
      await opening;
      return [];
    }
    if (!opening) throw new ModelUnavailableError("No model was opened");
    const model = await opening;
    if (message.kind === "audio") return hear(model, message.passages);
    tokenizer ??= tokenizerOf(model);
    return read(model, await tokenizer, message.texts);
  };

  process.on("message", (message: ToModel) => {
    // One after another: what waits costs no memory here.
    last = last.then(async () => {
      const reply: FromModel = await answer(message).then(
        (vectors) => ({ id: message.id, ok: true, vectors }),
        (error: unknown) => ({
          id: message.id,
          ok: false,
          reason: error instanceof Error ? error.message : String(error),
        }),
      );
      process.send?.(reply);
    });
  });
  return new Promise((resolve) => process.once("disconnect", () => resolve(EXIT_DONE)));
}

async function open({ folder, manifest, runtime }: Extract<ToModel, { kind: "open" }>): Promise<Model> {
  // A name that is not written out, so that nobody packs the runtime: it is larger than the program.
  const name = runtime ?? ["onnxruntime", "node"].join("-");
  try {
    const loaded = (await import(name)) as Runtime & { default?: Runtime };
    return { folder, manifest, runtime: loaded.InferenceSession ? loaded : (loaded.default as Runtime) };
  } catch (error) {
    throw new ModelUnavailableError(`onnxruntime-node cannot be loaded from ${name}: ${String(error)}`);
  }
}

async function tokenizerOf({ folder, manifest: { text } }: Model): Promise<Tokenizer> {
  return readTokenizer(await Bun.file(join(folder, text.tokenizer)).text(), text.maxTokens);
}

async function hear(model: Model, passages: readonly Float32Array[]): Promise<Float32Array[]> {
  const { runtime, manifest, folder } = model;
  const { file, input, output } = manifest.audio;
  model.audio ??= await runtime.InferenceSession.create(join(folder, file), SESSION);
  const vectors: Float32Array[] = [];
  for (const passage of passages) {
    const shape = [1, 1, CLAP_FRAMES, CLAP_BANDS];
    const feeds = { [input]: new runtime.Tensor("float32", clapLogMel(passage), shape) };
    vectors.push(vectorIn(await model.audio.run(feeds), output, manifest.dim));
  }
  return vectors;
}

async function read(model: Model, tokenize: Tokenizer, texts: readonly string[]): Promise<Float32Array[]> {
  const { runtime, manifest, folder } = model;
  const { file, ids, mask, output } = manifest.text;
  model.text ??= await runtime.InferenceSession.create(join(folder, file), SESSION);
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const tokens = BigInt64Array.from(tokenize(text), BigInt);
    const shape = [1, tokens.length];
    const feeds = {
      [ids]: new runtime.Tensor("int64", tokens, shape),
      ...(mask !== undefined && {
        [mask]: new runtime.Tensor(
          "int64",
          tokens.map(() => 1n),
          shape,
        ),
      }),
    };
    vectors.push(vectorIn(await model.text.run(feeds), output, manifest.dim));
  }
  return vectors;
}

function vectorIn(outputs: Record<string, Tensor>, name: string, dim: number): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array) || data.length !== dim)
    throw new ModelUnavailableError(`The graph does not give ${dim} numbers as ${name}`);
  return data.slice();
}
