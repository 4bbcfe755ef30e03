import type { Log } from "../kernel/log.ts";
import { SECOND_MS } from "../kernel/time.ts";
import type { Bell } from "./bell.ts";

/** Pause after an error of the database itself (full disk, lock held too long). */
const TROUBLE_PAUSE_MS = 5 * SECOND_MS;

/** How a loop works. */
export type WorkLoopOptions = {
  log: Log;
  /** Rung to end a wait early. */
  bell: Bell;
  /** What the log says when a turn throws. */
  failure: string;
  isOver: () => boolean;
  /** Does the work that is due and waits for more. Calls `reportIdle` when nothing is due or under way. */
  turn: (reportIdle: () => void) => Promise<unknown>;
  /** Finishes what the last turn left under way. */
  finish: () => unknown;
};

/** A running loop. */
export type WorkLoop = {
  /** Resolves at the next turn that reports idleness, or when the loop has ended. */
  idle(): Promise<void>;
  /** Resolves when the loop has ended. */
  ended: Promise<void>;
};

/** Starts a loop that does its work in turns. After a turn that throws, it pauses and goes on. */
export function startWorkLoop({ log, bell, failure, isOver, turn, finish }: WorkLoopOptions): WorkLoop {
  const waiting: (() => void)[] = [];
  const reportIdle = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const run = async () => {
    while (!isOver())
      try {
        await turn(reportIdle);
      } catch (error) {
        log("error", failure, { error });
        await bell.wait(TROUBLE_PAUSE_MS);
      }
    await finish();
  };
  const ended = run();
  return {
    ended,
    idle() {
      const idle = new Promise<void>((resolve) => waiting.push(resolve));
      bell.ring();
      return Promise.race([idle, ended]);
    },
  };
}
