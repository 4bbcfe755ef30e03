import { defineCategory } from "./define.ts";
import { ELECTRONIC_GENRES } from "./genres-electronic.ts";
import { ORCHESTRAL_GENRES } from "./genres-orchestral.ts";
import { POP_GENRES } from "./genres-pop.ts";
import { ROCK_GENRES } from "./genres-rock.ts";
import { ROOTS_GENRES } from "./genres-roots.ts";
import { URBAN_GENRES } from "./genres-urban.ts";
import { WORLD_GENRES } from "./genres-world.ts";

/** Genres in two levels, each parent directly before its children. */
export const GENRES = defineCategory("genre", [
  ...POP_GENRES,
  ...ROCK_GENRES,
  ...ELECTRONIC_GENRES,
  ...URBAN_GENRES,
  ...ROOTS_GENRES,
  ...ORCHESTRAL_GENRES,
  ...WORLD_GENRES,
]);
