import { version } from "../../package.json" with { type: "json" };

/** This program as it names itself; the version is that of package.json and of the changelog. */
export const PROGRAM = { name: "dubplate", version } as const;
