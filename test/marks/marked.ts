import { transact } from "../../db/client.ts";
import { createMarker } from "../../src/audio/watermark/embed.ts";
import { codeOf, patternOf } from "../../src/audio/watermark/pattern.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import {
  copyOfLink,
  type LinkCopy,
  type MarkedCopy,
  markKeyOf,
  noteDelivered,
} from "../../src/modules/sharing/marks/service.ts";

/** The channels of a sound. */
export type Planes = readonly Float32Array[];

/** Gives out a copy of a version by a link, as a page does. */
export function deliver({ db, now }: Pick<Deps, "db" | "now">, copy: LinkCopy): MarkedCopy {
  return transact(db, (tx) => {
    const made = copyOfLink(tx, copy, now());
    noteDelivered(tx, made.id, now());
    return made;
  });
}

/** Returns a sound with the mark of a copy. */
export function marked(
  { db, secrets }: Pick<Deps, "db" | "secrets">,
  { accountId, versionId, code }: MarkedCopy,
  planes: Planes,
  sampleRateHz: number,
): Planes {
  const out = planes.map(({ length }) => new Float32Array(length));
  let at = 0;
  const pattern = patternOf(transact(db, (tx) => markKeyOf({ db: tx, secrets }, { accountId, versionId })));
  const options = { sampleRateHz, channels: planes.length, pattern, code: codeOf(code) };
  const marker = createMarker(options, (blocks, count) => {
    for (const [i, block] of blocks.entries()) out[i]?.set(block.subarray(0, count), at);
    at += count;
  });
  marker.push(planes, planes[0]?.length ?? 0);
  marker.finish();
  return out;
}
