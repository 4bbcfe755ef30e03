import type { Module } from "../module.ts";
import { deviceOperations } from "./devices/operations.ts";
import { pruneDevices } from "./devices/service.ts";
import { doorRoutes } from "./door/routes.ts";
import { transferListens } from "./listens/service.ts";
import { playerOperations } from "./players/operations.ts";
import { resealPlayers } from "./players/service.ts";

/** The library in the pocket, and in the players that people already have: the modules of this street, for `modules/index.ts`. */
export const POCKET = [
  {
    name: "pocket/devices",
    operations: (deps) => deviceOperations(deps),
    prune: { run: pruneDevices, failure: "Devices whose copies were withdrawn could not be forgotten" },
    exported: () => import("./devices/export.ts"),
  },
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
