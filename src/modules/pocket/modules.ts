import type { Module } from "../module.ts";
import { doorRoutes } from "./door/routes.ts";
import { transferListens } from "./listens/service.ts";
import { playerOperations } from "./players/operations.ts";
import { resealPlayers } from "./players/service.ts";

/** The library in the pocket, and in the players that people already have: the modules of this street, for `modules/index.ts`. */
export const POCKET = [
  { name: "pocket/door", routes: doorRoutes },
  {
    name: "pocket/listens",
    transfer: transferListens,
    exported: () => import("./listens/export.ts"),
  },
  {
    name: "pocket/players",
    operations: (_, parts) => playerOperations(parts),
    exported: () => import("./players/export.ts"),
    sealed: { players: resealPlayers },
  },
] as const satisfies readonly Module[];
