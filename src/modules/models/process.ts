import { MINUTE_MS } from "../../kernel/time.ts";
import type { FromModel, ToModel } from "./child-protocol.ts";
import type { Manifest } from "./manifest.ts";
import { ModelUnavailableError } from "./provider.ts";

/** A model in a process of its own, started when it is first asked. */
export type ModelProcess = {
  /**
   * @throws ModelUnavailableError when it cannot answer, the process died over it or took too long; the signal's reason
   *   once that is aborted.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<Float32Array[]>;
  close(): void;
};
type ModelRequest = { kind: "audio"; passages: Float32Array[] } | { kind: "text"; texts: string[] };

/** A model that is not asked any more gives its memory back. */
const IDLE_MS = 10 * MINUTE_MS;
/** Loading, and hearing six passages on a slow machine. */
const ANSWER_MS = 5 * MINUTE_MS;

type Waiting = { resolve: (vectors: Float32Array[]) => void; reject: (error: unknown) => void };
type Running = { send: (message: ToModel) => void; kill: () => void; waiting: Map<number, Waiting> };

/** Returns a model without a process. `command` starts this program as one. */
export function createModelProcess(
  command: readonly string[],
  model: { folder: string; manifest: Manifest; runtime: string | null },
): ModelProcess {
  let running: Running | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let nextId = 1;

  const end = (child: Running | undefined) => {
    if (running === child) running = undefined;
    child?.kill();
  };
  const start = (): Running => {
    const child = spawn(command, () => {
      if (running === child) running = undefined;
    });
    const id = nextId++;
    // Why it could not be opened is told to whoever asks: they wait behind this.
    child.waiting.set(id, { resolve: () => undefined, reject: () => undefined });
    child.send({ id, kind: "open", ...model });
    return child;
  };

  return {
    ask(request, signal) {
      signal.throwIfAborted();
      clearTimeout(idle);
      running ??= start();
      const child = running;
      const id = nextId++;
      const answer = new Promise<Float32Array[]>((resolve, reject) => {
        child.waiting.set(id, { resolve, reject });
        child.send({ id, ...request });
      });
      return within(answer, signal, () => end(child)).finally(() => {
        child.waiting.delete(id);
        clearTimeout(idle);
        idle = setTimeout(() => end(running), IDLE_MS).unref();
      });
    },
    close() {
      clearTimeout(idle);
      end(running);
    },
  };
}

function spawn(command: readonly string[], onGone: () => void): Running {
  const waiting: Running["waiting"] = new Map();
  const child = Bun.spawn([...command], {
    // Neither settings nor secrets.
    env: { LC_ALL: "C" },
    stdio: ["ignore", "ignore", "ignore"],
    serialization: "advanced",
    ipc(message: FromModel) {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.ok) asked?.resolve(message.vectors);
      else asked?.reject(new ModelUnavailableError(message.reason));
    },
    onExit(_, code, signalCode) {
      onGone();
      const why = `The model's process ended (${signalCode ?? `exit ${code}`})`;
      for (const { reject } of waiting.values()) reject(new ModelUnavailableError(why));
      waiting.clear();
    },
  });
  // The program may end while a model is loaded.
  child.unref();
  return { send: (message) => child.send(message), kill: () => child.kill("SIGKILL"), waiting };
}

/** A process that is stuck is ended; one whose answer nobody wants any more works on for the others. */
function within<Answer>(answer: Promise<Answer>, signal: AbortSignal, giveUp: () => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => {
      reject(new ModelUnavailableError("The model did not answer in time"));
      giveUp();
    }, ANSWER_MS);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(clock);
      signal.removeEventListener("abort", onAbort);
    });
  });
}
