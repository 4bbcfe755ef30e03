/** An ffmpeg that ran and reported its version. */
export type Ffmpeg = { path: string; version: string };

const ANSWER_TIMEOUT_MS = 10_000;

const OPTIONS = {
  stdin: "ignore",
  stdout: "pipe",
  stderr: "ignore",
  timeout: ANSWER_TIMEOUT_MS,
  maxBuffer: 64 * 1024,
} as const;

/**
 * Returns the ffmpeg to use: the configured one, or else the first on PATH, or else undefined. A configured path
 * that does not work is not replaced: the operator chose it. This starts a process, so call it once and keep the
 * result.
 */
export function findFfmpeg(configured: string | undefined): Ffmpeg | undefined {
  const path = pathOf(configured);
  try {
    return path === null
      ? undefined
      : ffmpegAt(path, Bun.spawnSync(commandOf(path), OPTIONS).stdout.toString());
  } catch {
    return undefined; // not executable, or removed meanwhile: treated as missing
  }
}

/** {@link findFfmpeg} without waiting: the process runs while the caller does something else. Never rejects. */
export async function askForFfmpeg(configured: string | undefined): Promise<Ffmpeg | undefined> {
  const path = pathOf(configured);
  try {
    return path === null
      ? undefined
      : ffmpegAt(path, await Bun.spawn(commandOf(path), OPTIONS).stdout.text());
  } catch {
    return undefined;
  }
}

const pathOf = (configured: string | undefined) => Bun.which(configured || "ffmpeg");
const commandOf = (path: string) => [path, "-hide_banner", "-version"];

function ffmpegAt(path: string, answer: string): Ffmpeg | undefined {
  const version = /^ffmpeg version (\S+)/.exec(answer)?.[1];
  return version ? { path, version } : undefined;
}
