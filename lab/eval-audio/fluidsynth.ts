/** Returns the command that plays scores to 16-bit stereo on its output; a soundfont and a MIDI file follow it. */
export const fluidsynth = ({ gain, hz }: { gain: number; hz: number }): string[] => [
  "fluidsynth",
  "-ni",
  "-q",
  "-g",
  String(gain),
  "-r",
  String(hz),
  "-T",
  "raw",
  "-O",
  "s16",
  "-F",
  "-",
];
