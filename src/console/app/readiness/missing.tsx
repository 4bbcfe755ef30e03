/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useQuery } from "../api/queries.ts";
import { clock } from "../player/time.ts";
import { Button } from "../ui/button.tsx";
import { Check } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import type { About } from "./about.ts";
import { countsInWords } from "./counts.ts";
import { fixesOf } from "./fixes.tsx";
import { asList, type Finding, type Profile, type Readiness, readinessQuery, type Whose } from "./queries.ts";
import "./missing.css";

type MissingProps = {
  of: Whose;
  /** What it is made ready for. */
  profile: Profile;
};

/** What a track, a playlist or a selection lacks, each with the button that mends it. */
export function Missing({ of, profile }: MissingProps) {
  const areNotesShown = useSignal("trackId" in of);
  const { data, error, refetch } = useQuery(readinessQuery(of, profile));
  if (!data) return <Problem error={error} onRetry={refetch} />;
  const readiness = asList(data);
  const { counts } = readiness;
  const playlistId = "playlistId" in of ? of.playlistId : "asList" in of ? of.asList : undefined;
  const shown = groupsOf(readiness, areNotesShown.value, playlistId);
  return (
    <div class="missing">
      <p class="soft" role="status">
        {countsInWords(counts)}
      </p>
      {counts.note > 0 && !("trackId" in of) && (
        <Check
          isOn={areNotesShown.value}
          onChange={(isOn) => {
            areNotesShown.value = isOn;
          }}
        >
          Show what is only a note
        </Check>
      )}
      {shown.length > 0 && (
        <ul class="missing-groups" aria-label="What is missing">
          {shown.map(({ heading, about, findings }) => (
            <li key={about.trackId ?? ""}>
              {!("trackId" in of) && <h3>{heading}</h3>}
              <ul>
                {findings.map((finding) => (
                  <Line
                    key={`${finding.code} ${finding.composerId} ${finding.value}`}
                    finding={finding}
                    about={about}
                  />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Group = { heading: string; about: About; findings: readonly Finding[] };

/** The release first, then the tracks, worst first, and those that lack as much in the release's order. */
function groupsOf({ findings, tracks }: Readiness, areNotesShown: boolean, playlistId?: string): Group[] {
  const isShown = ({ level }: Finding) => areNotesShown || level !== "note";
  const alike = (code: string) =>
    tracks.filter((track) => track.findings.some((each) => each.code === code)).map(({ trackId }) => trackId);
  const release = {
    heading: "The release",
    about: { title: "the release", alike: () => [], ...(playlistId !== undefined && { playlistId }) },
    findings: findings.filter(isShown),
  };
  const byTrack = tracks
    .toSorted(({ counts: one }, { counts: other }) => other.stop - one.stop || other.warn - one.warn)
    .map((track) => ({
      heading: track.title,
      about: { title: track.title, trackId: track.trackId, versionId: track.versionId, alike },
      findings: track.findings.filter(isShown),
    }));
  return [release, ...byTrack].filter((group) => group.findings.length > 0);
}

const WORDS = { stop: "Must be mended", warn: "Should be mended", note: "Note" } as const;

function Line({ finding, about }: { finding: Finding; about: About }) {
  const { level, message, atSec, source } = finding;
  return (
    <li class={`missing-line ${level}`}>
      <span class="missing-level">{WORDS[level]}</span>
      <span class="missing-says" title={source}>
        {message}
        {atSec !== null && atSec > 0 && ` At ${clock(atSec)}.`}
      </span>
      <span class="missing-fixes">
        {fixesOf(finding, about).map(({ verb, run }) => (
          <Button key={verb} look="secondary small" run={run}>
            {verb}
          </Button>
        ))}
      </span>
    </li>
  );
}
