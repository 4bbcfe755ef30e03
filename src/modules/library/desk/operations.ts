import type { Deps } from "../../../kernel/deps.ts";
import { answeredOperations } from "./answered/operations.ts";
import { bulkOperations } from "./bulk/operations.ts";
import { commonOperations } from "./common/operations.ts";
import { downloadOperations } from "./download/operations.ts";
import { familyChanges } from "./family/operations.ts";
import { firstStepsOperations } from "./first-steps/operations.ts";
import { mergeOperations } from "./merge/operations.ts";
import { tableOperations } from "./table/operations.ts";

/** The table, changes and downloads of many tracks, and the first steps. */
export const deskOperations = (deps: Deps) => [
  ...tableOperations,
  ...bulkOperations,
  ...commonOperations,
  ...mergeOperations,
  ...familyChanges,
  ...answeredOperations,
  ...downloadOperations(deps),
  ...firstStepsOperations,
];
