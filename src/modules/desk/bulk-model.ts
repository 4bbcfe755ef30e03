import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../http/envelope.ts";
import { DetailsInput } from "../tracks/model.ts";
import { filterFields, sortField } from "./table-model.ts";

/** The most tracks that one request may name. More are chosen by a filter. */
const MAX_IDS = 20_000;
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
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Object({ category: Type.String(), name: Type.String({ minLength: 1, maxLength: 200 }) }),
]);
const Tags = Type.Array(Tag, {
  minItems: 1,
  maxItems: 100,
  description: "Names of the taxonomy or free text; `{category, name}` where a name has several categories",
});

/** What a bulk change may do, in the order in which it is done. */
export const BulkDo = shape("BulkDo", {
  details: Type.Optional(Type.Omit(DetailsInput, ["cover", "name"])),
  addTags: Type.Optional(Tags),
  removeTags: Type.Optional(Tags),
  visible: Type.Optional(Type.Boolean({ description: "Show the tracks in the library, or hide them" })),
  addToPlaylist: Type.Optional(Type.String({ description: "Id of a playlist; the tracks go to its end" })),
  dedupe: Type.Optional(
    Type.Boolean({ description: "Leave out tracks that the playlist has already; default false" }),
  ),
  retag: Type.Optional(Type.Literal(true, { description: "Analyse the tracks again" })),
  delete: Type.Optional(Type.Literal(true, { description: "Move the tracks into the bin" })),
});
export type BulkDo = Static<typeof BulkDo>;

export const BulkChange = shape("BulkChange", { where: Where, do: BulkDo });
export type BulkChange = Static<typeof BulkChange>;

const Failed = Type.Array(
  Type.Object({
    id: Type.String(),
    code: Type.String({ description: "A messageCode, such as `track_not_found`" }),
    message: Type.String(),
  }),
);
export type Failure = { id: string; code: string; message: string };

export const BulkResult = shape("BulkResult", {
  changed: Type.Integer({ minimum: 0, description: "Tracks that are different now" }),
  failed: Failed,
  undoId: Type.Union([Type.String(), Type.Null()], {
    description: "For `POST /app/undo/{undoId}`, ten minutes long; null: nothing to undo",
  }),
});
export type BulkResult = Static<typeof BulkResult>;

export const UndoParams = Type.Object({ undoId: Type.String() });
export const UndoResult = shape("UndoResult", {
  undone: Type.Integer({ minimum: 0, description: "Tracks that are as they were; 1 for a merge" }),
  failed: Failed,
});
export type UndoResult = Static<typeof UndoResult>;
