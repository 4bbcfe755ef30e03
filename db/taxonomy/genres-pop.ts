import { family, type Seed } from "./define.ts";

/** Pop, easy listening and the stage. */
export const POP_GENRES: readonly Seed[] = [
  ...family([
    { name: "Pop", feel: [0.6, 0.4], bpm: [80, 130], also: "pop music, mainstream pop, top 40" },
    { name: "Dance Pop", feel: [0.7, 0.8], bpm: [112, 130], also: "dance-pop, club pop", near: "dance" },
    { name: "Electropop", feel: [0.5, 0.6], bpm: [100, 130], also: "electro pop", near: "synth_pop" },
    { name: "Synth-Pop", feel: [0.4, 0.5], bpm: [100, 135], also: "synthpop, synth pop", near: "new_wave" },
    { name: "Indie Pop", feel: [0.4, 0.3], bpm: [90, 135], also: "twee pop", near: "indie" },
    { name: "Alt-Pop", feel: [0.1, 0.2], bpm: [80, 125], also: "alternative pop, dark pop" },
    { name: "Bedroom Pop", feel: [0.2, -0.3], bpm: [70, 120], also: "lo-fi pop", near: "indie_pop, alt_pop" },
    { name: "Dream Pop", feel: [0.2, -0.3], bpm: [70, 120], near: "shoegaze, indie_pop" },
    { name: "Art Pop", feel: [0.2, 0.2], bpm: [75, 130], also: "avant-pop, experimental pop" },
    { name: "Baroque Pop", feel: [0.3, 0.1], bpm: [70, 130], also: "chamber pop, orchestral pop" },
    { name: "Acoustic Pop", feel: [0.5, -0.1], bpm: [75, 125], near: "acoustic, singer_songwriter" },
    { name: "Folk Pop", feel: [0.5, 0.2], bpm: [80, 130], also: "stomp and holler", near: "indie_folk" },
    { name: "Pop Rock", feel: [0.5, 0.5], bpm: [90, 140], near: "rock" },
    { name: "Power Pop", feel: [0.7, 0.7], bpm: [115, 160], near: "pop_rock" },
    { name: "Teen Pop", feel: [0.8, 0.7], bpm: [95, 130], also: "bubblegum pop, boy band, girl group" },
    { name: "Hyperpop", feel: [0.4, 0.9], bpm: [120, 170], also: "bubblegum bass, digicore" },
    { name: "Europop", feel: [0.7, 0.7], bpm: [110, 135], near: "eurodance" },
    { name: "K-Pop", feel: [0.7, 0.7], bpm: [90, 135], also: "korean pop" },
    { name: "J-Pop", feel: [0.7, 0.6], bpm: [90, 170], also: "japanese pop" },
    { name: "City Pop", feel: [0.6, 0.3], bpm: [90, 120], near: "boogie, j_pop" },
    { name: "Mandopop", feel: [0.4, 0.1], bpm: [65, 120], also: "c-pop, chinese pop, cantopop" },
    { name: "Sophisti-Pop", feel: [0.4, 0], bpm: [80, 115], also: "sophistipop" },
    { name: "Adult Contemporary", feel: [0.4, -0.3], bpm: [65, 115], also: "soft pop", near: "soft_rock" },
    { name: "Ballad", feel: [-0.1, -0.4], bpm: [50, 80], also: "pop ballad, piano ballad, power ballad" },
  ]),
  ...family([
    { name: "Easy Listening", feel: [0.5, -0.5], bpm: [70, 120], also: "mood music, elevator music" },
    { name: "Lounge", feel: [0.5, -0.4], bpm: [80, 120], also: "lounge music, cocktail music" },
    { name: "Exotica", feel: [0.4, -0.3], bpm: [75, 120], also: "tiki, space age pop", near: "lounge" },
    { name: "Traditional Pop", feel: [0.5, 0], bpm: [65, 140], also: "crooner, great american songbook" },
  ]),
  ...family([
    { name: "Musical Theatre", feel: [0.5, 0.4], also: "musical theater, showtunes, broadway, west end" },
    { name: "Cabaret", feel: [0.4, 0.4], bpm: [80, 140], near: "chanson" },
    { name: "Vaudeville", feel: [0.7, 0.5], bpm: [90, 150], also: "music hall, burlesque" },
    { name: "Circus", feel: [0.5, 0.7], bpm: [100, 170], also: "circus music, carnival music" },
  ]),
];
