import { ANALYSIS_HZ } from "../../../audio/analyzer.ts";
import { createEars } from "../../../ears/ears.ts";
import { type DecodedStream, openDecoder } from "../../../media/decoder.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { MediaError } from "../../../media/media-error.ts";
import { readPart } from "../../../media/part.ts";
import { analyzerFor, failureOf, readInfo } from "./measure.ts";
import type { SuggestionBasis } from "./suggest/priors.ts";
import type { MeasuredReference, ReferenceOutcome, ReferenceTask } from "./task.ts";

/**
 * Measures a part of one file, and nothing of it that only a version in the library needs. What is decoded behind the part is
 * thrown away, and nothing is decoded after it.
 *
 * @throws Errors that are not the file's fault, or the signal's reason. Faults in the file are returned as a `failure`.
 */
export async function measureReference(task: ReferenceTask, signal: AbortSignal): Promise<ReferenceOutcome> {
  const format = await sniffFile(task.path);
  if (!format) return failureOf(new MediaError("unsupported"));
  try {
    const source = { ...task, format, signal };
    const { info } = await readInfo(source);
    const stream = await openDecoder(source);
    try {
      return { measured: await measurePart(stream, task, info?.declaredDurationSec ?? null) };
    } finally {
      await stream.close();
    }
  } catch (error) {
    if (error instanceof MediaError) return failureOf(error);
    throw error;
  }
}

async function measurePart(
  stream: DecodedStream,
  { fromSec, toSec }: Pick<ReferenceTask, "fromSec" | "toSec">,
  lengthSec: number | null,
): Promise<MeasuredReference> {
  const ears = createEars(ANALYSIS_HZ, Math.min(toSec, lengthSec ?? toSec) - fromSec);
  const analyzer = analyzerFor(stream, ears);
  const { endSec, isToEnd } = await readPart(stream, { fromSec, toSec }, (samples) => analyzer.push(samples));
  if (isToEnd) stream.done();
  const { loudness, tempo, key, features, descriptors, fingerprint } = analyzer.finish();
  const heard = await ears.finish();
  const analysis = { loudness, tempo, key, durationSec: endSec - Math.min(fromSec, endSec) };
  return {
    ...{ loudness, tempo, key, features, descriptors, fingerprint },
    durationSec: isToEnd ? endSec : Math.max(endSec, lengthSec ?? 0),
    fromSec: Math.min(fromSec, endSec),
    toSec: endSec,
    heard,
    tags: await tagsOf({ features, analysis, embedded: {}, filename: "", descriptors, heard }),
  };
}

/** Names of tags that answers have at most. */
const MOST_TAGS = 6;

async function tagsOf(basis: SuggestionBasis): Promise<string[]> {
  const { suggestTags } = await import("./suggest/suggest.ts");
  const tags = suggestTags(basis).sort((a, b) => b.confidence - a.confidence);
  return tags.slice(0, MOST_TAGS).map(({ name }) => name);
}
