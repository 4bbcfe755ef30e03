const NOTES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

/** The keys of music as the server names them. */
export const MUSIC_KEYS: readonly string[] = NOTES.flatMap((note) => [`${note} major`, `${note} minor`]);
