import type { Module } from "../module.ts";
import { historyOperations } from "./history/operations.ts";
import { searchOperations } from "./search/operations.ts";
import { transferSearches } from "./search/service.ts";

/** The modules that find it, with what they contribute. */
export const SEARCH = [
  {
    name: "search/search",
    operations: searchOperations,
    transfer: transferSearches,
    exported: () => import("./search/export.ts"),
  },
  { name: "search/history", operations: historyOperations },
] as const satisfies readonly Module[];
