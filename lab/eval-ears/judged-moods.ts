import { basename } from "node:path";
import { filesOf } from "../debian-packages.ts";

/** What music is for, by the words that its authors named it with. */
const SCENES = ["fight", "sad", "calm", "dark", "victory"] as const;
export type Scene = (typeof SCENES)[number];

/** In which scenes a mood, character or movement is right, and in which it is wrong; in the others nobody knows. */
export const SCENES_OF: Readonly<Record<string, { is: readonly Scene[]; not: readonly Scene[] }>> = {
  Energetic: { is: ["fight", "victory"], not: ["sad", "calm"] },
  Upbeat: { is: ["victory"], not: ["sad", "dark"] },
  Intense: { is: ["fight"], not: ["sad", "calm"] },
  Dramatic: { is: ["fight"], not: ["calm"] },
  Epic: { is: ["fight", "victory"], not: ["calm"] },
  Groovy: { is: [], not: ["sad", "dark"] },
  Relaxed: { is: ["calm"], not: ["fight", "dark"] },
  Calm: { is: ["calm"], not: ["fight", "victory"] },
  Peaceful: { is: ["calm"], not: ["fight", "dark", "victory"] },
  Gentle: { is: ["calm"], not: ["fight"] },
  Melancholic: { is: ["sad"], not: ["fight", "victory"] },
  Dark: { is: ["dark"], not: ["calm", "victory"] },
  Brooding: { is: ["dark"], not: ["calm", "victory"] },
  Atmospheric: { is: ["calm", "dark"], not: ["fight", "victory"] },
  Spacious: { is: ["calm", "dark"], not: ["fight"] },
  Warm: { is: ["calm"], not: ["dark"] },
  Bright: { is: ["victory"], not: ["dark"] },
  Punchy: { is: ["fight"], not: ["sad", "calm"] },
  Heavy: { is: ["fight"], not: ["sad", "calm"] },
  Sparse: { is: ["calm", "sad"], not: ["fight"] },
  Soft: { is: ["calm", "sad"], not: ["fight"] },
  Driving: { is: ["fight"], not: ["sad", "calm"] },
  Pounding: { is: ["fight"], not: ["sad", "calm"] },
  Floating: { is: ["calm"], not: ["fight"] },
};

type Named = Readonly<Partial<Record<Scene, string>>>;

/** Names of pieces, by package and scene. Those named by hand are what the rules' bounds were looked at with. */
const CHOSEN: Readonly<Record<string, Named>> = {
  "wesnoth-1.16-music": {
    fight: "battle, battle-epic, frantic, frantic-old, vengeful, siege_of_laurelmor, weight_of_revenge",
    sad: "sad, transience, the_king_is_dead, casualties_of_war, the_city_falls, defeat, defeat2",
    dark: "into_the_shadows, underground, the_deep_path, suspense",
    calm: "silvan_sanctuary, love_theme, wanderer",
    victory: "victory, victory2, heroes_rite",
  },
  "unknown-horizons": { fight: "battle, seafight", calm: "nightdream, waves, goldenvalley" },
};
/** Nothing was chosen on these. */
const JUDGED: Readonly<Record<string, Named>> = {
  ardentryst: { fight: "battle, battle2", calm: "shop, holy" },
  "lordsawar-data": { fight: "battle", sad: "defeat", victory: "victory, hero" },
  "hyperrogue-music": { fight: "hr-domina-hunting", dark: "hr3-caves, hr3-graveyard, hr3-hell, hr3-rlyeh" },
  "openclonk-data": { calm: "LucidDream, Offshore", dark: "Cavern" },
  "marsshooter-data": { fight: "09_wings_of_cruelty", sad: "02_orphanage, 10_farewell", dark: "03_fear" },
  "freedroidrpg-data": {
    fight: "TechBattle, Hyperbattle, AmbientBattle, ImperialArmy, hellforce",
    sad: "GameLost",
    calm: "Ambience, temple, town",
    dark: "Suspicion, underground, HellFortressEntrance, HellFortressTwo",
  },
  "singularity-music": {
    sad: "Chimes They Fade, March Thee to Dis",
    dark: "Media Threat, Enemy Unknown",
    calm: "Nebula, Through Space",
    victory: "Apex Aleph",
  },
};

/** A piece, and the scene that it is for. */
export type SceneFile = { path: string; source: string; scene: Scene; isChosen: boolean };

/** Fetches the packages once and returns the pieces whose names say what they are for. */
export async function judgedMoods(folder: string): Promise<SceneFile[]> {
  const all: SceneFile[] = [];
  for (const [packages, isChosen] of [
    [CHOSEN, true],
    [JUDGED, false],
  ] as const)
    for (const [source, named] of Object.entries(packages)) {
      const files = await filesOf(folder, source, { pattern: "**/*.{ogg,opus}", leastBytes: 0 });
      for (const path of files) {
        const scene = SCENES.find((each) => named[each]?.split(", ").includes(stemOf(path)));
        if (scene && /music|audio/i.test(path)) all.push({ path, source, scene, isChosen });
      }
    }
  return all;
}

const stemOf = (path: string) => basename(path).replace(/\.\w+$/, "");
