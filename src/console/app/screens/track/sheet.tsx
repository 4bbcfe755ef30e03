/** @jsxRuntime automatic @jsxImportSource preact */
import { useMemo } from "preact/hooks";
import { useTheirEdits } from "../../actions/others.ts";
import { can, isAllowed, isGuest, type Offered } from "../../api/library.ts";
import { TrackQuestions } from "../../families/question.tsx";
import { MissingDisclosure } from "../../readiness/disclosure.tsx";
import { place, setSearch } from "../../router.ts";
import { openNotesExport } from "../../share/notes-export.tsx";
import { openShare } from "../../share/open.tsx";
import { useActions, useCommands } from "../../ui/keys.ts";
import { later } from "../../ui/later.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { TheirEdits } from "../../ui/theirs.tsx";
import { type Clock, createClock } from "./clock.ts";
import { Comments } from "./comments.tsx";
import { DetailsForm } from "./details.tsx";
import { createDraft, type Draft } from "./draft.ts";
import { DropPlace, type Files, useFiles } from "./files.tsx";
import { Head } from "./head.tsx";
import { labelOf } from "./names.ts";
import { useNotes } from "./notes.ts";
import type { SheetProps, Version } from "./queries.ts";
import { CreditList, DetailList, TagList } from "./read-only.tsx";
import { Related } from "./related.tsx";
import { hasNotes, ReviewTab, RoundLine, stepThrough } from "./review-tab.tsx";
import { loaded } from "./sound.ts";
import { momentNow, spanNow } from "./span.ts";
import { Tags } from "./tags.tsx";
import { Versions } from "./versions.tsx";
import { Wave } from "./wave.tsx";
import { createWaveState, type WaveState } from "./wave-state.ts";

const Heard = later(async () => (await import("./heard.tsx")).Heard);
const SetTab = later(async () => (await import("./set.tsx")).SetTab);
const Credits = later(async () => (await import("./credits.tsx")).Credits);
const Links = later(async () => (await import("./links.tsx")).Links);
const Activity = later(async () => (await import("./activity.tsx")).Activity);
const Rights = later(async () => (await import("./rights.tsx")).RightsTab);

/** The tab "Lyrics". */
const LyricsTab = later(async () => (await import("./lyrics/index.tsx")).default);

type Tab = Offered & {
  id:
    | "versions"
    | "set"
    | "review"
    | "tags"
    | "credits"
    | "rights"
    | "lyrics"
    | "details"
    | "links"
    | "activity";
  name: string;
};
const TABS: readonly Tab[] = [
  { id: "versions", name: "Versions" },
  { id: "set", name: "Set" },
  { id: "review", name: "Review", need: "read:comments" },
  { id: "tags", name: "Tags" },
  { id: "credits", name: "Credits", need: "read:composers" },
  { id: "rights", name: "Rights", need: "read:composers" },
  { id: "lyrics", name: "Lyrics" },
  { id: "details", name: "Details" },
  { id: "links", name: "Links", need: "read:shares" },
  { id: "activity", name: "Activity", isOfAll: true },
];

/** The round lists the notes by itself. */
const NONE: readonly never[] = [];

type WholeProps = SheetProps & {
  /** The active version, which is known before `versions` are. */
  activeId: string | undefined;
  isPanel: boolean;
};

/** A track with everything about it: the whole screen, or the panel beside a list. */
export function Sheet({ track, title, versions, activeId, isPanel }: WholeProps) {
  const clock = useMemo(() => createClock(track.id), [track.id]);
  const wave = useMemo(createWaveState, [track.id]);
  const draft = useMemo(() => createDraft(track.id), [track.id]);
  const { heardId, heard } = heardOf(track.id, versions, activeId);
  const active = versions.find((version) => version.active);
  const notes = useNotes(track.id, heardId);
  const files = useFiles(track.id, title);
  const tabs = TABS.filter(isAllowed);
  const tab = tabs.find(({ id }) => id === place.value.search.get("tab"))?.id ?? "versions";
  const share = () => void openShare([{ entity: "track", id: track.id, title }]);
  const show = (id: Tab["id"]) =>
    setSearch({ tab: id, compare: undefined, round: undefined, show: undefined, step: undefined });

  useActions({
    versions: () => show("versions"),
    stepThrough: hasNotes(active) ? stepThrough : undefined,
    tag: () => show("tags"),
    comment: () => draft.begin(momentNow(heardId, clock)),
    commentSpan: () => draft.begin(spanNow({ trackId: track.id, heardId, clock, draft })),
  });
  useCommands(
    heard
      ? [
          {
            id: "export-notes",
            name: "Export notes…",
            need: "read:comments",
            run: () => openNotesExport(track, { ...heard, label: labelOf(heard) }),
          },
        ]
      : [],
  );
  const sheet = { track, title, versions };
  return (
    <TheirEdits.Provider value={useTheirEdits(track.id)}>
      <DropPlace title={title} files={files}>
        <Head {...sheet} clock={clock} files={files} isPanel={isPanel} />
        {!isGuest() && <TrackQuestions trackId={track.id} />}
        <RoundLine active={active} />
        <Wave {...sheet} heard={heard} clock={clock} wave={wave} spots={notes.spots} draft={draft} />
        {(track.audio_profile.heard ?? []).length > 0 && (
          <Heard track={track} title={title} versionId={heardId} />
        )}
        <Comments
          trackId={track.id}
          versions={versions}
          heard={heard}
          notes={tab === "review" ? NONE : notes.inOrder}
          clock={clock}
          draft={draft}
        />
        <Tabs label="Track" tabs={tabs} current={tab} onChange={show}>
          <Shown
            tab={tab}
            {...sheet}
            heard={heard}
            wave={wave}
            files={files}
            clock={clock}
            draft={draft}
            onShare={share}
          />
        </Tabs>
        {!isGuest() && <MissingDisclosure of={{ trackId: track.id }} counts={track.readiness} />}
        {!isGuest() && <Related track={track} title={title} />}
      </DropPlace>
    </TheirEdits.Provider>
  );
}

/** Returns the version of a track that plays or is paused, or else the active one, which plays next. */
function heardOf(trackId: string, versions: readonly Version[], activeId: string | undefined) {
  const loadedId = loaded.value?.trackId === trackId ? loaded.value.versionId : undefined;
  // One that was deleted stays loaded; before `versions` are known, it is taken to be there.
  const isThere = versions.length === 0 || versions.some(({ id }) => id === loadedId);
  const heardId = isThere ? (loadedId ?? activeId) : activeId;
  const heard = versions.find(({ id }) => id === heardId) ?? versions.find(({ active }) => active);
  return { heardId, heard };
}

type ShownProps = SheetProps & {
  heard: Version | undefined;
  tab: Tab["id"];
  wave: WaveState;
  files: Files;
  clock: Clock;
  draft: Draft;
  onShare: () => void;
};

/** What the current tab shows. */
function Shown({ tab, heard, wave, files, clock, draft, onShare, ...sheet }: ShownProps) {
  const { track, versions } = sheet;
  const isOurs = can("update:tracks");
  switch (tab) {
    case "versions":
      return <Versions {...sheet} wave={wave} files={files} />;
    case "set":
      return <SetTab track={track} title={sheet.title} />;
    case "review":
      return <ReviewTab {...sheet} clock={clock} draft={draft} />;
    case "tags":
      return isOurs ? <Tags track={track} /> : <TagList track={track} />;
    case "credits":
      return can("update:composer") ? <Credits track={track} /> : <CreditList track={track} />;
    case "rights":
      return <Rights track={track} title={sheet.title} />;
    case "lyrics":
      return <LyricsTab {...sheet} heard={heard} clock={clock} />;
    case "details":
      return isOurs ? <DetailsForm track={track} /> : <DetailList track={track} />;
    case "links":
      return <Links trackId={track.id} onShare={onShare} />;
    case "activity":
      return <Activity track={track} versions={versions} />;
  }
}
