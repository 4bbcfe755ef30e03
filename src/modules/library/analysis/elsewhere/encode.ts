import type { AnalysisOutcome, Heard, Measurement } from "../task.ts";
import type { Measured, WorkResult } from "./shapes.ts";

/** A result without the version that it was measured with. */
type Unsigned = Omit<WorkResult, "version">;

/** Returns the outcome of an analysis in the form that a worker sends. Numbers keep every bit. */
export function encodeOutcome(outcome: AnalysisOutcome): Unsigned {
  const { info, artwork } = outcome;
  const said = { info, ...(artwork && { artwork: base64(artwork) }) };
  if ("measurement" in outcome) return { ...said, measurement: encodeMeasurement(outcome.measurement) };
  return { ...said, failure: outcome.failure.code as NonNullable<WorkResult["failure"]> };
}

/** Returns the values heard, in the form that a worker sends. */
export function encodeHeard(heard: Heard): Unsigned {
  return { heard: heard && base64(heard) };
}

function encodeMeasurement(measurement: Measurement): Measured {
  const { recording, waveform, descriptors, heard, passages, descriptorVersion: _, ...rest } = measurement;
  const { pcmSha256, fingerprint, levels, balanceDb, framesPerPair, peaks } = recording;
  return {
    ...rest,
    waveform: base64(waveform),
    descriptors: descriptors && base64(descriptors),
    heard: heard && base64(heard),
    passages: base64(passages),
    recording: {
      pcmSha256: Buffer.from(pcmSha256).toString("hex"),
      codes: base64(fingerprint.codes),
      columns: base64(fingerprint.columns),
      levels: base64(levels),
      balanceDb: [...balanceDb],
      framesPerPair,
      peaks: base64(peaks),
    },
  };
}

const base64 = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("base64");
