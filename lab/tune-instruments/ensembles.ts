import type { Random } from "../eval-audio/random.ts";
import { KINDS } from "../train-instruments/players.ts";
import type { Layer } from "../train-tagger/styles.ts";

/** General MIDI programs that csound's soundfont and freepats both have. */
const PROGRAMS: Readonly<Record<string, readonly number[]>> = {
  piano: [0, 1],
  epiano: [4, 5],
  harpsichord: [6],
  mallets: [8, 9, 13, 14],
  organ: [16],
  church: [19],
  accordion: [21, 23],
  guitar: [24, 25],
  clean: [26, 27, 28],
  distorted: [29, 30],
  double: [32],
  bass: [33, 34, 35, 36, 37],
  synthBass: [38],
  violin: [40],
  cello: [42],
  strings: [44, 48],
  pizzicato: [45],
  harp: [46],
  choir: [53],
  trumpet: [56],
  trombone: [57],
  tuba: [58],
  horn: [60],
  brass: [61],
  saxophone: [64, 65, 66, 67],
  oboe: [68, 69],
  bassoon: [70],
  clarinet: [71],
  flute: [72, 73, 74, 75],
  lead: [80, 84],
  pad: [88, 94, 95],
};

/** Ensembles, each as its players with their parts, and how often there are drums. */
const ENSEMBLES: readonly (readonly [players: string, drums: number])[] = [
  ["piano tune, piano chords, double bass", 0.8],
  ["saxophone tune, piano chords, double bass", 0.7],
  ["trumpet tune, piano chords, double bass", 0.7],
  ["clean tune, double bass", 0.7],
  ["mallets tune, double bass", 0.6],
  ["clarinet tune, piano chords, double bass", 0.5],
  ["violin tune, violin held, cello bass", 0],
  ["violin tune, piano broken", 0],
  ["cello tune, piano chords", 0],
  ["clarinet tune, piano broken", 0],
  ["flute tune, harp broken", 0],
  ["flute tune, guitar broken", 0],
  ["violin tune, harpsichord broken, cello bass", 0],
  ["oboe tune, bassoon bass, clarinet held", 0],
  ["trumpet tune, horn held, trombone bass", 0],
  ["trumpet tune, trumpet broken, horn held, trombone held, tuba bass", 0.2],
  ["brass chords, tuba bass", 0.4],
  ["trumpet tune, church held", 0],
  ["horn tune, strings held", 0],
  ["accordion tune, accordion chords", 0],
  ["accordion tune, trumpet held, tuba bass", 0.3],
  ["accordion chords, clarinet tune, double bass", 0.3],
  ["accordion chords, violin tune, guitar broken", 0.2],
  ["accordion tune, guitar chords", 0.1],
  ["guitar tune, guitar broken", 0],
  ["violin tune, guitar chords", 0.2],
  ["guitar broken", 0],
  ["harp broken", 0],
  ["piano tune, piano broken", 0],
  ["church tune, church held", 0],
  ["choir held, choir tune", 0],
  ["choir held, church held", 0],
  ["choir tune, strings held", 0],
  ["organ tune, clean chords", 0.9],
  ["distorted chords, distorted tune, bass bass", 0.9],
  ["clean chords, bass bass", 0.9],
  ["piano chords, guitar broken, bass bass, strings held", 0.9],
  ["epiano chords, bass bass", 0.9],
  ["epiano chords, saxophone tune, bass bass", 0.9],
  ["guitar chords, bass bass", 0.8],
  ["brass chords, bass bass, clean broken", 0.9],
  ["synthBass bass, pad held, lead broken", 0.8],
  ["synthBass bass, lead tune", 0.9],
  ["pad held, pad held", 0],
  ["pad held, piano broken", 0.2],
  ["synthBass bass, pad held, piano chords", 0.9],
  ["lead tune, strings held, synthBass bass", 0.8],
  ["strings held, strings tune", 0],
  ["strings held, flute tune, harp broken", 0],
  ["strings held, horn tune, mallets broken", 0.2],
  ["pizzicato broken, flute tune", 0],
  ["pizzicato chords, clarinet tune", 0],
  ["mallets tune", 0],
  ["saxophone tune, saxophone held", 0.1],
];
/** How often an ensemble plays; otherwise strangers do. */
const KNOWN = 0.65;
const STRANGERS = [1, 1, 2, 2, 3, 4];
const ROLES = ["tune", "broken", "chords", "held", "bass"] as const satisfies readonly Layer["role"][];

const there = new Set(Object.values(PROGRAMS).flat());
const kinds = KINDS.map((kind) => kind.filter((program) => there.has(program))).filter(
  (kind) => kind.length > 0,
);

type Ensemble = { layers: Layer[]; hasDrums: boolean };

/** Draws who plays, and whether there are drums; `only`: programs that there are, without drums. */
export function drawEnsemble(random: Random, only?: readonly number[]): Ensemble {
  if (only === undefined) return drawAny(random);
  for (;;) {
    const { layers } = drawAny(random);
    if (layers.every(({ program }) => only.includes(program))) return { layers, hasDrums: false };
  }
}

function drawAny(random: Random): Ensemble {
  const layer = (role: Layer["role"], program: number): Layer => ({ role, family: "Piano", program });
  if (!random.chance(KNOWN)) {
    const layers = Array.from({ length: random.pick(STRANGERS) }, (_, i) =>
      layer(i === 0 ? "tune" : random.pick(ROLES), random.pick(random.pick(kinds))),
    );
    return { layers, hasDrums: random.chance(0.35) };
  }
  const [players, drums] = random.pick(ENSEMBLES);
  const layers = players.split(", ").map((player) => {
    const [who = "", role = ""] = player.split(" ");
    return layer(ROLES.find((each) => each === role) ?? "tune", random.pick(PROGRAMS[who] ?? []));
  });
  return { layers, hasDrums: random.chance(drums) };
}
