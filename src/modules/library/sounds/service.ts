export { checkSounds, isSoundFault, rebuildSounds } from "./check.ts";
export { heardIn, type Sound } from "./compose.ts";
export { fillSome, recoverSounds, requestSounds } from "./fill.ts";
export { packSounds } from "./pack.ts";
export { dropPassages, putPassages } from "./passages.ts";
export { distancesTo, soundsOf } from "./read.ts";
export { DESCRIBED, SOUND_VERSION, soundDirection, soundVector } from "./sound-vector.ts";
export { dropSound, dropSoundsOf, giveSound, putSound } from "./store.ts";
