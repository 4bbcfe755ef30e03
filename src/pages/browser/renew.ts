import { OVER } from "../playback/recovery.ts";
import type { Track } from "./queue.ts";

/** Renews a track's addresses. Their other parameters, such as the chosen rendition, stay. */
export async function renew(track: Track, signal: AbortSignal): Promise<"renewed" | "over" | "lost"> {
  const answer = await fetch(track.src.replace("/listen/", "/renewed/"), { cache: "no-store", signal });
  if (!answer.ok) return OVER.includes(answer.status) ? "over" : "lost";
  const proof = new URLSearchParams(await answer.text());
  track.src = withProof(track.src, proof);
  track.wave = withProof(track.wave, proof);
  return "renewed";
}

/** Puts a new proof into an address of the page. */
function withProof(address: string, proof: URLSearchParams): string {
  const url = new URL(address, location.href);
  for (const [name, value] of proof) url.searchParams.set(name, value);
  return url.pathname + url.search;
}
