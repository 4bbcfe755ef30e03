import { existsSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { makeWorkDir } from "../../kernel/work-dirs.ts";
import type { MediaLimits } from "../limits.ts";
import { MediaError } from "../media-error.ts";
import { type ByteSource, readOutput } from "./child-output.ts";
import { watchMemory } from "./watch-memory.ts";

/** How a child ended. */
export type ChildEnd = {
  exitCode: number | null;
  /** The reason when a limit or the caller ended it; undefined when it ended by itself. */
  stopped: MediaError | Error | undefined;
  /** The beginning and end of its standard error. It may quote the file: only for logs, never for users. */
  stderr: string;
};

/** A running child with its own folder. */
export type MediaChild = {
  pid: number;
  workDir: string;
  output: ByteSource;
  /** Resolves when the process has ended; never rejects. */
  ended: Promise<ChildEnd>;
  /** Ends it at once with `reason` as the cause. Does nothing when it has already ended. */
  stop: (reason: Error) => void;
  /** Ends it if it still runs, waits until it is gone and removes its folder. Always call this. */
  dispose: () => Promise<void>;
};

/** What a file in a child's folder contains, or which file it has under another name. */
export type FileContent = Uint8Array | { linkTo: string };

/** What to run and within which limits. */
export type ChildSpec = {
  command: readonly string[];
  limits: MediaLimits;
  signal: AbortSignal;
  /**
   * What `memoryBytes` limits. The system enforces the address space. Resident memory is watched, for a program
   * whose engine reserves far more addresses than it uses.
   */
  memory: "address_space" | "resident";
  /** The files in its folder at start, by name. */
  files?: Readonly<Record<string, FileContent>>;
  /** Largest file it may write; left out: {@link FILE_BYTES}. */
  fileBytes?: number;
};

/** Exit codes of a shell for a program that it may not run or cannot find. */
const SHELL_FAILURES: readonly unknown[] = [126, 127];
const SHELL = "/bin/sh";
const SIGXCPU = 24;
const STDERR_FILE = "stderr";
/** Bytes kept from each end of a child's standard error: what it found comes first, why it stopped comes last. */
const STDERR_END_BYTES = 16 * 1024;
/** The largest file that a child may write: twice the largest cover. */
const FILE_BYTES = 32 * 1024 * 1024;
const BLOCK_BYTES = 512;

/**
 * Starts a child that reads an untrusted file. It has no input, no settings or secrets in its environment, its own
 * empty folder, and limits on time, processor and memory. Works on a worker thread too.
 *
 * @throws The signal's reason when it is already aborted; Error when no process can be started.
 */
export async function spawnChild(spec: ChildSpec): Promise<MediaChild> {
  const { limits, signal, memory, files = {} } = spec;
  signal.throwIfAborted();
  const workDir = await makeWorkDir("media");
  for (const [name, content] of Object.entries(files))
    if (content instanceof Uint8Array) await Bun.write(join(workDir, name), content);
    else await symlink(content.linkTo, join(workDir, name));
  const child = (() => {
    try {
      return Bun.spawn(withLimits(spec), {
        cwd: workDir,
        env: { PATH: Bun.env.PATH ?? "", HOME: workDir, TMPDIR: workDir, LC_ALL: "C" },
        stdin: "ignore",
        stdout: "pipe",
        // A file, not a pipe: it needs no reader while waiting for samples, and its size is limited.
        stderr: Bun.file(join(workDir, STDERR_FILE)),
      });
    } catch (error) {
      return error as Error; // Bun.spawn throws only system errors
    }
  })();
  if (child instanceof Error) {
    await rm(workDir, { recursive: true, force: true });
    throw child;
  }

  let stopped: Error | undefined;
  const stop = (reason: Error): void => {
    stopped ??= reason;
    child.kill("SIGKILL");
  };
  const endWatch = watch(child.pid, { limits, signal, memory }, stop);
  const output = readOutput(child.stdout, child.exited);
  const ended = child.exited.then(async (): Promise<ChildEnd> => {
    endWatch();
    const isOutOfTime = child.signalCode === "SIGXCPU" || child.exitCode === 128 + SIGXCPU;
    if (isOutOfTime) stopped ??= new MediaError("timeout", "processor time used up");
    return { exitCode: child.exitCode, stopped, stderr: await readEnds(join(workDir, STDERR_FILE)) };
  });
  const dispose = async (): Promise<void> => {
    stop(new Error("not needed any more"));
    await ended;
    output.cancel();
    await rm(workDir, { recursive: true, force: true });
  };
  return { pid: child.pid, workDir, output, ended, stop, dispose };
}

/** Returns why a child never reached its file, or undefined when it did. */
export function startFailure({ exitCode, stderr }: ChildEnd): Error | undefined {
  if (SHELL_FAILURES.includes(exitCode)) return new Error(`The program could not be started: ${stderr}`);
  return undefined;
}

/** Runs `ulimit` in a shell that then becomes the program, so there is one process with one id to end. */
function withLimits({ command, limits, memory, fileBytes = FILE_BYTES }: ChildSpec): string[] {
  if (!existsSync(SHELL)) return [...command];
  const cpu = `ulimit -t ${Math.ceil(limits.cpuSec)} 2>/dev/null`;
  const space = `ulimit -v ${Math.floor(limits.memoryBytes / 1024)} 2>/dev/null`;
  const files = `ulimit -f ${Math.ceil(fileBytes / BLOCK_BYTES)} 2>/dev/null; ulimit -c 0 2>/dev/null`;
  const lines = [files, cpu, ...(memory === "address_space" ? [space] : []), 'exec "$@"'];
  return [SHELL, "-c", lines.join("; "), SHELL, ...command];
}

function watch(
  pid: number,
  { limits, signal, memory }: Pick<ChildSpec, "limits" | "signal" | "memory">,
  stop: (reason: Error) => void,
): () => void {
  const onAbort = () => stop(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
  signal.addEventListener("abort", onAbort, { once: true });
  const clock = setTimeout(() => stop(new MediaError("timeout", "wall clock")), limits.wallClockMs);
  const endMemoryWatch =
    memory === "resident"
      ? watchMemory(pid, limits.memoryBytes, () => stop(new MediaError("out_of_memory", "resident memory")))
      : () => undefined;
  return () => {
    clearTimeout(clock);
    endMemoryWatch();
    signal.removeEventListener("abort", onAbort);
  };
}

async function readEnds(path: string): Promise<string> {
  const file = Bun.file(path);
  const tailStart = Math.max(STDERR_END_BYTES, file.size - STDERR_END_BYTES);
  return (await file.slice(0, STDERR_END_BYTES).text()) + (await file.slice(tailStart).text());
}
