import { defineCategory } from "./define.ts";

/** What kind of recording a file is. */
export const AUDIO_TYPES = defineCategory(
  "type",
  [
    { name: "Full Mix", also: "full track, main mix, full version, full song" },
    { name: "Instrumental Version", also: "instrumental mix, backing track, tv track, minus one" },
    { name: "A Cappella Version", also: "acapella version, vocals only, a cappella" },
    { name: "Clean Version", also: "clean edit, non-explicit" },
    { name: "Radio Edit", also: "single edit, short edit" },
    { name: "Extended Mix", also: "extended version, club mix, 12 inch mix" },
    { name: "Remix", also: "rework, bootleg, vip mix, flip" },
    { name: "Cover", also: "cover version, reimagining" },
    { name: "Acoustic Version", also: "stripped version, unplugged version" },
    { name: "Live Recording", also: "live, live version, concert recording, session" },
    { name: "Demo", also: "demo recording, demo version" },
    { name: "Rough Mix", also: "work in progress, wip, unmastered" },
    { name: "Voice Memo", also: "idea, sketch, phone recording" },
    { name: "Beat", also: "type beat, instrumental beat" },
    { name: "Topline", also: "top line, writer demo, reference vocal" },
    { name: "Underscore", also: "bed, underscore mix, no melody mix" },
    { name: "Cutdown", also: "cut-down, 60 second version, 30 second version, 15 second version" },
    { name: "Sting", also: "stinger, logo, sonic logo, bumper, ident, jingle" },
    { name: "Stem", also: "stems, multitrack, submix" },
    { name: "Loop", also: "sample loop, drum loop" },
    { name: "One-Shot", also: "one shot, hit, single sample" },
    { name: "Sound Effect", also: "sfx, foley, sound design" },
    { name: "DJ Mix", also: "mixtape, dj set, continuous mix, mashup" },
    { name: "Interlude", also: "intro, outro, skit" },
  ],
  {
    related: [
      "demo rough_mix voice_memo",
      "loop one_shot stem",
      "radio_edit cutdown",
      "beat instrumental_version",
    ],
  },
);
