/** @jsxRuntime automatic @jsxImportSource preact */
import type { FunctionComponent } from "preact";
import { can } from "../api/library.ts";
import { play } from "../player/player.ts";
import { go } from "../router.ts";
import { showDialog } from "../ui/dialog.tsx";
import type { About, DialogProps } from "./about.ts";
import { AiDialog } from "./ai-dialog.tsx";
import { askComposer } from "./ask.tsx";
import { chooseCover } from "./cover.ts";
import { ExplicitDialog } from "./explicit-dialog.tsx";
import type { Finding } from "./queries.ts";
import { SharesDialog } from "./shares-dialog.tsx";
import { TextDialog } from "./text-dialog.tsx";
import { type FieldOf, fieldOf } from "./write.ts";

/** A button that mends a finding. */
export type Mend = { verb: string; run: () => unknown };

/** Returns what the person may do about a finding, most direct first. */
export function fixesOf(finding: Finding, about: About): Mend[] {
  const { fix, composerId, composerName } = finding;
  if (composerId !== null) return composerFixes(finding, { id: composerId, name: composerName ?? "" }, about);
  if (fix === "play") return about.trackId === undefined ? [] : [playing(finding, about)];
  if (fix === "cover") return coverFix(about);
  if (!can("update:tracks")) return [];
  if (about.trackId !== undefined) {
    const own = OF_TRACK[fix ?? ""]?.(finding, about.trackId, about);
    if (own) return own;
  }
  const field = fieldOf(finding, about);
  return field ? [typing(field, finding, about)] : [];
}

const OF_TRACK: Readonly<Record<string, (finding: Finding, trackId: string, about: About) => Mend[]>> = {
  version: (_, trackId) => [opening("Open versions", `/library/tracks/${trackId}?tab=versions`)],
  set: (_, trackId) => [opening("Open set", `/library/tracks/${trackId}?tab=set`)],
  credits: creditsFixes,
  explicit: (finding, trackId, about) => [
    { verb: "Choose it", run: () => show(ExplicitDialog, finding, about, trackId) },
  ],
  aiUse: (finding, trackId, about) => [
    { verb: "State it", run: () => show(AiDialog, finding, about, trackId) },
  ],
};

function show(Dialog: FunctionComponent<DialogProps>, finding: Finding, about: About, trackId: string): void {
  showDialog((close) => <Dialog finding={finding} about={about} trackId={trackId} onClose={close} />);
}

const opening = (verb: string, path: string): Mend => ({ verb, run: () => go(path) });

const typing = (field: FieldOf, finding: Finding, about: About): Mend => ({
  verb: finding.code === "tags_disagree" ? "Use that of the file" : "Type it",
  run: () =>
    showDialog((close) => <TextDialog field={field} finding={finding} about={about} onClose={close} />),
});

function composerFixes(finding: Finding, composer: { id: string; name: string }, about: About): Mend[] {
  if (!can("update:composer")) return [];
  const field = fieldOf(finding, about);
  return [
    ...(field ? [typing(field, finding, about)] : []),
    { verb: `Ask ${composer.name}`, run: () => askComposer(composer, about.trackId) },
  ];
}

function creditsFixes(finding: Finding, trackId: string, about: About): Mend[] {
  const open = opening("Open credits", `/library/tracks/${trackId}?tab=credits`);
  if (finding.code !== "splits" || !can("update:composer")) return [open];
  return [{ verb: "Type the shares", run: () => show(SharesDialog, finding, about, trackId) }, open];
}

function coverFix(about: About): Mend[] {
  const isAllowed = about.trackId === undefined ? can("update:playlists") : can("update:tracks");
  return isAllowed ? [{ verb: "Change cover", run: () => chooseCover(about) }] : [];
}

function playing({ atSec }: Finding, { trackId = "", title, versionId }: About): Mend {
  const track = { id: trackId, title, artist: null, cover: null, ...(versionId && { versionId }) };
  const source = { key: `/library/tracks/${trackId}` };
  // A moment before, or it is over before one hears it.
  const fromSec = Math.max(0, (atSec ?? 0) - 1);
  return { verb: "Play there", run: () => play({ tracks: [track], index: 0, source, fromSec }) };
}
