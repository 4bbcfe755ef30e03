import { join } from "node:path";
import { DRUMS } from "./players.ts";

/** Where sounds come from. Banks of one group share samples: what is judged on one is not trained on another. */
export type Bank = {
  name: string;
  group: string;
  path: string;
  /** Where not as the name of `path` says. */
  format?: "orchestra" | "sfz";
  /** Phrases of each player, where not PHRASES: more of banks that have many tones of each. */
  phrases?: number;
  /** Has but one sound. */
  isKit?: boolean;
  program?: number;
  /** Programs that are not used. */
  without?: readonly number[];
};

/** Returns the banks that are rendered, where they lie; see docs/decisions/0053. */
export function banksIn(folder: string): Bank[] {
  const soundfonts = "/usr/share/sounds/sf2";
  const zones = (name: string) => ({ name, group: name, path: join(folder, "waf/sound", name) });
  const kit = (name: string, file: string) => ({
    name,
    group: "kits",
    path: join(folder, file),
    isKit: true,
  });
  const piano = join(folder, "piano/Splendid Grand Piano.sfz");
  return [
    {
      name: "Orchestra",
      group: "orchestra",
      path: `${join(folder, "orchestra/audio")}:${join(folder, "orchestra-2")}`,
      format: "orchestra",
      phrases: 40,
    },
    {
      name: "Discord",
      group: "recorded",
      path: join(folder, "discord/Discord GM/Melodic"),
      format: "sfz",
    },
    {
      name: "DiscordKit",
      group: "kits",
      path: join(folder, "discord/Discord GM/Drums/001-Standard Kit.sfz"),
      format: "sfz",
      isKit: true,
      program: DRUMS,
    },
    { name: "Splendid", group: "recorded", path: piano, format: "sfz", program: 0 },
    { name: "Recorded", group: "recorded", path: join(folder, "tone") },
    zones("GeneralUserGS"),
    zones("Aspirin"),
    zones("JCLive"),
    zones("Chaos"),
    { name: "FluidR3", group: "fluid", path: `${soundfonts}/FluidR3_GM.sf2` },
    {
      name: "MuseScore",
      group: "fluid",
      path: `${soundfonts}/MuseScore_General_Full.sf2`,
      without: LIKE_JUDGED,
    },
    kit("BlackPearl", "sfx/usr/share/sounds/sf2/Black_Pearl_4_LV2.sf2"),
    kit("RedZeppelin", "sfx/usr/share/sounds/sf2/Red_Zeppelin_4_LV2.sf2"),
  ];
}

/** Programs of MuseScore's soundfont with samples that are named as some of the one that judges. */
const LIKE_JUDGED = [7, 8, 12, 13, 32, 46, 57, 68, 73, 74, 75, 104];
