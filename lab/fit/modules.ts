import { dlopen, ptr, suffix } from "bun:ffi";
import { basename } from "node:path";
import type { Clip } from "../eval-audio/clip.ts";
import { encodeRaw } from "../eval-audio/render.ts";

const SAMPLE_RATE_HZ = 44_100;
const BLOCK_FRAMES = 1024;
const MAX_SECONDS = 75;
const MIN_SECONDS = 20;
const ROWS_PER_BEAT = 4;
/** A module's tempo is known when this share of the audio has one speed. */
const STEADY_SHARE = 0.97;

/** Returns libopenmpt, or undefined where it is not installed. */
export function openModulePlayer() {
  try {
    return dlopen(`libopenmpt.${suffix}.0`, {
      openmpt_module_create_from_memory2: {
        args: ["ptr", "u64", "ptr", "ptr", "ptr", "ptr", "ptr", "ptr", "ptr"],
        returns: "ptr",
      },
      openmpt_module_destroy: { args: ["ptr"], returns: "void" },
      openmpt_module_get_current_speed: { args: ["ptr"], returns: "i32" },
      openmpt_module_get_current_tempo: { args: ["ptr"], returns: "i32" },
      openmpt_module_read_interleaved_stereo: { args: ["ptr", "i32", "u64", "ptr"], returns: "u64" },
    }).symbols;
  } catch {
    return undefined;
  }
}

type Player = NonNullable<ReturnType<typeof openModulePlayer>>;

/**
 * Renders a tracker module to `path` and returns its tempo. Undefined when the module cannot be read, is too short,
 * or changes its speed.
 */
export async function renderModule(
  player: Player,
  module: string,
  path: string,
): Promise<Pick<Clip, "bpm" | "levels"> | undefined> {
  const bytes = await Bun.file(module).bytes();
  const handle = player.openmpt_module_create_from_memory2(
    ...([ptr(bytes), bytes.length, null, null, null, null, null, null, null] as const),
  );
  if (!handle) return undefined;
  const sound = new Int16Array(2 * SAMPLE_RATE_HZ * MAX_SECONDS);
  const block = new Int16Array(2 * BLOCK_FRAMES);
  const blocksAt = new Map<string, number>();
  let frames = 0;
  while (frames + BLOCK_FRAMES <= SAMPLE_RATE_HZ * MAX_SECONDS) {
    const count = Number(
      player.openmpt_module_read_interleaved_stereo(handle, SAMPLE_RATE_HZ, BLOCK_FRAMES, ptr(block)),
    );
    if (count === 0) break;
    sound.set(block.subarray(0, 2 * count), 2 * frames);
    frames += count;
    const pace = [
      player.openmpt_module_get_current_tempo(handle),
      player.openmpt_module_get_current_speed(handle),
    ].join();
    blocksAt.set(pace, (blocksAt.get(pace) ?? 0) + 1);
  }
  player.openmpt_module_destroy(handle);
  const [pace, blocks] = [...blocksAt].sort(([, a], [, b]) => b - a)[0] ?? ["", 0];
  const isSteady = blocks * BLOCK_FRAMES > STEADY_SHARE * frames;
  if (frames < MIN_SECONDS * SAMPLE_RATE_HZ || !isSteady) return undefined;
  await encodeRaw(new Uint8Array(sound.buffer, 0, 4 * frames), path, { seconds: MAX_SECONDS });
  return paceOf(pace.split(",").map(Number));
}

/** A row lasts `speed` ticks, with 24 ticks per beat at `tempo`; most music has four rows per beat, some six. */
function paceOf([tempo = 0, speed = 0]: number[]): Pick<Clip, "bpm" | "levels"> {
  const bpm = (tempo * 24) / speed / ROWS_PER_BEAT;
  const levels = [1, 2, 0.5, 0.25];
  return { bpm, levels: speed % 4 === 0 ? [...levels, 2 / 3, 4 / 3, 1 / 3] : levels };
}

/** Recognises module files by their extension. */
export const isModule = (path: string) => /\.(mod|it|xm|s3m)$/i.test(basename(path));
