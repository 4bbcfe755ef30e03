export { checkSounds, isSoundFault, rebuildSounds } from "./check.ts";
export { heardIn } from "./compose.ts";
export { fillSome, recoverSounds, requestSounds } from "./fill.ts";
export {
  likestPassages,
  type PassageTarget,
  passagesIn,
  passageTarget,
  type Span,
  tracksNear,
} from "./find-passages.ts";
export { packSounds } from "./pack.ts";
export { dropPassages, putPassages } from "./passages.ts";
export { distancesTo, soundsOf } from "./read.ts";
export {
  DESCRIBED,
  SOUND_VERSION,
  type Sound,
  soundDirection,
  soundOfPart,
  soundVector,
} from "./sound-vector.ts";
export { dropSound, dropSoundsOf, giveSound, putSound } from "./store.ts";
