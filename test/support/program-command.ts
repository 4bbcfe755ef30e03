import { join } from "node:path";

/** The program as a checkout starts it. */
export const CHECKOUT: readonly string[] = [process.execPath, join(import.meta.dir, "../../src/main.ts")];

/**
 * How tests start the program: the executable that `scripts/tests.ts` builds for a run, which starts in a third of the
 * processor time; without one, the checkout.
 */
export const PROGRAM: readonly string[] = process.env.TEST_PROGRAM ? [process.env.TEST_PROGRAM] : CHECKOUT;

const OF_DEMO = [process.execPath, join(import.meta.dir, "program.ts")];

/** How the apps of tests start their children: as {@link PROGRAM}, but the demo's pieces come from `program.ts`. */
export const CHILDREN: readonly string[] = process.env.TEST_PROGRAM
  ? [
      ...[
        "/bin/sh",
        "-c",
        'bun=$1; of_demo=$2; shift 2; [ "$1" = demo-pieces ] && exec "$bun" "$of_demo" "$@"; exec "$0" "$@"',
      ],
      ...[process.env.TEST_PROGRAM, ...OF_DEMO],
    ]
  : OF_DEMO;
