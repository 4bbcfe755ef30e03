/** An ffmpeg that ran and reported its version. */
export type Ffmpeg = { path: string; version: string };

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Returns the ffmpeg to use: the configured one, or else the first on PATH, or else undefined. A configured path
 * that does not work is not replaced: the operator chose it. This starts a process, so call it once and keep the
 * result.
 */
export function findFfmpeg(configured: string | undefined): Ffmpeg | undefined {
  const path = configured ? Bun.which(configured) : Bun.which("ffmpeg");
  return path ? askVersion(path) : undefined;
}

function askVersion(path: string): Ffmpeg | undefined {
  try {
    const answer = Bun.spawnSync([path, "-hide_banner", "-version"], {
      stdin: "ignore",
      stderr: "ignore",
      timeout: ANSWER_TIMEOUT_MS,
      maxBuffer: 64 * 1024,
    });
    const version = /^ffmpeg version (\S+)/.exec(answer.stdout.toString())?.[1];
    return version ? { path, version } : undefined;
  } catch {
    return undefined; // not executable, or removed meanwhile: treated as missing
  }
}
