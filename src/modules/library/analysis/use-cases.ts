/** What a use requires: one of `any`, nothing from `none` and, if it depends on tempo, a tempo inside `bpm`. */
type UseCase = {
  code: string;
  any: readonly string[];
  none: readonly string[];
  bpm?: readonly [number, number];
};

/** Uses by the codes of moods, movements and characters. */
const USE_CASES: readonly UseCase[] = [
  { code: "workout", any: ["energetic", "driving", "relentless"], none: ["calm", "gentle"], bpm: [115, 190] },
  { code: "party", any: ["groovy", "grooving", "upbeat", "fun"], none: ["dark", "sad"], bpm: [95, 135] },
  {
    code: "club",
    any: ["pounding", "four_on_the_floor", "driving"],
    none: ["gentle", "soft"],
    bpm: [116, 150],
  },
  {
    code: "focus",
    any: ["calm", "atmospheric", "minimal", "chill"],
    none: ["dramatic", "energetic", "tense"],
  },
  {
    code: "relaxation",
    any: ["calm", "peaceful", "relaxed", "soothing"],
    none: ["dark", "tense", "energetic"],
  },
  {
    code: "sleep",
    any: ["floating", "static", "drifting"],
    none: ["dark", "dynamic", "dramatic", "energetic"],
  },
  {
    code: "background",
    any: ["gentle", "warm", "soft", "relaxed"],
    none: ["dramatic", "intense", "dynamic"],
  },
  { code: "film", any: ["cinematic", "dramatic", "atmospheric"], none: [] },
  { code: "trailer", any: ["epic", "dramatic"], none: ["calm", "gentle", "floating"] },
  { code: "suspense_scene", any: ["brooding", "ominous", "suspenseful", "tense"], none: ["upbeat", "happy"] },
  { code: "action_scene", any: ["intense", "urgent", "frantic", "aggressive"], none: ["calm", "gentle"] },
  { code: "sad_scene", any: ["melancholic", "sad", "mournful", "somber"], none: ["energetic", "upbeat"] },
];

/**
 * Returns possible uses of the music, from its tempo and the codes of its moods, movements and characters. Uses are an
 * open set of codes; they are not part of the taxonomy.
 *
 * @param bpm Null when there is no beat or it is unknown; uses that need a tempo are then left out.
 */
export function useCasesOf(codes: readonly string[], bpm: number | null): string[] {
  const has = new Set(codes);
  const isInside = (range: readonly [number, number]) => bpm !== null && bpm >= range[0] && bpm <= range[1];
  return USE_CASES.filter(
    (use) =>
      use.any.some((code) => has.has(code)) &&
      !use.none.some((code) => has.has(code)) &&
      (!use.bpm || isInside(use.bpm)),
  ).map(({ code }) => code);
}
