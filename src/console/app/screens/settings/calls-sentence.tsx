/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { AnswerOf } from "../../api/queries.ts";
import { counted } from "../../ui/numbers.ts";
import { clientName } from "./client-name.ts";
import { DEEDS } from "./deeds.ts";

/** A call of a tool by an assistant. */
export type Call = AnswerOf<"/app/assistant/calls">["data"][number];

/** "Claude renamed Wanderer to Wanderer (renamed)"; a preview or a refused call did not happen, and reads so. */
export function Sentence({ call }: { call: Call }) {
  const renamed = renamedIn(call);
  const [done, wouldDo, what] = renamed
    ? (["renamed", "rename", ""] as const)
    : (DEEDS[call.tool] ?? (["used", "use", `“${call.tool.replaceAll("_", " ")}”`] as const));
  const verb = call.dryRun ? `would ${wouldDo}` : call.outcome === "ok" ? done : `tried to ${wouldDo}`;
  return (
    <>
      {clientName(call.by)} {verb} {renamed ?? filled(call, what)}
    </>
  );
}

/** What a call was about, as part of a sentence: "Wanderer", "the composer Ines Okafor". */
export function thingOf(call: Call): string {
  const { track, playlist } = call;
  const fullName = composerIn(call);
  if (playlist) return `the ${playlist.kind} ${playlist.name}`;
  return fullName === undefined ? (track?.title ?? "your library") : `the composer ${fullName}`;
}

/** The name of the composer that a call was about: that of today, or the one that a deleted composer had. */
function composerIn({ composer, changes }: Call): string | undefined {
  const gone = changes.find(({ path }) => path === "composer")?.before as { fullName?: string } | undefined;
  return composer?.fullName ?? gone?.fullName;
}

/** "Wanderer to Wanderer (renamed)", when a call gave a track, a playlist or a composer another name. */
function renamedIn(call: Call): ComponentChildren | undefined {
  const { track, playlist, changes, tool } = call;
  const changed = (wanted: string) => changes.find(({ path }) => path === wanted);
  const [change, kind, unwritten] =
    tool === "update_playlist"
      ? [changed("name"), `the ${playlist?.kind ?? "playlist"} `]
      : tool === "update_composer"
        ? [changed("fullName"), "the composer "]
        : [changed("title"), "", track?.name];
  const [before, after] = [change?.before ?? unwritten, change?.after];
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  return (
    <>
      {kind}
      <em>{before}</em> to <em>{after}</em>
      {changes.length > 1 && ", and changed other details"}
    </>
  );
}

/** Puts what a call was about into the words for it. */
function filled(call: Call, words: string): ComponentChildren {
  return words
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith("{") ? partOf(call, part.slice(1, -1)) : part));
}

function partOf(call: Call, name: string): ComponentChildren {
  const { track, playlist } = call;
  if (name === "track") return track ? <em>{track.title}</em> : "a track";
  if (name === "playlist") return playlist ? named(`the ${playlist.kind}`, playlist.name) : "a playlist";
  if (name === "composer") {
    const fullName = composerIn(call);
    return fullName === undefined ? "a composer" : named("the composer", fullName);
  }
  const value = call.arguments[name];
  if (Array.isArray(value)) return countedTracks(value);
  return typeof value === "string" ? <em>{value}</em> : "music";
}

/** Of a long list the server keeps the beginning, and says how many follow. */
function countedTracks(ids: readonly unknown[]): string {
  const cut = /^… (\d+) more$/.exec(String(ids.at(-1)));
  const count = cut ? ids.length - 1 + Number(cut[1]) : ids.length;
  return counted(count, "track");
}

const named = (kind: string, name: string) => (
  <>
    {kind} <em>{name}</em>
  </>
);
