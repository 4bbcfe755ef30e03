import { Type } from "@sinclair/typebox";
import {
  type Composer,
  CreateComposer,
  ListComposersQuery,
  type SingleComposer,
  UpdateComposer,
} from "../../modules/library/composers/shapes.ts";
import type { OwnUndo } from "../../modules/outward/assistant/shapes.ts";
import { COMPOSER, change, fields, object, page } from "./answers.ts";
import { compactComposer, compactPage } from "./compact.ts";
import { ComposerId, Detail, field, Undo, undoBody } from "./fields.ts";
import { ADDS, READS, SETS, tool } from "./tool.ts";

const { fullName, email, artistName, publisher, pro, ipi } = CreateComposer.properties;
const Optional = {
  artistName: field(artistName, "Credited name"),
  publisher: field(publisher, "Publisher"),
  pro: field(pro, "PRO"),
  ipi: field(ipi, "IPI"),
};

export const listComposers = tool({
  name: "list_composers",
  title: "List composers",
  description: "People with a share in tracks, newest first, up to 25 tracks each.",
  input: Type.Object({
    cursor: field(ListComposersQuery.properties.cursor, "Last id seen"),
    detail: Detail,
  }),
  output: object(page(COMPOSER)),
  annotations: READS,
  operation: "listComposers",
  request: ({ cursor }) => ({ query: { cursor } }),
  compact: compactPage<Composer>(compactComposer),
});

export const getComposerCount = tool({
  name: "get_composer_count",
  title: "Count composers",
  description: "How many composers the library has altogether.",
  input: Type.Object({}),
  output: object(fields("count")),
  annotations: READS,
  operation: "countComposers",
});

export const getComposer = tool({
  name: "get_composer",
  title: "Composer",
  description: "One composer with tracks, share in % and role; null if unknown.",
  input: Type.Object({ composerId: ComposerId, detail: Detail }),
  output: object({ composer: object(COMPOSER) }),
  annotations: READS,
  operation: "getComposer",
  request: ({ composerId }) => ({ query: { id: composerId } }),
  compact: ({ composer }: SingleComposer) => ({ composer: composer && compactComposer(composer) }),
});

export const createComposer = tool({
  name: "create_composer",
  title: "Add a composer",
  description: "Add a person with a share in tracks. The e-mail must be new.",
  input: Type.Object({
    fullName: field(fullName, "Full name"),
    email: field(email, "E-mail"),
    ...Optional,
  }),
  output: object({ composer: object(fields("id fullName email")) }),
  annotations: ADDS,
  operation: "createComposer",
  request: ({ fullName, email, artistName, publisher, pro, ipi }) => ({
    body: { fullName, email, artistName, publisher, pro, ipi },
  }),
  compact: (composer: Composer) => ({ ok: true, composer: compactComposer(composer) }),
});

export const updateComposer = tool({
  name: "update_composer",
  title: "Update a composer",
  description: "Change the fields sent of a composer's details.",
  input: Type.Object({
    composerId: ComposerId,
    fullName: field(UpdateComposer.properties.fullName, "Full name"),
    email: field(UpdateComposer.properties.email, "E-mail"),
    ...Optional,
    undo: Undo,
  }),
  output: change(fields("composer")),
  target: { entity: "composer", argument: "composerId" },
  annotations: SETS,
  operation: "updateComposer",
  request: ({ composerId, undo, ...details }, isRehearsal) => {
    if (undo === undefined) return { body: { id: composerId, ...details } };
    const body = undoBody(undo, details, isRehearsal);
    return { operation: "undoComposerChange", query: { id: composerId }, body };
  },
  compact: (payload: { composer: object } | OwnUndo) =>
    "undone" in payload ? payload : { ok: true, composer: payload.composer },
});

export const deleteComposer = tool({
  name: "delete_composer",
  title: "Delete a composer",
  description: "Delete a composer, with the shares in tracks.",
  input: Type.Object({ composerId: ComposerId }),
  output: change(fields("composerId")),
  target: { entity: "composer", argument: "composerId" },
  deletes: true,
  annotations: SETS,
  operation: "deleteComposer",
  request: ({ composerId }) => ({ query: { id: composerId } }),
  compact: (_: object, { composerId }) => ({ ok: true, composerId }),
});
