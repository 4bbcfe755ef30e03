import { assemble, type Code, code, I32, op, V128 } from "../../wasm/assemble.ts";
import { roomFor } from "../../wasm/shared-memory.ts";

/** What is done with each sample of two channels. Every value is a pair of float64: of the first channel, and of the second. */
export type PairListing = {
  /** How many values are kept from one sample to the next. */
  kept: number;
  /** How many values are only read. */
  constants?: number;
  /** How many locals the body has for itself. */
  scratch?: number;
  /** Returns the instructions, given the locals with the samples, with what is kept, and without a meaning. */
  body(
    locals: { samples: number; kept: readonly number[]; scratch: readonly number[] },
    constants: Code[],
  ): Code;
};

/** Follows two channels at once, sample by sample, in memory of its own. */
export type PairLoop = {
  /** What is kept, and then the constants: 0 at first. */
  values: Float64Array;
  /** Takes the samples from `from` to `to`, which is not included. */
  run(first: Float32Array, second: Float32Array, from: number, to: number): void;
};

const PAIR_BYTES = 16;
const FLOAT_BYTES = 4;
/** Channels that are not in the memory of the loop are copied in parts of so many samples. */
const COPIED = 4096;
const { get, set, constant } = op;

/** Returns what builds a loop; all its loops share what is compiled. */
export function pairLoop(listing: PairListing): () => PairLoop {
  let compiled: WebAssembly.Module | undefined;
  return () => {
    compiled ??= new WebAssembly.Module(assembleLoop(listing));
    return createLoop(listing, compiled);
  };
}

const [FIRST, END, SECOND, VALUES] = [0, 1, 2, 3] as const;
const SAMPLES = 4;

function assembleLoop({ kept, constants = 0, scratch = 0, body }: PairListing): Uint8Array<ArrayBuffer> {
  const locals = Array.from({ length: kept + scratch }, (_, i) => SAMPLES + 1 + i);
  const names = { samples: SAMPLES, kept: locals.slice(0, kept), scratch: locals.slice(kept) };
  const load = (index: number) => code(get(VALUES), op.loadVector(index * PAIR_BYTES));
  const read = Array.from({ length: constants }, (_, i) => load(kept + i));
  const advance = (local: number) => code(get(local), constant(FLOAT_BYTES), op.add, set(local));
  const loop = code(
    ...names.kept.map((local, i) => code(load(i), set(local))),
    op.loopWhile(
      code(get(SECOND), get(FIRST), op.loadFloatOnly, op.loadSecondFloat, op.toDoubles, set(SAMPLES)),
      body(names, read),
      code(advance(SECOND), advance(FIRST), get(FIRST), get(END), op.isLess),
    ),
    ...names.kept.map((local, i) => code(get(VALUES), get(local), op.storeVector(i * PAIR_BYTES))),
  );
  const types = Array<number>(1 + locals.length).fill(V128);
  return assemble([{ name: "run", params: [I32, I32, I32, I32], locals: types, body: loop }]);
}

function createLoop({ kept, constants = 0 }: PairListing, module: WebAssembly.Module): PairLoop {
  const bytes = (kept + constants) * PAIR_BYTES;
  // The room belongs to what the function below holds on to.
  const copies: Float32Array[] = [];
  const { memory, at } = roomFor(copies, bytes + 2 * COPIED * FLOAT_BYTES);
  for (const channel of [0, 1])
    copies.push(new Float32Array(memory.buffer, at + bytes + channel * COPIED * FLOAT_BYTES, COPIED));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  // The compiler cannot know the types of exports; the listing above defines them.
  const run = exports.run as (first: number, end: number, second: number, values: number) => void;
  const addressOf = (channel: 0 | 1, samples: Float32Array, from: number, to: number) => {
    if (samples.buffer === memory.buffer) return samples.byteOffset + from * FLOAT_BYTES;
    const copy = copies[channel] as Float32Array;
    copy.set(samples.subarray(from, to));
    return copy.byteOffset;
  };
  return {
    values: new Float64Array(memory.buffer, at, bytes / Float64Array.BYTES_PER_ELEMENT),
    run(first, second, from, to) {
      for (let start = from; start < to; start += COPIED) {
        const end = Math.min(to, start + COPIED);
        const address = addressOf(0, first, start, end);
        run(address, address + (end - start) * FLOAT_BYTES, addressOf(1, second, start, end), at);
      }
    },
  };
}
