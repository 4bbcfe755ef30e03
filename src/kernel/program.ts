import { version } from "../../package.json" with { type: "json" };

/** The program's name and version; the version comes from package.json and matches the changelog. */
export const PROGRAM = { name: "dubplate", version } as const;
