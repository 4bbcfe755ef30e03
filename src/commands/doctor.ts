import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspectDb } from "../../db/client.ts";
import { readBackupState } from "../backup/state.ts";
import type { Settings } from "../kernel/settings.ts";
import { DAY_MS, toIso } from "../kernel/time.ts";
import { strangersIn } from "../mcp/protocol/selection.ts";
import { findFfmpeg } from "../media/ffmpeg/find-ffmpeg.ts";
import { progressOf } from "../modules/library/analysis/service.ts";
import { checkRelay } from "../modules/mail/outbox/service.ts";
import { checkBucket } from "../store/bucket.ts";
import type { CommandContext } from "./command.ts";

const GIBIBYTE = 1024 ** 3;
const ENOUGH_FREE_BYTES = 2 * GIBIBYTE;

/** The result of a check. `mend` says how to fix it. */
type Finding = { check: string; ok: boolean; found: string; mend?: string };

/**
 * `doctor`: prints what is used, what is missing and how to fix it, and creates nothing. `--fix` installs ffmpeg if
 * it can.
 */
export async function doctor({
  settings,
  options,
  print,
  say,
}: Pick<CommandContext<"doctor">, "settings" | "options" | "print" | "say">): Promise<number> {
  if (options.fix && !findFfmpeg(settings.ffmpegPath)) await installFfmpeg(say);

  const findings = [
    runtime(),
    dataFolder(settings),
    ...database(settings),
    ...replica(settings),
    freeDisk(settings),
    ...(await bucket(settings)),
    ...(await mail(settings)),
    ffmpeg(settings),
    ...(await toolNames(settings)),
  ];
  for (const finding of findings) print(finding);
  // The library works without ffmpeg, so its absence is not a failure.
  return findings.every(({ ok, check }) => ok || check === "ffmpeg") ? 0 : 1;
}

function runtime(): Finding {
  return { check: "runtime", ok: true, found: `Bun ${Bun.version} on ${process.platform} ${process.arch}` };
}

function dataFolder({ dataDir }: Settings): Finding {
  const check = "data folder";
  try {
    accessSync(existingFolder(dataDir), constants.R_OK | constants.W_OK);
    const found = existsSync(dataDir)
      ? `${dataDir} is writable`
      : `${dataDir} will be created at the first start`;
    return { check, ok: true, found };
  } catch {
    const mend = `Make it writable for this user, or set DATA_DIR to another folder`;
    return { check, ok: false, found: `${dataDir} cannot be written`, mend };
  }
}

/** Returns the data folder or, if it does not exist, the nearest folder above it. */
function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

function database({ dataDir, analysisConcurrency }: Settings): Finding[] {
  const check = "database";
  const path = join(dataDir, "dubplate.db");
  try {
    const isThere = existsSync(path);
    const { vectorVersion, quickCheck, holds, vectors, sounds, passages, workers } = inspectDb(
      isThere ? path : ":memory:",
    );
    const what = isThere ? `quick check ${quickCheck}` : "no library yet";
    const isSound = quickCheck === "ok";
    const found: Finding = { check, ok: isSound, found: `sqlite-vec ${vectorVersion}, ${what}` };
    return [
      isSound ? found : { ...found, mend: "Restore the newest backup: docs/recovery.md" },
      ...removal(holds),
      ...ears(vectors),
      ...vectorsOf(sounds, passages),
      ...elsewhere(workers, analysisConcurrency),
    ];
  } catch (error) {
    const mend = "Run bun install again. If the problem remains, restore the newest backup";
    return [{ check, ok: false, found: (error as Error).message, mend }];
  }
}

/** Reports how far the library has been listened to; nothing before the first analysis. */
function ears(vectors: Parameters<typeof progressOf>[0]): Finding[] {
  const { tracks, heard } = progressOf(vectors);
  if (tracks === 0) return [];
  const rest =
    heard < tracks ? `; the server listens to ${tracks - heard} more while it has nothing else to do` : "";
  return [{ check: "ears", ok: true, found: `${heard} of ${tracks} tracks listened to${rest}` }];
}

/** Reports the vectors that tracks are compared by, of each version; nothing before the first. */
function vectorsOf(sounds: readonly { version: string; tracks: number }[], passages: number): Finding[] {
  if (sounds.length === 0) return [];
  const tracks = sounds.map((each) => `${each.tracks} in ${each.version}`).join(", ");
  const found = passages > 0 ? `${tracks}; ${passages} passages of ten seconds` : tracks;
  return [{ check: "vectors", ok: true, found }];
}

/** Reports the workers on other machines; nothing where no worker has a key. */
function elsewhere({ keys, jobs }: { keys: number; jobs: number }, analysisConcurrency: number): Finding[] {
  const check = "workers";
  if (keys > 0) {
    const found = `${jobs} jobs are done on other machines now; ${keys} keys are for workers`;
    return [{ check, ok: true, found }];
  }
  if (analysisConcurrency > 0) return [];
  const found = "ANALYSIS_CONCURRENCY is 0 and there is no key for workers: nothing is analysed";
  const mend = "Run dubplate platform-key create --scopes platform:work, or raise ANALYSIS_CONCURRENCY";
  return [{ check, ok: false, found, mend }];
}

/** Reports nothing while removal is not held. */
function removal(holds: readonly string[]): Finding[] {
  if (holds.length === 0) return [];
  const mend =
    "Look at dubplate quarantine list; if the database is the right one: dubplate quarantine accept";
  return [{ check: "removal", ok: false, found: `no file is removed: ${holds.join(", ")}`, mend }];
}

/** Reports nothing where there is no replica. */
function replica(settings: Settings): Finding[] {
  const { replicaCheckedAt, replicaVerifiedAt, replicaFaults } = readBackupState(settings);
  if (settings.replica === undefined && replicaCheckedAt == null) return [];
  const check = "replica";
  const mend = "Run dubplate verify --replica, and see docs/replication.md";
  if (replicaVerifiedAt == null)
    return [{ check, ok: false, found: "never restored and found the same", mend }];
  const found = `restored and the same at ${toIso(replicaVerifiedAt)}`;
  const isOld = Date.now() - replicaVerifiedAt > 2 * (settings.replica?.verifyEveryMs ?? DAY_MS);
  if (!replicaFaults && !isOld) return [{ check, ok: true, found }];
  const since = replicaFaults ? `${replicaFaults} faults since` : "not verified since";
  return [{ check, ok: false, found: `${found}, ${since}`, mend }];
}

function freeDisk({ dataDir }: Settings): Finding {
  const check = "free disk";
  try {
    const { bavail, bsize } = statfsSync(existingFolder(dataDir));
    const found = `${((bavail * bsize) / GIBIBYTE).toFixed(1)} GiB free`;
    if (bavail * bsize >= ENOUGH_FREE_BYTES) return { check, ok: true, found };
    return { check, ok: false, found, mend: "Free some space or move DATA_DIR to a larger disk" };
  } catch (error) {
    return { check, ok: false, found: (error as Error).message };
  }
}

/** Reports nothing while every name in MCP_TOOLS is that of a tool. */
async function toolNames({ mcpTools }: Settings): Promise<Finding[]> {
  if (mcpTools === undefined) return [];
  const { TOOLS } = await import("../mcp/tools.ts");
  const strangers = strangersIn(TOOLS, { names: mcpTools });
  if (strangers.length === 0) return [];
  const found = `MCP_TOOLS names tools that do not exist: ${strangers.join(", ")}`;
  return [{ check: "tools", ok: false, found, mend: "Use names of docs/assistants.md, or unset MCP_TOOLS" }];
}

/** Reports nothing while originals are in the data folder. */
async function bucket(settings: Settings): Promise<Finding[]> {
  const check = "bucket";
  try {
    const state = await checkBucket(settings);
    if (state === undefined) return [];
    if (state === "ready") return [{ check, ok: true, found: "answers, and belongs to this library" }];
    const mend = "Look at S3_ENDPOINT and the service: until it answers, uploads and audio are refused";
    return [{ check, ok: false, found: "does not answer", mend }];
  } catch (error) {
    return [{ check, ok: false, found: (error as Error).message }];
  }
}

async function mail({ mail: relay }: Settings): Promise<Finding[]> {
  if (relay === undefined) return [];
  const { ok, words } = await checkRelay(relay);
  const mend = "Look at SMTP_URL: until then mails wait, and none is lost";
  return [{ check: "mail", ok, found: words, ...(!ok && { mend }) }];
}

function ffmpeg(settings: Settings): Finding {
  const found = findFfmpeg(settings.ffmpegPath);
  if (found) return { check: "ffmpeg", ok: true, found: `${found.version} at ${found.path}` };
  return {
    check: "ffmpeg",
    ok: false,
    found:
      "not found: wav, aiff, flac, mp3, ogg and opus are analysed by the built-in decoders; AAC, ALAC, WMA, WavPack and others wait for ffmpeg",
    mend: "Run dubplate doctor --fix, or install ffmpeg and restart, or set FFMPEG_PATH",
  };
}

/** How each package manager installs ffmpeg. The first one found on the machine is used. */
const INSTALLERS: readonly { manager: string; needsRoot: boolean; commands: readonly string[][] }[] = [
  {
    manager: "apt-get",
    needsRoot: true,
    commands: [
      ["apt-get", "update", "-qq"],
      ["apt-get", "install", "-y", "--no-install-recommends", "ffmpeg"],
    ],
  },
  { manager: "dnf", needsRoot: true, commands: [["dnf", "install", "-y", "ffmpeg-free"]] },
  { manager: "apk", needsRoot: true, commands: [["apk", "add", "ffmpeg"]] },
  { manager: "pacman", needsRoot: true, commands: [["pacman", "-S", "--noconfirm", "ffmpeg"]] },
  { manager: "brew", needsRoot: false, commands: [["brew", "install", "ffmpeg"]] },
  { manager: "winget", needsRoot: false, commands: [["winget", "install", "--id", "Gyan.FFmpeg", "-e"]] },
];

async function installFfmpeg(say: (text: string) => void): Promise<void> {
  const installer = INSTALLERS.find(({ manager }) => Bun.which(manager) !== null);
  if (!installer) return say("No known package manager was found: install ffmpeg by hand");
  const isRoot = process.getuid?.() === 0;
  const prefix = installer.needsRoot && !isRoot ? ["sudo", "-n"] : [];
  for (const command of installer.commands) {
    say(`> ${[...prefix, ...command].join(" ")}`);
    const child = Bun.spawn([...prefix, ...command], {
      stdout: "ignore",
      stderr: "inherit",
      env: { ...Bun.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if ((await child.exited) === 0) continue;
    return say(`This did not work. Run it as an administrator: ${command.join(" ")}`);
  }
}
