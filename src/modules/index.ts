import type { Operation } from "../http/operation.ts";
import { trackOperations } from "./library/tracks/operations.ts";
import { listeningOperations } from "./sharing/shares/listening/operations.ts";
import { shareOperations } from "./sharing/shares/operations.ts";

/** Every operation of the modules. */
export const OPERATIONS: readonly Operation[] = [
  ...trackOperations,
  ...shareOperations,
  ...listeningOperations,
];
