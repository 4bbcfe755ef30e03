/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { can } from "../../api/library.ts";
import { clock } from "../../player/time.ts";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { percent, tenths } from "../../ui/numbers.ts";
import { attempt } from "../../ui/toast.tsx";
import { analyseAgain, writeDetails } from "./changes.ts";
import { loudness, metreWords, tempo, tempoWithOther } from "./names.ts";
import type { Track, Version } from "./queries.ts";

type Fact = { name: string; value: ComponentChildren };

/** The measurements of the sound; those so far while it is being analysed. */
export function Facts({ track, active }: { track: Track; active: Version | undefined }) {
  const { status, reason } = track.analysis;
  return (
    <div class="facts">
      <dl class="facts-line">
        {factsOf(track, active).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!track.visible && <span class="mark">Hidden</span>}
      {status === "pending" && <span class="mark">Waiting</span>}
      {status === "processing" && <span class="mark">Analysing</span>}
      {status === "failed" && (
        <span class="mark bad">
          Failed: {reason}{" "}
          {can("update:tracks") && (
            <button type="button" class="link-button" onClick={() => attempt(() => analyseAgain(track.id))}>
              Try again
            </button>
          )}
        </span>
      )}
    </div>
  );
}

function factsOf(track: Track, active: Version | undefined): Fact[] {
  const { durationSec, bpm, key } = track.audio_profile;
  const { measured } = track.analysis;
  const lufs = active?.integratedLufs ?? measured?.integratedLufs ?? null;
  const peak = active?.truePeakDbtp ?? measured?.truePeakDbtp ?? null;
  const length = active?.durationSec ?? durationSec;
  const metre = measured?.structure ? metreWords(measured.structure) : undefined;
  const facts: (Fact | false)[] = [
    length !== null && { name: "Length", value: clock(length) },
    bpm !== null && { name: "Tempo", value: <Tempo track={track} bpm={bpm} /> },
    metre !== undefined && { name: "Metre", value: metre },
    key !== null && { name: "Key", value: key },
    lufs !== null && { name: "Loudness", value: loudness(lufs) },
    peak !== null && { name: "Peak", value: `${tenths(peak)} dBTP` },
    measured !== null && { name: "Format", value: formatOf(measured) },
  ];
  return facts.filter((fact) => fact !== false);
}

/** The tempo, and the others that it could be. */
function Tempo({ track, bpm }: { track: Track; bpm: number }) {
  const { measured } = track.analysis;
  const near = (other: number) => Math.abs(other - bpm) < 0.05;
  const others = (measured?.bpmCandidates ?? []).filter((candidate) => !near(candidate.bpm));
  const isWritten = measured !== null && measured.bpm !== null && !near(measured.bpm);
  // What is felt is known of the measured tempo only.
  const other = isWritten ? null : (measured?.structure?.alternativeBpm ?? null);
  const words = tempoWithOther(bpm, other !== null && near(other) ? null : other);
  if (!can("update:tracks") || (others.length === 0 && !isWritten)) return words;
  const set = (value: number | null) => writeDetails(track.id, { bpm: value });
  const items = (): MenuItem[] => [
    ...others.map((candidate) => ({
      name: `${tempo(candidate.bpm)}, ${percent(candidate.confidence)} sure`,
      run: () => set(candidate.bpm),
    })),
    ...(isWritten ? [{ name: "As measured", run: () => set(null) }] : []),
  ];
  return (
    <MenuButton label={`${tempo(bpm)}, other tempos`} items={items} class="link-button fact-button">
      {words}
    </MenuButton>
  );
}

function formatOf({
  codec,
  sampleRateHz,
  bitDepth,
  bitrateBps,
  lossless,
}: NonNullable<Track["analysis"]["measured"]>) {
  const rate = `${Math.round(sampleRateHz / 100) / 10} kHz`;
  const detail = bitDepth !== null && lossless !== false ? `${bitDepth} bit` : undefined;
  const bits = bitrateBps !== null && lossless === false ? `${Math.round(bitrateBps / 1000)} kbit/s` : detail;
  return [codec?.replace(/^pcm_.*$/, "PCM").toUpperCase(), rate, bits].filter(Boolean).join(" · ");
}
