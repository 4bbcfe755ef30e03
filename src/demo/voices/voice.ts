import type { Random } from "../dsp/random.ts";

/** One note to be played: its pitch, how long its key is held, and how hard it is struck, 0 to 1. */
type Note = { frequencyHz: number; heldSeconds: number; velocity: number };

/** An instrument: returns the sound of one note, mono, as long as it rings; peaks stay near full scale = 1. */
export type Voice = (note: Note, random: Random) => Float32Array;
