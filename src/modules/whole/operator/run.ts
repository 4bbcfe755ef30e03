import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, LibraryError } from "../../../kernel/errors.ts";

type RunDeps = Pick<Deps, "settings" | "selfCommand" | "ffmpegPath">;

/** Starts a command of the program beside the server, on the same library. What it prints for people is left out. */
function start({ settings, selfCommand, ffmpegPath }: RunDeps, ...args: readonly string[]) {
  const { dataDir, mcpTools, analysisConcurrency } = settings;
  const ffmpeg = ffmpegPath ?? settings.ffmpegPath;
  return Bun.spawn([...selfCommand, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    env: {
      DATA_DIR: dataDir,
      ANALYSIS_CONCURRENCY: String(analysisConcurrency),
      ...(ffmpeg && { FFMPEG_PATH: ffmpeg }),
      ...(mcpTools && { MCP_TOOLS: mcpTools.join(",") }),
    },
  });
}

/** Runs a command, and gives each line that it prints to `take`. Returns its exit code. */
export async function runCommand(
  deps: RunDeps,
  args: readonly string[],
  take: (line: Record<string, unknown>) => void,
): Promise<number> {
  const child = start(deps, ...args);
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{")) take(JSON.parse(line));
  }
  return await child.exited;
}

/**
 * Returns a backup of the library as it is made. It ends with an error when the backup is incomplete, so that
 * half a backup is not taken for a whole one; it is abandoned when the client stops reading.
 *
 * @throws DomainError `library_damaged` when nothing of it could be made.
 */
export async function streamBackup(deps: RunDeps): Promise<ReadableStream<Uint8Array>> {
  const child = start(deps, "backup", "-");
  const reader = child.stdout.getReader();
  const first = await reader.read();
  if (first.done) throw new DomainError("library_damaged", "No backup could be made: run dubplate doctor");
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first.value),
    pull: async (controller) => {
      const { value, done } = await reader.read();
      if (!done) return controller.enqueue(value);
      if ((await child.exited) === 0) controller.close();
      else controller.error(new LibraryError("The backup is incomplete: run dubplate verify"));
    },
    // Its next write fails then, and it removes its copy of the database; ended by a signal it would leave that behind.
    cancel: () => reader.cancel(),
  });
}
