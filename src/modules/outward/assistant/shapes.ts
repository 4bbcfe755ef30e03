import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import type { OnBehalf } from "../../../kernel/actor.ts";
import { MadeBy } from "../../people/people/shapes.ts";

/** How long calls of tools are listed. */
export const CALLS_KEPT_DAYS = 90;

/** What a tool may destroy or replace. */
export type Entity = "track" | "version" | "playlist" | "composer";

/** A call of a tool, before its outcome is known. */
export type ToolCall = {
  accountId: string | null;
  keyId: string;
  /** Who made the key, or let the program in. Left out: no member. */
  personId?: OnBehalf["personId"];
  /** As the client names itself; empty when it does not. */
  client: string;
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  /** What the call destroys or replaces. */
  target?: { entity: Entity; id: string };
  isRehearsal: boolean;
};

/** A value that a call changes. */
export type Change = { path: string; before: unknown; after: unknown };

/** What a call did, or would do. */
export type Effect = {
  changes: Change[];
  /** There are more changes than are shown. */
  isCut: boolean;
  undo?: { id: string; until: number };
};

/** Keeps what assistants do: what they change can be seen before, and taken back after. */
export type Rails = {
  /** Does a call. `outcomeOf` returns `ok`, or the code of the refusal. */
  run: <Result>(
    call: ToolCall,
    work: () => Promise<Result>,
    outcomeOf: (result: Result) => string,
  ) => Promise<{ result: Result; effect: Effect }>;
  /** True when the owner wants to be asked before something is deleted. */
  asksFirst: (accountId: string) => boolean;
  /** Writes the calls that are only noted. Never throws. */
  flush: () => void;
};

export const AssistantCallsQuery = Type.Object({
  ...pageFields,
  changed: Type.Optional(Type.Boolean({ description: "`true`: only calls that changed something" })),
});
export type AssistantCallsQuery = Static<typeof AssistantCallsQuery>;
export const AssistantCallParams = Type.Object({ callId: Type.String({ description: "The call" }) });

/** What the change to take back is about. */
export const UndoAbout = Type.Object({
  id: Type.String({ minLength: 1, description: "What was changed, also when it was deleted" }),
});

export const UndoOwn = shape("UndoOwn", {
  undoId: Type.Optional(
    Type.String({
      description: "`undo.id` of the answer to the change; left out: the last change that the key made",
    }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: "Only say what would change" })),
});
export type UndoOwn = Static<typeof UndoOwn>;

const Changes = Type.Array(
  Type.Object({
    path: Type.String({ description: "The field, such as `title`" }),
    before: Type.Unknown({ description: "The value before; null: there was none" }),
    after: Type.Unknown({ description: "The value after; null: there is none" }),
  }),
  { description: "At most 50" },
);

/** A change that an assistant took back, or would. */
export const OwnUndo = shape("OwnUndo", {
  ok: Type.Literal(true),
  undoId: Type.String(),
  dryRun: Type.Boolean({ description: "Nothing was changed" }),
  undone: Type.Object(
    { tool: Type.String({ description: "Name of the tool" }), at: Timestamp },
    { description: "The change that is taken back" },
  ),
  changes: Changes,
});
export type OwnUndo = Static<typeof OwnUndo>;

/** A call of a tool, as its owner sees it. */
export const AssistantCall = shape(
  "AssistantCall",
  {
    id: Type.String(),
    at: Timestamp,
    tool: Type.String({ description: "Name of the tool" }),
    by: Type.Object({
      keyId: Type.String({ description: "The key, or the grant of the sign-in flow" }),
      name: nullable(Type.String({ description: "Name of the key or of the app; null: it was deleted" })),
      client: Type.String({ description: "As the client names itself; empty when it does not" }),
    }),
    track: nullable(
      Type.Object(
        {
          id: Type.String(),
          title: Type.String(),
          name: Type.String({ description: "The title that it shows while none is written" }),
          cover: nullable(Type.String()),
        },
        { description: "The track that it was about; null: it was about no track, or the track is gone" },
      ),
    ),
    playlist: nullable(
      Type.Object(
        {
          id: Type.String(),
          kind: Type.Union([Type.Literal("playlist"), Type.Literal("album")]),
          name: Type.String(),
          image: nullable(Type.String()),
        },
        { description: "The playlist that it was about; null: as with `track`" },
      ),
    ),
    composer: nullable(
      Type.Object(
        { id: Type.String(), fullName: Type.String() },
        { description: "The composer that it was about; null: as with `track`" },
      ),
    ),
    arguments: Type.Record(Type.String(), Type.Unknown(), { description: "Long values are cut" }),
    outcome: Type.String({ description: "`ok`, or the code of the refusal" }),
    dryRun: Type.Boolean({ description: "It only asked what would change" }),
    changes: Changes,
    undoUntil: nullable(described(Timestamp, "Until when it can be undone; null: it cannot")),
    undoneAt: nullable(described(Timestamp, "When it was taken back; null: it was not")),
    durationMs: Type.Integer({ minimum: 0, description: "Milliseconds" }),
    madeBy: described(MadeBy, "Whose key or program it was; null: no member's"),
  },
  { description: "What an assistant did with a tool" },
);
export type AssistantCall = Static<typeof AssistantCall>;
