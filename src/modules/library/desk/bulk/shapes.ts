import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../../http/envelope.ts";
import { spelt } from "../../../../kernel/text.ts";
import { ShareholderInputs } from "../../composers/shapes.ts";
import { KeepTogether } from "../../families/shapes.ts";
import { DetailsInput } from "../../tracks/shapes.ts";
import { filterFields, sortField } from "../table/shapes.ts";

/** The most tracks that one request may name. More are chosen by a filter. */
const MAX_IDS = 20_000;
/** Of a tag, and of a version's label. */
const MAX_TAG = 200;
const MAX_TAGS = 100;
/** How long a change of many tracks can be taken back. */
export const UNDO_MINUTES = 10;

const Ids = Type.Array(Type.String(), { maxItems: MAX_IDS });

/** Which tracks of the account a request is about. */
export const Where = Type.Union([
  Type.Object({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_IDS }) }),
  Type.Object({
    filter: Type.Object(filterFields, {
      description: "As in the query of `GET /app/tracks`; `{}`: every track",
    }),
    sort: Type.Optional(sortField),
    except: Type.Optional(Ids),
  }),
]);
export type Where = Static<typeof Where>;

const Tag = Type.Union([
  Type.String({ minLength: 1, maxLength: MAX_TAG }),
  Type.Object({ category: Type.String(), name: Type.String({ minLength: 1, maxLength: MAX_TAG }) }),
]);
const Tags = Type.Array(Tag, {
  minItems: 1,
  maxItems: MAX_TAGS,
  description: "Names of the taxonomy or free text; `{category, name}` where a name has several categories",
});

const VersionChanges = Type.Object(
  {
    active: Type.Optional(
      Type.Literal("newest", {
        description: "Make each track's newest version the one that plays; it is analysed",
      }),
    ),
    label: Type.Optional(
      nullable(
        Type.String({ maxLength: MAX_TAG, description: "Of the version that plays, afterwards; null: none" }),
      ),
    ),
    othersVisible: Type.Optional(
      Type.Boolean({ description: "Show the versions that do not play, or hide them" }),
    ),
  },
  { description: "What to change of the tracks' versions; none is deleted" },
);

/** What a program with a key may change of many tracks. */
const changes = {
  details: Type.Optional(
    Type.Omit(DetailsInput, ["name"], {
      description: "As in `PATCH /api/v1/tracks/details`; a cover is fetched and kept once for all tracks",
    }),
  ),
  /** Replace each track's composers and their shares. */
  shareholders: Type.Optional(ShareholderInputs),
  addTags: Type.Optional(Tags),
  removeTags: Type.Optional(Tags),
  version: Type.Optional(VersionChanges),
  visible: Type.Optional(Type.Boolean({ description: "Show the tracks in the library, or hide them" })),
};

/** What a bulk change may do, in the order in which it is done. */
export const BulkDo = shape("BulkDo", {
  ...changes,
  addToPlaylist: Type.Optional(Type.String({ description: "Id of a playlist; the tracks go to its end" })),
  dedupe: Type.Optional(
    Type.Boolean({ description: "Leave out tracks that the playlist has already; default false" }),
  ),
  keepTogether: Type.Optional(KeepTogether),
  retag: Type.Optional(Type.Literal(true, { description: "Analyse the tracks again" })),
  delete: Type.Optional(Type.Literal(true, { description: "Move the tracks into the bin" })),
});
export type BulkDo = Static<typeof BulkDo>;

/** The longest wait for an answer that a request may ask for. */
const MAX_WAIT_MS = 30_000;
const answerWithinMs = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_MS,
    description:
      "Answer after so long at the latest, while the change goes on; left out: when all of it is made",
  }),
);

export const BulkChange = shape("BulkChange", { where: Where, do: BulkDo, answerWithinMs });
export type BulkChange = Static<typeof BulkChange>;

/** A change that a program with a key asks for. */
export const BulkEdit = shape("BulkEdit", {
  where: Where,
  do: Type.Object({
    ...changes,
    retag: Type.Optional(Type.Literal(true, { description: "Analyse the tracks again" })),
  }),
  answerWithinMs,
});

export const ChangeParams = Type.Object({
  changeId: Type.String({ description: "The change, as its answer named it" }),
});

const Failed = Type.Array(
  Type.Object({
    id: Type.String(),
    code: Type.String({ description: "A messageCode, such as `track_not_found`" }),
    message: Type.String(),
  }),
);
export type Failure = { id: string; code: string; message: string };

/** What is said of a change that may go on: only where it was asked for. */
const progress = {
  changeId: Type.Optional(
    Type.String({
      description: "By which to ask how far the change is, and to stop it; with `answerWithinMs`",
    }),
  ),
  state: Type.Optional(
    Type.Union([Type.Literal("running"), Type.Literal("done"), Type.Literal("stopped")], {
      description: "With `answerWithinMs`",
    }),
  ),
  total: Type.Optional(
    Type.Integer({ minimum: 0, description: "Tracks that were chosen; with `answerWithinMs`" }),
  ),
  done: Type.Optional(
    Type.Integer({ minimum: 0, description: "Tracks that were looked at; with `answerWithinMs`" }),
  ),
};

export const BulkResult = shape("BulkResult", {
  ...progress,
  changed: Type.Integer({ minimum: 0, description: "Tracks that are different now" }),
  failed: Failed,
  undoId: Type.Union([Type.String(), Type.Null()], {
    description: `For \`POST /app/undo/{undoId}\`, ${spelt(UNDO_MINUTES)} minutes long; null: nothing to undo`,
  }),
});
export type BulkResult = Static<typeof BulkResult>;

export const UndoParams = Type.Object({ undoId: Type.String() });
export const UndoResult = shape("UndoResult", {
  undone: Type.Integer({
    minimum: 0,
    description: "Tracks that were restored, or notes that are open again; 1 for a merge",
  }),
  failed: Failed,
});
export type UndoResult = Static<typeof UndoResult>;
