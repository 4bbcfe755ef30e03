import { join } from "node:path";
import type { Bank } from "./banks.ts";

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
  return [
    zones("GeneralUserGS"),
    { name: "FluidR3", group: "fluid", path: `${soundfonts}/FluidR3_GM.sf2` },
    zones("Aspirin"),
    zones("JCLive"),
    zones("Chaos"),
    { name: "recorded", group: "recorded", path: join(folder, "tone") },
    kit("BlackPearl", "sfx/usr/share/sounds/sf2/Black_Pearl_4_LV2.sf2"),
    kit("RedZeppelin", "sfx/usr/share/sounds/sf2/Red_Zeppelin_4_LV2.sf2"),
  ];
}
