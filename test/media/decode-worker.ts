import { decodeAll, requestFor } from "./media-files.ts";

declare const self: Worker;

self.addEventListener("message", async ({ data: path }: MessageEvent<string>) => {
  const { samples, truncated } = await decodeAll(await requestFor(path, undefined));
  self.postMessage({ frames: samples.length, truncated });
});
