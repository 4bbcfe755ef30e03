import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fetchArchive } from "../debian-packages.ts";

/** Debian packages of games and programs that contain tracker modules, MIDI files, ABC tunes or LMMS projects. */
export const MUSIC_PACKAGES = [
  ...[
    "pingus-data",
    "biniax2-data",
    "tomatoes-data",
    "madbomber-data",
    "pekka-kana-2-data",
    "heroes-sound-tracks",
  ],
  ...[
    "flobopuyo",
    "rafkill-data",
    "bomberclone-data",
    "vodovod",
    "solarwolf",
    "ri-li-data",
    "njam-data",
    "gemdropx",
  ],
  ...[
    "dodgindiamond2",
    "vor",
    "fb-music-high",
    "criticalmass-data",
    "ceferino-data",
    "gl-117-data",
    "pachi-data",
  ],
  ...["penguin-command", "bb", "vectoroids", "pathogen", "monsterz-data", "gweled", "gltron", "alex4-data"],
  ...[
    "tecnoballz-data",
    "circuslinux-data",
    "open-invaders-data",
    "freedroid-data",
    "rockdodger",
    "tuxtype-data",
  ],
  ...[
    "simutrans-data",
    "openttd-openmsx",
    "pianobooster",
    "freedink-data",
    "planetblupi-music-midi",
    "faust-common",
  ],
  ...["songwrite", "pinball-table-hurd-data", "kobodeluxe-data", "pangzero", "liquidwar-data", "nyquist"],
  ...["abcm2ps", "abcmidi", "texlive-music", "texlive-lang-english", "lmms-common"],
] as const;

const WANTED = ["mod", "it", "xm", "s3m", "mid", "midi", "mmpz", "mmp", "abc"].map((ending) => `*.${ending}`);

/**
 * Fetches packages and unpacks their music into FOLDER/PACKAGE. Existing folders are not fetched again. Returns the
 * names of the packages that could not be fetched.
 */
export async function unpackMusic(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const missing: string[] = [];
  for (const name of MUSIC_PACKAGES) {
    const target = join(folder, name);
    if (existsSync(target)) continue;
    const archive = await fetchArchive(folder, name);
    if (archive === undefined) {
      missing.push(name);
      continue;
    }
    await mkdir(target);
    const unpacker = Bun.spawn(["dpkg-deb", "--fsys-tarfile", archive], { cwd: folder, stdout: "pipe" });
    const tar = Bun.spawn(["tar", "-x", "-C", target, "--wildcards", ...WANTED], {
      stdin: unpacker.stdout,
      stderr: "ignore",
    });
    await tar.exited;
    await Bun.file(archive).delete();
  }
  return missing;
}
