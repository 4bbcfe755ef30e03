import { DRUMS } from "../eval-audio/scales.ts";
import { readMidi } from "../fit/read-midi.ts";
import { namesOfProgram } from "../train-tagger/styles.ts";

/** An instrument is in a piece when it plays at least this share of the notes' time. */
const LEAST_SHARE = 0.15;

/** Returns the taxonomy names of the instruments that play a good part of a MIDI file. */
export async function programsOf(path: string): Promise<string[]> {
  const { notes, programs } = readMidi(await Bun.file(path).bytes());
  const shares = new Map<string, number>();
  for (const { channel, beats } of notes.filter((note) => note.channel !== DRUMS))
    for (const name of namesOfProgram(programs.get(channel) ?? 0))
      shares.set(name, (shares.get(name) ?? 0) + beats);
  const total = notes.reduce((sum, { channel, beats }) => (channel === DRUMS ? sum : sum + beats), 0);
  const names = [...shares].filter(([, beats]) => beats >= LEAST_SHARE * total).map(([name]) => name);
  return notes.some(({ channel }) => channel === DRUMS) ? [...names, "Drums"] : names;
}
