import { dlopen, JSCallback, type Pointer, ptr, read, toBuffer } from "bun:ffi";

/** Of Debian's libsonivox3: the synthesiser of telephones, with General MIDI sounds of its own (Apache License 2.0). */
const LIBRARY = "libsonivox.so.3";
const { symbols: eas } = dlopen(LIBRARY, {
  EAS_Config: { args: [], returns: "ptr" },
  EAS_Init: { args: ["ptr"], returns: "i64" },
  EAS_OpenFile: { args: ["ptr", "ptr", "ptr"], returns: "i64" },
  EAS_Prepare: { args: ["ptr", "ptr"], returns: "i64" },
  EAS_Render: { args: ["ptr", "ptr", "i64", "ptr"], returns: "i64" },
  EAS_CloseFile: { args: ["ptr", "ptr"], returns: "i64" },
  EAS_Shutdown: { args: ["ptr"], returns: "i64" },
});
/** Where S_EAS_LIB_CONFIG has what is read of it; the library's `long` has eight bytes. */
const [CHANNELS_AT, RATE_AT, BLOCK_AT] = [24, 32, 40];

type Played = { samples: Int16Array; channels: number; hz: number };

/** Plays a MIDI file; the samples of all channels are interleaved. */
export function playWithSonivox(score: Uint8Array, seconds: number): Played {
  const config = eas.EAS_Config() as Pointer;
  const numberAt = (at: number) => Number(read.i64(config, at));
  const [channels, hz, block] = [numberAt(CHANNELS_AT), numberAt(RATE_AT), numberAt(BLOCK_AT)];
  const readAt = new JSCallback(
    (_: Pointer, into: Pointer, offset: number, size: number) => {
      const part = score.subarray(offset, offset + size);
      if (part.length > 0) toBuffer(into, 0, part.length).set(part);
      return part.length;
    },
    { args: ["ptr", "ptr", "i32", "i32"], returns: "i32" },
  );
  const size = new JSCallback(() => score.length, { args: ["ptr"], returns: "i32" });
  const locator = BigUint64Array.of(1n, BigInt(readAt.ptr ?? 0), BigInt(size.ptr ?? 0));
  const data = heldIn((handle) => eas.EAS_Init(handle));
  const stream = heldIn((handle) => eas.EAS_OpenFile(data, ptr(locator), handle));
  check(eas.EAS_Prepare(data, stream));
  const samples = new Int16Array(Math.ceil((seconds * hz) / block) * block * channels);
  const done = new BigInt64Array(1);
  for (let at = 0; at < samples.length; at += block * channels)
    check(eas.EAS_Render(data, ptr(samples, at * Int16Array.BYTES_PER_ELEMENT), block, ptr(done)));
  check(eas.EAS_CloseFile(data, stream));
  check(eas.EAS_Shutdown(data));
  readAt.close();
  size.close();
  return { samples, channels, hz };
}

/** Returns the handle that a call leaves. */
function heldIn(call: (handle: Pointer) => bigint): Pointer {
  const handle = new BigUint64Array(1);
  check(call(ptr(handle)));
  return Number(handle[0]) as Pointer;
}

function check(result: bigint): void {
  if (result !== 0n) throw new Error(`Sonivox returned ${result}.`);
}
