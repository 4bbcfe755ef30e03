export * from "./schema/accounts.ts";
export * from "./schema/jobs.ts";
export * from "./schema/search.ts";
export * from "./schema/tracks.ts";
