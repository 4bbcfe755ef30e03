/**
 * Kernels of a thread share one memory. JavaScriptCore has four fast memories for all threads of a process, and collects
 * all garbage before it makes one more: memories of its own cost an analysis a twentieth of its time.
 */
const MEMORY_BYTES = 32 * 2 ** 20;
const PAGE_BYTES = 65_536;
const ALIGNMENT_BYTES = 16;

/** A part of a memory, from `at` on. */
export type Room = { memory: WebAssembly.Memory; at: number };

let memory: WebAssembly.Memory | undefined;
let used = 0;
/** Rooms that are free again, by their bytes. */
const free = new Map<number, Room[]>();
const ended = new FinalizationRegistry<{ room: Room; bytes: number }>(({ room, bytes }) => {
  free.set(bytes, [...(free.get(bytes) ?? []), room]);
});

/** Returns room for `bytes`, all zero, which belongs to `owner` until that is garbage. */
export function roomFor(owner: object, bytes: number): Room {
  const room = free.get(bytes)?.pop() ?? newRoom(bytes);
  new Uint8Array(room.memory.buffer, room.at, bytes).fill(0);
  ended.register(owner, { room, bytes });
  return room;
}

function newRoom(bytes: number): Room {
  if (memory === undefined || used + bytes > memory.buffer.byteLength) {
    // Pages that are never written take none of the machine's memory.
    memory = new WebAssembly.Memory({ initial: Math.ceil(Math.max(bytes, MEMORY_BYTES) / PAGE_BYTES) });
    used = 0;
  }
  const at = used;
  used += ALIGNMENT_BYTES * Math.ceil(bytes / ALIGNMENT_BYTES);
  return { memory, at };
}
