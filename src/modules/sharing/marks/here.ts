import type { makeNow } from "./make.ts";

/** Makes the files of copies in this process, as {@link makeNow} does. What makes them is loaded first. */
export const makeHere = async (...args: Parameters<typeof makeNow>): Promise<void> =>
  (await import("./make.ts")).makeNow(...args);
