import type { DemoPiece } from "./piece.ts";
import { ambient } from "./pieces/ambient.ts";
import { ballad } from "./pieces/ballad.ts";
import { boomBap } from "./pieces/boom-bap.ts";
import { bossaNova } from "./pieces/bossa-nova.ts";
import { cinematic } from "./pieces/cinematic.ts";
import { deepHouse } from "./pieces/deep-house.ts";
import { drumAndBass } from "./pieces/drum-and-bass.ts";
import { reggae } from "./pieces/reggae.ts";
import { rock } from "./pieces/rock.ts";
import { synthwave } from "./pieces/synthwave.ts";
import { techno } from "./pieces/techno.ts";
import { waltz } from "./pieces/waltz.ts";

export type { DemoPiece } from "./piece.ts";

/** The dozen pieces of the demo library, no two in the same style, tempo and key; a third carry no tags. */
export const DEMO_PIECES: readonly DemoPiece[] = [
  deepHouse,
  techno,
  drumAndBass,
  boomBap,
  reggae,
  ambient,
  ballad,
  rock,
  waltz,
  synthwave,
  bossaNova,
  cinematic,
];
