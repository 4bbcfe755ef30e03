import type { Operation } from "../http/operation.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Turns } from "../kernel/turns.ts";
import { trackOperations } from "./library/tracks/operations.ts";
import { listeningOperations } from "./sharing/shares/listening/operations.ts";
import { shareOperations } from "./sharing/shares/operations.ts";

/** What some operations need beside {@link Deps}: what lives as long as the service. */
export type Parts = { turns: Turns };

/** Returns every operation of the modules. */
export const operationsOf = (_deps: Deps, _parts: Parts): readonly Operation[] => [
  ...trackOperations,
  ...shareOperations,
  ...listeningOperations,
];
